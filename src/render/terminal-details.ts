// What went wrong, case by case: failures with the trajectory that broke, misses and errors grouped by cause.

import type { Colors } from 'picocolors/types.js';
import type { CaseResult, Problem, RunResult, Score, TakeResult } from '../run/result.ts';
import { callsOf, pathOf } from '../target/trajectory.ts';
import { counted } from './terminal-figures.ts';
import { MARKS, paint } from './terminal-table.ts';
import { safeLine, safeLines } from './terminal-text.ts';
import { callLine, labelled, turnLines } from './terminal-turns.ts';

/** UTF-16 units of a sentence of ours that holds values from outside. */
const SENTENCE = 1200;
/** Calls of one turn shown under a failure. */
const CALLS = 6;

function nameOf(result: CaseResult): string {
  return `${safeLine(result.suite, 200)} › ${safeLine(result.case, 500)}`;
}

/** The ordered calls, the middle left out where they are very many. */
function pathLine(take: TakeResult): string {
  const { trajectory } = take;
  const calls = callsOf(trajectory);
  if (calls.length <= 40) return safeLine(pathOf(trajectory), 4000);
  const names = calls.map(({ call }) => safeLine(call.name, 100));
  const left = `… ${counted(calls.length - 30, 'more call')} …`;
  return [...names.slice(0, 15), left, ...names.slice(-15), `(${trajectory.stopped})`].join(' → ');
}

/** What happened in the turn that broke an expectation: its calls, else what the model said. */
function turnBroken(take: TakeResult, number: number, colors: Colors): string[] {
  const turn = take.trajectory.turns[number - 1];
  if (!turn) return [];
  const calls = turn.content.filter((block) => block.type === 'tool_call');
  const lines = calls.length > 0 ? calls.slice(0, CALLS).map(callLine) : turnLines(turn, colors).slice(0, CALLS);
  if (calls.length > CALLS) lines.push(`… ${counted(calls.length - CALLS, 'more call')}`);
  return labelled(`turn ${number}`, lines, colors);
}

function scoreLines(score: Score, place: string, colors: Colors): string[] {
  const where = colors.dim(`  ${place}:${score.line}`);
  return [
    ...labelled('expected', [`${safeLine(score.expectation, SENTENCE)}${where}`], colors),
    ...labelled('why', safeLines(score.reason, 6, SENTENCE), colors),
  ];
}

function failedTake(take: TakeResult, result: CaseResult, colors: Colors): string[] {
  const { trajectory } = take;
  const broken = take.scores.filter(({ passed }) => !passed);
  const turns = [...new Set(broken.flatMap(({ turn }) => (turn === undefined ? [] : [turn])))].sort((a, b) => a - b);
  const detail =
    trajectory.detail === undefined ? [] : labelled('stopped', safeLines(trajectory.detail, 6, SENTENCE), colors);
  return [
    ...broken.flatMap((score) => scoreLines(score, safeLine(result.path), colors)),
    ...detail,
    ...labelled('calls', [pathLine(take)], colors),
    ...turns.flatMap((turn) => turnBroken(take, turn, colors)),
  ];
}

/** The failed takes of a case; takes that failed alike are told once. */
function failedTakes(result: CaseResult, colors: Colors): string[] {
  const alike = new Map<string, { takes: number[]; lines: string[] }>();
  for (const take of result.takes) {
    if (take.outcome === 'passed' || take.outcome === 'skipped') continue;
    const lines = failedTake(take, result, colors);
    const key = lines.join('\n');
    const known = alike.get(key);
    if (known) known.takes.push(take.take);
    else alike.set(key, { takes: [take.take], lines });
  }
  return [...alike.values()].flatMap(({ takes, lines }) => {
    if (result.takes.length < 2) return lines;
    const label = `${takes.length === 1 ? 'take' : 'takes'} ${takes.join(', ')} of ${result.takes.length}`;
    return [colors.bold(label), ...lines];
  });
}

function failureLines(result: CaseResult, colors: Colors): string[] {
  const { problem } = result;
  const head = `${paint('failed', `${MARKS.failed} failed`, colors)}  ${colors.bold(nameOf(result))}`;
  const scored = result.takes.some(({ scores }) => scores.some(({ passed }) => !passed));
  const place = scored ? '' : colors.dim(`  ${safeLine(result.path)}:${result.line}`);
  // The trajectory's own detail says the same as the problem where both stand.
  const told = result.takes.some(({ trajectory }) => trajectory.detail === problem?.message);
  return [
    `${head}${place}`,
    ...(problem && !told ? safeLines(problem.message, 8, SENTENCE).map((line) => `    ${line}`) : []),
    ...failedTakes(result, colors).map((line) => `    ${line}`),
    ...remedyLines(problem, colors),
    '',
  ];
}

