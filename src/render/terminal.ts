// A run's report for the terminal: a line a case, what went wrong, the sum.

import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { CaseResult, Counts, Outcome, RunResult } from '../run/result.ts';
import { detailLines } from './terminal-details.ts';
import { atLeastUsd, counted, duration, grouped, totalCost, totalTokens } from './terminal-figures.ts';
import { gateLines } from './terminal-gates.ts';
import { paint, tableLines } from './terminal-table.ts';
import { defuse, safeLine, safeLines } from './terminal-text.ts';
import { takeLines } from './terminal-turns.ts';
import { missedGates } from './verdict.ts';

/** How to print a report. */
export interface TerminalOptions {
  color: boolean;
  /** Every turn of every case. */
  verbose: boolean;
  /** Columns of the terminal. */
  width: number;
  /** The exit code of a run that a signal ended (130, 143). */
  interrupted?: number;
}

/** What an exit code of a run means. */
const EXITS: Record<RunResult['exitCode'], string> = {
  0: 'every case that ran passed',
  1: 'a case failed',
  3: 'a recording is missing or a provider failed',
};

const ORDER: readonly Outcome[] = ['passed', 'failed', 'unrecorded', 'errored', 'skipped'];

function countsLine(counts: Counts, suites: number, colors: Colors): string {
  const parts = ORDER.filter((outcome) => counts[outcome] > 0).map((outcome) =>
    paint(outcome, `${grouped(counts[outcome])} ${outcome}`, colors),
  );
  const total = colors.dim(`of ${counted(counts.total, 'case')} in ${counted(suites, 'suite')}`);
  return `${parts.length > 0 ? parts.join(' · ') : '0 passed'} ${total}`;
}

function answersLine(result: RunResult): string {
  const { served, live, scripted, unused, retries = 0 } = result.tally;
  const parts = [`${grouped(served)} from cassettes`, `${grouped(live)} live`, `${grouped(unused)} unused`];
  if (scripted > 0) parts.splice(2, 0, `${grouped(scripted)} scripted`);
  if (retries > 0) parts.push(counted(retries, 'retry', 'retries'));
  return `${parts.join(' · ')} (${result.mode})`;
}

/** What judges and embedding models were asked, apart from the model under test. */
function gradersLines({ tally: { graders } }: RunResult, label: (text: string) => string): string[] {
  if (!graders) return [];
  const { requests, served, live, costUsd, costKnownUsd } = graders;
  const from = `${grouped(served)} from cassettes · ${grouped(live)} live`;
  return [`${label('judges')} ${counted(requests, 'question')} · ${from} · ${atLeastUsd(costUsd, costKnownUsd)}`];
}

/** What the run spent and by which prices, where there is something to tell. */
function spentLines({ tally, priceList }: RunResult, label: (text: string) => string): string[] {
  const { graders } = tally;
  const live = tally.live + (graders?.live ?? 0);
  const liveCostKnownUsd = tally.liveCostKnownUsd + (graders?.liveCostKnownUsd ?? 0);
  const isKnown = tally.liveCostUsd !== null && graders?.liveCostUsd !== null;
  const liveCostUsd = isKnown ? liveCostKnownUsd : null;
  return [
    ...(live > 0
      ? [`${label('spent')} ${atLeastUsd(liveCostUsd, liveCostKnownUsd)} on ${counted(live, 'live answer')}`]
      : []),
    ...(priceList === undefined
      ? []
      : [`${label('prices')} ${safeLine(priceList, 100)}, at the day of each recording`]),
  ];
}

function exitLine(result: RunResult, colors: Colors): string {
  const { exitCode: code, counts } = result;
  const isBudget = code === 3 && counts.unrecorded + counts.errored === 0;
  const isMissed = missedGates(result).length > 0;
  const isTolerated = code === 0 && counts.failed > 0;
  const why = isBudget
    ? 'the budget ended before every case had run'
    : code === 1 && isMissed
      ? counts.failed > 0
        ? 'a gate does not hold, and cases failed'
        : 'a gate does not hold'
      : isTolerated
        ? 'the gates hold; they tolerate the cases that failed'
        : EXITS[code];
  const line = `exit ${code}   ${why}`;
  return code === 0 ? colors.green(line) : colors.red(line);
}

function interruptedLines(result: RunResult, exitCode: number, colors: Colors): string[] {
  const { counts, mode } = result;
  const finished = counts.total - counts.skipped - counts.errored;
  const records = mode === 'record' || mode === 'auto';
  const kept = records ? 'are kept' : 'are reported';
  return [
    colors.yellow(
      `Interrupted: ${grouped(finished)} of ${counted(counts.total, 'case')} finished and ${kept} (exit ${exitCode}).`,
    ),
    ...(records
      ? [`Go on with: ${colors.cyan(mode === 'auto' ? 'retake record --missing --resume' : 'retake record --resume')}`]
      : []),
  ];
}

function summaryLines(result: RunResult, options: TerminalOptions, colors: Colors): string[] {
  const suites = result.suites.filter(({ cases }) => cases.length > 0);
  const tallies = suites.flatMap(({ cases }) => cases.map(({ tally }) => tally));
  const label = (text: string) => colors.dim(text.padEnd(8));
  return [
    `${label('cases')} ${countsLine(result.counts, suites.length, colors)}`,
    `${label('tokens')} ${totalTokens(tallies)}   ${colors.dim('cost')} ${totalCost(tallies)}   ${colors.dim('recorded time')} ${duration(result.tally.latencyMs)}`,
    `${label('answers')} ${answersLine(result)}`,
    ...gradersLines(result, label),
    ...spentLines(result, label),
    ...(options.interrupted === undefined
      ? [exitLine(result, colors)]
      : interruptedLines(result, options.interrupted, colors)),
  ];
}

function turnsBelow(result: CaseResult, colors: Colors): string[] {
  return result.takes.flatMap((take) => [
    ...(result.takes.length > 1 ? [colors.bold(`take ${take.take}  ${take.outcome}`)] : []),
    ...takeLines(take, colors),
  ]);
}

/** The report as text. A function of the result alone: equal replays give equal bytes. */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  const colors = pc.createColors(options.color);
  const notes = result.notes.flatMap((note) =>
    safeLines(note, 6).map((line, at) => (at === 0 ? `${colors.dim('note')}     ${line}` : `         ${line}`)),
  );
  const lines = [
    ...tableLines(result.suites, {
      width: options.width,
      colors,
      ...(options.verbose && { below: (one: CaseResult) => turnsBelow(one, colors) }),
    }),
    ...detailLines(result, colors),
    ...gateLines(result, colors),
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    ...summaryLines(result, options, colors),
  ];
  return defuse(`${lines.join('\n')}\n`);
}
