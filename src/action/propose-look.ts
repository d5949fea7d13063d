// What GitHub holds of a drift branch: whose commits, which pull requests, what was rejected.

import { info } from '@actions/core';
import type { Waiting } from '../commands/accept.ts';
import type { DriftReport } from '../commands/drift.ts';
import { caseKey, readTrailers, type Trailers } from '../commands/drift-trailers.ts';
import type { Standing } from '../commands/propose-plan.ts';
import { type BranchCommit, branchHead, commitsAhead, filesAt } from '../github/branch.ts';
import { type GitHub, wordsOf } from '../github/client.ts';
import { closedBy, type PullRequest, pullRequestsOf, type Trimmings } from '../github/pull-request.ts';
import { defuse } from '../render/terminal-text.ts';

/** What of a night's report a replay cannot know; its words may be a stranger's. */
export interface Night
  extends Pick<
    DriftReport,
    | 'outcome'
    | 'threshold'
    | 'incomparable'
    | 'unchecked'
    | 'attempted'
    | 'spentUsd'
    | 'spentKnownUsd'
    | 'into'
    | 'digest'
  > {
  drifted: readonly { suite: string; case: string; takes: number }[];
}

/** What to propose from. */
export interface ProposeOptions {
  github: GitHub;
  /** The night's report: what a replay cannot know. */
  report: Night;
  /** Absolute: where the project is loaded from, and its root. */
  cwd: string;
  root: string;
  /** The project's root relative to the repository, POSIX separators; empty where they are one. */
  folder: string;
  env: Record<string, string | undefined>;
  globs: string[];
  /** The branch of the pull request of cases that pass; the other's has `-fix` at its end. */
  branch: string;
  /** The default branch, and the commit of it that is checked out. */
  base: string;
  baseSha: string;
  trimmings: Trimmings;
  /** Context of the commit status. */
  statusContext: string;
  runUrl?: string;
  /** Which run this is, for the notice. */
  run: { sha: string; run: number; attempt: number };
}

/** The label that lets a branch be written over. */
export const OVERWRITE = 'retake:overwrite';

/** What GitHub holds of one branch. */
export interface Found {
  standing: Standing;
  trailers: Trailers | undefined;
  pull: PullRequest | undefined;
  /** Signatures that were rejected, by case key. */
  rejected: Map<string, string>;
  /** File ids of the branch. */
  files: Map<string, string>;
}

/** What a night is looked at by. */
export interface Facts {
  options: ProposeOptions;
  viewer: string;
  baseFiles: Map<string, string>;
  waits: Waiting;
}

/** Cassette paths by case key, relative to the repository. */
export function pathsOf({ options, waits }: Facts): Map<string, { path: string; suite: string; case: string }> {
  const inFolder = (path: string) => (options.folder === '' ? path : `${options.folder}/${path}`);
  return new Map(
    waits.before.suites.flatMap(({ cases }) =>
      cases.flatMap((one) =>
        one.cassette === undefined
          ? []
          : [[caseKey(one), { path: inFolder(one.cassette), suite: one.suite, case: one.case }] as const],
      ),
    ),
  );
}

/** Whether a commit of somebody's only takes files back to what the base has. */
async function onlyRestores({ options, baseFiles }: Facts, { sha, parents }: BranchCommit): Promise<boolean> {
  const { api, where } = options.github;
  const [parent] = parents;
  if (parent === undefined) return false;
  const [now, before] = await Promise.all([filesAt(api, where, sha), filesAt(api, where, parent)]);
  const changed = [...new Set([...now.keys(), ...before.keys()])].filter((path) => now.get(path) !== before.get(path));
  return changed.every((path) => now.get(path) === baseFiles.get(path));
}

/** Commits that are none of ours and do more than restore the base's files or merge it. */
async function foreignOf(facts: Facts, commits: readonly BranchCommit[]): Promise<string[]> {
  const foreign: string[] = [];
  for (const commit of commits) {
    const isOurs = commit.author === facts.viewer && readTrailers(commit.message) !== undefined;
    const isUpdate = commit.parents.length > 1;
    if (!isOurs && !isUpdate && !(await onlyRestores(facts, commit))) foreign.push(commit.sha);
  }
  return foreign;
}

function lastTrailers(commits: readonly BranchCommit[], viewer: string): Trailers | undefined {
  const ours = commits.filter(({ author }) => author === viewer).flatMap(({ message }) => readTrailers(message) ?? []);
  const last = ours.at(-1);
  // Each suite has its commit; together they hold all cases.
  return last && { ...last, cases: new Map(ours.flatMap(({ cases }) => [...cases])) };
}

/** What is remembered of a pull request that somebody closed without merging: every case in it, as it behaved. */
async function rejectedBefore(facts: Facts, pulls: readonly PullRequest[]): Promise<Map<string, string>> {
  const { github, base } = facts.options;
  const rejected = new Map<string, string>();
  for (const pull of pulls.filter(({ state, merged }) => state === 'closed' && !merged).slice(0, 10)) {
    const closer = await closedBy(github.api, github.where, pull.number);
    if (closer === undefined || closer === facts.viewer) continue;
    try {
      const { commits } = await commitsAhead(github.api, github.where, { base, head: pull.headSha });
      for (const [key, signature] of lastTrailers(commits, facts.viewer)?.cases ?? [])
        if (!rejected.has(key)) rejected.set(key, signature);
    } catch (error) {
      // Its commits are gone: then nothing is remembered of it.
      info(`Pull request #${pull.number} is not remembered: ${defuse(wordsOf(error))}`);
    }
  }
  return rejected;
}

/** Looks at a branch, its commits and its pull requests; writes nothing. */
export async function look(facts: Facts, branch: string): Promise<Found> {
  const { github, base } = facts.options;
  const { api, where } = github;
  const head = await branchHead(api, where, branch);
  const pulls = (await pullRequestsOf(api, where, { branch, base })).filter(({ author }) => author === facts.viewer);
  const pull = pulls.find(({ state }) => state === 'open');
  const closed = pulls.find(({ state }) => state === 'closed');
  const commits = head === undefined ? [] : (await commitsAhead(api, where, { base, head })).commits;
  const trailers = lastTrailers(commits, facts.viewer);
  const files = head === undefined ? new Map<string, string>() : await filesAt(api, where, head);
  const rejected = await rejectedBefore(facts, pulls);
  const paths = pathsOf(facts);
  for (const [key, signature] of trailers?.cases ?? []) {
    const path = paths.get(key)?.path;
    // Somebody restored it on the branch.
    if (path !== undefined && files.get(path) === facts.baseFiles.get(path)) rejected.set(key, signature);
  }
  return {
    standing: {
      ...(head !== undefined && { head }),
      ...(trailers && { digest: trailers.digest, inputs: trailers.inputs }),
      foreign: await foreignOf(facts, commits),
      mayOverwrite: pull?.labels.includes(OVERWRITE) ?? false,
      ...(pull && { open: { number: pull.number, hasConflict: false } }),
      ...(closed && { closed: { headSha: closed.headSha, isMerged: closed.merged } }),
    },
    trailers,
    pull,
    rejected,
    files,
  };
}
