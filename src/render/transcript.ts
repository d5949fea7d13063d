// One case as a transcript: what the model is told, every message, call, result and answer, nothing cut.

import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { describeImage } from '../request/fingerprint.ts';
import { formatJson } from '../request/json.ts';
import type { AssistantBlock, ChatRequest, ImageBlock, Json, Message, ToolCallBlock } from '../request/request.ts';
import type { CaseResult, Score, TakeResult } from '../run/result.ts';
import { shellWord } from '../suite/names.ts';
import type { Turn } from '../target/trajectory.ts';
import { duration, grouped } from './terminal-figures.ts';
import { MARKS, paint } from './terminal-table.ts';
import { defuse, safeLine, safeLines } from './terminal-text.ts';
import { labelled } from './terminal-turns.ts';

/** A case that ran, and what its model is told. */
export interface Transcript {
  /** The first request. */
  request: ChatRequest;
  /** How many takes the case asks for. */
  repeat: number;
  /** The case with the takes that ran. */
  result: CaseResult;
}

/** A longer value stands on lines of its own, in UTF-16 units. */
const LINE = 100;
const ALL = Number.MAX_SAFE_INTEGER;

/** A text in full, its control characters visible. */
function allLines(text: string): string[] {
  return safeLines(text, ALL, ALL);
}

/** A name or a value, then its JSON on the same line where it is short, else below it. */
function valueLines(before: string, value: Json): string[] {
  const line = formatJson(value);
  if (line.length <= LINE) return [`${before} ${safeLine(line, ALL)}`];
  return [before, ...allLines(JSON.stringify(value, null, 2)).map((text) => `  ${text}`)];
}

/** A tool call: its name and its arguments in full. */
function callLines(call: ToolCallBlock): string[] {
  const name = safeLine(call.name, ALL);
  if (call.malformedArguments !== undefined) {
    return [
      `${name} with arguments that are not JSON:`,
      ...allLines(call.malformedArguments).map((text) => `  ${text}`),
    ];
  }
  if (call.argumentsJson !== undefined) return [`${name} ${safeLine(call.argumentsJson, ALL)}`];
  return valueLines(name, call.arguments ?? null);
}

function blockLines(block: AssistantBlock | ImageBlock, colors: Colors): string[] {
  switch (block.type) {
    case 'image':
      return [colors.dim(`(an image: ${describeImage(block)})`)];
    case 'text':
      return allLines(block.text);
    case 'reasoning':
      return allLines(block.text).map((line) => colors.dim(line));
    case 'tool_call':
      return callLines(block).map((line, at) => `${at === 0 ? '→ ' : '  '}${line}`);
    case 'opaque':
      return [colors.dim('(a block of the provider’s own, not readable)')];
  }
}

function resultLines(message: Message & { role: 'tool' }): string[] {
  const name = `${message.isError ? 'error of ' : ''}${safeLine(message.name, ALL)}`;
  return valueLines(name, message.result).map((line, at) => `${at === 0 ? '← ' : '  '}${line}`);
}

function messageLines(message: Message, colors: Colors): string[] {
  if (message.role === 'tool') return labelled('tool', resultLines(message), colors);
  const label = message.role === 'user' ? 'user' : 'model';
  return labelled(
    label,
    message.content.flatMap((block: AssistantBlock | ImageBlock) => blockLines(block, colors)),
    colors,
  );
}

/** Why the model stopped, what it cost in tokens and time, which model it was. */
function factsOf({ stop, stopDetail, usage, latencyMs, servedModel, source }: Turn): string {
  const parts: string[] = [stopDetail === undefined ? stop : `${stop} (${stopDetail})`];
  if (source !== 'script') {
    parts.push(usage ? `${grouped(usage.inputTokens)} → ${grouped(usage.outputTokens)} tokens` : 'tokens unknown');
    parts.push(duration(latencyMs));
  }
  if (servedModel !== undefined) parts.push(servedModel);
  if (source === 'live') parts.push('live');
  return safeLine(parts.join(' · '), ALL);
}

function turnLines(turn: Turn, number: number, colors: Colors): string[] {
  const said = turn.content.flatMap((block) => blockLines(block, colors));
  return labelled(
    `turn ${number}`,
    [
      ...(said.length > 0 ? said : [colors.dim('(no answer)')]),
      colors.dim(factsOf(turn)),
      ...turn.results.flatMap(resultLines),
    ],
    colors,
  );
}

function scoreLines(score: Score, colors: Colors): string[] {
  const expectation = safeLine(score.expectation, ALL);
  if (score.passed) return [`${colors.green(MARKS.passed)} ${expectation}`];
  return [
    `${colors.red(MARKS.failed)} ${expectation}`,
    ...labelled('why', allLines(score.reason), colors).map((line) => `  ${line}`),
  ];
}

function takeLines(take: TakeResult, { repeat }: Transcript, colors: Colors): string[] {
  const { trajectory } = take;
  const facts = [
    `take ${take.take} of ${repeat}`,
    ...(take.recorded === undefined ? [] : [`recorded ${take.recorded}`]),
  ];
  const detail = trajectory.detail === undefined ? [] : allLines(trajectory.detail);
  return [
    `${colors.bold(safeLine(facts.join(' · '), ALL))}   ${paint(take.outcome, take.outcome, colors)}`,
    ...trajectory.input.flatMap((message) => messageLines(message, colors)),
    ...trajectory.turns.flatMap((turn, at) => turnLines(turn, at + 1, colors)),
    ...labelled('stopped', [trajectory.stopped, ...detail], colors),
    ...take.scores.flatMap((score) => scoreLines(score, colors)),
    '',
  ];
}

function headLines({ request, result }: Transcript, colors: Colors): string[] {
  const { params, system, tools } = request;
  const place = `${result.path}:${result.line}`;
  return [
    `${colors.bold(safeLine(`${result.suite} › ${result.case}`, ALL))}  ${colors.dim(safeLine(place, ALL))}`,
    ...labelled('model', [safeLine(result.model, ALL)], colors),
    ...(result.cassette === undefined ? [] : labelled('cassette', [safeLine(result.cassette, ALL)], colors)),
    ...(params
      ? labelled(
          'params',
          valueLines('', params).map((line) => line.trimStart()),
          colors,
        )
      : []),
    ...(system === undefined ? [] : labelled('system', allLines(system), colors)),
    ...(tools ? labelled('tools', [safeLine(tools.map(({ name }) => name).join(', '), ALL)], colors) : []),
    '',
  ];
}

function problemLines({ result }: Transcript, colors: Colors): string[] {
  const { problem } = result;
  if (!problem) return [];
  const name = shellWord(`${result.suite}::${result.case}`);
  const explain = problem.miss?.difference ? [`retake explain ${name}`] : [];
  return [
    `${paint(result.outcome, `${MARKS[result.outcome]} ${result.outcome}`, colors)}  ${allLines(problem.message).join('\n  ')}`,
    ...allLines(problem.remedy ?? '').map((line) => `  ${colors.cyan(line)}`),
    ...explain.map((line) => `  ${colors.cyan(safeLine(line, ALL))}`),
  ];
}

/** The transcript as text. Lines of a model's never start a line of ours. */
export function renderTranscript(transcript: Transcript, { color }: { color: boolean }): string {
  const colors = pc.createColors(color);
  const lines = [
    ...headLines(transcript, colors),
    ...transcript.result.takes.flatMap((take) => takeLines(take, transcript, colors)),
    ...problemLines(transcript, colors),
  ];
  if (lines.at(-1) === '') lines.pop();
  return defuse(`${lines.join('\n')}\n`);
}
