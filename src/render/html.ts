// A run as one HTML page that needs nothing else: no script, no network.

import type { CaseResult, Outcome, RunResult, Score, TakeResult, Tally } from '../run/result.ts';
import { fillTemplate } from '../templates.ts';
import { conversationOf } from './conversation.ts';
import { markupLine, markupLines } from './html-text.ts';
import { costOf, counted, duration, grouped, timeOf, tokensOf, totalCost, totalTokens } from './terminal-figures.ts';
import { MARKS } from './terminal-table.ts';
import { casesOf, failsAtBase, missedGates, type ReportContext, toleranceLine, verdictLine } from './verdict.ts';

/** A score. Every string is HTML. */
interface ScoreView {
  mark: string;
  outcome: 'passed' | 'failed';
  expectation: string;
  reason: string;
  line: number;
}

/** A take. Every string is HTML. */
interface TakeView {
  /** Empty where the case has one take. */
  title: string;
  scores: ScoreView[];
  /** Lines of a `<pre>`; what broke is marked. */
  conversation: string;
}

/** A case. Every string is HTML. */
interface CaseView {
  outcome: Outcome;
  mark: string;
  name: string;
  /** Tokens, cost and time; empty where no model was asked. */
  figures: string;
  place: string;
  facts: string[];
  problem: string;
  remedy: string;
  takes: TakeView[];
}

/** What the template `report` shows. Every string is HTML, escaped. */
export interface HtmlView {
  verdict: string;
  lines: string[];
  figures: { name: string; value: string }[];
  filters: { outcome: string; label: string; count: string }[];
  suites: { name: string; path: string; description: string; count: string; outcomes: string; cases: CaseView[] }[];
  gates: { mark: string; outcome: string; name: string; reason: string }[];
  faults: { message: string; place: string; remedy: string }[];
  notes: string[];
  footer: string[];
  runUrl: string;
}

const OUTCOMES: readonly Outcome[] = ['failed', 'unrecorded', 'errored', 'passed', 'skipped'];
/** Takes of one case that are shown. */
const TAKES = 5;

function scoreView({ passed, error, expectation, reason, line }: Score): ScoreView {
  const held = passed && error === undefined;
  return {
    mark: held ? MARKS.passed : MARKS.failed,
    outcome: held ? 'passed' : 'failed',
    expectation: markupLine(expectation, 500),
    reason: markupLine(error ?? reason, 2000),
    line,
  };
}

function conversationHtml(take: TakeResult): string {
  return conversationOf(take)
    .map(({ broken, text }) => {
      const line = markupLine(text);
      return broken ? `<mark>${line}</mark>` : line;
    })
    .join('\n');
}

function takesOf({ takes }: CaseResult): TakeView[] {
  return takes.slice(0, TAKES).map((take) => ({
    title: takes.length > 1 ? `take ${take.take} of ${takes.length}: ${take.outcome}` : '',
    scores: take.scores.map(scoreView),
    conversation: conversationHtml(take),
  }));
}

function caseFigures(tally: Tally): string {
  const [tokens, cost] = [tokensOf(tally), costOf(tally)];
  if (tokens === '–') return '';
  return `${tokens} tokens · ${cost === 'unknown' ? 'cost unknown' : cost} · ${timeOf(tally)}`;
}

function caseView(result: CaseResult, isOld: boolean): CaseView {
  const { outcome, tally, passRate, takes } = result;
  const recorded = takes.flatMap((take) => take.recorded ?? []).sort();
  const oldest = recorded[0];
  return {
    outcome,
    mark: MARKS[outcome],
    name: markupLine(result.case, 300),
    figures: markupLine(caseFigures(tally)),
    place: markupLine(`${result.path}:${result.line}`, 300),
    facts: [
      markupLine(result.model, 200),
      ...(oldest === undefined ? [] : [`recorded ${markupLine(oldest, 20)}`]),
      ...(passRate ? [`${passRate.passed} of ${counted(passRate.takes, 'take')} passed`] : []),
      ...(takes.length > TAKES ? [`the first ${TAKES} of ${takes.length} takes`] : []),
      ...(result.liveCode ? ['answered by the repository’s own code'] : []),
      ...(isOld ? ['fails at base too'] : []),
      ...(result.tags.length > 0 ? [markupLine(result.tags.join(', '), 300)] : []),
    ],
    problem: markupLines(result.problem?.message ?? '', 20),
    remedy: markupLines(result.problem?.remedy ?? '', 20),
    takes: takesOf(result),
  };
}

