// A run's report for the job summary: Markdown, verdict first, always below what GitHub takes.

import type { CaseResult, Counts, Problem, RunResult, Score } from '../run/result.ts';
import { pathOf } from '../target/trajectory.ts';
import { fillTemplate } from '../templates.ts';
import { code, inline, sentence } from './markdown.ts';
import { costCell, passedRow, spentOf, suiteRow } from './summary-rows.ts';
import { counted, duration, grouped, totalCost, totalTokens } from './terminal-figures.ts';

/** The most a summary may take, in UTF-8 bytes; GitHub drops a step's summary over 1 MiB whole. */
export const SUMMARY_BYTES = 900 * 1024;

/** One case that did not pass. Every string is Markdown. */
interface FindingView {
  name: string;
  place: string;
  /** What was expected and what was there; a problem; empty where only the name fits. */
  lines: string[];
}

/** Cases of one outcome, and how many more there are. */
interface SectionView {
  title: string;
  findings: FindingView[];
  more: string;
}

/** Rows of a table, and how many more there are. Cells are Markdown. */
interface RowsView {
  rows: string[];
  more: string;
}

/** What the template `summary` shows. Every string is Markdown, escaped. */
export interface SummaryView {
  headline: string;
  figures: { tokens: string; cost: string; spent: string; recordedTime: string; answers: string };
  sections: SectionView[];
  suites: RowsView;
  passed: RowsView;
  notes: string[];
  /** The price list, where it gave a price. */
  prices: string;
  version: string;
}

/** How much of what a view shows. */
interface Room {
  /** Cases told with their reasons. */
  told: number;
  /** Cases named at all. */
  named: number;
  suites: number;
  passed: number;
}

const ALL: Room = { told: Infinity, named: Infinity, suites: Infinity, passed: Infinity };

const TITLES: Record<keyof Omit<Counts, 'total' | 'passed'>, string> = {
  failed: 'Failed',
  unrecorded: 'No recording',
  errored: 'Provider errors',
  skipped: 'Skipped',
};

/** Scores told of one case, and notes told of a run. */
const SCORES = 5;
const NOTES = 20;

function headlineOf({ counts, exitCode }: RunResult): string {
  if (exitCode === 0) {
    const skipped = counts.skipped > 0 ? `, ${grouped(counts.skipped)} skipped` : '';
    return `✅ ${grouped(counts.passed)} of ${counted(counts.total, 'case')} passed${skipped}`;
  }
  const parts = [
    counts.failed > 0 ? `${grouped(counts.failed)} failed` : '',
    counts.unrecorded > 0 ? `${grouped(counts.unrecorded)} without a recording` : '',
    counts.errored > 0 ? `${grouped(counts.errored)} with a provider error` : '',
    `${grouped(counts.passed)} passed`,
    counts.skipped > 0 ? `${grouped(counts.skipped)} skipped` : '',
  ].filter((part) => part !== '');
  return `❌ ${parts.join(', ')}, of ${counted(counts.total, 'case')}`;
}

