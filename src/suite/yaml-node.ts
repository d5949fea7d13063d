// A YAML value with its place.

import type { ErrorCode } from '../errors.ts';
import type { Json } from '../request/request.ts';
import type { Environment } from './interpolate.ts';

/** A value with its place. Offsets count UTF-16 units of the source's text; `end` is exclusive. */
export interface YamlNode {
  value: Json;
  start: number;
  end: number;
  /** A mapping's entries in order. */
  entries?: Entries;
  /** A sequence's items. */
  items?: YamlNode[];
  /** The text before variables were replaced, where any was. */
  written?: string;
  /** How many values stand here, aliases expanded. */
  size: number;
  /** Whether the value is faulty already: nothing more must be said of it. */
  broken?: true;
}

/** One entry of a mapping. */
export interface YamlEntry {
  keyStart: number;
  node: YamlNode;
}

/** From this size on a mapping is searched by hash; below it a list is faster, and much smaller. */
const LARGE = 16;

/** A mapping's entries in order. */
export class Entries {
  private readonly keys: string[] = [];
  private readonly list: YamlEntry[] = [];
  private index: Map<string, YamlEntry> | undefined;

  /** How many there are. */
  get size(): number {
    return this.keys.length;
  }

  /** The entry of a key. */
  get(key: string): YamlEntry | undefined {
    if (this.keys.length < LARGE) return this.list[this.keys.indexOf(key)];
    this.index ??= new Map(this.keys.map((name, at) => [name, this.list[at] as YamlEntry]));
    return this.index.get(key);
  }

  /** Whether there is an entry of a key. */
  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds an entry of a key that has none. */
  add(key: string, entry: YamlEntry): void {
    this.keys.push(key);
    this.list.push(entry);
    this.index?.set(key, entry);
  }

  /** Keys and entries in order. */
  *[Symbol.iterator](): Generator<[string, YamlEntry]> {
    for (let at = 0; at < this.keys.length; at++) yield [this.keys[at] as string, this.list[at] as YamlEntry];
  }

  /** The first key and its entry. */
  first(): [string, YamlEntry] | undefined {
    return this.size === 0 ? undefined : [this.keys[0] as string, this.list[0] as YamlEntry];
  }

  /** The entries without their keys. */
  values(): readonly YamlEntry[] {
    return this.list;
  }
}

/** How a document is read. */
export interface ParseOptions {
  code: ErrorCode;
  /** Replaces `${VAR}`; without it the strings stay as they stand. */
  env?: Environment;
}
