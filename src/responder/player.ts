// Answers from one take of a cassette, and never from anywhere else.

import type { Take } from '../cassette/cassette.ts';
import { identify } from '../request/fingerprint.ts';
import type { ChatRequest, Response } from '../request/request.ts';
import type { Miss, Responder } from './responder.ts';

/** A player and what it knows of its take. */
export interface Player extends Responder {
  /** Recorded interactions that were never asked for. */
  unused(): number;
}

/** Explains a miss against the take it happened in; called only when one happens. */
export type ExplainMiss = (request: ChatRequest, place: { turn: number; exhausted: boolean }) => Miss;

/** Plays one take: equal requests are served in recorded order, each once. */
export function player(take: Take, explain: ExplainMiss): Player {
  const waiting = new Map<string, Response[]>();
  for (const { fingerprint, response } of take.interactions) {
    const queue = waiting.get(fingerprint);
    if (queue) queue.push(response);
    else waiting.set(fingerprint, [response]);
  }
  let unused = take.interactions.length;
  let asked = 0;
  return {
    async respond(request) {
      asked++;
      const queue = waiting.get(identify(request).fingerprint);
      const response = queue?.shift();
      if (response) {
        unused--;
        return { ok: true, response, source: 'cassette' };
      }
      return {
        ok: false,
        failure: { kind: 'unrecorded', miss: explain(request, { turn: asked, exhausted: !!queue }) },
      };
    },
    unused: () => unused,
  };
}

/** Stands where there is no recording at all: every request is a miss. */
export function emptyPlayer(explain: (request: ChatRequest) => Miss): Player {
  return {
    respond: async (request) => ({ ok: false, failure: { kind: 'unrecorded', miss: explain(request) } }),
    unused: () => 0,
  };
}
