// A line of JSON as a value with places, as YAML has them.

import { endOfString } from '../request/json.ts';
import type { Json } from '../request/request.ts';
import { Entries, type YamlNode } from './yaml-node.ts';

/** What reading a line came to; `offset` is where it is wrong. */
export type ReadJson = { ok: true; node: YamlNode } | { ok: false; offset: number; message: string; remedy?: string };

/** As many as YAML files may have. */
const MOST_LEVELS = 100;
/** `12345678901234567890` and the like, which a number cannot hold. */
const MANY_DIGITS = /\d{16}/;

class Refused extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Whether a text is the beginning of JSON, as far as the platform's parser complains of its end alone. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (/end of JSON|Unterminated/.test(message)) return true;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position !== undefined && Number(position) >= text.length;
  }
}

/** Where a text stops being JSON: the parser's own words do not always say. */
function faultyOffset(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isBeginning(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** Finds the places in a text that is known to be JSON of these values. */
class Walker {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  private skip(): number {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
    return this.at;
  }

  /** Skips space and then one character. */
  private past(): void {
    this.skip();
    this.at++;
  }

  private string(): string {
    const start = this.skip();
    this.at = endOfString(this.text, start);
    const text = JSON.parse(this.text.slice(start, this.at)) as string;
    // Half a pair is no text, and what marks a secret is made of such.
    if (/\\u[dD]/.test(this.text.slice(start, this.at)) && /[\ud800-\udfff]/u.test(text))
      throw new Refused(start, 'the text holds half of a surrogate pair, which is no character');
    return text;
  }

  node(level: number): YamlNode {
    const start = this.skip();
    if (level > MOST_LEVELS) throw new Refused(start, `the values are nested more than ${MOST_LEVELS} levels deep`);
    const first = this.text[start];
    const node: YamlNode = { value: null, start, end: start, size: 1 };
    if (first === '{') this.object(node, level);
    else if (first === '[') this.array(node, level);
    else if (first === '"') node.value = this.string();
    else this.plain(node);
    node.end = this.at;
    return node;
  }

  private plain(node: YamlNode): void {
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text[this.at] as string)) this.at++;
    const written = this.text.slice(node.start, this.at);
    node.value = JSON.parse(written) as Json;
    if (typeof node.value !== 'number') return;
    if (!Number.isFinite(node.value)) throw new Refused(node.start, 'the number is too large to be held');
    if (MANY_DIGITS.test(written) && !Number.isSafeInteger(node.value))
      throw new Refused(node.start, 'the number has more digits than a number can hold; quote it if it is an id');
  }

  private object(node: YamlNode, level: number): void {
    const value: Record<string, Json> = {};
    const entries = new Entries();
    node.value = value;
    node.entries = entries;
    this.at++;
    while (this.text[this.skip()] !== '}') {
      if (this.text[this.at] === ',') this.past();
      const keyStart = this.skip();
      const key = this.string();
      if (entries.has(key)) throw new Refused(keyStart, `the key ${JSON.stringify(key.slice(0, 80))} stands twice`);
      this.past();
      const child = this.node(level + 1);
      entries.add(key, { keyStart, node: child });
      Object.defineProperty(value, key, { value: child.value, enumerable: true, configurable: true, writable: true });
    }
    this.at++;
  }

  private array(node: YamlNode, level: number): void {
    const items: YamlNode[] = [];
    this.at++;
    while (this.text[this.skip()] !== ']') {
      if (this.text[this.at] === ',') this.past();
      items.push(this.node(level + 1));
    }
    this.at++;
    node.items = items;
    node.value = items.map(({ value }) => value);
  }
}

/** Reads one line of JSON: every value knows its place, no key stands twice, and every number is held exactly. */
export function readJsonLine(text: string): ReadJson {
  try {
    JSON.parse(text);
  } catch {
    const offset = faultyOffset(text);
    const remedy = 'A dataset holds one JSON object a line.';
    return {
      ok: false,
      offset,
      remedy,
      message: offset >= text.trimEnd().length ? 'the JSON ends too early' : 'invalid JSON',
    };
  }
  try {
    return { ok: true, node: new Walker(text).node(1) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, offset: error.offset, message: error.message };
  }
}
