// Reads the keys of free values in block form.

import { type Cursor, fail, widthOf } from './cursor.ts';
import { readJsonString } from './read-scalar.ts';
import { isPlainKey, isYamlWord, MAX_KEY } from './scalar.ts';

/** A key and its colon. */
export function readKey(c: Cursor): string {
  const { text, at } = c;
  if (text.charCodeAt(at) === 34) return readQuotedKey(c);
  let end = at;
  if (isWordStart(text.charCodeAt(at))) end++;
  if (end > at) while (isWordPart(text.charCodeAt(end))) end++;
  const key = text.slice(at, end);
  if (text.charCodeAt(end) !== 58 || end === at) fail(c, 'a key and a colon belong here');
  if (isYamlWord(key)) fail(c, `the key \`${key}\` must stand in quotes`);
  if (key.length > MAX_KEY) failKeyLength(c);
  c.at = end + 1;
  c.width = key.length + 2;
  return key;
}

function readQuotedKey(c: Cursor): string {
  const start = c.at;
  const key = readJsonString(c, 'key');
  if (c.text.charCodeAt(c.at) !== 58) fail(c, 'a key and a colon belong here', start);
  if (isPlainKey(key)) fail(c, `the key \`${key.slice(0, 50)}\` must stand without quotes`, start);
  if (c.at - start > MAX_KEY) failKeyLength(c);
  c.width = widthOf(c, start, c.at);
  c.at++;
  return key;
}

function failKeyLength(c: Cursor): never {
  fail(c, `a value with a key of more than ${MAX_KEY} characters must be one JSON string`);
}

/** Whether a plain key may begin with a character. */
export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || (code >= 48 && code <= 57) || code === 45 || code === 46;
}
