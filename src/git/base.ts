// A commit of the repository as files in a folder of their own, gone when it is let go; nothing of the commit is run.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userError } from '../errors.ts';
import { attempt, complaintOf, type Git, gitMissing, gitOf, isMissing } from './git.ts';

/** Files of a commit. */
export interface BaseFiles extends Disposable {
  /** The commit, 40 or 64 hexadecimal digits. */
  sha: string;
  /** As people call it: the ref that was asked for with the commit's first digits. */
  label: string;
  /** Absolute: the folder that stands for the one that was asked from. */
  cwd: string;
  /** What the user may want to know: that a commit was fetched, that the merge base is not known. */
  notes: string[];
}

/** What to look up. */
export interface BaseOptions {
  /** Absolute path within the repository. */
  cwd: string;
  /** A branch, tag or commit; absent for the merge base with the default branch. */
  ref?: string;
  env: Record<string, string | undefined>;
}

const PREFIX = 'retake-base-';

function commitOf(git: Git, ref: string): Promise<string | undefined> {
  return attempt(git, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
}

/** What a branch, tag or commit is called on the remote. */
function remoteName(ref: string): string {
  return ref.replace(/^refs\/remotes\/origin\/|^origin\//, '');
}

/** The commit of a ref, fetched where a shallow clone lacks it. */
async function find(git: Git, ref: string, notes: string[]): Promise<string | undefined> {
  const known = await commitOf(git, ref);
  if (known !== undefined || ref.startsWith('-')) return known;
  const fetched = await attempt(git, 'fetch', '--quiet', '--no-tags', '--depth=1', '--', 'origin', remoteName(ref));
  if (fetched === undefined) return undefined;
  const sha = await commitOf(git, 'FETCH_HEAD');
  if (sha !== undefined) notes.push(`${ref} was fetched: this clone did not have it`);
  return sha;
}

const DEFAULTS = ['origin/main', 'origin/master', 'main', 'master'];

async function defaultBranch(git: Git): Promise<string | undefined> {
  const head = await attempt(git, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  for (const ref of [...(head ? [head] : []), ...DEFAULTS]) if ((await commitOf(git, ref)) !== undefined) return ref;
  return undefined;
}

/** The merge base of HEAD and the default branch. */
async function mergeBase(git: Git, notes: string[]): Promise<{ sha: string; ref: string }> {
  const ref = await defaultBranch(git);
  if (ref === undefined) {
    throw userError('git_failed', 'the default branch is not known here', {
      remedy: 'Name what to compare with: `retake diff origin/main`.',
    });
  }
  const name = remoteName(ref);
  const sha = await attempt(git, 'merge-base', 'HEAD', ref);
  if (sha !== undefined) return { sha, ref: name };
  notes.push(`where this branch left ${name} is not known in a shallow clone: compared with ${name} itself`);
  return { sha: (await commitOf(git, ref)) as string, ref: name };
}

/** Removes what processes that are gone left behind. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    if (!Number.isInteger(pid)) continue;
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH')
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Writes the commit's files below `folder`, without touching the repository's own index or files. */
async function writeFiles(git: Git, sha: string, folder: string): Promise<void> {
  const index = join(folder, '.index');
  await git(['read-tree', `${sha}^{tree}`], { index });
  await git(['checkout-index', '--all', '--force', '--quiet', `--prefix=${folder}/`], { index });
  rmSync(index, { force: true });
}

/** Puts a commit's files into a temporary folder. Throws UserError where there is no repository or no such commit. */
export async function openBase({ cwd, ref, env }: BaseOptions): Promise<BaseFiles> {
  let place: string;
  try {
    place = await gitOf(cwd, env)(['rev-parse', '--show-toplevel', '--show-prefix']);
  } catch (error) {
    if (isMissing(error)) throw existsSync(cwd) ? gitMissing() : error;
    throw userError('git_failed', `this is no git repository that can be read: ${complaintOf(error)}`, {
      remedy: 'Run it within a clone, or compare two folders of cassettes with `retake diff --dirs`.',
    });
  }
  const [top = cwd, prefix = ''] = place.split('\n');
  const git = gitOf(top, env);
  const notes: string[] = [];
  const base = ref === undefined ? await mergeBase(git, notes) : { sha: await find(git, ref, notes), ref };
  const { sha } = base;
  if (sha === undefined) {
    throw userError('git_failed', `there is no branch, tag or commit ${JSON.stringify(ref)}`, {
      remedy: 'Name one that this clone or its origin has.',
    });
  }
  const temporary = realpathSync(tmpdir());
  sweep(temporary);
  const folder = mkdtempSync(join(temporary, `${PREFIX}${process.pid}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await writeFiles(git, sha, folder);
    // The folder that is asked from may be newer than the commit.
    mkdirSync(join(folder, prefix), { recursive: true });
  } catch (error) {
    remove();
    throw userError('git_failed', `the files of ${sha.slice(0, 12)} could not be written: ${complaintOf(error)}`, {
      remedy: 'See whether the disk is full and the clone whole (`git fsck`).',
    });
  }
  const short = sha.slice(0, 9);
  return {
    sha,
    label: sha.startsWith(base.ref) ? short : `${base.ref} (${short})`,
    cwd: join(folder, prefix),
    notes,
    [Symbol.dispose]: remove,
  };
}

/** A commit that is checked out. */
export interface CommitFacts {
  sha: string;
  /** In order; of a merge the first is the branch that was merged into. */
  parents: string[];
  /** Absent where it was not asked for, or a shallow clone does not know it. */
  mergeBase?: string;
}

/** What is checked out; undefined where there is no repository. The parents are those the commit names, though a shallow clone lacks them. */
export async function commitFacts(
  options: Omit<BaseOptions, 'ref'> & { mergeBaseWith?: string },
): Promise<CommitFacts | undefined> {
  const git = gitOf(options.cwd, options.env);
  const sha = await attempt(git, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const commit = sha === undefined ? undefined : await attempt(git, 'cat-file', 'commit', sha);
  if (sha === undefined || commit === undefined) return undefined;
  const header = commit.split('\n\n')[0] ?? '';
  const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
  const { mergeBaseWith } = options;
  const mergeBase = mergeBaseWith ? await attempt(git, 'merge-base', 'HEAD', mergeBaseWith) : undefined;
  return { sha, parents, ...(mergeBase && { mergeBase }) };
}
