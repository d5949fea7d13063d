// What `retake prune` found and what `retake mv` renamed, for the terminal.

import pc from 'picocolors';
import { counted } from './terminal-figures.ts';
import { defuse, fill, safeLine, widthOf } from './terminal-text.ts';

/** How to print. */
export interface UpkeepLook {
  color: boolean;
}

/** Why no case reads a cassette. */
export type WhyUnowned = 'no_suite' | 'no_case' | 'script';

/** Something nothing uses. `file` is relative to the project. */
export type Unused =
  | { kind: 'cassette'; file: string; suite: string; case: string; why: WhyUnowned }
  | { kind: 'takes'; file: string; suite: string; case: string; takes: number; repeat: number }
  | { kind: 'version'; file: string; version: number }
  | { kind: 'prompt'; file: string };

/** What `retake prune` found, and whether it is gone. */
export interface PruneReport {
  removed: boolean;
  unused: Unused[];
  /** Recordings under an old name, each with the command that renames it; they are kept. */
  renames: { file: string; command: string }[];
  /** Cassettes in use. */
  used: number;
  /** Files in the cassette folder that are not Retake's; they are left alone. */
  foreign: number;
}

/** What `retake mv` renamed: cassettes' files relative to the project. */
export interface MoveReport {
  moved: { from: string; to: string }[];
}

/** Columns of a path that others are aligned to. */
const WIDEST = 60;

function reasonOf(unused: Unused): string {
  switch (unused.kind) {
    case 'cassette': {
      const name = safeLine(`${unused.suite}::${unused.case}`, 400);
      if (unused.why === 'script') return `the case ${name} has a script and reads no cassette`;
      if (unused.why === 'no_case') return `there is no case ${name}`;
      return `there is no suite ${safeLine(unused.suite, 200)} (case ${safeLine(unused.case, 200)})`;
    }
    case 'takes': {
      const { takes, repeat } = unused;
      const extra = takes - repeat === 1 ? `take ${takes}` : `takes ${repeat + 1} to ${takes}`;
      return `${extra}: the case asks for ${counted(repeat, 'take')}`;
    }
    case 'version':
      return `format version ${unused.version}, which this Retake does not read`;
    case 'prompt':
      return 'no cassette in use refers to this prompt';
  }
}

function totals({ unused, renames, used, foreign, removed }: PruneReport): string {
  const parts = [`${counted(used, 'cassette')} in use`];
  if (unused.length > 0) parts.push(`${unused.length} ${removed ? 'removed' : 'unused'}`);
  if (renames.length > 0) parts.push(`${renames.length} under an old name`);
  if (foreign > 0) parts.push(`${counted(foreign, 'file')} that Retake did not write, left alone`);
  return parts.join(' · ');
}

/** The list as text: what nothing uses and why, then the renames, then the sum. */
export function renderPrune(found: PruneReport, { color }: UpkeepLook): string {
  const colors = pc.createColors(color);
  const { unused, renames, removed } = found;
  const files = unused.map(({ file }) => safeLine(file, 1000));
  const width = Math.min(WIDEST, Math.max(0, ...files.map(widthOf)));
  const lines: string[] = [];
  if (unused.length > 0) {
    lines.push(removed ? 'Removed, since nothing uses it:' : 'Nothing uses these:');
    for (const [at, one] of unused.entries()) {
      const file = files[at] as string;
      lines.push(`  ${file}${fill(file, width)}  ${colors.dim(reasonOf(one))}`);
    }
    lines.push('');
    if (!removed) lines.push(`Remove them with: ${colors.cyan('retake prune --yes')}`, '');
  }
  if (renames.length > 0) {
    lines.push('These recordings answer a case of another name. They are kept; rename them with:');
    for (const command of new Set(renames.map((one) => one.command))) {
      lines.push(`  ${colors.cyan(safeLine(command, 1000))}`);
    }
    lines.push('');
  }
  if (unused.length === 0 && renames.length === 0) lines.push(`${colors.green('✓')} Nothing to prune.`);
  lines.push(totals(found));
  return defuse(`${lines.join('\n')}\n`);
}

/** The renamed cassettes as text. */
export function renderMove({ moved }: MoveReport, { color }: UpkeepLook): string {
  const colors = pc.createColors(color);
  const lines = moved.map(({ from, to }) => `${safeLine(from, 1000)} → ${safeLine(to, 1000)}`);
  return defuse(`${[...lines, `${colors.green('✓')} ${counted(moved.length, 'cassette')} renamed`].join('\n')}\n`);
}
