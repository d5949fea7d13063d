// The port to what is under test.

import type { Responder } from '../responder/responder.ts';
import type { Trajectory } from './trajectory.ts';

/** What is under test: an agent, an HTTP endpoint, a command. */
export interface Target {
  /** Runs one take, asking `responder`. Never rejects for what the model or a tool does: that is in the Trajectory. */
  run(responder: Responder, signal?: AbortSignal): Promise<Trajectory>;
}