/** The counts of a run in one line without Markdown: `2 failed, 1 unrecorded, 45 passed, of 48 cases`. */
export function countsText(counts: Counts): string {
  const parts = (['failed', 'unrecorded', 'errored', 'passed', 'skipped'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${grouped(counts[outcome])} ${outcome}`);
  return `${parts.join(', ') || '0 passed'}, of ${counted(counts.total, 'case')}`;
}

function scoreLines(score: Score): string[] {
  const turn = score.turn === undefined || score.reason.includes(`turn ${score.turn}`) ? '' : ` (turn ${score.turn})`;
  return [`expected ${code(score.expectation, 300)}: ${sentence(score.reason, 600)}${turn}`];
}

/** A command stands as code, to be copied; anything else is a sentence. */
function remedyLines(remedy: string): string[] {
  const lines = remedy.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, 4)
    .map((line) => (line.startsWith('retake ') ? `mend: ${code(line, 300)}` : sentence(line, 300)));
}

function problemLines({ message, remedy, miss }: Problem): string[] {
  const difference = miss?.difference;
  const sides = difference && [
    `first difference at ${code(difference.path, 200)}`,
    `recorded: ${difference.recorded === undefined ? 'nothing' : code(difference.recorded, 300)}`,
    `now: ${difference.now === undefined ? 'nothing' : code(difference.now, 300)}`,
  ];
  return [sentence(message, 600), ...(sides ?? []), ...(remedy === undefined ? [] : remedyLines(remedy))];
}

/** The first take that did not pass stands for the others: they are in the report. */
function takeLines(result: CaseResult): string[] {
  const broken = result.takes.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  const take = broken[0];
  if (!take) return [];
  const failed = take.scores.filter(({ passed }) => !passed);
  return [
    ...(result.takes.length > 1
      ? [`${grouped(broken.length)} of ${counted(result.takes.length, 'take')} did not pass; the first:`]
      : []),
    ...failed.slice(0, SCORES).flatMap(scoreLines),
    ...(failed.length > SCORES ? [`and ${counted(failed.length - SCORES, 'more expectation')}`] : []),
    ...(take.trajectory.turns.length > 0 ? [`calls: ${code(pathOf(take.trajectory), 600)}`] : []),
  ];
}

function findingOf(result: CaseResult): FindingView {
  return {
    name: `${code(result.suite, 200)} › ${code(result.case, 200)}${result.liveCode ? ' live code' : ''}`,
    place: code(`${result.path}:${result.line}`, 300),
    lines: [...(result.problem ? problemLines(result.problem) : []), ...takeLines(result)],
  };
}

function moreOf(left: number, noun: string): string {
  return left > 0 ? `and ${counted(left, `more ${noun}`)}` : '';
}

function sectionsOf(cases: readonly CaseResult[]): SectionView[] {
  return (Object.keys(TITLES) as (keyof typeof TITLES)[]).flatMap((outcome) => {
    const findings = cases.filter((one) => one.outcome === outcome).map(findingOf);
    return findings.length === 0
      ? []
      : [{ title: `${TITLES[outcome]} (${grouped(findings.length)})`, findings, more: '' }];
  });
}

function answersOf({ tally, mode }: RunResult): string {
  const scripted = tally.scripted > 0 ? ` · ${grouped(tally.scripted)} scripted` : '';
  return `${grouped(tally.served)} from cassettes · ${grouped(tally.live)} live${scripted} · ${grouped(tally.unused)} unused (${mode})`;
}

/** The view of a whole run, nothing left out. */
export function summaryView(result: RunResult): SummaryView {
  const suites = result.suites.filter(({ cases }) => cases.length > 0);
  const cases = suites.flatMap((suite) => suite.cases);
  const { notes } = result;
  const hidden = moreOf(notes.length - NOTES, 'note');
  return {
    headline: headlineOf(result),
    figures: {
      tokens: totalTokens(cases.map(({ tally }) => tally)),
      cost: costCell(totalCost(cases.map(({ tally }) => tally))),
      spent: spentOf(result),
      recordedTime: duration(result.tally.latencyMs),
      answers: answersOf(result),
    },
    sections: sectionsOf(cases),
    suites: { rows: suites.map(suiteRow), more: '' },
    passed: { rows: cases.filter(({ outcome }) => outcome === 'passed').map(passedRow), more: '' },
    notes: [...notes.slice(0, NOTES).map((note) => sentence(note, 500)), ...(hidden === '' ? [] : [hidden])],
    prices: result.priceList === undefined ? '' : inline(result.priceList, 100),
    version: inline(result.retake, 50),
  };
}

function cutRows({ rows }: RowsView, room: number, noun: string): RowsView {
  return { rows: rows.slice(0, room), more: moreOf(rows.length - room, noun) };
}

function cutSections(sections: readonly SectionView[], { told, named }: Room): SectionView[] {
  let before = 0;
  return sections.map((section) => {
    const first = before;
    before += section.findings.length;
    const findings = section.findings
      .slice(0, Math.max(0, named - first))
      .map((finding, at) => (first + at < told ? finding : { ...finding, lines: [] }));
    return { ...section, findings, more: moreOf(section.findings.length - findings.length, 'case') };
  });
}

function cutView(view: SummaryView, room: Room): SummaryView {
  return {
    ...view,
    sections: cutSections(view.sections, room),
    suites: cutRows(view.suites, room.suites, 'suite'),
    passed: cutRows(view.passed, room.passed, 'passing case'),
  };
}

/** What gives way first when a summary is too large: passing rows, rows of suites, reasons, and names at the very last. */
const GIVES_WAY: readonly (keyof Room)[] = ['passed', 'suites', 'told', 'named'];

/** The Markdown of a run, of `maxBytes` UTF-8 bytes at most; what is left out is counted in it. */
export function renderSummary(result: RunResult, maxBytes = SUMMARY_BYTES): string {
  const view = summaryView(result);
  const draw = (room: Room) => fillTemplate('summary', cutView(view, room));
  const fits = (text: string) => Buffer.byteLength(text) <= maxBytes;
  const room = { ...ALL };
  for (const part of GIVES_WAY) {
    const text = draw(room);
    if (fits(text)) return text;
    room[part] = 0;
    if (!fits(draw(room))) continue;
    // Something fits, and all is known not to: the most that does, by halving.
    let high = Math.max(result.counts.total, result.suites.length);
    while (room[part] < high) {
      const middle = Math.ceil((room[part] + high) / 2);
      if (fits(draw({ ...room, [part]: middle }))) room[part] = middle;
      else high = middle - 1;
    }
  }
  return draw(room);
}
