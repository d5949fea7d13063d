// What a re-record will cost, for the terminal: a line a suite, the sum, what is not known.

import pc from 'picocolors';
import { atLeastUsd, counted, grouped, usd } from './terminal-figures.ts';
import { cutMiddle, defuse, fill, safeLine, widthOf } from './terminal-text.ts';

/** The sums that are shown. */
export interface ShownSum {
  cases: number;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  costKnownUsd: number;
  unrecorded: number;
}

/** What is shown of an estimate. */
export interface ShownEstimate {
  suites: readonly (ShownSum & { suite: string })[];
  total: ShownSum;
  unpriced: readonly string[];
  turnsWithoutUsage: number;
  budgetUsd?: number;
  priceList?: string;
}

const WIDEST_NAME = 40;

function cells(name: string, sum: ShownSum): string[] {
  const tokens = sum.turns === 0 ? '–' : `${grouped(sum.inputTokens)} → ${grouped(sum.outputTokens)}`;
  return [
    cutMiddle(safeLine(name, 500), WIDEST_NAME),
    grouped(sum.cases),
    grouped(sum.turns),
    tokens,
    atLeastUsd(sum.costUsd, sum.costKnownUsd),
  ];
}

function budgetNote(total: ShownSum, budget: number): string {
  if (total.costKnownUsd > budget) return `more than the budget of ${usd(budget)}: the run would stop there`;
  if (total.costUsd === null) return `whether the budget of ${usd(budget)} is enough cannot be told`;
  return `within the budget of ${usd(budget)}`;
}

function notesOf({ total, unpriced, turnsWithoutUsage, budgetUsd, priceList }: ShownEstimate): string[] {
  return [
    ...(total.unrecorded > 0
      ? [`${counted(total.unrecorded, 'case')} not recorded yet, or not every take: no tokens to go by`]
      : []),
    ...(turnsWithoutUsage > 0 ? [`${counted(turnsWithoutUsage, 'recorded turn')} without reported tokens`] : []),
    ...unpriced.map(
      (model) => `no price is known for ${safeLine(model, 200)}: add it under \`prices:\` in retake.yaml`,
    ),
    ...(budgetUsd === undefined ? [] : [budgetNote(total, budgetUsd)]),
    ...(priceList === undefined ? [] : [`prices of today by ${safeLine(priceList, 100)}`]),
  ];
}

/** The estimate as text. */
export function renderEstimate(estimate: ShownEstimate, options: { color: boolean }): string {
  const colors = pc.createColors(options.color);
  const rows = [
    ['suite', 'cases', 'turns', 'tokens', 'cost'],
    ...estimate.suites.map((sum) => cells(sum.suite, sum)),
    cells('total', estimate.total),
  ];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const lines = rows.map((row, rowAt) => {
    const [name = '', ...rest] = row;
    const right = rest.map((cell, at) => `   ${fill(cell, widths[at + 1] ?? 0)}${cell}`).join('');
    const line = `${name}${fill(name, widths[0] ?? 0)}${right}`;
    return rowAt === 0 ? colors.dim(line) : rowAt === rows.length - 1 ? colors.bold(line) : line;
  });
  const notes = notesOf(estimate).map((note) => `${colors.dim('note')}  ${note}`);
  return defuse(
    `${['An estimate from recorded tokens; nobody was asked.', '', ...lines, '', ...notes].join('\n').trimEnd()}\n`,
  );
}