function figuresOf(result: RunResult): { name: string; value: string }[] {
  const tallies = casesOf(result).map(({ tally }) => tally);
  const { served, live, scripted, unused } = result.tally;
  const rows: [string, string][] = [
    ['tokens', totalTokens(tallies)],
    ['recorded cost', totalCost(tallies)],
    ['recorded time', duration(result.tally.latencyMs)],
    ['from cassettes', grouped(served)],
    ['live', grouped(live)],
    ...(scripted > 0 ? ([['scripted', grouped(scripted)]] as [string, string][]) : []),
    ['unused', grouped(unused)],
  ];
  return rows.map(([name, value]) => ({ name, value: markupLine(value) }));
}

/** The page's filters: all, and each outcome that there is. */
function filtersOf({ counts }: RunResult): HtmlView['filters'] {
  return [
    { outcome: 'all', label: 'all', count: grouped(counts.total) },
    ...OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => ({
      outcome,
      label: outcome,
      count: grouped(counts[outcome]),
    })),
  ];
}

function suitesOf(result: RunResult, context: ReportContext): HtmlView['suites'] {
  const isOld = failsAtBase(context);
  return result.suites
    .filter(({ cases }) => cases.length > 0)
    .map(({ suite, path, description, cases }) => {
      const of = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome);
      return {
        name: markupLine(suite, 300),
        path: markupLine(path, 300),
        description: markupLine(description ?? '', 1000),
        count: `${grouped(of('passed').length)} of ${grouped(cases.length)} passed`,
        // By these a filter hides a suite that has nothing of its outcome.
        outcomes: OUTCOMES.filter((outcome) => of(outcome).length > 0)
          .map((outcome) => `has-${outcome}`)
          .join(' '),
        // What went wrong first, in the order of the suite otherwise.
        cases: OUTCOMES.flatMap(of).map((one) => caseView(one, isOld(one))),
      };
    });
}

/** The view of a run. */
export function htmlView(result: RunResult | undefined, context: ReportContext = {}): HtmlView {
  const tolerated = toleranceLine(result, context).replaceAll('`', '');
  const { commit, runUrl, invalid = [], notes = [] } = context;
  return {
    verdict: verdictLine(result, context),
    lines: tolerated === '' ? [] : [markupLine(tolerated)],
    figures: result ? figuresOf(result) : [],
    filters: result ? filtersOf(result) : [],
    suites: result ? suitesOf(result, context) : [],
    gates: missedGates(result).map(({ suite, gate }) => ({
      mark: MARKS.failed,
      outcome: 'failed',
      name: markupLine(suite === undefined ? gate.gate : `${gate.gate} of ${suite}`, 300),
      reason: markupLine(gate.reason, 500),
    })),
    faults: invalid.map(({ message, place, remedy }) => ({
      message: markupLine(message, 2000),
      place: place ? markupLine(place.line === undefined ? place.file : `${place.file}:${place.line}`, 300) : '',
      remedy: markupLines(remedy ?? '', 20),
    })),
    notes: [...(result?.notes ?? []), ...notes].map((note) => markupLine(note, 2000)),
    footer: [
      ...(result ? [`Retake ${markupLine(result.retake, 50)}`] : []),
      ...(result?.priceList === undefined ? [] : [`prices of ${markupLine(result.priceList, 100)}`]),
      ...(commit === undefined ? [] : [`commit ${markupLine(commit.slice(0, 40))}`]),
    ],
    runUrl: runUrl !== undefined && /^https?:\/\//.test(runUrl) ? markupLine(runUrl) : '',
  };
}

/** The page of a run: folded cases, filters by outcome without a script, light and dark. Throws UserError for a user's template that is wrong. */
export function renderHtml(result: RunResult | undefined, context: ReportContext = {}): string {
  return fillTemplate('report', htmlView(result, context), context.templates);
}
