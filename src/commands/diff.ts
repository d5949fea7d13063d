// `retake diff`: what behaves differently against a base, both sides replayed from their cassettes; asks nobody, writes nothing.

import { openStore } from '../cassette/store.ts';
import { compare } from '../compare/compare.ts';
import type { Comparison } from '../compare/comparison.ts';
import { UserError } from '../errors.ts';
import { openBase } from '../git/base.ts';
import type { RunResult } from '../run/result.ts';
import { resultOf } from '../run/run.ts';
import { VERSION } from '../version.ts';
import { type RunOptions, run } from './run.ts';

/** What to compare. */
export interface DiffOptions
  extends Pick<RunOptions, 'cwd' | 'globs' | 'filter' | 'tags' | 'concurrency' | 'env' | 'signal'> {
  /** A branch, tag or commit; absent for the merge base with the default branch. */
  ref?: string;
  /** Two folders of cassettes relative to the project, in place of a base. */
  dirs?: readonly [string, string];
}

/** Both sides and what differs. */
export interface DiffResult {
  comparison: Comparison;
  /** As people call the sides. */
  labels: { before: string; after: string };
  before: RunResult;
  after: RunResult;
  notes: string[];
}

/** A run of nothing: a base from before there were suites. */
function emptyRun(): RunResult {
  return resultOf([], [], { mode: 'replay', retake: VERSION, notes: [] });
}

/** Whether a mistake only says that there is nothing to run. */
function isNothing(error: unknown): boolean {
  if (!(error instanceof UserError)) return false;
  return error.faults.every(
    ({ code, message }) =>
      code === 'no_suites' ||
      code === 'no_cases' ||
      (code === 'bad_argument' && message.startsWith('no suite matches')),
  );
}

/** Replays the base's own suites and cassettes; what is not there yet is no mistake, what is damaged is told as the base's. */
export async function replayBase(options: RunOptions, label: string): Promise<RunResult> {
  try {
    return await run({ ...options, mode: 'replay' });
  } catch (error) {
    if (isNothing(error)) return emptyRun();
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      error.faults.map((fault) => ({
        ...fault,
        ...(fault.place && { place: { ...fault.place, file: `${label}:${fault.place.file}` } }),
      })),
    );
  }
}

/** Compares the working tree with a base, or two folders of cassettes. Throws UserError. */
export async function diff(options: DiffOptions): Promise<DiffResult> {
  const { cwd, ref, dirs, env, ...selection } = options;
  const common: RunOptions = { ...selection, cwd, env, mode: 'replay', failFast: false, resume: false };
  if (dirs) {
    const [before, after] = dirs;
    const replay = (dir: string) =>
      run({ ...common, openCassettes: ({ root }) => openStore(root, dir, { refuseCredentials: true }) });
    const sides = { before: await replay(before), after: await replay(after) };
    return { comparison: compare(sides.before, sides.after), labels: { before, after }, ...sides, notes: [] };
  }
  const after = await run(common);
  using base = await openBase({ cwd, env, ...(ref !== undefined && { ref }) });
  const before = await replayBase({ ...common, cwd: base.cwd, liveCode: 'refuse' }, base.label);
  return {
    comparison: compare(before, after),
    labels: { before: base.label, after: 'working tree' },
    before,
    after,
    notes: base.notes,
  };
}
