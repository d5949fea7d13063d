// Places in a file's text, faults at them, and "did you mean".

import { distance } from 'fastest-levenshtein';
import type { ErrorCode, Fault, Place } from '../errors.ts';

/** A file's text with what finds lines in it. */
export interface Source {
  /** Relative to the project's root, POSIX separators. */
  file: string;
  text: string;
  /** Offset of the first character of each line. */
  lineStarts: number[];
  /** The 1-based line of the file on which the text begins; 1 where absent. */
  firstLine?: number;
}

/** Lines over this length are not shown beneath a fault: a caret far to the right helps nobody. */
const LONGEST_SHOWN_LINE = 2000;

/** Prepares a text for places. CRLF, LF and a lone CR each end a line, as in YAML. */
export function makeSource(file: string, text: string): Source {
  const lineStarts = [0];
  if (text.includes('\r')) {
    for (const match of text.matchAll(/\r\n|\n|\r/g)) lineStarts.push(match.index + match[0].length);
  } else {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  }
  return { file, text, lineStarts };
}

/** The 1-based line of an offset. */
export function lineAt({ lineStarts, firstLine = 1 }: Source, offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + firstLine;
}

/** What a fault says. */
export interface Complaint {
  code: ErrorCode;
  message: string;
  remedy?: string;
}

/** A fault at an offset of a source, with the line for a caret. */
export function faultAt(source: Source, offset: number, complaint: Complaint): Fault {
  const within = Math.max(0, Math.min(offset, source.text.length));
  const line = lineAt(source, within);
  const start = source.lineStarts[line - (source.firstLine ?? 1)] as number;
  const text = (source.text.slice(start, start + LONGEST_SHOWN_LINE + 1).split(/[\r\n]/, 1)[0] as string) ?? '';
  const place: Place = { file: source.file, line, column: within - start + 1 };
  return { ...complaint, place, ...(text.length <= LONGEST_SHOWN_LINE && { source: text }) };
}

/** The candidate that a misspelt word most likely meant; undefined where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 100) return undefined;
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, '');
  const letters = (text: string) => [...plain(text)].sort().join('');
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // Letters in a wrong order are one slip of the fingers, not two.
    const far = letters(word) === letters(candidate) ? 0 : distance(plain(word), plain(candidate));
    if (far < bestDistance) {
      best = candidate;
      bestDistance = far;
    }
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.floor(best.length * 0.4)) ? best : undefined;
}

/** `, did you mean \`x\`?` or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `, did you mean \`${meant}\`?`;
}

/** A word of the user's in backticks, on one line and not long. */
export function quoted(word: string): string {
  const short = word.length > 80 ? `${word.slice(0, 80)}…` : word;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not reach a terminal
  return `\`${short.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029`]/g, '?')}\``;
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Faults by file, line, column and message; equal ones once (an alias may show one mistake twice). Those without a
 * place come first.
 */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  const once = faults.filter((fault) => {
    const identity = JSON.stringify([fault.place ?? null, fault.message]);
    return !seen.has(identity) && seen.add(identity);
  });
  return once.sort(
    (one, other) =>
      compare(one.place?.file ?? '', other.place?.file ?? '') ||
      compare(one.place?.line ?? 0, other.place?.line ?? 0) ||
      compare(one.place?.column ?? 0, other.place?.column ?? 0) ||
      compare(one.message, other.message),
  );
}
