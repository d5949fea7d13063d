// The user's mistakes as text: place, message, the line with a caret, remedy; grouped by file.

import pc from 'picocolors';
import type { Fault, UserError } from '../errors.ts';
import { counted } from './terminal-figures.ts';
import { defuse, fill, safeLine, safeLines, widthOf } from './terminal-text.ts';

/** How to print faults. */
export interface FaultOptions {
  color: boolean;
  /** Columns of the terminal. */
  width: number;
}

/** More than anyone reads; a generated file can hold a fault a line. */
const MOST = 100;

function byPlace(a: Fault, b: Fault): number {
  return (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0);
}

/** Faults by file in code-unit order, those without a place first; within a file by line and column. */
function byFile(faults: readonly Fault[]): Fault[][] {
  const files = new Map<string, Fault[]>();
  for (const fault of faults) {
    const file = fault.place?.file ?? '';
    const known = files.get(file);
    if (known) known.push(fault);
    else files.set(file, [fault]);
  }
  return [...files.keys()].sort().map((file) => (files.get(file) as Fault[]).sort(byPlace));
}

/** The part of a line around a column that fits into `width`, and where the column is in it. */
function windowOf(source: string, column: number, width: number): { text: string; before: string } {
  const at = Math.min(Math.max(column - 1, 0), source.length);
  const start = at <= width * 0.7 ? 0 : at - Math.floor(width / 2);
  const lead = start > 0 ? '…' : '';
  const trail = source.length > start + width ? '…' : '';
  // Tabs become one space each, so that the caret stands right whatever the terminal's tab stops are.
  const show = (from: number, to: number) => safeLine(source.slice(from, to).replaceAll('\t', ' '), width * 8);
  return { text: `${lead}${show(start, start + width)}${trail}`, before: `${lead}${show(start, at)}` };
}

function sourceLines(fault: Fault, options: FaultOptions): string[] {
  const { place, source } = fault;
  if (source === undefined || place?.line === undefined || source.trim() === '') return [];
  const colors = pc.createColors(options.color);
  const number = `  ${String(place.line).padStart(4)}`;
  const room = Math.max(20, options.width - number.length - 5);
  const { text, before } = windowOf(source, place.column ?? 1, room);
  const lines = [colors.dim(`${number} │ `) + text];
  if (place.column !== undefined) {
    lines.push(`${colors.dim(`${fill('', number.length)} │ `)}${' '.repeat(widthOf(before))}${colors.red('^')}`);
  }
  return lines;
}

function faultLines(fault: Fault, options: FaultOptions): string[] {
  const colors = pc.createColors(options.color);
  const [first = '', ...rest] = safeLines(fault.message, 40, 4000);
  const { place } = fault;
  const at = place?.line === undefined ? '' : `:${place.line}${place.column === undefined ? '' : `:${place.column}`}`;
  const where = place ? colors.bold(`${safeLine(place.file)}${at}`) : colors.bold(colors.red('error'));
  const remedy = fault.remedy === undefined ? [] : safeLines(fault.remedy, 40, 4000);
  return [
    `${where}  ${first}`,
    ...rest.map((line) => `  ${line}`),
    ...sourceLines(fault, options),
    ...remedy.map((line) => `  ${colors.cyan(line)}`),
  ];
}

/** Text of a UserError for the terminal: every fault once, and how many there are where there is more than one. */
export function renderFaults(error: UserError, options: FaultOptions): string {
  const colors = pc.createColors(options.color);
  const files = byFile(error.faults);
  const blocks = files
    .flat()
    .slice(0, MOST)
    .map((fault) => faultLines(fault, options).join('\n'));
  const total = error.faults.length;
  if (total > MOST) blocks.push(`… and ${counted(total - MOST, 'more error')}`);
  if (total > 1) {
    const named = files.filter((faults) => faults[0]?.place).length;
    const inFiles = named === 0 ? '' : ` in ${counted(named, 'file')}`;
    blocks.push(colors.bold(colors.red(`${counted(total, 'error')}${inFiles}`)));
  }
  return defuse(`${blocks.join('\n\n')}\n`);
}
