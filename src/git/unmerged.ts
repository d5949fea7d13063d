// Files that a merge left in conflict: both sides whole, as git's index keeps them until they are staged.

import { attemptRaw, type GitEnv, gitOf } from './git.ts';

/** The sides of a conflict; a side that deleted the file has no text. */
export interface Sides {
  ours?: string;
  theirs?: string;
}

/** Where to look. */
export interface UnmergedOptions {
  /** Absolute path within the repository. */
  cwd: string;
  env: GitEnv;
}

const ENTRY = /^\d+ ([0-9a-f]+) ([123])\t([\s\S]+)$/;
const NAMES: Record<string, keyof Sides> = { 2: 'ours', 3: 'theirs' };

/** The files below `cwd` that are in conflict, by path relative to it with POSIX separators; none outside of a repository. Throws UserError where there is no git. */
export async function unmergedFiles({ cwd, env }: UnmergedOptions): Promise<Map<string, Sides>> {
  const git = gitOf(cwd, env);
  const found = new Map<string, Sides>();
  const listed = (await attemptRaw(git, 'ls-files', '--unmerged', '-z', '--', '.')) ?? '';
  for (const entry of listed.split('\0')) {
    const [, blob = '', stage = '', path = ''] = ENTRY.exec(entry) ?? [];
    const side = NAMES[stage];
    if (path === '') continue;
    const sides = found.get(path) ?? {};
    found.set(path, sides);
    const text = side && (await attemptRaw(git, 'cat-file', 'blob', blob));
    if (side && text !== undefined) sides[side] = text;
  }
  return found;
}

/** What a merge, a rebase, a pick or a stash brings to HEAD. */
const THEIRS = ['MERGE_HEAD', 'REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'refs/stash'];

/** What a file, by its path relative to `cwd`, holds at the two ends of a merge. Throws UserError where there is no git. */
export async function sidesAtEnds({ cwd, env }: UnmergedOptions, path: string): Promise<Sides> {
  const git = gitOf(cwd, env);
  const textAt = (end: string) => attemptRaw(git, 'cat-file', 'blob', `${end}:./${path}`);
  const [ours, ...theirs] = await Promise.all(['HEAD', ...THEIRS].map(textAt));
  const [other] = theirs.filter((text) => text !== undefined);
  return { ...(ours !== undefined && { ours }), ...(other !== undefined && { theirs: other }) };
}
