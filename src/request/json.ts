// JSON as text: the one way we write a value on a line, and whether JavaScript's numbers can hold what a text says.

import type { Json, JsonObject, ToolCallBlock } from './request.ts';

/** Characters that JSON lets stand but that nobody sees, or that reorder or break the line they stand in. */
export const HIDDEN = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'g');

/** A string as JSON; lone surrogates, bidi controls and other characters nobody sees are escaped. */
export function quoteJson(text: string): string {
  const quoted = JSON.stringify(text);
  return HIDDEN.test(quoted) ? quoted.replace(EVERY_HIDDEN, escapeUnit) : quoted;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A value as one line of JSON with a space after colon and comma; -0 is 0, and what `quoteJson` escapes is escaped. */
export function formatJson(value: Json): string {
  if (typeof value === 'string') return quoteJson(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatJson).join(', ')}]`;
  const entries = Object.keys(value).map((key) => `${quoteJson(key)}: ${formatJson(value[key] as Json)}`);
  return `{${entries.join(', ')}}`;
}

const QUOTE = 34;
const MINUS = 45;
const BACKSLASH = 92;

/** Whether every number of a JSON text keeps its exact decimal value through parse and stringify (780.0 is 780). */
export function keepsNumbers(json: string): boolean {
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === MINUS || isDigit(code)) {
      const start = at++;
      while (isNumberPart(json.charCodeAt(at))) at++;
      if (!keepsNumber(json.slice(start, at))) return false;
    } else {
      at++;
    }
  }
  return true;
}

/** The index after the quote that closes the JSON string starting at `start`, or the text's length where none does. */
export function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return json.length;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a number of JSON may hold a character. */
export function isNumberPart(code: number): boolean {
  // Digits, `.`, `e`, `E`, `+`, `-`.
  return isDigit(code) || code === 46 || code === 101 || code === 69 || code === 43 || code === MINUS;
}

function keepsNumber(token: string): boolean {
  const value = Number(token);
  const printed = String(value);
  if (printed === token) return true;
  return Number.isFinite(value) && exactDecimal(token) === exactDecimal(printed);
}

/** A decimal number with no zero to spare: two spellings of one value give one text. */
function exactDecimal(token: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (!parts) return token;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** Whether a value is an object, not a list and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A call's arguments as the text the model wrote, else as JSON. */
export function argumentsText(call: ToolCallBlock): string {
  return call.malformedArguments ?? call.argumentsJson ?? JSON.stringify(call.arguments);
}
