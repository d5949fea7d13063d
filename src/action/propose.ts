// `command: propose` and `drift`: from fresh recordings to drift pull requests. Trusts nothing it is handed: both sides are replayed here.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { info, notice, setOutput, warning } from '@actions/core';
import { openStore } from '../cassette/store.ts';
import { type Waiting, waiting } from '../commands/accept.ts';
import type { DriftReport } from '../commands/drift.ts';
import { caseKey, readTrailers, shortSignature, type Trailers, writeTrailers } from '../commands/drift-trailers.ts';
import { type Proposed, type Standing, type Step, stepFor } from '../commands/propose-plan.ts';
import type { CaseChange, Comparison } from '../compare/comparison.ts';
import { caseSignature, casesByName, driftDigest, driftOf } from '../compare/drift.ts';
import { type ChangeKind, KINDS_BY_WEIGHT } from '../compare/kinds.ts';
import {
  type BranchCommit,
  blobId,
  blobText,
  branchHead,
  commitsAhead,
  type FileChange,
  filesAt,
  moveBranches,
  type NewCommit,
  writeCommits,
} from '../github/branch.ts';
import { type GitHub, wordsOf } from '../github/client.ts';
import { comment } from '../github/comment.ts';
import {
  closedBy,
  closePullRequest,
  openPullRequest,
  type PullRequest,
  pullRequestsOf,
  setStatus,
  type Trimmings,
  trim,
  updatePullRequest,
  viewerLogin,
} from '../github/pull-request.ts';
import { type DriftLane, driftBody, driftTitle } from '../render/drift-body.ts';
import { plainLine } from '../render/markdown.ts';
import { counted } from '../render/terminal-figures.ts';
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

/** What became of one lane. */
export interface LaneOutcome {
  lane: DriftLane;
  operation: 'opened' | 'updated' | 'unchanged' | 'closed' | 'blocked' | 'stopped' | 'none';
  digest: string;
  number?: number;
  url?: string;
}

const OVERWRITE = 'retake:overwrite';
const keyOf = (one: { suite: string; case: string }) => `${one.suite}::${one.case}`;

interface Found {
  standing: Standing;
  trailers: Trailers | undefined;
  pull: PullRequest | undefined;
  /** Signatures that were rejected, by case key. */
  rejected: Map<string, string>;
  /** File ids of the branch. */
  files: Map<string, string>;
}

interface Facts {
  options: ProposeOptions;
  viewer: string;
  baseFiles: Map<string, string>;
  waits: Waiting;
}

