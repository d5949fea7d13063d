// Reads tool calls: one line of JSON, or a block with fields in fixed order.

import { formatJson, keepsNumbers } from '../request/json.ts';
import type { Json, JsonObject, ToolCallBlock } from '../request/request.ts';
import { type Cursor, fail, failField, needField, takeField } from './cursor.ts';
import { readContainer, readOnLine } from './read-line.ts';
import { parseJsonText, readValue } from './read-value.ts';
import { hasLongKey, MAX_LINE } from './scalar.ts';

/** A tool call of either form. */
export function readToolCall(c: Cursor, indent: number): ToolCallBlock {
  return c.text.charCodeAt(c.at) === 123 ? readToolCallLine(c) : readToolCallBlock(c, indent);
}

const SHAPE = 'a tool call with `id`, `name` and its arguments belongs here';

/** A tool call as one line of JSON. */
export function readToolCallLine(c: Cursor): ToolCallBlock {
  const start = c.at;
  if (c.text.charCodeAt(start) !== 123) fail(c, SHAPE);
  const value = readContainer(c, 1) as JsonObject;
  const keys = Object.keys(value);
  const { id, name } = value;
  if (keys.length !== 3 || keys[0] !== 'id' || keys[1] !== 'name') fail(c, SHAPE, start);
  if (typeof id !== 'string' || typeof name !== 'string') fail(c, SHAPE, start);
  const key = keys[2] as string;
  const last = value[key] as Json;
  if (key === 'arguments') return { type: 'tool_call', id, name, arguments: last };
  if (typeof last !== 'string') fail(c, SHAPE, start);
  if (key === 'malformed_arguments') return { type: 'tool_call', id, name, malformedArguments: last };
  if (key !== 'arguments_json') fail(c, SHAPE, start);
  return { type: 'tool_call', id, name, ...argumentsOfText(c, last, start) };
}

/** A tool call whose first key stands at the cursor and whose further keys stand at `indent`. */
export function readToolCallBlock(c: Cursor, indent: number): ToolCallBlock {
  const start = c.at;
  needField(c, 0, 'id: ');
  const call: ToolCallBlock = { type: 'tool_call', id: readText(c, indent), name: '' };
  let width = c.width;
  needField(c, indent, 'name: ');
  call.name = readText(c, indent);
  width += c.width;
  if (takeField(c, indent, 'arguments:')) {
    call.arguments = readValue(c, indent + 2, 1);
    width += '{"id": , "name": , "arguments": }'.length;
  } else if (takeField(c, indent, 'arguments_json: ')) {
    const at = c.at;
    Object.assign(call, argumentsOfText(c, readText(c, indent), at));
    width += '{"id": , "name": , "arguments_json": }'.length;
  } else if (takeField(c, indent, 'malformed_arguments: ')) {
    call.malformedArguments = readText(c, indent);
    width += '{"id": , "name": , "malformed_arguments": }'.length;
  } else {
    failField(c, indent, ['arguments: ', 'arguments_json: ', 'malformed_arguments: ']);
  }
  if (width + c.width <= MAX_LINE) {
    fail(c, `a tool call of at most ${MAX_LINE} characters must stand on one line`, start);
  }
  return call;
}

function readText(c: Cursor, indent: number): string {
  const at = c.at;
  const value = readOnLine(c, indent + 2, 1);
  return typeof value === 'string' ? value : fail(c, 'a string belongs here', at);
}

/** Arguments from JSON text: kept as text where JavaScript's numbers cannot hold them, else only for long keys. */
function argumentsOfText(c: Cursor, text: string, start: number): Pick<ToolCallBlock, 'arguments' | 'argumentsJson'> {
  const value = parseJsonText(c, text, start);
  if (!keepsNumbers(text)) return { arguments: value, argumentsJson: text };
  if (!hasLongKey(value) || formatJson(value) !== text)
    fail(c, 'these arguments must be written as `arguments`', start);
  return { arguments: value };
}
