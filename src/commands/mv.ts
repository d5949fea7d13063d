// `retake mv`: gives recordings the new name of a case or a suite, without a provider; prints nothing.

import { type Cassette, type Prompt, promptDigestsOf } from '../cassette/cassette.ts';
import { cassettePath, slugOf } from '../cassette/paths.ts';
import { openStore, type Store } from '../cassette/store.ts';
import { writeCassette } from '../cassette/text.ts';
import { UserError, userError } from '../errors.ts';
import type { MoveReport } from '../render/upkeep.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import { type CaseKey, caseName, findCase, readCaseName, unknownName } from '../suite/names.ts';
import type { PlannedSuite } from '../suite/plan.ts';
import { promptsOf } from './stock.ts';

/** What to rename: two cases as `suite::case`, or two suites. */
export interface MoveOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  from: string;
  to: string;
}

/** A cassette of the store with its path below the folder. */
interface Found {
  path: string;
  cassette: Cassette;
}

const folderOf = (path: string) => path.slice(0, path.indexOf('/'));
const keyOf = ({ suite, case: name }: Cassette): CaseKey => ({ suite, case: name });

/** Every cassette of the store, in order of paths. Throws UserError where one beside the old one is damaged: it may need any prompt there. */
function readAll(store: Store, { from }: MoveOptions): Found[] {
  const beside = slugOf(readCaseName(from)?.suite ?? from);
  const paths = store.files().filter((path) => /^[^/]+\/[^/]+\.yaml$/.test(path) && store.isOurs(path));
  return paths.flatMap((path) => {
    try {
      return [{ path, cassette: store.readAt(path) }];
    } catch (error) {
      if (error instanceof UserError && folderOf(path) !== beside) return [];
      throw error;
    }
  });
}

/** The case or suite that NEW names. It must be one that the project has and that reads cassettes. Throws UserError. */
function checkNew(suites: readonly PlannedSuite[], { to }: MoveOptions): void {
  if (readCaseName(to)) {
    const planned = findCase(suites, to);
    if (isRecorded(planned)) return;
    const why = planned.script ? 'has a script' : 'runs live code';
    throw userError('bad_argument', `the case ${to} ${why} and reads no cassette`, {
      remedy: planned.script
        ? 'Remove its `script:` before you give it a recording.'
        : 'Live code is never recorded; give the recording to another case.',
    });
  }
  if (suites.some(({ name }) => name === to)) return;
  throw unknownName(
    to,
    'the project has no suite',
    suites.map(({ name }) => name),
  );
}

/** OLD must be a name that the project has no more: else the case that has it would lose its recording. Throws UserError. */
function checkOld(suites: readonly PlannedSuite[], { from }: MoveOptions): void {
  const key = readCaseName(from);
  const owner = suites.find(({ name }) => name === (key ? key.suite : from));
  const planned = owner?.cases.find(({ name }) => name === key?.case);
  if (!owner || (key && (!planned || !isRecorded(planned)))) return;
  throw userError('bad_argument', `${from} is still a ${key ? 'case' : 'suite'} of the project`, {
    place: { file: planned?.path ?? owner.path, ...(planned && { line: planned.line }) },
    remedy: 'Rename it there first: `retake mv` does not edit suites, and it would lose its recording.',
  });
}

function nothingRecorded({ from, to }: MoveOptions, all: readonly Found[]): UserError {
  const key = readCaseName(from);
  const names = all.map(({ cassette }) => (key ? caseName(keyOf(cassette)) : cassette.suite));
  const known = [...new Set(names)];
  if (!known.includes(to)) return unknownName(from, 'there is no recording of', known);
  return userError('bad_argument', `there is no recording of ${from}, and there is one of ${to}`, {
    remedy: 'If it was renamed before, nothing is left to do but `retake prune`.',
  });
}

/** A cassette as it will be. */
function renamed(cassette: Cassette, { to }: MoveOptions): Cassette {
  const key = readCaseName(to);
  return { ...cassette, suite: key?.suite ?? to, case: key?.case ?? cassette.case };
}

/** Throws UserError where another recording stands in the way. */
function checkFree(store: Store, next: Cassette): void {
  const there = store.read(next.suite, next.case);
  // The same text is what an interrupted `retake mv` left behind.
  if (!there || writeCassette(there) === writeCassette(next)) return;
  throw userError('bad_argument', `${caseName(keyOf(next))} has another recording, which would be lost`, {
    place: { file: store.path(next.suite, next.case) },
    remedy: 'Delete that file if you do not want it, then run this again.',
  });
}

/** The prompts that cassettes refer to, read from under the old name. */
function promptsFor(store: Store, { cassette }: Found): Map<string, Prompt> {
  const open = store.openPrompt(cassette.suite);
  return new Map([...promptDigestsOf(cassette)].map((digest) => [digest, open(digest)]));
}

/** Renames recordings: new files first, then the old go; run again after an interruption, it goes on. Throws UserError. */
export async function mv(options: MoveOptions): Promise<MoveReport> {
  const { cwd, env, from, to } = options;
  const old = readCaseName(from);
  if (!old !== !readCaseName(to)) {
    throw userError('bad_argument', `one of ${from} and ${to} names a case, the other a suite`, {
      remedy: 'Give two cases, each as `suite::case`, or two suites.',
    });
  }
  const project = loadProject({ cwd, globs: [], env });
  checkNew(project.suites, options);
  checkOld(project.suites, options);
  const store = openStore(project.root, project.config.cassettesDir);
  const all = readAll(store, options);
  const moved = all.filter(({ cassette }) => (old ? caseName(keyOf(cassette)) : cassette.suite) === from);
  if (moved.length === 0) throw nothingRecorded(options, all);
  const next = moved.map(({ cassette }) => renamed(cassette, options));
  const prompts = moved.map((found) => promptsFor(store, found));
  const unlock: (() => void)[] = [];
  try {
    for (const { suite, case: name } of next) unlock.push(store.lock(suite, name));
    for (const cassette of next) checkFree(store, cassette);
    for (const [at, cassette] of next.entries()) store.write(cassette, prompts[at] as Map<string, Prompt>);
    store.removeFiles(leftBehind(all, moved, next));
  } finally {
    for (const release of unlock) release();
  }
  return {
    moved: moved.map(({ cassette }, at) => {
      const { suite, case: name } = next[at] as Cassette;
      return { from: store.path(cassette.suite, cassette.case), to: store.path(suite, name) };
    }),
  };
}

/** The old cassettes, then the prompts that only they referred to. */
function leftBehind(all: readonly Found[], moved: readonly Found[], next: readonly Cassette[]): string[] {
  const written = new Set(next.map(({ suite, case: name }) => cassettePath(suite, name)));
  const needed = new Set([
    ...all.flatMap((found) => (moved.includes(found) ? [] : promptsOf(found.cassette, folderOf(found.path)))),
    ...next.flatMap((cassette) => promptsOf(cassette, folderOf(cassettePath(cassette.suite, cassette.case)))),
  ]);
  const prompts = moved.flatMap(({ path, cassette }) => promptsOf(cassette, folderOf(path)));
  return [
    ...moved.flatMap(({ path }) => (written.has(path) ? [] : [path])),
    ...new Set(prompts.filter((path) => !needed.has(path))),
  ];
}
