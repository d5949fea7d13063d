// Turns of a conversation as terminal text: calls with arguments, results, what the model said.

import type { Colors } from 'picocolors/types.js';
import { describeImage } from '../request/fingerprint.ts';
import type { AssistantBlock, ImageBlock, Json, Message, ToolCallBlock } from '../request/request.ts';
import type { TakeResult } from '../run/result.ts';
import type { Turn } from '../target/trajectory.ts';
import { MARKS } from './terminal-table.ts';
import { safeLine, safeLines } from './terminal-text.ts';

/** UTF-16 units of a value or a message shown on one line. */
const VALUE = 300;

/** A JSON value on one line. */
function jsonLine(value: Json | undefined): string {
  return safeLine(JSON.stringify(value) ?? '', VALUE);
}

/** A tool call on one line: its name and what it was called with. */
export function callLine(call: ToolCallBlock): string {
  const name = safeLine(call.name, 100);
  if (call.malformedArguments !== undefined) return `${name} (not JSON) ${safeLine(call.malformedArguments, VALUE)}`;
  if (call.argumentsJson !== undefined) return `${name} ${safeLine(call.argumentsJson, VALUE)}`;
  return `${name} ${jsonLine(call.arguments)}`;
}

function blockLines(block: AssistantBlock | ImageBlock, colors: Colors): string[] {
  switch (block.type) {
    case 'image':
      return [colors.dim(`(an image: ${describeImage(block)})`)];
    case 'text':
      return safeLines(block.text, 12);
    case 'reasoning':
      return safeLines(block.text, 4, 600).map((line) => colors.dim(line));
    case 'tool_call':
      return [callLine(block)];
    case 'opaque':
      return [];
  }
}

/** What the model did in a turn, and what its calls gave back. */
export function turnLines(turn: Turn, colors: Colors): string[] {
  const lines = turn.content.flatMap((block) => blockLines(block, colors));
  for (const result of turn.results) {
    const label = result.isError ? `← error of ${safeLine(result.name, 100)}` : `← ${safeLine(result.name, 100)}`;
    lines.push(colors.dim(`${label} ${jsonLine(result.result)}`));
  }
  return lines.length > 0 ? lines : [colors.dim('(no answer)')];
}

/** Lines behind a label of eight columns; only the first has the label. Continued lines have a bar, so that no line of a model's starts a line of ours. */
export function labelled(label: string, lines: readonly string[], colors: Colors): string[] {
  return lines.map((line, at) =>
    at === 0 ? `${colors.dim(label.padEnd(9))} ${line}` : `${colors.dim('        │')} ${line}`,
  );
}

function messageLines(message: Message, colors: Colors): string[] {
  switch (message.role) {
    case 'user':
      return labelled(
        'user',
        message.content.flatMap((block) =>
          block.type === 'text' ? safeLines(block.text, 6, 600) : blockLines(block, colors),
        ),
        colors,
      );
    case 'assistant':
      return labelled(
        'model',
        message.content.flatMap((block) => blockLines(block, colors)),
        colors,
      );
    case 'tool':
      return labelled('tool', [`${safeLine(message.name, 100)} ${jsonLine(message.result)}`], colors);
  }
}

/** A whole take: input, turns, why it stopped, scores. */
export function takeLines(take: TakeResult, colors: Colors): string[] {
  const { trajectory } = take;
  const detail = trajectory.detail === undefined ? '' : `: ${safeLine(trajectory.detail, VALUE)}`;
  return [
    ...trajectory.input.flatMap((message) => messageLines(message, colors)),
    ...trajectory.turns.flatMap((turn, at) => labelled(`turn ${at + 1}`, turnLines(turn, colors), colors)),
    ...labelled('stopped', [`${trajectory.stopped}${detail}`], colors),
    ...take.scores.map((score) => {
      const mark = score.passed ? colors.green(MARKS.passed) : colors.red(MARKS.failed);
      return `${mark} ${safeLine(score.expectation, VALUE)}`;
    }),
  ];
}
