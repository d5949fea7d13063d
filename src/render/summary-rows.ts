// Rows, costs and their change against base, as Markdown.

import type { CaseResult, Counts, RunResult, SuiteResult, Tally } from '../run/result.ts';
import { code } from './markdown.ts';
import { atLeastUsd, costOf, grouped, tokensOf, usd } from './terminal-figures.ts';

/** A cost as Markdown: a dollar sign may open a formula. */
export function costCell(cost: string): string {
  return cost.replaceAll('$', '&#36;').replaceAll('<', '&lt;');
}

/** What live answers cost in this run; empty where there were none. */
export function spentOf({ tally: { live, liveCostUsd, liveCostKnownUsd } }: RunResult): string {
  return live > 0 ? costCell(atLeastUsd(liveCostUsd, liveCostKnownUsd)) : '';
}

function signed(difference: number, text: string): string {
  return ` (${difference > 0 ? '+' : '−'}${text})`;
}

function tokens({ usage, turnsWithoutUsage }: Tally): number | undefined {
  return turnsWithoutUsage > 0 ? undefined : usage.inputTokens + usage.outputTokens;
}

/** The change of the tokens against base in percent, in brackets; empty where there is none or nobody knows. */
export function tokensChange(now: Tally, before: Tally | undefined): string {
  const [a, b] = [before && tokens(before), tokens(now)];
  if (!a || b === undefined || a === b) return '';
  const percent = Math.abs(((b - a) / a) * 100);
  return signed(b - a, percent < 1 ? '&lt;1 %' : `${grouped(Math.round(percent))} %`);
}

/** The change of the cost against base in USD, in brackets; empty where there is none or nobody knows. */
export function costChange(now: Tally, before: Tally | undefined): string {
  if (!before || before.costUsd === null || now.costUsd === null || before.turns === 0) return '';
  const difference = now.costUsd - before.costUsd;
  // A hundredth of what is shown at all: the sum of many floats is no change.
  if (Math.abs(difference) < 1e-6) return '';
  return signed(difference, costCell(usd(Math.abs(difference))));
}

function passedChange(now: number, before: Counts | undefined): string {
  const difference = before ? now - before.passed : 0;
  return difference === 0 ? '' : signed(difference, grouped(Math.abs(difference)));
}

/** A suite at base; `missing` where base is known and has none of that name. */
export type SuiteBase = { tally: Tally; counts: Counts } | 'missing' | undefined;

/** Whether all of a suite passed that was not skipped. */
export function isWhole({ cases }: SuiteResult): boolean {
  return cases.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped');
}

/** A suite's row, with its changes against base. */
export function suiteRow(suite: SuiteResult, base: SuiteBase): string {
  const { cases, tally } = suite;
  const before = base === 'missing' ? undefined : base;
  const passed = cases.filter(({ outcome }) => outcome === 'passed').length;
  const held = suite.gates?.every((gate) => gate.passed) ?? true;
  const cells = [
    isWhole(suite) && held ? '✅' : '❌',
    `${code(suite.suite, 200)}${base === 'missing' ? ' (new)' : ''}`,
    `${grouped(passed)} of ${grouped(cases.length)}${passedChange(passed, before?.counts)}`,
    `${tokensOf(tally)}${tokensChange(tally, before?.tally)}`,
    `${costCell(costOf(tally))}${costChange(tally, before?.tally)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A passing case's row. */
export function passedRow(result: CaseResult): string {
  const cells = [
    code(result.suite, 200),
    `${code(result.case, 200)}${result.liveCode ? ' live code' : ''}`,
    grouped(result.tally.turns),
    tokensOf(result.tally),
    costCell(costOf(result.tally)),
  ];
  return `| ${cells.join(' | ')} |`;
}