/** Cassette paths by case key, relative to the repository. */
function pathsOf({ options, waits }: Facts): Map<string, { path: string; suite: string; case: string }> {
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

async function look(facts: Facts, branch: string): Promise<Found> {
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

/** One case that goes into a pull request. */
interface Entry {
  suite: string;
  case: string;
  signature: string;
  /** The change, where it was taken tonight; else it is carried over. */
  change?: CaseChange;
  files: FileChange[];
}

interface Plan {
  entries: Entry[];
  carried: Entry[];
  rejected: string[];
  proposed: Proposed;
}

function repositoryPath({ folder }: ProposeOptions, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The files of a fresh recording: the cassette and the prompts it refers to. */
function freshFiles({ options, waits }: Facts, { suite, case: name }: { suite: string; case: string }): FileChange[] {
  const pending = openStore(options.root, options.report.into);
  const cassette = pending.read(suite, name);
  const one = waits.before.suites
    .flatMap(({ cases }) => cases)
    .find((found) => found.suite === suite && found.case === name);
  if (!cassette || one?.cassette === undefined) return [];
  const ownDir = one.cassette.slice(
    0,
    one.cassette.length - pending.path(suite, name).length + options.report.into.length,
  );
  const digests = new Set(
    cassette.takes.flatMap(({ interactions }) => interactions.flatMap(({ start }) => start?.prompt ?? [])),
  );
  const relative = pending.path(suite, name).slice(options.report.into.length + 1);
  const folder = relative.slice(0, relative.lastIndexOf('/'));
  const paths = [relative, ...[...digests].map((digest) => `${folder}/prompts/${digest}.yaml`)];
  return paths.flatMap((path) => {
    try {
      const text = readFileSync(join(options.root, options.report.into, path), 'utf8');
      return { path: repositoryPath(options, `${ownDir}/${path}`), text };
    } catch {
      // A prompt that only the committed folder has did not change.
      return [];
    }
  });
}

/** What the cases of a proposal stand on: suites, cassettes and prompts of the base. */
function inputsDigest({ options, baseFiles, waits }: Facts, entries: readonly Entry[]): string {
  const suites = new Set(entries.map(({ suite }) => suite));
  const lines = waits.before.suites
    .filter(({ suite }) => suites.has(suite))
    .flatMap(({ path, cases }) => [path, ...cases.flatMap(({ cassette }) => cassette ?? [])])
    .map((path) => repositoryPath(options, path))
    .map((path) => `${path} ${baseFiles.get(path) ?? ''}`);
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

async function planLane(facts: Facts, lane: DriftLane, found: Found): Promise<Plan> {
  const { options, waits } = facts;
  const { report, github } = options;
  const settled = new Set(report.drifted.map(keyOf));
  const after = casesByName(waits.after);
  const caseOf = (one: { suite: string; case: string }) => after.get(JSON.stringify([one.suite, one.case]));
  const changes = driftOf(waits.comparison, report.threshold).filter((change) => settled.has(keyOf(change)));
  const ofLane = changes.filter((change) => (caseOf(change)?.one.outcome === 'passed') === (lane === 'accept'));
  const rejected: string[] = [];
  const entries: Entry[] = [];
  for (const change of ofLane) {
    const fresh = caseOf(change);
    if (!fresh) continue;
    const signature = caseSignature(fresh.one, fresh.loose);
    if (found.rejected.get(caseKey(change)) === shortSignature(signature)) {
      rejected.push(keyOf(change));
      continue;
    }
    const files = freshFiles(facts, change).filter(
      ({ path, text }) => text === null || facts.baseFiles.get(path) !== blobId(text),
    );
    if (files.length > 0) entries.push({ suite: change.suite, case: change.case, signature, change, files });
  }
  const missed = new Set([...report.unchecked, ...report.incomparable.map(keyOf)]);
  const carried: Entry[] = [];
  const paths = pathsOf(facts);
  for (const [key, signature] of found.trailers?.cases ?? []) {
    const at = paths.get(key);
    const id = at && found.files.get(at.path);
    if (!at || !id || found.rejected.has(key) || !missed.has(keyOf(at)) || id === facts.baseFiles.get(at.path))
      continue;
    const text = await blobText(github.api, github.where, id);
    carried.push({ suite: at.suite, case: at.case, signature, files: [{ path: at.path, text }] });
  }
  const all = [...entries, ...carried];
  const ids = carried.map(({ suite, case: name, signature }) => JSON.stringify([suite, name, signature])).sort();
  const digest = createHash('sha256')
    .update(
      [
        driftDigest(
          entries.flatMap(({ change }) => change ?? []),
          waits.after,
        ),
        ...ids,
      ].join('\n'),
    )
    .digest('hex');
  return {
    entries,
    carried,
    rejected,
    proposed: { isEmpty: all.length === 0, digest, inputs: inputsDigest(facts, all) },
  };
}

function commitsOf({ entries, carried, proposed }: Plan): NewCommit[] {
  const all = [...entries, ...carried];
  const suites = [...new Set(all.map(({ suite }) => suite))].sort();
  return suites.map((suite) => {
    const cases = all.filter((one) => one.suite === suite);
    const listed = cases
      .slice(0, 50)
      .map(({ case: name, change }) => `- ${plainLine(name)}: ${change?.kind ?? 'carried over'}`);
    const more = cases.length > 50 ? [`- and ${cases.length - 50} more`] : [];
    const files = new Map(cases.flatMap((one) => one.files.map((file) => [file.path, file] as const)));
    return {
      message: [
        `Retake ${plainLine(suite)}: ${counted(cases.length, 'case')} ${cases.length === 1 ? 'behaves' : 'behave'} differently`,
        [...listed, ...more].join('\n'),
        writeTrailers({ ...proposed, cases }),
      ].join('\n\n'),
      files: [...files.values()],
    };
  });
}

/** A comparison of some changes alone. */
function only(comparison: Comparison, changes: CaseChange[]): Comparison {
  const counts = Object.fromEntries(KINDS_BY_WEIGHT.map((kind) => [kind, 0])) as Record<ChangeKind, number>;
  for (const { kind } of changes) counts[kind]++;
  return { ...comparison, counts, changes, before: comparison.before, after: comparison.after };
}

/** Changes that the night did not settle. */
function unsettledOf({ options: { report }, waits }: Facts): number {
  const settled = new Set(report.drifted.map(keyOf));
  return driftOf(waits.comparison, report.threshold).filter((change) => !settled.has(keyOf(change))).length;
}

function textOf(facts: Facts, lane: DriftLane, branch: string, plan: Plan) {
  const { report, runUrl } = facts.options;
  const comparison = only(
    facts.waits.comparison,
    plan.entries.flatMap(({ change }) => change ?? []),
  );
  const carried = plan.carried.map(keyOf);
  return {
    title: driftTitle({ lane, comparison, carried }),
    body: driftBody({
      lane,
      branch,
      comparison,
      attempted: report.attempted,
      takes: new Map(report.drifted.map((one) => [keyOf(one), one.takes])),
      carried,
      rejected: plan.rejected,
      reworded: facts.waits.comparison.counts.reworded,
      unsettled: unsettledOf(facts),
      incomparable: report.incomparable,
      unchecked: report.unchecked,
      spentUsd: report.spentUsd,
      spentKnownUsd: report.spentKnownUsd,
      ...(runUrl !== undefined && { runUrl }),
      marker: `<!-- retake drift ${plan.proposed.digest.slice(0, 16)} -->`,
    }),
    draft: lane === 'fix',
  };
}

async function say(facts: Facts, number: number, text: string): Promise<void> {
  const { github, run } = facts.options;
  await comment(github, { number, key: 'drift', run, isWanted: true, body: (marker) => `${marker}\n${text}\n` });
}

/** Writes the branch and opens or edits the pull request. */
async function write(
  facts: Facts,
  act: { lane: DriftLane; branch: string; plan: Plan; found: Found; step: Step },
): Promise<LaneOutcome> {
  const { lane, branch, plan, found, step } = act;
  const { github, base, baseSha, trimmings, statusContext } = facts.options;
  const { api, where } = github;
  const { digest } = plan.proposed;
  let head = found.standing.head;
  if (step !== 'reopen') {
    const after = await writeCommits(api, where, { parent: baseSha, commits: commitsOf(plan) });
    if (!(await moveBranches(api, where, [{ branch, before: head, after }]))) {
      warning(`The branch ${branch} moved while it was written; the next run looks at it anew.`);
      return { lane, operation: 'none', digest };
    }
    head = after;
  }
  if (head !== undefined) {
    const fails = lane === 'fix';
    await setStatus(api, where, {
      sha: head,
      state: fails ? 'failure' : 'success',
      context: statusContext,
      description: fails ? 'Replayed: cases here fail' : 'Replayed: the cases here pass',
      ...(facts.options.runUrl !== undefined && { url: facts.options.runUrl }),
    }).catch((error: unknown) => warning(`The commit status was not set: ${defuse(wordsOf(error))}`));
  }
  const text = textOf(facts, lane, branch, plan);
  if (found.pull) {
    await updatePullRequest(api, where, { pullRequest: found.pull, text });
    return { lane, operation: 'updated', digest, number: found.pull.number, url: found.pull.url };
  }
  const opened = await openPullRequest(api, where, { branch, base, text });
  if (!opened.ok) {
    warning(
      `The branch ${branch} holds the drift, but its pull request may not be opened: ${defuse(opened.blocked)} Allow it under Settings, Actions, General, or open it by hand.`,
    );
    return { lane, operation: 'blocked', digest };
  }
  const { number, url } = opened.pullRequest;
  for (const told of await trim(api, where, { number, trimmings, wait: (ms) => sleep(ms) })) warning(defuse(told));
  return { lane, operation: 'opened', digest, number, url };
}

async function close(
  facts: Facts,
  { lane, branch, plan, found }: { lane: DriftLane; branch: string; plan: Plan; found: Found },
): Promise<LaneOutcome> {
  const { api, where } = facts.options.github;
  const { head } = found.standing;
  const { pull } = found;
  if (pull) {
    await say(
      facts,
      pull.number,
      'The models behave as recorded again: nothing is left to decide here, so this closes.',
    );
    await closePullRequest(api, where, pull.number);
  }
  if (head !== undefined) await moveBranches(api, where, [{ branch, before: head, after: undefined }]);
  return {
    lane,
    operation: pull ? 'closed' : 'none',
    digest: plan.proposed.digest,
    ...(pull && { number: pull.number, url: pull.url }),
  };
}

const STOPPED = `Somebody has worked on this branch, so it is left as it is. To let it be written anew, losing those commits, add the label \`${OVERWRITE}\`; to keep them, merge or close this.`;

async function runLane(facts: Facts, lane: DriftLane): Promise<LaneOutcome> {
  const branch = lane === 'accept' ? facts.options.branch : `${facts.options.branch}-fix`;
  const found = await look(facts, branch);
  const plan = await planLane(facts, lane, found);
  const step = stepFor(plan.proposed, found.standing);
  const { digest } = plan.proposed;
  const { pull } = found;
  const here = pull && { number: pull.number, url: pull.url };
  switch (step) {
    case 'none':
      return { lane, operation: 'none', digest };
    case 'keep':
      return { lane, operation: 'unchanged', digest, ...here };
    case 'stop':
      if (pull) await say(facts, pull.number, STOPPED);
      else notice(`The branch ${branch} holds commits of somebody else and is left as it is.`);
      return { lane, operation: 'stopped', digest, ...here };
    case 'close':
    case 'tidy':
      return close(facts, { lane, branch, plan, found });
    case 'open':
    case 'reopen':
    case 'update':
      return write(facts, { lane, branch, plan, found, step });
  }
}

/** Opens, updates or closes the drift pull requests, one of cases that pass and one of cases that fail. */
export async function propose(options: ProposeOptions): Promise<{ outcomes: LaneOutcome[]; comparison: Comparison }> {
  const { github, cwd, globs, env, report, baseSha } = options;
  const { api, where } = github;
  const waits = await waiting({ cwd, globs, env, filter: [], tags: [], into: report.into });
  const facts: Facts = {
    options,
    viewer: await viewerLogin(api),
    baseFiles: await filesAt(api, where, baseSha),
    waits,
  };
  const outcomes: LaneOutcome[] = [];
  for (const lane of ['accept', 'fix'] as const) outcomes.push(await runLane(facts, lane));
  return { outcomes, comparison: waits.comparison };
}

/** Sets the outputs of a night. */
export function setDriftOutputs(
  report: Pick<Night, 'outcome' | 'drifted' | 'incomparable' | 'digest'>,
  outcomes: readonly LaneOutcome[],
): void {
  const first = outcomes.find(({ operation }) => operation !== 'none');
  const outputs = {
    drift: report.outcome,
    changed: report.drifted.length,
    incomparable: report.incomparable.length,
    'drift-digest': report.digest,
    operation: first?.operation ?? 'none',
    'pull-request-number': first?.number ?? '',
    'pull-request-url': first?.url ?? '',
  };
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}
