// A take's conversation in a few lines of plain text, the turns that broke an expectation marked.

import { type AssistantBlock, type Message, textOf } from '../request/request.ts';
import type { TakeResult } from '../run/result.ts';
import type { Turn } from '../target/trajectory.ts';
import { counted } from './terminal-figures.ts';
import { safeLine, safeLines } from './terminal-text.ts';
import { callLine } from './terminal-turns.ts';

/** A line of a conversation, safe for a terminal and not yet for Markdown or HTML. */
export interface ConversationLine {
  /** It belongs to a turn that broke an expectation. */
  broken: boolean;
  text: string;
}

/** UTF-16 units of a line. */
const LINE = 240;
const LABEL = 8;
/** Messages before the first turn, calls of a turn, lines of a text. */
const MESSAGES = 3;
const CALLS = 6;
const TEXT = 4;
/** Turns shown from each end and around each that broke. */
const ENDS = 2;

function labelled(label: string, texts: readonly string[], broken = false): ConversationLine[] {
  return texts.map((text, at) => ({ broken, text: `${(at === 0 ? label : '').padEnd(LABEL)} ${text}`.trimEnd() }));
}

function shortLines(text: string): string[] {
  return safeLines(text.trim(), TEXT, TEXT * LINE).map((line) => safeLine(line, LINE));
}

function jsonLine(value: unknown): string {
  return safeLine(JSON.stringify(value) ?? '', LINE);
}

function saidLines(content: readonly AssistantBlock[]): string[] {
  const text = textOf(content).trim();
  const calls = content.filter((block) => block.type === 'tool_call');
  return [
    ...(text === '' ? [] : shortLines(text)),
    ...calls.slice(0, CALLS).map((call) => `→ ${safeLine(callLine(call), LINE)}`),
    ...(calls.length > CALLS ? [`… ${counted(calls.length - CALLS, 'more call')}`] : []),
  ];
}

function messageLines(message: Message): ConversationLine[] {
  switch (message.role) {
    case 'user':
      return labelled('user', shortLines(textOf(message.content)));
    case 'assistant':
      return labelled('model', saidLines(message.content));
    case 'tool':
      return labelled('tool', [`← ${safeLine(message.name, 100)} ${jsonLine(message.result)}`]);
  }
}

function turnLines(turn: Turn, number: number, broken: boolean): ConversationLine[] {
  const said = saidLines(turn.content);
  const results = turn.results.slice(0, CALLS).map(({ isError, name, result }) => {
    const label = isError ? `error of ${safeLine(name, 100)}` : safeLine(name, 100);
    return `← ${label} ${jsonLine(result)}`;
  });
  return [...labelled(`turn ${number}`, said.length > 0 ? said : ['(no answer)'], broken), ...labelled('', results)];
}

/** The turns to show, 0-based: both ends and what surrounds a turn that broke. */
function shownTurns(count: number, broken: ReadonlySet<number>): Set<number> {
  const shown = new Set<number>();
  for (let at = 0; at < Math.min(ENDS, count); at++) {
    shown.add(at);
    shown.add(count - 1 - at);
  }
  for (const number of [...broken].sort((a, b) => a - b).slice(0, 4)) {
    for (const at of [number - 2, number - 1, number]) if (at >= 0 && at < count) shown.add(at);
  }
  return shown;
}

/** The 1-based turns that broke an expectation of a take. */
function brokenTurns({ scores }: TakeResult): Set<number> {
  return new Set(scores.flatMap(({ passed, turn }) => (passed || turn === undefined ? [] : [turn])));
}

/** A take from its input to why it stopped; the middle of a long one is counted. */
export function conversationOf(take: TakeResult): ConversationLine[] {
  const { input, turns, stopped, detail } = take.trajectory;
  const broken = brokenTurns(take);
  const shown = shownTurns(turns.length, broken);
  const early = input.length - MESSAGES;
  const lines = early > 0 ? labelled('', [`… ${counted(early, 'earlier message')}`]) : [];
  lines.push(...input.slice(-MESSAGES).flatMap(messageLines));
  let left = 0;
  turns.forEach((turn, at) => {
    if (!shown.has(at)) {
      left++;
      return;
    }
    if (left > 0) lines.push(...labelled('', [`… ${counted(left, 'more turn')}`]));
    left = 0;
    lines.push(...turnLines(turn, at + 1, broken.has(at + 1)));
  });
  const why = detail === undefined ? stopped : `${stopped}: ${safeLine(detail.replace(/\s+/g, ' '), 2 * LINE)}`;
  lines.push(...labelled('stopped', [why], detail !== undefined && stopped !== 'end_turn'));
  return lines;
}
