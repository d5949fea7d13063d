// Text from outside made harmless for Markdown as GitHub shows it: issues, comments, job summaries, commit messages.

import { safeLine, safeLines } from './terminal-text.ts';

/** Breaks a word for every program that looks for it and stays unseen by people; the numeric form outside of code. */
const BREAK = '\u200b';
const BREAK_ENTITY = '&#8203;';

/** Directives in a commit message that stop workflows; a squash merge copies a pull request's body there, code included (GitHub docs, "Skipping workflow runs"). */
const SKIP_CI = /\[(?=(?:skip ci|ci skip|no ci|skip actions|actions skip)\])/gi;
const SKIP_CHECKS = /(skip-checks)(?=\s*:)/gi;
const CLOSES =
  /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+(?:[\w.-]+\/[\w.-]+)?#\d|:?\s+(?:GH-\d|https?:\/\/))/gi;

/** What must hold in code as well: our own marker, and what acts in a commit message, where nothing is code. */
function defuseRaw(text: string): string {
  return text
    .replaceAll('<!--', `<${BREAK}!--`)
    .replaceAll('-->', `--${BREAK}>`)
    .replace(SKIP_CI, `[${BREAK}`)
    .replace(SKIP_CHECKS, `$1${BREAK}`)
    .replace(CLOSES, `$1${BREAK}`);
}

// An underscore within a word is never emphasis in GFM; tools' names stay readable in the source.
const SPECIAL = /[&<>*`~[\]|\\$#!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

function entity(char: string): string {
  if (char === '&') return '&amp;';
  if (char === '<') return '&lt;';
  if (char === '>') return '&gt;';
  return `&#${char.charCodeAt(0)};`;
}

/** What GitHub turns into links after Markdown is rendered: neither a backslash nor an entity stops it. */
const LIVE: readonly [RegExp, string | ((found: string) => string)][] = [
  // Mentions and mail addresses.
  [/@(?=[\w-])/g, `@${BREAK}`],
  // Issues: #1, owner/repo#1, GH-1. Closing keywords need one of these or a URL.
  [/#(?=\d)/g, `#${BREAK}`],
  [/\b(GH-)(?=\d)/gi, `$1${BREAK}`],
  // Commits, short or whole: seven digits are enough for a link, so no seven may stay together.
  [/\b[0-9a-f]{7,64}\b/gi, (commit) => commit.replace(/.{6}(?=.)/g, `$&${BREAK}`)],
  // Bare addresses.
  [/\b([a-z][a-z0-9+.-]*:)(?=\/\/)/gi, `$1${BREAK}`],
  [/\b(mailto:|xmpp:)/gi, `$1${BREAK}`],
  [/\b(www)(?=\.)/gi, `$1${BREAK}`],
  [SKIP_CI, `[${BREAK}`],
  [SKIP_CHECKS, `$1${BREAK}`],
];

/** What would open a list, a quote or a heading at the start of a line. */
const BLOCK_START = /^(?:[-+=]|\d+(?=[.)](?:\s|$)))/;

/** A text as inline Markdown that shows it and does nothing else: entities only, so that it also holds in HTML and in table cells. Cut after `limit` UTF-16 units. */
export function inline(text: string, limit = 500): string {
  let safe = safeLine(text.replace(/\s+/g, ' ').trim(), limit);
  for (const [pattern, by] of LIVE) safe = safe.replace(pattern, by as string);
  return safe
    .replace(SPECIAL, entity)
    .replaceAll(BREAK, BREAK_ENTITY)
    .replace(BLOCK_START, (start) => `${start.slice(0, -1)}&#${start.charCodeAt(start.length - 1)};`);
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

/** A text as a code span on one line, cut after `limit` UTF-16 units. Fit for table cells. */
export function code(text: string, limit = 500): string {
  const safe = defuseRaw(safeLine(text, limit));
  // A cell ends at a bar even within a code span, and a backslash before an escaped bar ends it all the same.
  if (safe.includes('|')) return `<code>${inline(text, limit)}</code>`;
  if (safe.trim() === '') return safe === '' ? '<code></code>' : `<code>${safe.replaceAll(' ', '&nbsp;')}</code>`;
  const ticks = '`'.repeat(longestRun(safe) + 1);
  // CommonMark takes one space off both sides where both have one.
  const pad = /^[ `]|[ `]$/.test(safe) ? ' ' : '';
  return `${ticks}${pad}${safe}${pad}${ticks}`;
}

/** A sentence of ours that quotes values in backticks: what is quoted as code spans, the rest as by `inline`. Cut after `limit` UTF-16 units. */
export function sentence(text: string, limit = 500): string {
  const safe = safeLine(text.replace(/\s+/g, ' ').trim(), limit);
  const parts = safe.split(/`([^`]+)`/);
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return code(part, Infinity);
      const [, before = '', inner = '', after = ''] = /^( ?)(.*?)( ?)$/.exec(part) ?? [];
      return `${before}${inline(inner, Infinity)}${after}`;
    })
    .join('');
}

/** How much of a text a code block shows. */
export interface BlockLimits {
  maxLines: number;
  /** UTF-16 units. */
  limit: number;
}

/** Lines as a fenced code block; the fence is longer than any run of backticks within. */
export function block(text: string, limits: BlockLimits = { maxLines: 40, limit: 4000 }): string {
  const body = defuseRaw(safeLines(text, limits.maxLines, limits.limit).join('\n'));
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}text\n${body}\n${fence}`;
}

/** Lines of ours that hold text from outside as a fenced code block in a language; every line is made safe, none is cut. */
export function fence(lines: readonly string[], language: string): string {
  const body = defuseRaw(lines.map((line) => safeLine(line, Number.MAX_SAFE_INTEGER)).join('\n'));
  const marks = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${marks}${language}\n${body}\n${marks}`;
}

/** A text as code in HTML, for places where Markdown is not read, such as `<summary>`. Cut after `limit` UTF-16 units. */
export function htmlCode(text: string, limit = 500): string {
  return `<code>${inline(text, limit)}</code>`;
}

/** A link to an address of ours; the bare label where the address is none of the web. */
export function link(label: string, url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return label;
  const target = parsed.href.replace(/[()<>"'`|\\*_~[\]]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `[${label}](${target})`;
}

/** A text on one line for a commit message: no word in it acts on issues, workflows or people. Cut after `limit` UTF-16 units. */
export function plainLine(text: string, limit = 100): string {
  let safe = defuseRaw(safeLine(text, limit));
  for (const [pattern, by] of LIVE) safe = safe.replace(pattern, by as string);
  return safe;
}
