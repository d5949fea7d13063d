// Reads strings and numbers strictly.

import { endOfString, isNumberPart, quoteJson } from '../request/json.ts';
import { type Cursor, endLine, fail, lineEnd } from './cursor.ts';
import { FORBIDDEN, literalHeader, pad } from './scalar.ts';

/** A string and the end of its line; `indent` is where the lines of a literal block stand. */
export function readString(c: Cursor, indent: number): string {
  const code = c.text.charCodeAt(c.at);
  if (code === 34) return readQuoted(c);
  if (code === 124) return readLiteral(c, indent);
  return fail(c, 'a string belongs here');
}

/** A JSON string and the end of its line. */
function readQuoted(c: Cursor): string {
  const value = readJsonString(c, 'value');
  endLine(c);
  return value;
}

/** A JSON string on the current line. A key may hold a quote or a backslash; a value with one wants a literal block. */
export function readJsonString(c: Cursor, use: 'key' | 'value'): string {
  const { text } = c;
  const start = c.at;
  let at = start + 1;
  let isAscii = true;
  for (let code = text.charCodeAt(at); code >= 32 && code !== 34 && code !== 92; code = text.charCodeAt(++at)) {
    if (code > 126) isAscii = false;
  }
  if (text.charCodeAt(at) === 34) {
    const value = text.slice(start + 1, at);
    if (!isAscii && FORBIDDEN.test(value)) fail(c, 'this JSON string holds a character that must be escaped');
    c.at = at + 1;
    return value;
  }
  return readUncommonString(c, use);
}

function readUncommonString(c: Cursor, use: 'key' | 'value'): string {
  const end = endOfString(c.text, c.at);
  const raw = c.text.slice(c.at, end);
  const value = parseString(raw);
  if (value === undefined) fail(c, 'this is not a JSON string that ends on its line');
  if (use === 'value' && literalHeader(value) !== undefined) {
    fail(c, 'a text with a quote, a backslash or a line end must be a literal block');
  }
  if (quoteJson(value) !== raw) fail(c, 'this JSON string is not escaped as Retake escapes it');
  c.at = end;
  return value;
}

function parseString(raw: string): string | undefined {
  try {
    return JSON.parse(raw) as string;
  } catch {
    return undefined;
  }
}

/** A literal block whose lines stand at `indent`. */
export function readLiteral(c: Cursor, indent: number): string {
  const { text } = c;
  const start = c.at;
  const end = lineEnd(c);
  const header = text.slice(start, end);
  const margin = pad(indent);
  let at = end + 1;
  for (;;) {
    if (text.charCodeAt(at) === 10) {
      at++;
    } else if (text.startsWith(margin, at)) {
      const next = text.indexOf('\n', at + indent);
      if (next === -1) fail(c, 'the text does not end', at);
      if (next === at + indent) fail(c, 'an empty line of a literal block must hold no spaces', at);
      at = next + 1;
    } else {
      break;
    }
  }
  c.at = at;
  if (!header.endsWith('+') && text.charCodeAt(at - 2) === 10) {
    while (text.charCodeAt(at - 3) === 10) at--;
    fail(c, 'no empty line may follow a literal block that does not begin with `|+`', at - 1);
  }
  const lines = text.slice(end, c.at).replaceAll(`\n${margin}`, '\n');
  const value = lines.slice(1, header.endsWith('-') ? -1 : undefined);
  if (literalHeader(value) !== header) {
    const bad = text.slice(start, c.at).search(FORBIDDEN);
    if (bad !== -1) fail(c, 'a literal block cannot hold a character that stands here', start + bad);
    fail(c, `a text like this is written ${described(value)}, not as \`${header.slice(0, 20)}\``, start);
  }
  return value;
}

function described(value: string): string {
  const header = literalHeader(value);
  return header === undefined ? 'in quotes' : `with \`${header}\``;
}

/** A number as JavaScript prints it. */
export function readNumber(c: Cursor): number {
  const start = c.at;
  let at = start;
  let whole = 0;
  for (let code = c.text.charCodeAt(at); code >= 48 && code <= 57; code = c.text.charCodeAt(++at)) {
    whole = whole * 10 + code - 48;
  }
  if (
    at > start &&
    at - start < 16 &&
    !isNumberPart(c.text.charCodeAt(at)) &&
    (c.text[start] !== '0' || at - start === 1)
  ) {
    c.at = at;
    return whole;
  }
  while (isNumberPart(c.text.charCodeAt(at)) && at - start < 30) at++;
  const raw = c.text.slice(start, at);
  const value = Number(raw);
  if (raw === '' || JSON.stringify(value) !== raw) fail(c, 'a number as JavaScript prints it belongs here');
  c.at = at;
  return value;
}
