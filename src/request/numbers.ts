// JSON whose numbers JavaScript cannot hold: read with what they were, and written again digit by digit.

import { endOfString, isNumberPart, keepsNumbers } from './json.ts';
import type { Json, JsonObject } from './request.ts';

// Lone surrogates: no text that was decoded from UTF-8 holds them.
const MARK = '\udffd\udffc';
/** A marked number as `JSON.stringify` writes it. */
const WRITTEN = /"\\udffd\\udffc([-+.\deE]+)"/g;

/** Containers that hold such numbers, by what they became: in these each is a marked text. */
const marked = new WeakMap<object, Json[] | JsonObject>();

/** The text with every number that JavaScript would change as a marked string. */
function markNumbers(json: string): string {
  let result = '';
  let from = 0;
  for (let at = 0; at < json.length; ) {
    if (json[at] === '"') {
      at = endOfString(json, at);
    } else if (/[-\d]/.test(json[at] as string)) {
      const start = at++;
      while (isNumberPart(json.charCodeAt(at))) at++;
      const token = json.slice(start, at);
      if (keepsNumbers(token)) continue;
      result += `${json.slice(from, start)}"${MARK}${token}"`;
      from = at;
    } else {
      at++;
    }
  }
  return result + json.slice(from);
}

function unmark(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(MARK) ? Number(value.slice(MARK.length)) : value;
  if (!isContainer(value)) return value;
  const plain = Array.isArray(value)
    ? value.map(unmark)
    : (Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unmark(item)])) as JsonObject);
  const [before, after] = [Object.values(value), Object.values(plain)];
  const isLossy = after.some(
    (item, at) => (typeof item === 'number' && item !== before[at]) || (isContainer(item) && marked.has(item)),
  );
  if (isLossy) marked.set(plain, value);
  return plain;
}

function isContainer(value: Json): value is Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Parses JSON; `losslessText` tells of each object in it what its numbers were. Throws where the text is no JSON. */
export function parseLossless(json: string): Json {
  // A text that writes our marks as escapes is taken as it is.
  if (keepsNumbers(json) || /\\udffd/i.test(json)) return JSON.parse(json) as Json;
  return unmark(JSON.parse(markNumbers(json)) as Json);
}

/** The JSON of an object of `parseLossless`, where it holds a number that JavaScript cannot; undefined for all else. */
export function losslessText(value: JsonObject): string | undefined {
  const source = marked.get(value);
  return source && writeLossless(source);
}

/** A JSON text as a value that `writeLossless` writes digit by digit; for the wire alone. */
export function markedValue(json: string): Json {
  return JSON.parse(markNumbers(json)) as Json;
}

/** `JSON.stringify` that also writes the numbers of `markedValue`. */
export function writeLossless(value: unknown): string {
  return JSON.stringify(value).replace(WRITTEN, '$1');
}
