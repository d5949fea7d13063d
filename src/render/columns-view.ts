// What is told of a comparison of models or prompts, in any format: plain data, nothing escaped yet.

import type { CaseResult, Outcome, RunResult, Tally } from '../run/result.ts';
import { atLeastUsd, counted, duration, totalCost, totalTokens } from './terminal-figures.ts';
import { MARKS } from './terminal-table.ts';

/** What is shown of it. */
export interface ShownColumns {
  columns: readonly {
    name: string;
    result: RunResult;
    missing?: { cases: number; costUsd: number | null };
  }[];
  cases: readonly { suite: string; case: string; outcomes: readonly Outcome[]; disagreement?: 'verdict' | 'path' }[];
}

/** One line of the table. */
export interface ColumnRow {
  /** `≠`, `~` or empty. */
  mark: string;
  suite: string;
  case: string;
  cells: { outcome: Outcome; text: string }[];
}

/** A case the columns disagree on: what each failing one says. */
export interface ColumnFinding {
  suite: string;
  case: string;
  reasons: { column: string; text: string }[];
}

/** The whole view. */
export interface ColumnsView {
  headline: string;
  names: string[];
  rows: ColumnRow[];
  /** Sums below the table: a title and a cell for each column. */
  sums: { title: string; cells: string[] }[];
  legend: string[];
  findings: ColumnFinding[];
  missing: string[];
}

/** What stands before a case the columns differ on. */
const SIGNS = { verdict: '≠', path: '~' } as const;

const casesOf = ({ suites }: RunResult) => suites.flatMap(({ cases }) => cases);

function takesOf({ takes, outcome }: CaseResult): string {
  if (takes.length < 2) return `${MARKS[outcome]} ${outcome}`;
  return `${MARKS[outcome]} ${takes.filter((take) => take.outcome === 'passed').length}/${takes.length}`;
}

function reasonOf({ takes, problem, outcome }: CaseResult): string {
  if (problem) return problem.message;
  const score = takes.flatMap(({ scores }) => scores).find(({ passed }) => !passed);
  return score ? `${score.expectation}: ${score.reason}` : outcome;
}

function share(passed: number, total: number): string {
  return total === 0 ? '–' : `${passed}/${total} (${((100 * passed) / total).toFixed(1)} %)`;
}

function talliesOf(result: RunResult): Tally[] {
  return casesOf(result).map(({ tally }) => tally);
}

function headlineOf({ columns, cases }: ShownColumns): string {
  const differ = cases.filter(({ disagreement }) => disagreement === 'verdict').length;
  const over = `${counted(cases.length, 'case')}, ${counted(columns.length, 'column')}`;
  if (columns.some(({ missing }) => missing)) return `${over}: not all is recorded`;
  return differ === 0 ? `${over}: the verdicts agree` : `${over}: the verdicts differ on ${differ}`;
}

function missingLine(name: string, { cases, costUsd }: { cases: number; costUsd: number | null }): string {
  const price = costUsd === null ? 'what that costs cannot be told' : `about ${atLeastUsd(costUsd, costUsd)}`;
  return `${name}: ${counted(cases, 'case')} without a recording; ${price}`;
}

/** Builds the view. */
export function columnsView(shown: ShownColumns): ColumnsView {
  const { columns, cases } = shown;
  const found = columns.map(({ result }) => new Map(casesOf(result).map((one) => [`${one.suite}\0${one.case}`, one])));
  const cellsOf = (one: { suite: string; case: string }) =>
    found.map((column) => column.get(`${one.suite}\0${one.case}`) as CaseResult);
  const names = columns.map(({ name }) => name);
  const count = (sign: 'verdict' | 'path') => cases.filter(({ disagreement }) => disagreement === sign).length;
  return {
    headline: headlineOf(shown),
    names,
    rows: cases.map((one) => ({
      mark: one.disagreement ? SIGNS[one.disagreement] : '',
      suite: one.suite,
      case: one.case,
      cells: cellsOf(one).map((cell) => ({ outcome: cell.outcome, text: takesOf(cell) })),
    })),
    sums: [
      { title: 'passed', cells: columns.map(({ result: { counts } }) => share(counts.passed, counts.total)) },
      { title: 'tokens in → out', cells: columns.map(({ result }) => totalTokens(talliesOf(result))) },
      { title: 'recorded cost', cells: columns.map(({ result }) => totalCost(talliesOf(result))) },
      { title: 'recorded time', cells: columns.map(({ result }) => duration(result.tally.latencyMs)) },
    ],
    legend: [
      ...(count('verdict') > 0 ? [`${SIGNS.verdict} the verdicts differ (${counted(count('verdict'), 'case')})`] : []),
      ...(count('path') > 0
        ? [`${SIGNS.path} the same verdict by other tool calls (${counted(count('path'), 'case')})`]
        : []),
    ],
    findings: cases
      .filter(({ disagreement }) => disagreement === 'verdict')
      .map((one) => ({
        suite: one.suite,
        case: one.case,
        reasons: cellsOf(one).flatMap((cell, at) =>
          cell.outcome === 'failed' ? { column: names[at] ?? '', text: reasonOf(cell) } : [],
        ),
      })),
    missing: columns.flatMap(({ name, missing }) => (missing ? missingLine(name, missing) : [])),
  };
}
