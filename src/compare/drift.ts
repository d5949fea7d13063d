// Drift as data: what of a comparison counts, its digest, and whether anything can be told at all.

import { createHash } from 'node:crypto';
import type { CaseResult, RunResult, TakeResult } from '../run/result.ts';
import { behaviourSignature, type LooseArguments, toolPath, verdictsOf } from './behaviour.ts';
import type { CaseChange, Comparison } from './comparison.ts';
import { type ChangeKind, KINDS } from './kinds.ts';

/** The kinds a threshold may name, the gravest first. */
export const THRESHOLDS = ['regressed', 'rerouted', 'fixed', 'rescored', 'reworded'] as const satisfies ChangeKind[];

/** From which kind on a change counts as drift. */
export type Threshold = (typeof THRESHOLDS)[number];

/** Whether a kind of change is at or above the threshold. What cannot be told or claimed never is. */
export function isDrift(kind: ChangeKind, threshold: Threshold): boolean {
  return (THRESHOLDS as readonly ChangeKind[]).includes(kind) && KINDS[kind].weight >= KINDS[threshold].weight;
}

/** The changes that count, in the comparison's order. */
export function driftOf({ changes }: Comparison, threshold: Threshold): CaseChange[] {
  return changes.filter(({ kind }) => isDrift(kind, threshold));
}

/** The cases of a run by suite and name. */
export function casesByName({ suites }: RunResult): Map<string, { one: CaseResult; loose: LooseArguments }> {
  return new Map(
    suites.flatMap(({ cases, looseArgs = [] }) =>
      cases.map((one) => [JSON.stringify([one.suite, one.case]), { one, loose: new Set(looseArgs) }]),
    ),
  );
}

/** How a case behaves: the signatures of its first take, or of all where they differ. */
export function caseSignature({ takes }: CaseResult, loose: LooseArguments): string {
  const signatures = [...new Set(takes.map((take) => behaviourSignature(take, loose)))].sort();
  if (signatures.length === 1) return signatures[0] as string;
  return createHash('sha256').update(signatures.join('\n')).digest('hex');
}

/**
 * The identity of a drift, 64 hexadecimal digits: which cases changed, how, by which tools in which order, to which
 * verdicts. No text, argument, score, usage or date is in it: another night that drifts alike has the same.
 */
export function driftDigest(changes: readonly CaseChange[], after: RunResult): string {
  const cases = casesByName(after);
  const lines = changes.map(({ suite, case: name, kind }) => {
    const take: TakeResult | undefined = cases.get(JSON.stringify([suite, name]))?.one.takes[0];
    return JSON.stringify([suite, name, kind, take ? toolPath(take.trajectory) : [], take ? verdictsOf(take) : []]);
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
