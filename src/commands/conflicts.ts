// Cassettes and prompt files that a merge left in conflict, with their sides as far as those are whole.

import { join, relative, resolve as resolvePath } from 'node:path';
import { type Cassette, type Prompt, promptDigestsOf } from '../cassette/cassette.ts';
import { hasMarkers, sidesOf } from '../cassette/conflict.ts';
import type { Store } from '../cassette/store.ts';
import { readCassette, readPrompt, writePrompt } from '../cassette/text.ts';
import { UserError, userError } from '../errors.ts';
import { type Sides, sidesAtEnds, unmergedFiles } from '../git/unmerged.ts';
import type { Side } from '../render/resolve.ts';
import type { Project } from '../suite/load.ts';

/** What to mend. */
export interface ResolveOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** Files or folders relative to `cwd`; empty for every cassette in conflict. */
  paths: readonly string[];
  /** The side to take where both answer. */
  preferred: Side;
}

/** Both sides, as git calls them. */
export const SIDES = ['ours', 'theirs'] as const;

/** A file in conflict. `path` is below the cassette folder. */
export interface Conflict {
  path: string;
  sides: Sides;
  /** What stands in the working tree; undefined where nothing does. */
  now: string | undefined;
  /** Whether git's index has the sides, so that nothing is lost when the file is replaced. */
  isIndexed: boolean;
}

/** A cassette with the prompts it refers to. */
export interface Whole {
  cassette: Cassette;
  prompts: Map<string, Prompt>;
}

/** What conflicts are looked at by. */
export interface Facts {
  options: ResolveOptions;
  project: Project;
  own: Store;
  dir: string;
}

/** A prompt file's path below the cassette folder. */
export const PROMPT = /^[^/]+\/prompts\/([^/]+)\.yaml$/;

/** A text as what it holds; undefined where it is not whole. */
function whole<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8');

/** Whether both sides are cassettes by their own digests. */
function isEachWhole({ ours, theirs }: Sides): boolean {
  return [ours, theirs].every((text) => text !== undefined && whole(() => readCassette(bytesOf(text), '')));
}

/** Every cassette and prompt file in conflict, by git's index and by markers, in code-unit order of paths. */
export async function findConflicts({ options: { env }, project: { root }, own, dir }: Facts): Promise<Conflict[]> {
  const texts = new Map([...own.texts()].map(({ file, text }) => [file.slice(dir.length + 1), text]));
  const found = new Map<string, Conflict>();
  for (const [file, sides] of await unmergedFiles({ cwd: root, env })) {
    const path = file.startsWith(`${dir}/`) && file.endsWith('.yaml') ? file.slice(dir.length + 1) : undefined;
    // What both sides deleted or renamed has none.
    if (path === undefined || Object.keys(sides).length === 0) continue;
    // Of a file that both sides renamed from one, the index holds the merge of the two.
    const isJoined = Object.values(sides).some(hasMarkers);
    const whole = isJoined ? await sidesAtEnds({ cwd: root, env }, file) : sides;
    found.set(path, { path, sides: whole, now: texts.get(path), isIndexed: true });
  }
  for (const [path, now] of texts) {
    if (found.has(path) || !hasMarkers(now)) continue;
    const sides: Sides = sidesOf(now) ?? {};
    if (isEachWhole(sides)) {
      found.set(path, { path, sides, now, isIndexed: false });
      continue;
    }
    // What git merged outside of the markers, as a latency that one side alone changed, spoils a side's text.
    const ends = await sidesAtEnds({ cwd: root, env }, `${dir}/${path}`);
    found.set(path, { path, sides: isEachWhole(ends) ? ends : sides, now, isIndexed: false });
  }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Those that were named. Throws UserError for a name that names none. */
export function chosen(
  conflicts: readonly Conflict[],
  { options: { cwd, paths }, project: { root }, dir }: Facts,
): Conflict[] {
  if (paths.length === 0) return [...conflicts];
  const wanted = new Set<Conflict>();
  for (const given of paths) {
    const path = relative(join(root, dir), resolvePath(cwd, given)).replaceAll('\\', '/');
    const named = conflicts.filter((one) => path === '' || one.path === path || one.path.startsWith(`${path}/`));
    if (named.length === 0) {
      const listed = conflicts.slice(0, 10).map((one) => `  ${dir}/${one.path}`);
      throw userError('bad_argument', `no cassette is in conflict at ${given}`, {
        remedy: listed.length === 0 ? 'None is in conflict.' : ['In conflict are:', ...listed].join('\n'),
      });
    }
    for (const one of named) wanted.add(one);
  }
  return conflicts.filter((one) => wanted.has(one));
}

/** The prompt of this digest among texts; undefined where none is whole. */
export function wholePrompt(texts: readonly string[], digest: string): Prompt | undefined {
  return texts
    .map((text) => whole(() => readPrompt(bytesOf(text), '')))
    .find((prompt) => prompt && writePrompt(prompt).digest === digest);
}

/** A prompt as an end of the merge has it. */
export async function promptAtEnds({ options, project, dir }: Facts, path: string): Promise<Prompt | undefined> {
  const [, digest = ''] = PROMPT.exec(path) ?? [];
  const ends = await sidesAtEnds({ cwd: project.root, env: options.env }, `${dir}/${path}`);
  return wholePrompt(Object.values(ends), digest);
}

/** A side as a cassette of the case that its path belongs to, with all its prompts; undefined where it is not whole. */
export async function wholeSide(facts: Facts, path: string, text: string | undefined): Promise<Whole | undefined> {
  const cassette = text === undefined ? undefined : whole(() => readCassette(bytesOf(text), ''));
  if (!cassette || facts.own.path(cassette.suite, cassette.case) !== `${facts.dir}/${path}`) return undefined;
  const prompts = new Map<string, Prompt>();
  for (const digest of promptDigestsOf(cassette)) {
    const folder = path.slice(0, path.indexOf('/'));
    const prompt =
      whole(() => facts.own.openPrompt(cassette.suite)(digest)) ??
      (await promptAtEnds(facts, `${folder}/prompts/${digest}.yaml`));
    if (!prompt) return undefined;
    prompts.set(digest, prompt);
  }
  return { cassette, prompts };
}
