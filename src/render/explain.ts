// Why a case has no recording, in full: every difference by path, then both requests line against line.

import { diffArrays } from 'diff';
import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { ChatRequest } from '../request/request.ts';
import { questionOf } from '../responder/miss.ts';
import type { Difference, Miss } from '../responder/responder.ts';
import { requestLines } from './request-text.ts';
import { counted } from './terminal-figures.ts';
import { MARKS, paint } from './terminal-table.ts';
import { defuse, safeLine, safeLines } from './terminal-text.ts';
import { labelled } from './terminal-turns.ts';

/** A request without an answer, and what of the recording it belongs to. */
export interface Unanswered {
  miss: Miss;
  now: ChatRequest;
  /** The recorded request it is compared with. */
  recorded?: ChatRequest;
  differences: Difference[];
  /** The command that mends it. */
  remedy: string;
}

/** One case against its cassette. */
export interface Explanation {
  suite: string;
  case: string;
  /** The suite's file relative to the project, and the case's line in it. */
  path: string;
  line: number;
  /** The cassette's file; absent where the case has a script. */
  cassette?: string;
  /** Takes the case asks for. */
  repeat: number;
  /** Takes the cassette has. */
  takes: number;
  /** Absent where every request is recorded. */
  unanswered?: Unanswered;
}

const ALL = Number.MAX_SAFE_INTEGER;
/** More than anyone reads. */
const MOST_DIFFERENCES = 100;
/** Lines that may differ before both requests are shown one after the other: beyond it a comparison takes long. */
const MOST_EDITS = 2000;

/** A line that differs, with spaces at its end made visible. */
function changed(line: string): string {
  return safeLine(line, ALL).replace(/ +$/, (spaces) => '·'.repeat(spaces.length));
}

function diffLines(recorded: ChatRequest, now: ChatRequest, colors: Colors): string[] {
  const [before, after] = [requestLines(recorded), requestLines(now)];
  const parts = diffArrays(before, after, { maxEditLength: MOST_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((line) => {
      if (removed) return colors.red(`- ${changed(line)}`);
      return added ? colors.green(`+ ${changed(line)}`) : `  ${safeLine(line, ALL)}`.trimEnd();
    }),
  );
}

function differenceLines({ path, recorded, now }: Difference, colors: Colors): string[] {
  const value = (text: string | undefined) => (text === undefined ? ['(nothing)'] : safeLines(text, 20, 2000));
  const side = (label: string, text: string | undefined, color: (line: string) => string) =>
    labelled(label, value(text).map(color), colors).map((line) => `    ${line}`);
  return [`  ${safeLine(path, 1000)}`, ...side('recorded', recorded, colors.red), ...side('now', now, colors.green)];
}

/** What is the matter, in a sentence. */
function causeOf({ takes, repeat }: Explanation, { miss, differences }: Unanswered): string {
  if (miss.for) {
    const what = questionOf(miss.for);
    return miss.reason === 'differs'
      ? `${what} differs from the recording in ${counted(differences.length, 'place')}`
      : `${what} is not recorded`;
  }
  switch (miss.reason) {
    case 'no_cassette':
      return miss.renamed === undefined
        ? 'there is no recording of this case'
        : `there is no recording of this case, but that of ${safeLine(miss.renamed, 500)} answers it`;
    case 'no_take':
      return `the cassette has ${counted(takes, 'take')}, the case asks for ${repeat}`;
    case 'differs':
      return `the request differs from the recording in ${counted(differences.length, 'place')}`;
    case 'exhausted':
      return 'the same request is made more often than it was recorded';
    case 'longer':
      return 'the conversation goes on after its recording ends';
  }
}

function requestBlock({ recorded, now, miss }: Unanswered, colors: Colors): string[] {
  if (miss.reason === 'no_take') return [];
  if (!recorded)
    return ['What is asked:', '', ...requestLines(now).map((line) => `  ${safeLine(line, ALL)}`.trimEnd())];
  const of =
    miss.reason === 'longer'
      ? 'The last recorded request (-) and the one that has no answer (+):'
      : 'The request as recorded (-) and as it is asked now (+):';
  return [of, '', ...diffLines(recorded, now, colors)];
}

function unansweredLines(explanation: Explanation, unanswered: Unanswered, colors: Colors): string[] {
  const { miss, differences, remedy } = unanswered;
  const place = colors.dim(`   take ${miss.take}, turn ${miss.turn}`);
  const left = differences.length - MOST_DIFFERENCES;
  return [
    `${paint('unrecorded', `${MARKS.unrecorded} unrecorded`, colors)}  ${causeOf(explanation, unanswered)}${place}`,
    ...differences.slice(0, MOST_DIFFERENCES).flatMap((one) => differenceLines(one, colors)),
    ...(left > 0 ? [`  … and ${counted(left, 'more difference')}`] : []),
    `  ${colors.cyan(safeLine(remedy, 1000))}`,
    '',
    ...requestBlock(unanswered, colors),
  ];
}

function recordedLine({ cassette, repeat, takes }: Explanation, colors: Colors): string {
  if (cassette === undefined) return `${colors.green(MARKS.passed)} the case has a script and needs no recording`;
  const spare = takes > repeat ? ` (the cassette has ${takes})` : '';
  return `${colors.green(MARKS.passed)} every request of ${counted(repeat, 'take')} is recorded${spare}`;
}

/** The explanation as text. */
export function renderExplanation(explanation: Explanation, { color }: { color: boolean }): string {
  const colors = pc.createColors(color);
  const { suite, case: name, path, line, cassette, unanswered } = explanation;
  const lines = [
    `${colors.bold(safeLine(`${suite} › ${name}`, ALL))}  ${colors.dim(safeLine(`${path}:${line}`, ALL))}`,
    ...(cassette === undefined ? [] : labelled('cassette', [safeLine(cassette, ALL)], colors)),
    '',
    ...(unanswered ? unansweredLines(explanation, unanswered, colors) : [recordedLine(explanation, colors)]),
  ];
  while (lines.at(-1) === '') lines.pop();
  return defuse(`${lines.join('\n')}\n`);
}
