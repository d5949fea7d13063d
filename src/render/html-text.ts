// Text from outside made harmless for HTML and XML: no tag, no entity, no character that their parsers refuse.

import { safeLine, safeLines } from './terminal-text.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
// XML 1.0 takes neither, and HTML calls them parse errors. Astral noncharacters are legal in both.
const NONCHARACTERS = /[\ufdd0-\ufdef\ufffe\uffff]/g;

function escaped(text: string): string {
  return text
    .replace(NONCHARACTERS, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** A text on one line for an element or an attribute of HTML or XML, control characters visible. Cut after `limit` UTF-16 units. */
export function markupLine(text: string, limit = 2000): string {
  return escaped(safeLine(text, limit));
}

/** A text of many lines for an element of HTML or XML, control characters visible. Cut after `maxLines` lines or `limit` UTF-16 units. */
export function markupLines(text: string, maxLines = 200, limit = 20_000): string {
  return escaped(safeLines(text, maxLines, limit).join('\n'));
}
