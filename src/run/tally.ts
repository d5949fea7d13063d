// Sums over turns, takes, cases and suites.

import type { Usage } from '../request/request.ts';
import type { Trajectory } from '../target/trajectory.ts';
import type { CaseResult, Counts, GraderTally, Tally } from './result.ts';

/** A sum of nothing, which cost nothing. */
export function emptyTally(): Tally {
  return {
    turns: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    turnsWithoutUsage: 0,
    costUsd: 0,
    costKnownUsd: 0,
    unpricedTurns: 0,
    liveCostUsd: 0,
    liveCostKnownUsd: 0,
    latencyMs: 0,
    served: 0,
    live: 0,
    scripted: 0,
    unused: 0,
  };
}

/** Sums of decimal fractions carry noise in their last digits; no price has so many. */
function tidy(usd: number): number {
  return Number(usd.toFixed(10));
}

const PARTS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

function addUsage(sum: Usage, usage: Usage): void {
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  for (const part of PARTS) {
    const tokens = usage[part];
    if (tokens !== undefined) sum[part] = (sum[part] ?? 0) + tokens;
  }
}

const COUNTED = { cassette: 'served', live: 'live', script: 'scripted' } as const;

/** Adds a turn's cost in USD; null where it is unknown. */
function addCost(tally: Tally, usd: number | null, isLive: boolean): void {
  tally.costKnownUsd = tidy(tally.costKnownUsd + (usd ?? 0));
  if (isLive) tally.liveCostKnownUsd = tidy(tally.liveCostKnownUsd + (usd ?? 0));
  if (usd === null) tally.unpricedTurns++;
  tally.costUsd = usd === null || tally.costUsd === null ? null : tally.costKnownUsd;
  if (isLive) tally.liveCostUsd = usd === null || tally.liveCostUsd === null ? null : tally.liveCostKnownUsd;
}

/** The sum of a trajectory's turns, which cost `costs` in USD each; `unused` interactions of its take were never asked for. */
export function tallyOf(trajectory: Trajectory, unused: number, costs: readonly (number | null)[]): Tally {
  const tally = { ...emptyTally(), unused };
  for (const [at, turn] of trajectory.turns.entries()) {
    // The project's own code asks no model that we know of.
    if (turn.source === 'code') continue;
    tally.turns++;
    addCost(tally, costs[at] ?? null, turn.source === 'live');
    tally[COUNTED[turn.source]]++;
    tally.latencyMs += turn.latencyMs;
    if (turn.usage) addUsage(tally.usage, turn.usage);
    else tally.turnsWithoutUsage++;
  }
  return tally;
}

/** No question was asked yet. */
export function emptyGraders(): GraderTally {
  return {
    requests: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: 0,
    costKnownUsd: 0,
    liveCostUsd: 0,
    liveCostKnownUsd: 0,
    served: 0,
    live: 0,
  };
}

/** A sum and one answer more, which cost `usd`; null where that is unknown. */
export function addGrading(
  sum: GraderTally,
  { usage, usd, isLive }: { usage: Usage | undefined; usd: number | null; isLive: boolean },
): GraderTally {
  const known = usd ?? 0;
  return addGraders(sum, {
    ...emptyGraders(),
    requests: 1,
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    costUsd: usd,
    costKnownUsd: known,
    ...(isLive ? { live: 1, liveCostUsd: usd, liveCostKnownUsd: known } : { served: 1 }),
  });
}

function addGraders(one: GraderTally, other: GraderTally): GraderTally {
  const usage = { ...one.usage };
  addUsage(usage, other.usage);
  const costKnownUsd = tidy(one.costKnownUsd + other.costKnownUsd);
  const liveCostKnownUsd = tidy(one.liveCostKnownUsd + other.liveCostKnownUsd);
  return {
    requests: one.requests + other.requests,
    usage,
    costUsd: one.costUsd === null || other.costUsd === null ? null : costKnownUsd,
    costKnownUsd,
    liveCostUsd: one.liveCostUsd === null || other.liveCostUsd === null ? null : liveCostKnownUsd,
    liveCostKnownUsd,
    served: one.served + other.served,
    live: one.live + other.live,
  };
}

/** The sum of sums. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    addUsage(sum.usage, tally.usage);
    for (const name of ['turns', 'turnsWithoutUsage', 'latencyMs', 'served', 'live', 'scripted', 'unused'] as const) {
      sum[name] += tally[name];
    }
    if (tally.graders) sum.graders = addGraders(sum.graders ?? emptyGraders(), tally.graders);
    if (tally.retries !== undefined) sum.retries = (sum.retries ?? 0) + tally.retries;
    sum.unpricedTurns += tally.unpricedTurns;
    sum.costKnownUsd = tidy(sum.costKnownUsd + tally.costKnownUsd);
    sum.liveCostKnownUsd = tidy(sum.liveCostKnownUsd + tally.liveCostKnownUsd);
    sum.costUsd = sum.costUsd === null || tally.costUsd === null ? null : sum.costKnownUsd;
    sum.liveCostUsd = sum.liveCostUsd === null || tally.liveCostUsd === null ? null : sum.liveCostKnownUsd;
  }
  return sum;
}

/** Cases by outcome. */
export function countOutcomes(cases: readonly CaseResult[]): Counts {
  const counts: Counts = { total: cases.length, passed: 0, failed: 0, unrecorded: 0, errored: 0, skipped: 0 };
  for (const { outcome } of cases) counts[outcome]++;
  return counts;
}
