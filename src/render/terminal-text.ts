// Text from outside made harmless for a terminal or a workflow log, and its width in columns.

// Everything that moves the cursor, hides text, turns its direction or breaks a line. ZWJ and ZWNJ stay: emoji and
// several scripts need them.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOne(char: string): string {
  const named = NAMED[char];
  if (named !== undefined) return named;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The first `limit` UTF-16 units of a text, never half a surrogate pair; says how much is left. */
function cut(text: string, limit: number): { head: string; left: number } {
  if (text.length <= limit) return { head: text, left: 0 };
  const code = text.charCodeAt(limit - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
  return { head: text.slice(0, end), left: text.length - end };
}

/** A text on one line, control characters visible as escapes, cut after `limit` UTF-16 units. */
export function safeLine(text: string, limit = 2000): string {
  const { head, left } = cut(text, limit);
  const safe = head.replace(UNSAFE, escapeOne);
  return left === 0 ? safe : `${safe}… (${left} more)`;
}

/** A text as lines, cut after `maxLines` lines or `limit` UTF-16 units; the last line says that there is more. */
export function safeLines(text: string, maxLines: number, limit = 2000): string[] {
  const { head, left } = cut(text, limit);
  const all = head.split(/\r\n|\n/);
  const lines = all.slice(0, maxLines).map((line) => line.replaceAll('\t', '  ').replace(UNSAFE, escapeOne));
  const unseen = all.slice(maxLines).reduce((sum, line) => sum + line.length + 1, 0) + left;
  if (unseen > 0) lines.push(`… (${unseen} more)`);
  return lines;
}

/** Breaks what a workflow runner would take for a command of ours: `::` at the start of a line, `##[` anywhere. */
export function defuse(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\:').replaceAll('##[', '##\\[');
}

const PLAIN = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\u200c|\u200d)$/u;
const WIDE =
  /^[\u1100-\u115e\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function widthOfChar(char: string): number {
  if (ZERO_WIDTH.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** Columns a safe text takes on a terminal (East Asian wide characters take two). */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOfChar(char);
  return width;
}

/** The longest run of characters from the start that fits into `width` columns. */
function fit(chars: readonly string[], width: number): string[] {
  const kept: string[] = [];
  let left = width;
  for (const char of chars) {
    left -= widthOfChar(char);
    if (left < 0) break;
    kept.push(char);
  }
  return kept;
}

/** A safe text cut to `width` columns, a `…` in its middle: both ends of a name tell it from its neighbours. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const chars = [...text];
  const head = fit(chars, Math.ceil((width - 1) / 2)).join('');
  const tail = fit(chars.toReversed(), Math.max(0, width - 1 - widthOf(head)))
    .toReversed()
    .join('');
  return `${head}…${tail}`;
}

/** Spaces that fill a text of `text`'s width up to `width` columns. */
export function fill(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text)));
}
