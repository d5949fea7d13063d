// Reads free values, those of the user's or the model's: blocks, or one line of JSON where it fits.

import { endOfString, formatJson } from '../request/json.ts';
import type { Json, JsonObject } from '../request/request.ts';
import { type Cursor, fail, needIndent, take, takeField, takeIndent } from './cursor.ts';
import { addMember, type Members, takesKey } from './members.ts';
import { isWordStart, readKey } from './read-key.ts';
import { failDepth, NO_LINE, readOnLine } from './read-line.ts';
import { readString } from './read-scalar.ts';
import { hasLongKey, isDeeperThan, MAX_DEPTH, MAX_LINE } from './scalar.ts';

/** The value of a field whose name at `indent` has just been passed: `: value` or `_json: "value as JSON text"`. */
export function readFree(c: Cursor, indent: number): Json {
  if (take(c, '_json: ')) return readJsonText(c, indent + 2);
  if (!take(c, ':')) fail(c, 'a colon belongs after the name of this field');
  return readValue(c, indent + 2, 1);
}

/** Like `readFree`, for a field that holds an object. */
export function readFreeObject(c: Cursor, indent: number): JsonObject {
  const start = c.at;
  const value = readFree(c, indent);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) fail(c, 'an object belongs here', start);
  return value;
}

/** A value that stands as JSON text because YAML could not hold its keys; `indent` is where a literal's lines stand. */
function readJsonText(c: Cursor, indent: number): Json {
  const start = c.at;
  const text = readString(c, indent);
  const value = parseJsonText(c, text, start);
  if (!hasLongKey(value) || formatJson(value) !== text) fail(c, 'this value is not written as Retake writes it', start);
  return value;
}

/** A JSON text as a value no deeper than a cassette holds; gives up at `start`. */
export function parseJsonText(c: Cursor, text: string, start: number): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    fail(c, 'the string is not JSON text', start);
  }
  if (isDeeperThan(value, MAX_DEPTH)) failDepth(c, start);
  return value;
}

/** A value after a key's colon. `indent` is where entries or a literal's lines stand, `depth` counts this container. */
export function readValue(c: Cursor, indent: number, depth: number): Json {
  const start = c.at;
  const code = c.text.charCodeAt(start);
  if (code === 32) {
    c.at++;
    return readOnLine(c, indent, depth);
  }
  if (code !== 10) fail(c, 'a space or a line end belongs after the colon');
  c.at++;
  needIndent(c, indent);
  return readBlock(c, { indent, depth, start });
}

interface Block {
  /** Where entries stand. */
  indent: number;
  depth: number;
  /** A place on the line that would hold the value if it fitted. */
  start: number;
}

function readBlock(c: Cursor, { indent, depth, start }: Block): Json {
  if (depth > MAX_DEPTH) failDepth(c);
  const isSequence = c.text.charCodeAt(c.at) === 45;
  const value = isSequence ? readSequence(c, indent, depth) : readMapping(c, indent, depth);
  if (c.width <= MAX_LINE) fail(c, `a value of at most ${MAX_LINE} characters must stand on one line`, start);
  c.width = NO_LINE;
  return value;
}

function readSequence(c: Cursor, indent: number, depth: number): Json[] {
  const items: Json[] = [];
  let width = 0;
  if (!take(c, '- ')) fail(c, 'a dash and a space belong here');
  do {
    items.push(readItem(c, indent + 2, depth + 1));
    width += c.width + 2;
  } while (takeField(c, indent, '- '));
  c.width = width;
  return items;
}

function readItem(c: Cursor, indent: number, depth: number): Json {
  return beginsBlock(c) ? readBlock(c, { indent, depth, start: c.at }) : readOnLine(c, indent, depth);
}

function beginsBlock(c: Cursor): boolean {
  const { text, at } = c;
  const code = text.charCodeAt(at);
  if (code === 45) return text.charCodeAt(at + 1) === 32;
  if (code === 34) return text.charCodeAt(endOfString(text, at)) === 58;
  return (
    isWordStart(code) &&
    !text.startsWith('true\n', at) &&
    !text.startsWith('false\n', at) &&
    !text.startsWith('null\n', at)
  );
}

/** Entries of a mapping at `indent`, the first line's indentation passed; leaves the width of all on one line. */
export function readMapping(c: Cursor, indent: number, depth: number): JsonObject {
  const members: Members = { object: {}, index: -1 };
  let width = 0;
  do {
    const start = c.at;
    const key = readKey(c);
    if (!takesKey(members, key)) fail(c, 'this key stands here twice or out of order', start);
    width += c.width + 4;
    const value = readValue(c, indent + 2, depth + 1);
    width += c.width;
    addMember(members, key, value);
  } while (takeIndent(c, indent));
  c.width = width;
  return members.object;
}
