// What `retake redact` says.

import pc from 'picocolors';
import type { RedactReport } from '../commands/redact.ts';
import { counted } from '../render/terminal-figures.ts';
import { defuse, safeLine } from '../render/terminal-text.ts';

/** Every word that stands or would stand in place of a secret, by file; then what to do. */
export function redactedText({ cassettes, changed, written }: RedactReport, options: { color: boolean }): string {
  const colors = pc.createColors(options.color);
  if (changed.length === 0) {
    return `${colors.green('✓')} ${counted(cassettes, 'cassette')}: nothing in them looks like a credential\n`;
  }
  const lines = changed.flatMap(({ file, replacements }) => [
    colors.bold(safeLine(file)),
    ...replacements.map(
      ({ take, turn, part, words }) => `  take ${take}, turn ${turn}, ${part}: ${safeLine(words.join(', '))}`,
    ),
  ]);
  const count = `${changed.length} of ${counted(cassettes, 'cassette')}`;
  lines.push(
    '',
    written
      ? `${count} rewritten. Replace the keys at their providers: git keeps what was committed.`
      : `${count} would be rewritten. Nothing is written yet: retake redact --yes`,
  );
  return defuse(`${lines.join('\n')}\n`);
}
