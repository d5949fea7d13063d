// Sums over turns, takes, cases and suites.

import type { Usage } from '../request/request.ts';
import type { Trajectory } from '../target/trajectory.ts';
import type { CaseResult, Counts, Tally } from './result.ts';

/** A sum of nothing. Its cost is unknown: nothing was priced. */
export function emptyTally(): Tally {
  return {
    turns: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    turnsWithoutUsage: 0,
    costUsd: null,
    latencyMs: 0,
    served: 0,
    live: 0,
    scripted: 0,
    unused: 0,
  };
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

/** The sum of a trajectory's turns; `unused` interactions of its take were never asked for. */
export function tallyOf(trajectory: Trajectory, unused: number): Tally {
  const tally = { ...emptyTally(), turns: trajectory.turns.length, unused };
  for (const turn of trajectory.turns) {
    tally[COUNTED[turn.source]]++;
    tally.latencyMs += turn.latencyMs;
    if (turn.usage) addUsage(tally.usage, turn.usage);
    else tally.turnsWithoutUsage++;
  }
  return tally;
}

/** The sum of sums. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    addUsage(sum.usage, tally.usage);
    for (const name of ['turns', 'turnsWithoutUsage', 'latencyMs', 'served', 'live', 'scripted', 'unused'] as const) {
      sum[name] += tally[name];
    }
  }
  return sum;
}

/** Cases by outcome. */
export function countOutcomes(cases: readonly CaseResult[]): Counts {
  const counts: Counts = { total: cases.length, passed: 0, failed: 0, unrecorded: 0, errored: 0, skipped: 0 };
  for (const { outcome } of cases) counts[outcome]++;
  return counts;
}
