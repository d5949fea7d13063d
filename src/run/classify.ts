// How well final answers name the expected class.

import { finalText } from '../target/trajectory.ts';
import type { CaseResult, Classification } from './result.ts';

/** A case's result with the label it should have had. */
export interface Labelled {
  expected?: string;
  result: CaseResult;
}

/** What one class was expected and answered. */
interface Seen {
  right: number;
  expected: number;
  answered: number;
}

/** The answers of a case, each take's; where one has none, undefined. A case that did not run has none at all. */
function answersOf({ takes, outcome }: CaseResult): (string | undefined)[] {
  if (outcome === 'skipped') return [];
  if (takes.length === 0) return [undefined];
  return takes.map(({ trajectory }) => (trajectory.failure ? undefined : finalText(trajectory).trim()));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/**
 * Compares answers with the cases' `expected`, both trimmed, case counting; every take is one answer, and one that
 * failed or is missing is wrong. Classes are the labels that are expected: another answer is wrong for its case and of
 * no class, as in scikit-learn with `labels` given. A ratio of nothing is 0.
 */
export function classify(cases: readonly Labelled[]): Classification {
  const classes = new Map<string, Seen>();
  const pairs: { expected: string; answer: string | undefined }[] = [];
  for (const { expected, result } of cases) {
    if (expected === undefined) continue;
    const label = expected.trim();
    for (const answer of answersOf(result)) pairs.push({ expected: label, answer });
  }
  for (const { expected } of pairs) {
    const seen = classes.get(expected) ?? { right: 0, expected: 0, answered: 0 };
    seen.expected++;
    classes.set(expected, seen);
  }
  let right = 0;
  for (const { expected, answer } of pairs) {
    const seen = answer === undefined ? undefined : classes.get(answer);
    if (seen) seen.answered++;
    if (seen && answer === expected) {
      seen.right++;
      right++;
    }
  }
  const rows = [...classes].sort(([one], [other]) => (one < other ? -1 : 1)).map(rowOf);
  return {
    labelled: pairs.length,
    accuracy: share(right, pairs.length),
    macroF1: share(
      rows.reduce((sum, { f1 }) => sum + f1, 0),
      rows.length,
    ),
    classes: rows,
  };
}

function rowOf([label, { right, expected, answered }]: [string, Seen]): Classification['classes'][number] {
  return {
    label,
    precision: share(right, answered),
    recall: share(right, expected),
    f1: share(2 * right, answered + expected),
    support: expected,
  };
}
