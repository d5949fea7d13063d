// What has no verdict of its own, for Markdown: cases told once for each cause, with the command that mends it.

import type { CaseResult } from '../run/result.ts';
import { namesBySuite } from './findings.ts';
import { code, fence, sentence } from './markdown.ts';
import { costLine, type Group } from './terminal-details.ts';
import { counted } from './terminal-figures.ts';

/** One cause with the cases it costs. Every string is Markdown. */
export interface CauseView {
  title: string;
  lines: string[];
  /** What was recorded and what is asked now, fenced; empty where that is no matter. */
  difference: string;
  /** The commands that mend it, fenced; empty where there is none. */
  command: string;
  /** How many cases; empty where the title names the only one. */
  count: string;
  /** Names by suite. */
  names: string[];
}

/** Causes, and how many cases are named nowhere in them. */
export interface CausesView {
  title: string;
  causes: CauseView[];
  more: string;
}

const VALUE = 300;

function differenceOf({ problem }: Group): string {
  const difference = problem.miss?.difference;
  if (!difference) return '';
  const side = (mark: string, value: string | undefined) =>
    value === undefined ? [] : [`${mark} ${value.length > VALUE ? `${value.slice(0, VALUE)}…` : value}`];
  const lines = [...side('-', difference.recorded), ...side('+', difference.now)];
  return lines.length === 0 ? '' : fence(lines, 'diff');
}

function causeView(group: Group, { named, told, nameOfCase }: CauseRoom & { told: boolean }): CauseView {
  const { first, problem, cases } = group;
  const remedy = (problem.remedy ?? '').split('\n').filter((line) => line.trim() !== '');
  const commands = remedy.filter((line) => line.startsWith('retake ')).slice(0, 4);
  const words = remedy.filter((line) => !line.startsWith('retake ')).slice(0, 4);
  const one = cases.length === 1;
  const of = one ? `${code(first.suite, 200)} › ${code(first.case, 200)}` : code(first.suite, 200);
  return {
    title: `**${sentence(problem.message, 600)}** · ${of}`,
    lines: told ? [...costLine(group), ...words].map((line) => sentence(line, 600)) : [],
    difference: told ? differenceOf(group) : '',
    command:
      commands.length > 0
        ? fence(
            commands.map((line) => line.slice(0, VALUE)),
            'sh',
          )
        : '',
    count: one ? '' : counted(cases.length, 'case'),
    names: one ? [] : namesBySuite(cases.slice(0, named), nameOfCase),
  };
}

/** How many cases are named. */
interface CauseRoom {
  named: number;
  nameOfCase: (one: CaseResult) => string;
}

/** The causes of cases that share a title: `told` of them with what differs. */
export function causesOf(
  title: string,
  groups: readonly Group[],
  { told, named, nameOfCase }: CauseRoom & { told: number },
): CausesView {
  let room = named;
  const causes: CauseView[] = [];
  for (const group of groups) {
    if (room <= 0) break;
    causes.push(causeView(group, { named: room, told: causes.length < told, nameOfCase }));
    room -= group.cases.length;
  }
  const left = groups.reduce((sum, { cases }) => sum + cases.length, 0) - named;
  return { title, causes, more: left > 0 ? `and ${counted(left, 'more case')}` : '' };
}
