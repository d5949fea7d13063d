// Cases that failed, for Markdown: what was expected, the conversation, the turn that broke it.

import type { CaseResult, PassRate, Problem, Score, TakeResult } from '../run/result.ts';
import { conversationOf } from './conversation.ts';
import { code, fence, htmlCode, inline, sentence } from './markdown.ts';
import { counted, grouped } from './terminal-figures.ts';

/** What changed against base in a case that is told elsewhere. Markdown; both empty where nothing did. */
export interface ChangeView {
  row: string;
  details: string;
}

/** One case that failed. Every string is Markdown; `name` and `why` hold in HTML as well. */
export interface FindingView {
  name: string;
  why: string;
  /** What was expected and what was there. */
  lines: string[];
  /** A fenced block; empty where nothing was said. */
  conversation: string;
  change: ChangeView;
}

/** No change. */
export const UNCHANGED: ChangeView = { row: '', details: '' };

/** Scores told of one case. */
const SCORES = 5;
/** UTF-16 units of a reason in a heading. */
const WHY = 140;

/** A case's name in HTML. */
function nameOf({ suite, case: name }: { suite: string; case: string }): string {
  return `${htmlCode(suite, 200)} › ${htmlCode(name, 200)}`;
}

function scoreLine(score: Score, path: string): string {
  const turn = score.turn === undefined || score.reason.includes(`turn ${score.turn}`) ? '' : ` (turn ${score.turn})`;
  const judge = score.judged ? `, judged by ${code(score.judged.model, 100)}` : '';
  const place = code(`${path}:${score.line}`, 300);
  if (score.error !== undefined) {
    return `could not judge ${code(score.expectation, 300)}: ${sentence(score.error, 600)}${judge} · ${place}`;
  }
  return `expected ${code(score.expectation, 300)}: ${sentence(score.reason, 600)}${turn}${judge} · ${place}`;
}

/** A command stands as code, to be copied; anything else is a sentence. */
function remedyLines(remedy: string | undefined): string[] {
  const lines = (remedy ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, 4)
    .map((line) => (line.startsWith('retake ') ? `mend: ${code(line, 300)}` : sentence(line, 300)));
}

function problemLines({ message, remedy }: Problem): string[] {
  return [sentence(message, 600), ...remedyLines(remedy)];
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}

function rateLine({ passed, takes, required, low, high }: PassRate): string {
  const must = required < 1 ? `at least ${percent(required)} % must` : 'all must';
  return `passed ${grouped(passed)} of ${counted(takes, 'take')} (95 % interval ${percent(low)}–${percent(high)} %), ${must}`;
}

function brokenTakes({ takes }: CaseResult): TakeResult[] {
  return takes.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
}

/** What did not hold in a take: an expectation, or what could not be judged. */
function brokenScores({ scores }: TakeResult): Score[] {
  return scores.filter(({ passed, error }) => !passed || error !== undefined);
}

function takesLines(result: CaseResult): string[] {
  const { takes, passRate } = result;
  if (takes.length < 2) return [];
  const broken = brokenTakes(result).length;
  const first = `${grouped(broken)} of ${counted(takes.length, 'take')} did not pass; the first:`;
  return passRate ? [rateLine(passRate), first] : [first];
}

/** What broke first, in a few words. */
function whyOf(result: CaseResult): string {
  const take = brokenTakes(result)[0];
  const score = take && brokenScores(take)[0];
  const why = score ? (score.error ?? score.reason) : (result.problem?.message ?? take?.trajectory.detail ?? '');
  return inline((why.split('\n')[0] ?? '').replaceAll('`', ''), WHY);
}

/** The Markdown of a case that failed. The first take that did not pass stands for the others: they are in the report. */
export function findingOf(result: CaseResult, change: ChangeView = UNCHANGED): FindingView {
  const take = brokenTakes(result)[0];
  const broken = take ? brokenScores(take) : [];
  // The conversation's own end says the same as the problem where both stand.
  const told = take !== undefined && take.trajectory.detail === result.problem?.message;
  return {
    name: nameOf(result),
    why: whyOf(result),
    lines: [
      ...(broken.length === 0 ? [`${code(`${result.path}:${result.line}`, 300)}`] : []),
      ...(result.problem && !told ? problemLines(result.problem) : []),
      ...(result.problem && told ? remedyLines(result.problem.remedy) : []),
      ...takesLines(result),
      ...broken.slice(0, SCORES).map((score) => scoreLine(score, result.path)),
      ...(broken.length > SCORES ? [`and ${counted(broken.length - SCORES, 'more expectation')}`] : []),
    ],
    conversation: take ? conversationBlock(take) : '',
    change,
  };
}

/** A number of UTF-8 bytes that a finding takes at least. */
export function sizeOf({ name, why, lines, conversation }: FindingView): number {
  return lines.reduce((sum, line) => sum + line.length, name.length + why.length + conversation.length);
}

/** A conversation as a block of GitHub's `diff` language: what broke stands out in red. */
function conversationBlock(take: TakeResult): string {
  if (take.trajectory.turns.length === 0 && take.trajectory.input.length === 0) return '';
  const lines = conversationOf(take).map(({ broken, text }) => `${broken ? '-' : ' '} ${text}`.trimEnd());
  return fence(lines, 'diff');
}

/** A case's own name as code, each written once however often a report is drawn. */
export function namer(): (one: CaseResult) => string {
  const known = new Map<CaseResult, string>();
  return (one) => {
    const name = known.get(one) ?? code(one.case, 200);
    known.set(one, name);
    return name;
  };
}

/** Names by suite, a line each: `` `suite`: `a`, `b` ``. */
export function namesBySuite(cases: readonly CaseResult[], nameOfCase: (one: CaseResult) => string): string[] {
  const suites = new Map<string, string[]>();
  for (const one of cases) {
    const names = suites.get(one.suite) ?? [];
    names.push(nameOfCase(one));
    suites.set(one.suite, names);
  }
  return [...suites].map(([suite, names]) => `${code(suite, 200)}: ${names.join(', ')}`);
}

/** `and 3 more cases`; empty where nothing is left. */
export function moreOf(left: number, noun: string): string {
  return left > 0 ? `and ${counted(left, `more ${noun}`)}` : '';
}
