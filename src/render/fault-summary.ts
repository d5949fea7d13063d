// The user's mistakes for the job summary.

import { ERRORS, type Fault, type UserError } from '../errors.ts';
import { code, sentence } from './markdown.ts';
import { counted } from './terminal-figures.ts';

/** More than anyone reads; a generated file can hold a fault a line. */
const MOST = 100;

/** A fault as lines of a list. */
export function faultLines(fault: Fault): string[] {
  const { place } = fault;
  const where = place ? ` ${code(place.line === undefined ? place.file : `${place.file}:${place.line}`, 300)}` : '';
  const lines = [`- **${ERRORS[fault.code].title}**${where}: ${sentence(fault.message, 1000)}`];
  if (fault.source !== undefined && fault.source.trim() !== '') lines.push(`  - ${code(fault.source.trim(), 300)}`);
  if (fault.remedy !== undefined) lines.push(`  - ${sentence(fault.remedy, 1000)}`);
  return lines;
}

/** Markdown of a UserError: every fault with place and remedy, the first hundred of them. */
export function renderFaultSummary(error: UserError): string {
  const { faults } = error;
  const left = faults.length - MOST;
  return [
    `## ❌ Nothing was run: ${counted(faults.length, 'mistake')} to mend`,
    '',
    ...faults.slice(0, MOST).flatMap(faultLines),
    ...(left > 0 ? [`- and ${counted(left, 'more mistake')}`] : []),
    '',
  ].join('\n');
}
