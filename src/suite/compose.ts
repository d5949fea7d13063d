// Composes js-yaml's event stream into values with places, in one pass.

import { COLLECTION_STYLE, EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { Fault } from '../errors.ts';
import type { Json, JsonObject } from '../request/request.ts';
import { markedNames } from '../request/secret.ts';
import { type Complaint, faultAt, lineAt, quoted, type Source } from './faults.ts';
import { interpolate } from './interpolate.ts';
import type { ReadEvent } from './lenient.ts';
import { losesDigits, readPlain } from './scalar.ts';
import { Entries, type ParseOptions, type YamlNode } from './yaml-node.ts';

// Far above any honest use of aliases, far below what hurts.
const MOST_VALUES_BY_ALIASES = 100_000;

const TEXT_TAGS = new Set(['!', '!!str']);
const SCALAR_TAGS: Record<string, (value: Json) => boolean> = {
  '!!null': (value) => value === null,
  '!!bool': (value) => typeof value === 'boolean',
  '!!int': (value) => Number.isInteger(value),
  '!!float': (value) => typeof value === 'number',
};

type EventOf<Type> = Extract<ReadEvent, { type: Type }>;

/** Makes nodes of events, in order. Its recursion is bounded: the parser refuses more than 100 levels. */
export class Composer {
  at = 0;
  interpolated = false;
  readonly secrets = new Set<string>();
  readonly faults: Fault[] = [];
  private readonly anchors = new Map<string, YamlNode | 'open'>();
  private readonly events: ReadEvent[];
  private readonly source: Source;
  private readonly options: ParseOptions;
  private aliased = 0;
  private end = 0;

  constructor(events: ReadEvent[], source: Source, options: ParseOptions) {
    this.events = events;
    this.source = source;
    this.options = options;
  }

  /** Adds a fault at an offset. */
  complain(offset: number, message: string, more: Partial<Complaint> = {}): void {
    this.faults.push(faultAt(this.source, offset, { code: this.options.code, message, ...more }));
  }

  /** The next node; `before` is where an empty one stands. */
  node(before: number): YamlNode {
    const event = this.events[this.at++] as ReadEvent;
    if (event.type === EVENT_ID.ALIAS) return this.alias(event);
    const anchored = 'anchorStart' in event && event.anchorStart !== -1;
    const anchor = anchored ? this.source.text.slice(event.anchorStart, event.anchorEnd) : '';
    if (anchored) this.anchors.set(anchor, 'open');
    const node =
      event.type === EVENT_ID.SCALAR
        ? this.scalar(event, before)
        : event.type === EVENT_ID.MAPPING
          ? this.mapping(event)
          : this.sequence(event as EventOf<typeof EVENT_ID.SEQUENCE>);
    if (anchored) this.anchors.set(anchor, node);
    return node;
  }

  private alias(event: EventOf<typeof EVENT_ID.ALIAS>): YamlNode {
    const name = this.source.text.slice(event.anchorStart, event.anchorEnd);
    const start = Math.max(0, event.anchorStart - 1);
    this.end = event.anchorEnd;
    const target = this.anchors.get(name);
    const nothing: YamlNode = { value: null, start, end: event.anchorEnd, size: 1, broken: true };
    if (target === undefined) this.complain(start, `no anchor ${quoted(name)} stands before this alias`);
    else if (target === 'open') this.complain(start, `the alias ${quoted(name)} stands within what it refers to`);
    else if (this.aliased <= MOST_VALUES_BY_ALIASES) {
      this.aliased += target.size;
      if (this.aliased <= MOST_VALUES_BY_ALIASES) return target;
      this.complain(start, `aliases expand to more than ${MOST_VALUES_BY_ALIASES.toLocaleString('en-US')} values`);
    }
    return nothing;
  }

  private tag(event: { tagStart: number; tagEnd: number }): string {
    return event.tagStart === -1 ? '' : this.source.text.slice(event.tagStart, event.tagEnd);
  }

  private refuseTag(tag: string, offset: number): void {
    this.complain(offset, `the YAML tag ${quoted(tag)} is not supported here`, {
      remedy: 'Write the value without a tag.',
    });
  }

  private scalarStart(event: EventOf<typeof EVENT_ID.SCALAR>, before: number): number {
    if (event.valueStart === -1) return before;
    if (event.style === SCALAR_STYLE.PLAIN) return event.valueStart;
    if (event.style === SCALAR_STYLE.LITERAL_BLOCK) return this.source.text.lastIndexOf('|', event.valueStart);
    if (event.style === SCALAR_STYLE.FOLDED_BLOCK) return this.source.text.lastIndexOf('>', event.valueStart);
    return event.valueStart - 1;
  }

  private scalar(event: EventOf<typeof EVENT_ID.SCALAR>, before: number): YamlNode {
    const text = event.text ?? getScalarValue(this.source.text, event);
    const start = this.scalarStart(event, before);
    const quote = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
    this.end = Math.max(event.valueEnd + quote, this.end);
    const node: YamlNode = { value: text, start, end: this.end, size: 1 };
    if (event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1) node.value = readPlain(text);
    else if (event.tagStart !== -1) this.readTagged(node, event, text);
    if (typeof node.value === 'number') this.checkNumber(node, text);
    return node;
  }

  private readTagged(node: YamlNode, event: EventOf<typeof EVENT_ID.SCALAR>, text: string): void {
    const tag = this.tag(event);
    if (TEXT_TAGS.has(tag)) return;
    node.value = readPlain(text);
    const fits = Object.hasOwn(SCALAR_TAGS, tag) ? SCALAR_TAGS[tag] : undefined;
    if (fits?.(node.value)) return;
    node.broken = true;
    if (fits) this.complain(event.tagStart, `${quoted(text)} is no ${tag.slice(2)}`);
    else this.refuseTag(tag, event.tagStart);
  }

  private checkNumber(node: YamlNode, text: string): void {
    if (!Number.isFinite(node.value)) {
      this.complain(node.start, `${quoted(text)} is no number that JSON can hold`, {
        remedy: 'Quote it if it is text.',
      });
      node.value = 0;
      node.broken = true;
    } else if (losesDigits(text)) {
      const remedy = `Quote it if it is an id: "${text.slice(0, 80)}".`;
      this.complain(node.start, `${quoted(text)} has more digits than a number can hold`, { remedy });
    } else if (node.value === 0) node.value = 0;
  }

  private interpolate(node: YamlNode): void {
    const { env } = this.options;
    const text = node.value;
    if (!env || typeof text !== 'string' || node.written !== undefined || !text.includes('${')) return;
    const result = interpolate(text, env);
    node.written = text;
    if (result.ok) {
      this.interpolated = true;
      node.value = result.text;
      markedNames(result.text, this.secrets);
      return;
    }
    node.broken = true;
    const offset = this.source.text.indexOf(result.at, node.start);
    const { message, remedy } = result;
    this.complain(offset === -1 || offset > node.end ? node.start : offset, message, { remedy });
  }

  private value(before: number): YamlNode {
    const node = this.node(before);
    if (typeof node.value === 'string') this.interpolate(node);
    return node;
  }

  /** Block collections end with their last value, flow collections with their bracket. */
  private close(node: YamlNode, style: number, bracket: string): void {
    this.at++;
    if (style === COLLECTION_STYLE.FLOW) {
      let at = Math.max(this.end, node.start + 1);
      const { text } = this.source;
      while (at < text.length && text[at] !== bracket) {
        if (text[at] === '#') while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
        else at++;
      }
      this.end = Math.min(at + 1, text.length);
    }
    node.end = Math.max(this.end, node.start);
  }

  private mapping(event: EventOf<typeof EVENT_ID.MAPPING>): YamlNode {
    const tag = this.tag(event);
    if (tag !== '' && tag !== '!!map') this.refuseTag(tag, event.tagStart);
    const value: JsonObject = {};
    const entries = new Entries();
    const node: YamlNode = { value, start: event.start, end: event.start, entries, size: 1 };
    this.end = Math.max(this.end, event.start);
    while (this.events[this.at]?.type !== EVENT_ID.POP) {
      const keyNode = this.node(this.end);
      const key = this.key(keyNode);
      const { text } = this.source;
      let after = this.end;
      while (text[after] === ' ' || text[after] === ':') after++;
      const child = this.value(after);
      const first = entries.get(key);
      if (first) {
        const line = lineAt(this.source, first.keyStart);
        this.complain(keyNode.start, `duplicate key ${quoted(key)}, first on line ${line}`);
        continue;
      }
      entries.add(key, { keyStart: keyNode.start, node: child });
      if (key === '__proto__')
        Object.defineProperty(value, key, { value: child.value, enumerable: true, configurable: true, writable: true });
      else value[key] = child.value;
      node.size += child.size;
    }
    this.close(node, event.style, '}');
    return node;
  }

  private key(node: YamlNode): string {
    if (node.entries || node.items) {
      this.complain(node.start, 'a key must be text, not a mapping or a list');
      return '';
    }
    return node.value === null ? '' : String(node.value);
  }

  private sequence(event: EventOf<typeof EVENT_ID.SEQUENCE>): YamlNode {
    const tag = this.tag(event);
    if (tag !== '' && tag !== '!!seq') this.refuseTag(tag, event.tagStart);
    const value: Json[] = [];
    const items: YamlNode[] = [];
    const node: YamlNode = { value, start: event.start, end: event.start, items, size: 1 };
    this.end = Math.max(this.end, event.start);
    while (this.events[this.at]?.type !== EVENT_ID.POP) {
      const child = this.value(items.length === 0 ? event.start : this.end);
      items.push(child);
      value.push(child.value);
      node.size += child.size;
    }
    this.close(node, event.style, ']');
    return node;
  }
}
