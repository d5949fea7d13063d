// What the base of a change did: which commit it is, its replay, and how the change behaves against it.

import { replayBase } from '../commands/diff.ts';
import type { RunOptions } from '../commands/run.ts';
import { compare } from '../compare/compare.ts';
import type { Comparison } from '../compare/comparison.ts';
import { UserError } from '../errors.ts';
import { commitFacts, openBase } from '../git/base.ts';
import type { BaseRun } from '../render/verdict.ts';
import type { RunResult } from '../run/result.ts';
import { countOutcomes } from '../run/tally.ts';
import type { Event } from './event.ts';

/** The base and the comparison with it, or why there is none. */
export type AgainstBase =
  | { base: BaseRun; comparison: Comparison; notes: string[] }
  | { base: { missing: string } }
  | { base?: undefined };

/** The commit to compare with; undefined where the event has none. */
async function baseCommit(event: Event, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { pullRequest, mergeBaseSha, before } = event;
  if (mergeBaseSha !== undefined) return mergeBaseSha;
  if (!pullRequest) return event.name === 'push' ? before : undefined;
  const head = await commitFacts({ cwd, env });
  // The default checkout of a pull request is GitHub's merge of both: its first parent is the base as merged.
  if (head && head.parents.length === 2 && head.parents[1] === pullRequest.headSha) return head.parents[0];
  return head?.sha === pullRequest.headSha
    ? ((await commitFacts({ cwd, env, mergeBaseWith: pullRequest.baseSha }))?.mergeBase ?? pullRequest.baseSha)
    : pullRequest.baseSha || undefined;
}

function baseRun(result: RunResult, label: string): BaseRun {
  return {
    label,
    tally: result.tally,
    suites: result.suites.map(({ suite, tally, cases }) => ({ suite, tally, counts: countOutcomes(cases) })),
    failing: result.suites.flatMap(({ suite, cases }) =>
      cases.flatMap((one) => (one.outcome === 'failed' ? `${suite}::${one.case}` : [])),
    ),
  };
}

/** Replays the base and compares. A base that cannot be had or run is told, never a failure of the job. */
export async function againstBase(
  after: RunResult,
  options: RunOptions,
  { event, ref, env }: { event: Event; ref: string; env: NodeJS.ProcessEnv },
): Promise<AgainstBase> {
  const { cwd } = options;
  try {
    const commit = ref || (await baseCommit(event, cwd, env));
    if (!commit) return {};
    using files = await openBase({ cwd, ref: commit, env });
    const before = await replayBase({ ...options, cwd: files.cwd, liveCode: 'refuse' }, files.label);
    return { base: baseRun(before, files.label), comparison: compare(before, after), notes: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [first] = error.faults;
    const where = first?.place ? `${first.place.file}: ` : '';
    return { base: { missing: `${where}${first?.message ?? 'it cannot be read'}` } };
  }
}
