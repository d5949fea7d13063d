// Reads free values that stand on one line: scalars, and containers as JSON.

import type { Json, JsonObject } from '../request/request.ts';
import { type Cursor, endLine, fail, lineEnd, take, widthOf } from './cursor.ts';
import { addMember, type Members, takesKey } from './members.ts';
import { readJsonString, readLiteral, readNumber } from './read-scalar.ts';
import { isDeeperThan, MAX_DEPTH, MAX_LINE } from './scalar.ts';

/** The width of a value that may not stand on one line. */
export const NO_LINE = Number.POSITIVE_INFINITY;

/** A value that begins on the current line and is no block of entries, and the end of its last line. */
export function readOnLine(c: Cursor, indent: number, depth: number): Json {
  const start = c.at;
  const code = c.text.charCodeAt(start);
  if (code === 124) {
    c.width = NO_LINE;
    return readLiteral(c, indent);
  }
  if (code === 123 || code === 91) return readContainer(c, depth);
  const value = readJson(c);
  c.width = widthOf(c, start, c.at);
  endLine(c);
  return value;
}

/** An object or array on one line, and the end of the line. */
export function readContainer(c: Cursor, depth: number): Json {
  const start = c.at;
  const end = lineEnd(c);
  const width = widthOf(c, start, end);
  if (width > MAX_LINE) fail(c, `a value of more than ${MAX_LINE} characters must stand on lines of its own`);
  const value = readJson(c);
  if (depth > MAX_DEPTH - MAX_LINE && isDeeperThan(value, MAX_DEPTH - depth + 1)) failDepth(c, start);
  c.width = width;
  endLine(c);
  return value;
}

/** Gives up on a value nested too deep. */
export function failDepth(c: Cursor, at: number = c.at): never {
  fail(c, `the value has more than ${MAX_DEPTH} levels of lists and objects`, at);
}

/** JSON as `formatJson` writes it. Recurses no deeper than a line is long: the caller has looked. */
function readJson(c: Cursor): Json {
  switch (c.text.charCodeAt(c.at)) {
    case 34:
      return readJsonString(c, 'value');
    case 123:
      return readObject(c);
    case 91:
      return readArray(c);
    case 116:
      return take(c, 'true') || fail(c, 'a JSON value belongs here');
    case 102:
      return !take(c, 'false') && fail(c, 'a JSON value belongs here');
    case 110:
      return take(c, 'null') ? null : fail(c, 'a JSON value belongs here');
    default:
      return readNumber(c);
  }
}

function readArray(c: Cursor): Json[] {
  const items: Json[] = [];
  if (c.text.charCodeAt(++c.at) !== BRACKET) {
    do items.push(readJson(c));
    while (takeComma(c));
  }
  if (c.text.charCodeAt(c.at) !== BRACKET) fail(c, 'a comma and a space, or a bracket, belongs here');
  c.at++;
  return items;
}

function readObject(c: Cursor): JsonObject {
  const members: Members = { object: {}, index: -1 };
  if (c.text.charCodeAt(++c.at) !== BRACE) {
    do readMember(c, members);
    while (takeComma(c));
  }
  if (c.text.charCodeAt(c.at) !== BRACE) fail(c, 'a comma and a space, or a brace, belongs here');
  c.at++;
  return members.object;
}

function readMember(c: Cursor, members: Members): void {
  const start = c.at;
  if (c.text.charCodeAt(start) !== 34) fail(c, 'a key in quotes belongs here');
  const key = readJsonString(c, 'key');
  if (!takesKey(members, key)) fail(c, 'this key stands here twice or out of order', start);
  if (c.text.charCodeAt(c.at) !== 58 || !isSpace(c, c.at + 1)) fail(c, 'a colon and a space belong after the key');
  c.at += 2;
  addMember(members, key, readJson(c));
}

const BRACKET = 93;
const BRACE = 125;

function takeComma(c: Cursor): boolean {
  if (c.text.charCodeAt(c.at) !== 44 || !isSpace(c, c.at + 1)) return false;
  c.at += 2;
  return true;
}

function isSpace(c: Cursor, at: number): boolean {
  return c.text.charCodeAt(at) === 32;
}
