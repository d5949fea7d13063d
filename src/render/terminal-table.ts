// The table of cases: one line a case, grouped by suite, columns aligned over the whole run.

import type { Colors } from 'picocolors/types.js';
import type { CaseResult, Outcome, SuiteResult } from '../run/result.ts';
import { costOf, grouped, timeOf, tokensOf } from './terminal-figures.ts';
import { cutMiddle, fill, safeLine, widthOf } from './terminal-text.ts';

/** What stands for an outcome; told apart without colour. */
export const MARKS: Record<Outcome, string> = {
  passed: '✓',
  failed: '✗',
  unrecorded: '?',
  errored: '!',
  skipped: '-',
};

/** The colour of an outcome. */
export function paint(outcome: Outcome, text: string, colors: Colors): string {
  switch (outcome) {
    case 'passed':
      return colors.green(text);
    case 'failed':
      return colors.red(text);
    case 'unrecorded':
      return colors.yellow(text);
    case 'errored':
      return colors.magenta(text);
    case 'skipped':
      return colors.dim(text);
  }
}

const percent = (rate: number) => `${Math.round(rate * 100)}`;

/** How many takes of a case passed, `4/5`, with the interval of the true rate in percent where they disagree; empty where it has one take. */
function takesOf(result: CaseResult): string {
  if (result.takes.length < 2) return '';
  const passed = result.takes.filter((take) => take.outcome === 'passed').length;
  const { passRate } = result;
  const isMixed = passRate !== undefined && passed > 0 && passed < result.takes.length;
  const interval = isMixed ? ` [${percent(passRate.low)}–${percent(passRate.high)} %]` : '';
  return `${passed}/${result.takes.length} takes${interval}`;
}

const COLUMNS = [
  { head: 'turns', cell: (result: CaseResult) => (result.tally.turns === 0 ? '–' : grouped(result.tally.turns)) },
  { head: 'tokens', cell: (result: CaseResult) => tokensOf(result.tally) },
  { head: 'cost', cell: (result: CaseResult) => costOf(result.tally) },
  { head: 'time', cell: (result: CaseResult) => timeOf(result.tally) },
] as const;

/** Which columns go first where the terminal is narrow. */
const LEAST_FIRST = ['cost', 'time', 'tokens', 'turns'];
const GAP = 3;
const NARROWEST_NAME = 20;
const WIDEST_NAME = 60;

interface Row {
  result: CaseResult;
  name: string;
  takes: string;
  cells: string[];
}

/** A column that is shown: which cell of a row, and how wide. */
interface Shown {
  head: string;
  at: number;
  width: number;
}

/** The layout of the table. */
interface Layout {
  word: number;
  name: number;
  columns: Shown[];
}

function rowOf(result: CaseResult): Row {
  return {
    result,
    name: safeLine(result.case, 500),
    takes: [takesOf(result), result.liveCode ? 'live code' : ''].filter((part) => part !== '').join('  '),
    cells: COLUMNS.map(({ cell }) => cell(result)),
  };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

/** Columns before the name: indentation, mark, word and gaps. */
function indent(word: number): number {
  return 4 + word + 2;
}

function layOut(groups: readonly { suite: SuiteResult; rows: Row[] }[], width: number): Layout {
  const rows = groups.flatMap((group) => group.rows);
  const word = widest(rows.map(({ result }) => result.outcome));
  const takes = widest(rows.map((row) => row.takes));
  const heading = widest(groups.map(({ suite }) => `${suite.suite}  ${suite.path}`)) - indent(word);
  const names = widest(rows.map((row) => row.name)) + (takes > 0 ? takes + 2 : 0);
  const wanted = Math.min(WIDEST_NAME, Math.max(16, names, heading));
  let columns = COLUMNS.map(({ head }, at) => ({
    head,
    at,
    width: widest([head, ...rows.map((row) => row.cells[at] ?? '')]),
  })) as Shown[];
  const room = () => width - indent(word) - columns.reduce((sum, column) => sum + column.width + GAP, 0);
  for (const head of LEAST_FIRST) {
    if (room() >= Math.min(wanted, NARROWEST_NAME)) break;
    columns = columns.filter((column) => column.head !== head);
  }
  return { word, name: Math.max(8, Math.min(wanted, room())), columns };
}

function caseLine(row: Row, layout: Layout, colors: Colors): string {
  const { outcome } = row.result;
  const takes = row.takes === '' ? '' : `  ${row.takes}`;
  const name = cutMiddle(row.name, Math.max(4, layout.name - widthOf(takes)));
  const word = paint(outcome, `${MARKS[outcome]} ${outcome}`, colors) + fill(outcome, layout.word);
  const cells = layout.columns.map(({ at, width }) => {
    const cell = row.cells[at] ?? '';
    return fill(cell, width + GAP) + cell;
  });
  const label = outcome === 'skipped' ? colors.dim(name) : name;
  const rest = `${takes}${fill(name + takes, layout.name)}${cells.join('')}`.trimEnd();
  return `  ${word}  ${label}${rest === '' ? '' : colors.dim(rest)}`;
}

function suiteLine(suite: SuiteResult, layout: Layout, colors: Colors): string {
  const room = indent(layout.word) + layout.name;
  const name = cutMiddle(safeLine(suite.suite, 500), room);
  const path = safeLine(suite.path, 500);
  const shown = widthOf(name) + 2 + widthOf(path) <= room ? `  ${path}` : '';
  const heads = layout.columns.map(({ head, width }) => fill(head, width + GAP) + head).join('');
  const rest = `${shown}${fill(name + shown, room)}${heads}`.trimEnd();
  return `${colors.bold(name)}${rest === '' ? '' : colors.dim(rest)}`;
}

/** The table. `below` gives more lines under a case; all come indented. */
export function tableLines(
  suites: readonly SuiteResult[],
  options: { width: number; colors: Colors; below?: (result: CaseResult) => string[] },
): string[] {
  const groups = suites
    .filter(({ cases }) => cases.length > 0)
    .map((suite) => ({ suite, rows: suite.cases.map(rowOf) }));
  const layout = layOut(groups, options.width);
  return groups.flatMap(({ suite, rows }) => [
    suiteLine(suite, layout, options.colors),
    ...rows.flatMap((row) => [
      caseLine(row, layout, options.colors),
      ...(options.below?.(row.result) ?? []).map((line) => `      ${line}`),
    ]),
    '',
  ]);
}
