// Writes single values as canonical text: strings, sequences of our own, and free values of the user's or the model's.

import { userError } from '../errors.ts';
import { formatJson, quoteJson } from '../request/json.ts';
import type { Json, JsonObject } from '../request/request.ts';
import { hasLongKey, isDeeperThan, lineWidth, literalHeader, MAX_DEPTH, MAX_LINE, pad, writeKey } from './scalar.ts';

/** Entries as one mapping at `indent`; the first line is not indented. */
export function mapping(entries: string[], indent: number): string {
  return entries.join(`\n${pad(indent)}`);
}

/** An entry that holds a string; its key stands at `indent`. */
export function string(name: string, text: string, indent: number): string {
  return `${name}: ${stringText(text, indent + 2)}`;
}

/** A string as JSON, or as a literal block whose lines stand at `indent`. */
function stringText(text: string, indent: number): string {
  const header = literalHeader(text);
  if (header === undefined) return quoteJson(text);
  // The header says how the text ends, so its last line end is not a line of its own.
  const content = text.endsWith('\n') ? text.slice(0, -1) : text;
  return `${header}\n${content.replace(/^(?=[^\n])/gm, pad(indent))}`;
}

/** An entry that holds a block sequence; its key stands at `indent`. */
export function sequence(name: string, items: string[], indent: number): string {
  if (items.length === 0) return `${name}: []`;
  const dash = `\n${pad(indent + 2)}- `;
  return `${name}:${dash}${items.join(dash)}`;
}

/** An entry that holds a free value, under `<name>_json` where YAML could not hold its keys. */
export function free(name: string, value: Json, indent: number): string {
  checkDepth(value);
  if (hasLongKey(value)) return string(`${name}_json`, formatJson(value), indent);
  return keyed(name, freeText(value, indent + 2), indent);
}

/** An entry of a key as written and a value; the key stands at `indent`. */
export function keyed(key: string, value: FreeText, indent: number): string {
  return value.block ? `${key}:\n${pad(indent + 2)}${value.text}` : `${key}: ${value.text}`;
}

/** A free value as text. */
export interface FreeText {
  text: string;
  /** Code points as one line of JSON; Infinity where the value may not stand on one. */
  width: number;
  /** Whether the text is entries that begin on a line of their own under a key. */
  block: boolean;
}

const NO_LINE = Number.POSITIVE_INFINITY;

/** A free value; `indent` is where the entries of a container or the lines of a literal stand. */
export function freeText(value: Json, indent: number): FreeText {
  if (typeof value === 'string') {
    const text = stringText(value, indent);
    return { text, width: text.startsWith('|') ? NO_LINE : lineWidth(text), block: false };
  }
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value);
    return { text, width: text.length, block: false };
  }
  return Array.isArray(value) ? arrayText(value, indent) : objectText(value, indent);
}

function arrayText(value: Json[], indent: number): FreeText {
  if (value.length === 0) return { text: '[]', width: 2, block: false };
  const items = value.map((item) => freeText(item, indent + 2));
  const width = items.reduce((sum, item) => sum + item.width + 2, 0);
  if (width <= MAX_LINE) return { text: `[${items.map((item) => item.text).join(', ')}]`, width, block: false };
  return { text: items.map((item) => `- ${item.text}`).join(`\n${pad(indent)}`), width: NO_LINE, block: true };
}

function objectText(value: JsonObject, indent: number): FreeText {
  const keys = Object.keys(value);
  if (keys.length === 0) return { text: '{}', width: 2, block: false };
  const items = keys.map((key) => freeText(value[key] as Json, indent + 2));
  let width = 0;
  for (let at = 0; at < keys.length && width <= MAX_LINE; at++) {
    width += lineWidth(quoteJson(keys[at] as string)) + 2 + (items[at] as FreeText).width + 2;
  }
  if (width <= MAX_LINE) {
    const entries = keys.map((key, at) => `${quoteJson(key)}: ${(items[at] as FreeText).text}`);
    return { text: `{${entries.join(', ')}}`, width, block: false };
  }
  const entries = keys.map((key, at) => keyed(writeKey(key), items[at] as FreeText, indent));
  return { text: mapping(entries, indent), width: NO_LINE, block: true };
}

/** Throws `cassette_unwritable` for a value nested deeper than a cassette holds. */
export function checkDepth(value: Json): void {
  if (!isDeeperThan(value, MAX_DEPTH)) return;
  throw userError(
    'cassette_unwritable',
    `A value to be recorded has more than ${MAX_DEPTH} levels of lists and objects.`,
    {
      remedy: 'Make the tool, parameter or schema return or take a flatter value, or hold it as JSON text in a string.',
    },
  );
}
