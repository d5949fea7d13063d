// A project that was recorded before the test, and command lines run on it in this process.

import { run } from '../../src/commands/run.ts';
import type { RunResult } from '../../src/run/result.ts';
import { type Ran, retake } from '../cli/shell.ts';
import { configOf, KEY, newProject, type ProjectFolder, steadyRefund } from '../helpers/project.ts';
import { type Decide, startProvider } from '../helpers/provider-server.ts';

/** Where the suite of most tests stands. */
export const SUITE = 'evals/refunds.eval.yaml';

const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false };

/** Writes the files beside a config and records every case of them. */
export async function recorded(files: Record<string, string>, decide: Decide = steadyRefund): Promise<ProjectFolder> {
  await using provider = await startProvider(decide);
  const project = newProject({ 'retake.yaml': configOf(provider.baseUrl), ...files });
  const result = await run({ cwd: project.folder, mode: 'record', env: KEY, ...EVERYTHING });
  if (result.exitCode !== 0) throw new Error(`not recorded: ${JSON.stringify(result.counts)}`);
  return project;
}

/** Replays a project. */
export function replay(project: ProjectFolder): Promise<RunResult> {
  return run({ cwd: project.folder, env: {}, ...EVERYTHING });
}

/** Runs one command line in a project, with no key and no terminal. */
export function retakeIn(project: ProjectFolder, ...argv: string[]): Promise<Ran> {
  return retake(argv, { cwd: project.folder });
}
