// A place in a cassette's text, and the strict reading of fields, strings and numbers at it.

import { lineWidth } from './scalar.ts';

/** Where a reader stands. */
export interface Cursor {
  readonly text: string;
  /** Whether every character is one byte, so that UTF-16 units are code points. */
  readonly ascii: boolean;
  at: number;
  /** Code points of the free value or key read last as one line of JSON; Infinity where it may not stand on one. */
  width: number;
}

/** A cursor at the beginning of a text. */
export function cursorOn(text: string, ascii: boolean): Cursor {
  return { text, ascii, at: 0, width: 0 };
}

/** The first place where a text is not what the writer writes; becomes a UserError in damage.ts. */
export class Deviation extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Gives up at a place, by default where the cursor stands. */
export function fail(c: Cursor, message: string, at: number = c.at): never {
  // What was read up to the end of a text that is cut off may be wrong only for what is missing.
  const isCutOff = c.text.indexOf('\n', c.at) === -1;
  throw new Deviation(message, isCutOff ? c.at : at);
}

/** Passes `expected` if it stands here. */
export function take(c: Cursor, expected: string): boolean {
  if (!standsAt(c.text, expected, c.at)) return false;
  c.at += expected.length;
  return true;
}

/** Passes the beginning of a field on a line indented by `indent` if it stands here. */
export function takeField(c: Cursor, indent: number, field: string): boolean {
  const at = c.at + indent;
  if (!standsAt(c.text, field, at) || !isIndented(c, indent)) return false;
  c.at = at + field.length;
  return true;
}

// `startsWith` costs a call, and most questions here are answered by the first character.
function standsAt(text: string, expected: string, at: number): boolean {
  return text.charCodeAt(at) === expected.charCodeAt(0) && text.startsWith(expected, at);
}

function isIndented(c: Cursor, indent: number): boolean {
  for (let at = c.at + indent - 1; at >= c.at; at--) if (c.text.charCodeAt(at) !== 32) return false;
  return true;
}

/** Passes the beginning of a field that must stand here. */
export function needField(c: Cursor, indent: number, field: string): void {
  if (!takeField(c, indent, field)) failField(c, indent, [field]);
}

/** Passes exactly `indent` spaces at the beginning of a line. */
export function takeIndent(c: Cursor, indent: number): boolean {
  if (c.text.charCodeAt(c.at + indent) === 32 || !isIndented(c, indent)) return false;
  c.at += indent;
  return true;
}

/** Passes exactly `indent` spaces that must stand at the beginning of this line. */
export function needIndent(c: Cursor, indent: number): void {
  if (!takeIndent(c, indent)) fail(c, `something indented by ${indent} spaces belongs here`);
}

const FIELDS = new Set(
  (
    'retake suite case takes recorded interactions fingerprint for model endpoint params prompt inline_prompt system tools ' +
    'name description input_schema messages user assistant tool id result error text embedding reasoning tool_call opaque ' +
    'response tool_calls content stop stop_detail usage latency_ms served_model digest arguments arguments_json ' +
    'malformed_arguments image media_type bytes sha256 params_json input_schema_json result_json error_json opaque_json'
  ).split(' '),
);

/** Gives up on a line where one of `expected` belongs, saying what stands there instead. */
export function failField(c: Cursor, indent: number, expected: readonly string[]): never {
  const names = expected.map((field) => `\`${field.replace(/:.*/s, '')}\``).join(' or ');
  const lineStart = c.text.lastIndexOf('\n', c.at - 1) + 1;
  const line = c.text.slice(lineStart, lineStart + 200);
  const [, spaces = '', item = '', key = ''] = /^( *)((?:- )*)([A-Za-z_][\w.-]*)?/.exec(line) ?? [];
  const column = c.at - lineStart + indent;
  if (key === '' || line[spaces.length + item.length + key.length] !== ':') fail(c, `${names} belongs here`);
  if (!FIELDS.has(key)) fail(c, `the field \`${key}\` is unknown; ${names} belongs here`);
  if (
    expected.some((field) => field.startsWith(`${key}:`) || field === key) &&
    spaces.length + item.length !== column
  ) {
    fail(c, `${names} must be indented by ${column} spaces, not ${spaces.length + item.length}`);
  }
  fail(c, `\`${key}\` stands where ${names} belongs: a field is missing or out of order`);
}

/** The end of the current line; gives up where the text ends before. */
export function lineEnd(c: Cursor): number {
  const end = c.text.indexOf('\n', c.at);
  return end === -1 ? fail(c, 'the line does not end') : end;
}

/** Passes a line end that must stand here. */
export function endLine(c: Cursor): void {
  if (c.text.charCodeAt(c.at) !== 10) fail(c, 'the line must end after this value');
  c.at++;
}

/** The code points of the text from `start` to `end`, or Infinity where they are too many for a line. */
export function widthOf(c: Cursor, start: number, end: number): number {
  return c.ascii ? end - start : lineWidth(c.text.slice(start, end));
}

/** Items of a block sequence whose key at `indent` has just been passed; `read` gets the column of an item's keys. */
export function readList<T>(c: Cursor, indent: number, read: (c: Cursor, indent: number) => T): T[] {
  if (take(c, ': []\n')) return [];
  if (!take(c, ':\n')) fail(c, 'a list belongs here, each item on lines of its own or `[]`');
  const items: T[] = [];
  while (takeField(c, indent + 2, '- ')) items.push(read(c, indent + 4));
  if (items.length === 0) fail(c, `an item belongs here: ${indent + 2} spaces and a dash`);
  return items;
}