function remedyLines(problem: Problem | undefined, colors: Colors): string[] {
  if (problem?.remedy === undefined) return [];
  return safeLines(problem.remedy, 8, SENTENCE).map((line) => `    ${colors.cyan(line)}`);
}

/** Cases of one suite that one cause explains. */
export interface Group {
  first: CaseResult;
  problem: Problem;
  cases: CaseResult[];
}

/** What two cases must share to be told as one. */
function causeOf(result: CaseResult, problem: Problem): string {
  const { miss } = problem;
  const renamed = miss?.renamed === undefined ? [] : [problem.remedy];
  const cause = miss ? [miss.reason, miss.difference?.path ?? '', ...renamed] : [problem.message];
  return JSON.stringify([result.suite, result.outcome, ...cause]);
}

export function groupByCause(results: readonly CaseResult[]): Group[] {
  const groups = new Map<string, Group>();
  for (const result of results) {
    const problem = result.problem ?? { message: 'no reason was given' };
    const key = causeOf(result, problem);
    const known = groups.get(key);
    if (known) known.cases.push(result);
    else groups.set(key, { first: result, problem, cases: [result] });
  }
  return [...groups.values()];
}

/** Parts of a request that all cases of a suite share, as the user knows them. */
const SHARED: readonly [RegExp, string][] = [
  [/^system\b/, 'The system prompt'],
  [/^tools\b.*\.description$/, 'The description'],
  [/^tools\b/, 'The list of tools'],
  [/^params\b/, 'The parameters'],
  [/^(provider|endpoint)\b/, 'The provider'],
  [/^model\b/, 'The model'],
];

/** How many cases a cause costs, as plain text on one line; empty where it is one. */
export function costLine({ first, problem, cases }: Group): string[] {
  if (cases.length < 2) return [];
  const many = `${counted(cases.length, 'case')} of ${safeLine(first.suite, 200)}`;
  if (!problem.miss) return [`The same happened to ${many}.`];
  if (problem.miss.renamed !== undefined) return [`The same holds for ${many}.`];
  const path = problem.miss.difference?.path ?? '';
  const shared = SHARED.find(([pattern]) => pattern.test(path));
  if (!shared) return [`${many} need a new take.`];
  const [, part] = shared;
  return [
    `${part} ${part === 'The parameters' ? 'are' : 'is'} part of what the model is asked, so ${many} need a new take.`,
  ];
}

function differenceLines({ problem, cases }: Group, colors: Colors): string[] {
  const difference = problem.miss?.difference;
  if (!difference) return [];
  const value = (text: string | undefined) => (text === undefined ? ['(nothing)'] : safeLines(text, 6, 600));
  const vary = cases.some(({ problem: other }) => {
    const theirs = other?.miss?.difference;
    return theirs?.recorded !== difference.recorded || theirs?.now !== difference.now;
  });
  return [
    ...labelled(
      'recorded',
      value(difference.recorded).map((line) => colors.red(line)),
      colors,
    ),
    ...labelled(
      'now',
      value(difference.now).map((line) => colors.green(line)),
      colors,
    ),
    ...(vary ? ['The values are those of the first case.'] : []),
  ].map((line) => `  ${line}`);
}

function groupLines(group: Group, colors: Colors): string[] {
  const { first, problem, cases } = group;
  const { outcome } = first;
  const { miss } = problem;
  const place = miss ? `   take ${miss.take}, turn ${miss.turn}` : '';
  const more = cases.length > 1 ? ` and ${counted(cases.length - 1, 'more case')}` : '';
  const head = `${paint(outcome, `${MARKS[outcome]} ${outcome}`, colors)}  ${colors.bold(nameOf(first))}${more}`;
  return [
    `${head}${colors.dim(place)}`,
    ...safeLines(problem.message, 8, SENTENCE).map((line) => `    ${line}`),
    ...differenceLines(group, colors).map((line) => `    ${line}`),
    ...costLine(group).map((line) => `    ${line}`),
    ...remedyLines(problem, colors),
    '',
  ];
}

/** Everything that did not pass: failed cases one by one, the rest by cause. Empty where all passed. */
export function detailLines(result: RunResult, colors: Colors): string[] {
  const cases = result.suites.flatMap((suite) => suite.cases);
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const others = (['unrecorded', 'errored', 'skipped'] as const).flatMap((outcome) =>
    groupByCause(cases.filter((one) => one.outcome === outcome && (outcome !== 'skipped' || one.problem))),
  );
  return [
    ...failed.flatMap((one) => failureLines(one, colors)),
    ...others.flatMap((group) => groupLines(group, colors)),
  ];
}
