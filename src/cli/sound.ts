// What `retake validate` says where all is sound.

import pc from 'picocolors';
import type { ValidateReport } from '../commands/validate.ts';
import { counted } from '../render/terminal-figures.ts';
import { defuse, safeLines } from '../render/terminal-text.ts';

/** Counts of what was checked, then notes. */
export function soundText(found: ValidateReport, options: { color: boolean }): string {
  const colors = pc.createColors(options.color);
  const suites = `${counted(found.suites, 'suite')} with ${counted(found.cases, 'case')}`;
  const takes = `${counted(found.takes, 'take')}, ${counted(found.interactions, 'interaction')}`;
  const notes = found.notes.flatMap((note) =>
    safeLines(note, 6).map((line, at) => (at === 0 ? `${colors.dim('note')}  ${line}` : `      ${line}`)),
  );
  const lines = [
    `${colors.green('✓')} ${suites}, ${counted(found.cassettes, 'cassette')} (${takes}): all sound`,
    ...notes,
  ];
  return defuse(`${lines.join('\n')}\n`);
}
