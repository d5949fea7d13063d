// `command: propose` and `drift`: from fresh recordings to drift pull requests. Trusts nothing it is handed: both sides are replayed here.

import { setTimeout as sleep } from 'node:timers/promises';
import { notice, setOutput, warning } from '@actions/core';
import { waiting } from '../commands/accept.ts';
import { type Step, stepFor } from '../commands/propose-plan.ts';
import type { CaseChange, Comparison } from '../compare/comparison.ts';
import { driftOf } from '../compare/drift.ts';
import { type ChangeKind, KINDS_BY_WEIGHT } from '../compare/kinds.ts';
import { filesAt, moveBranches, writeCommits } from '../github/branch.ts';
import { wordsOf } from '../github/client.ts';
import { comment } from '../github/comment.ts';
import {
  closePullRequest,
  openPullRequest,
  setStatus,
  trim,
  updatePullRequest,
  viewerLogin,
} from '../github/pull-request.ts';
import { type DriftLane, driftBody, driftTitle } from '../render/drift-body.ts';
import { defuse } from '../render/terminal-text.ts';
import { commitsOf, keyOf, type Plan, planLane } from './propose-lane.ts';
import { type Facts, type Found, look, type Night, OVERWRITE, type ProposeOptions } from './propose-look.ts';

/** What became of one lane. */
export interface LaneOutcome {
  lane: DriftLane;
  operation: 'opened' | 'updated' | 'unchanged' | 'closed' | 'blocked' | 'stopped' | 'none';
  digest: string;
  number?: number;
  url?: string;
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
      base: facts.options.base,
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
