// `retake drift --accept`: moves fresh recordings that wait into the project's cassettes; asks nobody.

import { promptDigestsOf } from '../cassette/cassette.ts';
import { openStore } from '../cassette/store.ts';
import { compare } from '../compare/compare.ts';
import type { CaseChange, Comparison } from '../compare/comparison.ts';
import { userError } from '../errors.ts';
import type { RunResult } from '../run/result.ts';
import { loadProject } from '../suite/load.ts';
import { pendingOver } from './drift.ts';
import { type RunOptions, run } from './run.ts';

/** What waits, compared with what is committed; both are replayed, nothing that was said of them is trusted. */
export interface Waiting {
  comparison: Comparison;
  before: RunResult;
  after: RunResult;
}

/** Where to look. */
export interface WaitingOptions extends Pick<RunOptions, 'cwd' | 'globs' | 'filter' | 'tags' | 'env' | 'signal'> {
  /** The folder of the fresh recordings, relative to the project. */
  into: string;
}

/** Compares what waits with what is committed. Throws UserError where nothing waits or something is damaged. */
export async function waiting({ into, ...options }: WaitingOptions): Promise<Waiting> {
  const project = loadProject(options);
  if (
    !openStore(project.root, into)
      .files()
      .some((file) => file.endsWith('.yaml'))
  ) {
    throw userError('no_cases', `no fresh recordings wait in ${into}`, { remedy: 'Take them first: `retake drift`.' });
  }
  const common = { ...options, failFast: false, resume: false, mode: 'replay' as const };
  const before = await run(common);
  const after = await run({ ...common, openCassettes: (one) => pendingOver(one, into) });
  return { comparison: compare(before, after), before, after };
}

/** What to accept. */
export interface AcceptOptions extends WaitingOptions {
  /** Rewordings too. */
  all: boolean;
}

/** Moves the recordings of the selected cases that changed into the project's cassettes; gives the changes that are accepted. */
export async function accept({ all, ...options }: AcceptOptions): Promise<CaseChange[]> {
  const { comparison } = await waiting(options);
  const { cwd, globs, env, into } = options;
  const project = loadProject({ cwd, globs, env });
  const pending = openStore(project.root, into);
  const own = openStore(project.root, project.config.cassettesDir);
  const accepted = comparison.changes.filter(({ kind }) => kind !== 'removed' && (all || kind !== 'reworded'));
  const suites = new Set<string>();
  const moved: CaseChange[] = [];
  for (const change of accepted) {
    const { suite, case: name } = change;
    const cassette = pending.read(suite, name);
    // A change without a fresh recording is none that waits: an expectation was edited.
    if (!cassette) continue;
    const open = pending.openPrompt(suite);
    const prompts = new Map([...promptDigestsOf(cassette)].map((digest) => [digest, open(digest)]));
    const unlock = own.lock(suite, name);
    try {
      own.write(cassette, prompts);
    } finally {
      unlock();
    }
    pending.remove(suite, name);
    suites.add(suite);
    moved.push(change);
  }
  for (const suite of suites) own.sweep(suite);
  return moved;
}
