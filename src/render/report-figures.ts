// The figures and the footer of comment and summary, as Markdown.

import type { RunResult } from '../run/result.ts';
import { code, inline, link } from './markdown.ts';
import { costCell, costChange, spentOf, tokensChange } from './summary-rows.ts';
import { counted, duration, grouped, totalCost, totalTokens, usd } from './terminal-figures.ts';
import { baseOf, casesOf, type ReportContext } from './verdict.ts';

/** What a run came to. Every string is Markdown; all but `answers` have their change against base in brackets. */
export interface ReportFigures {
  tokens: string;
  cost: string;
  /** Empty where nothing was spent. */
  spent: string;
  recordedTime: string;
  answers: string;
  /** What the changes are measured against; empty where base is not known. */
  base: string;
  /** All of it that concerns a reader in one line. */
  line: string;
}

function answersOf({ tally, mode }: RunResult): string {
  const scripted = tally.scripted > 0 ? ` · ${grouped(tally.scripted)} scripted` : '';
  const retries = tally.retries ? ` · ${counted(tally.retries, 'retry', 'retries')}` : '';
  return `${grouped(tally.served)} from cassettes · ${grouped(tally.live)} live${scripted} · ${grouped(tally.unused)} unused${retries} (${mode})`;
}

const NONE: ReportFigures = { tokens: '', cost: '', spent: '', recordedTime: '', answers: '', base: '', line: '' };

/** The figures of a run; all empty where none ran. */
export function figuresOf(result: RunResult | undefined, context: ReportContext): ReportFigures {
  if (!result) return NONE;
  const tallies = casesOf(result).map(({ tally }) => tally);
  const base = baseOf(context);
  const { changes } = context;
  const tokens = `${totalTokens(tallies)}${tokensChange(result.tally, base?.tally)}`;
  const cost = `${costCell(totalCost(tallies))}${costChange(result.tally, base?.tally)}`;
  const label = base ? code(base.label, 100) : '';
  const changed = tokens.includes('(') || cost.includes('(');
  const parts = [
    ...(tokens === '–' ? [] : [`${tokens} tokens`]),
    ...(cost === '–' ? [] : [`recorded cost ${cost}`]),
    ...(base && changed ? [`in brackets the change against ${label}`] : []),
    ...(changes && changes.line !== '' && changes.blocks.length === 0 ? [changes.line] : []),
  ];
  return {
    tokens,
    cost,
    spent: spentOf(result),
    recordedTime: duration(result.tally.latencyMs),
    answers: answersOf(result),
    base: label,
    line: parts.join(' · '),
  };
}

/** The day of the oldest recording that answered; days compare as text. */
function oldestOf(result: RunResult): string | undefined {
  let oldest: string | undefined;
  for (const { takes } of casesOf(result)) {
    for (const { recorded } of takes) {
      if (recorded !== undefined && (oldest === undefined || recorded < oldest)) oldest = recorded;
    }
  }
  return oldest;
}

function resultParts(result: RunResult): string[] {
  const oldest = oldestOf(result);
  const graders = result.tally.graders;
  const live = casesOf(result).filter(({ liveCode }) => liveCode).length;
  const gradersCost = graders?.costUsd === null ? 'unknown' : costCell(usd(graders?.costUsd ?? 0));
  return [
    answersOf(result),
    ...(graders ? [`${counted(graders.requests, 'question')} to judges, recorded cost ${gradersCost}`] : []),
    ...(live > 0 ? [`${counted(live, 'case')} answered by the repository’s own code`] : []),
    ...(oldest === undefined ? [] : [`oldest recording ${inline(oldest, 20)}`]),
    ...(result.priceList === undefined ? [] : [`prices of ${inline(result.priceList, 100)}`]),
    `Retake ${inline(result.retake, 50)}`,
  ];
}

/** The parts of the footer, links last. */
export function footerOf(result: RunResult | undefined, { commit, runUrl, reportUrl }: ReportContext): string[] {
  return [
    ...(result ? resultParts(result) : []),
    ...(commit === undefined ? [] : [`commit ${code(commit.slice(0, 7), 40)}`]),
    ...(runUrl === undefined ? [] : [link('run', runUrl)]),
    ...(reportUrl === undefined ? [] : [link('whole report', reportUrl)]),
  ];
}
