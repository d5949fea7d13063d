// Rows and costs of the job summary, as Markdown.

import type { CaseResult, RunResult, SuiteResult } from '../run/result.ts';
import { code } from './markdown.ts';
import { atLeastUsd, costOf, grouped, tokensOf } from './terminal-figures.ts';

/** A cost as Markdown: a dollar sign may open a formula. */
export function costCell(cost: string): string {
  return cost.replaceAll('$', '&#36;').replaceAll('<', '&lt;');
}

/** What live answers cost in this run; empty where there were none. */
export function spentOf({ tally: { live, liveCostUsd, liveCostKnownUsd } }: RunResult): string {
  return live > 0 ? costCell(atLeastUsd(liveCostUsd, liveCostKnownUsd)) : '';
}

/** A suite's row. */
export function suiteRow({ suite, cases, tally }: SuiteResult): string {
  const passed = cases.filter(({ outcome }) => outcome === 'passed').length;
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped').length;
  const mark = passed + skipped === cases.length ? '✅' : '❌';
  const cells = [
    code(suite, 200),
    `${grouped(passed)} of ${grouped(cases.length)}`,
    grouped(tally.turns),
    tokensOf(tally),
    costCell(costOf(tally)),
  ];
  return `| ${[mark, ...cells].join(' | ')} |`;
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
