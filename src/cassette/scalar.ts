// The rules of cassette text that reader and writer share: which scalar is written how.

import { HIDDEN, quoteJson } from '../request/json.ts';
import type { Json } from '../request/request.ts';

/** Containers within containers that a free value may have. */
export const MAX_DEPTH = 200;

/** Code points that a free value may have on one line, indentation not counted. */
export const MAX_LINE = 80;

/** Characters that a key may have as written; YAML allows 1,024 for a key without a question mark. */
export const MAX_KEY = 1000;

/** What no cassette holds unescaped: control characters but tab and newline, and characters nobody sees. */
export const FORBIDDEN = new RegExp(`[\\0-\\x08\\x0b-\\x1f${HIDDEN.source.slice(1)}`);

const WANTS_LITERAL = /[\n"\\]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const PLAIN_KEY = /^[A-Za-z_][\w.-]*$/;
const YAML_WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** The header of the literal block a string is written as, or undefined where it is written as JSON. */
export function literalHeader(text: string): string | undefined {
  if (!WANTS_LITERAL.test(text) || FORBIDDEN.test(text) || LONE_SURROGATE.test(text)) return undefined;
  if (endsBlank(text)) return undefined;
  let first = 0;
  while (text.charCodeAt(first) === 10) first++;
  // Without the indicator YAML takes the first line's own spaces for indentation.
  const indicator = text.charCodeAt(first) === 32 ? '2' : '';
  if (text.charCodeAt(text.length - 1) !== 10) return `|${indicator}-`;
  const before = text.charCodeAt(text.length - 2);
  return before === 10 ? `|${indicator}+` : `|${indicator}`;
}

/** Whether the last line that is not empty holds only spaces, or all are empty: YAML packages differ on such a block. */
function endsBlank(text: string): boolean {
  let last = text.length - 1;
  while (text.charCodeAt(last) === 10) last--;
  while (text.charCodeAt(last) === 32) last--;
  return last < 0 || text.charCodeAt(last) === 10;
}

/** Whether a key may stand without quotes: no YAML tool takes it for anything but a string. */
export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key) && !isYamlWord(key);
}

/** Whether some YAML version takes a plain word for a boolean or null. */
export function isYamlWord(key: string): boolean {
  return key.length <= 5 && YAML_WORD.test(key);
}

/** A key as it is written before its colon in a block. */
export function writeKey(key: string): string {
  return isPlainKey(key) ? key : quoteJson(key);
}

/** Whether a key anywhere in a value is too long for a YAML key, so that the value is written as one JSON string. */
export function hasLongKey(value: Json): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasLongKey);
  return Object.keys(value).some((key) => writeKey(key).length > MAX_KEY || hasLongKey(value[key] as Json));
}

/** Whether a value has more than `limit` containers within each other; recurses no deeper than that. */
export function isDeeperThan(value: Json, limit: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  return Object.keys(value).some((key) => isDeeperThan(value[key] as Json, limit - 1));
}

/** The number of code points of a text, or Infinity where they are surely too many for a line. */
export function lineWidth(text: string): number {
  if (text.length > 2 * MAX_LINE) return Number.POSITIVE_INFINITY;
  let width = text.length;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff) width--;
  }
  return width;
}

const PADS: string[] = [];

/** `width` spaces. */
export function pad(width: number): string {
  PADS[width] ??= ' '.repeat(width);
  return PADS[width];
}
