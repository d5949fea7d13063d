// The `yaml` package as a second reader, for what people write and the strict parser refuses:
// a closing bracket on the column of its key.

import { COLLECTION_STYLE, EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** An event of js-yaml's, with a scalar's text where it was read elsewhere. */
export type ReadEvent = Event & { text?: string };

const NONE = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };
const POP: ReadEvent = { type: EVENT_ID.POP };
const MOST_LEVELS = 100;

// Anchors, aliases and tags are left to the strict parser alone: their places and limits are known there.
class Unfit extends Error {}

function write(node: unknown, events: ReadEvent[], level: number): void {
  if (level > MOST_LEVELS || isAlias(node)) throw new Unfit();
  if (isScalar(node) && node.range && node.anchor === undefined && node.tag === undefined) {
    const [start, end] = node.range;
    const plain = node.type === 'PLAIN' || node.type === undefined;
    const quote = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
    const block = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    const style = plain
      ? SCALAR_STYLE.PLAIN
      : quote
        ? SCALAR_STYLE.DOUBLE_QUOTED
        : node.type === 'BLOCK_LITERAL'
          ? SCALAR_STYLE.LITERAL_BLOCK
          : SCALAR_STYLE.FOLDED_BLOCK;
    const empty = plain && start === end;
    const valueStart = empty ? -1 : start + (block ? 1 : quote);
    const valueEnd = empty ? -1 : end - quote;
    const text = node.source ?? String(node.value);
    events.push({
      type: EVENT_ID.SCALAR,
      ...NONE,
      valueStart,
      valueEnd,
      style,
      chomping: 1,
      indent: -1,
      fast: false,
      text,
    });
  } else if ((isMap(node) || isSeq(node)) && node.range && node.anchor === undefined && node.tag === undefined) {
    const style = node.flow ? COLLECTION_STYLE.FLOW : COLLECTION_STYLE.BLOCK;
    events.push({ type: isMap(node) ? EVENT_ID.MAPPING : EVENT_ID.SEQUENCE, ...NONE, start: node.range[0], style });
    for (const item of node.items) {
      if (isMap(node)) {
        const pair = item as { key: unknown; value: unknown };
        write(pair.key, events, level + 1);
        if (pair.value === null)
          events.push({
            type: EVENT_ID.SCALAR,
            ...NONE,
            valueStart: -1,
            valueEnd: -1,
            style: 1,
            chomping: 1,
            indent: -1,
            fast: false,
            text: '',
          });
        else write(pair.value, events, level + 1);
      } else write(item, events, level + 1);
    }
    events.push(POP);
  } else throw new Unfit();
}

/** Reads a text that the strict parser refused; undefined where the `yaml` package refuses it too. */
export function parseLeniently(text: string): ReadEvent[] | undefined {
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false, schema: 'core', merge: false });
  if (document.errors.length > 0 || document.warnings.length > 0 || document.contents === null) return undefined;
  const events: ReadEvent[] = [{ type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] }];
  try {
    write(document.contents, events, 0);
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
  events.push(POP);
  return events;
}
