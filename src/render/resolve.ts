// What `retake resolve` mended, for the terminal.

import pc from 'picocolors';
import { shellWord } from '../suite/names.ts';
import { counted } from './terminal-figures.ts';
import { defuse, safeLine } from './terminal-text.ts';

/** A side of a merge. */
export type Side = 'ours' | 'theirs';

/**
 * What became of a file in conflict. `alone`: one side answers its case · `both`: both do · `unowned`: no case reads it ·
 * `kept`: what stands there is whole and neither side, so it stays · `prompt`: a prompt file is whole again ·
 * `stale`: neither side answers, so the case is to be recorded · `broken`: no whole side is to be had.
 */
export type ResolvedAs = 'alone' | 'both' | 'unowned' | 'kept' | 'prompt' | 'stale' | 'broken';

/** One file that was in conflict. */
export interface Resolved {
  /** Relative to the project. */
  file: string;
  /** The case that reads it, as `suite::case`; absent where none does. */
  name?: string;
  as: ResolvedAs;
  /** The side that stands there now; absent where it is neither. */
  side?: Side;
  /** Where the file with its markers was copied to, relative to the project; absent where git's index has both sides. */
  copy?: string;
}

/** What `retake resolve` did. */
export interface ResolveReport {
  files: Resolved[];
  /** The side that was taken where both answer. */
  preferred: Side;
  /** The cassette folder, relative to the project. */
  folder: string;
}

function words({ as, side, name }: Resolved): string {
  const of = safeLine(name ?? '', 400);
  switch (as) {
    case 'alone':
      return `${side}: it alone answers ${of}`;
    case 'both':
      return `${side}: both sides answer ${of}`;
    case 'unowned':
      return `${side}: no case reads it, \`retake prune\` removes it`;
    case 'kept':
      return `left as it is: it is whole and neither side of the merge`;
    case 'prompt':
      return 'whole again';
    case 'stale':
      return side === undefined ? `${of}: neither side stands there` : `${of}: ${side} stands there`;
    case 'broken':
      return name === undefined ? 'untouched, and no case reads it: delete it' : `${of}: untouched`;
  }
}

function listed(title: string, files: readonly Resolved[]): string[] {
  if (files.length === 0) return [];
  return [title, ...files.map((one) => `  ${safeLine(one.file, 1000)}  ${words(one)}`), ''];
}

/** Only a full recording replaces what cannot be read. */
function recordCommand(broken: readonly Resolved[]): string {
  const names = broken.flatMap(({ name }) => (name === undefined ? [] : [`--filter ${shellWord(name)}`]));
  return ['retake record', ...names].join(' ');
}

/** The report as text. */
export function renderResolve({ files, preferred, folder }: ResolveReport, { color }: { color: boolean }): string {
  const colors = pc.createColors(color);
  if (files.length === 0) return `${colors.green('✓')} Nothing to resolve: no cassette is in conflict.\n`;
  const stale = files.filter(({ as }) => as === 'stale');
  const broken = files.filter(({ as }) => as === 'broken');
  const mended = files.filter((one) => !stale.includes(one) && !broken.includes(one));
  const copies = files.flatMap(({ copy }) => copy ?? []);
  const other = preferred === 'ours' ? 'theirs' : 'ours';
  const isChoice = mended.some(({ as }) => as === 'both');
  const lines = [
    ...listed('Mended:', mended),
    ...(isChoice
      ? [`Where both answer, ${preferred} was taken; \`retake resolve --${other}\` takes ${other}.`, '']
      : []),
    ...listed('Neither side answers the case as it stands now:', stale),
    ...(stale.length > 0 ? ['Record what has no recording:', `  ${colors.cyan('retake record --missing')}`, ''] : []),
    ...listed('No whole side is to be had:', broken),
    ...(broken.some(({ name }) => name !== undefined)
      ? ['Record what they are of anew:', `  ${colors.cyan(safeLine(recordCommand(broken), 1000))}`, '']
      : []),
    ...(copies.length > 0
      ? [
          `Git’s index does not hold both sides, so the files with their markers were copied to ${copies[0]?.split('/').slice(0, 2).join('/')}.`,
          '',
        ]
      : []),
    `${mended.length > 0 ? `${colors.green('✓')} ` : ''}${counted(mended.length, 'file')} mended${stale.length + broken.length > 0 ? ` · ${stale.length + broken.length} to record` : ''}`,
    ...(mended.length > 0 && copies.length < files.length
      ? [`Git keeps both sides until you stage them: git add ${safeLine(folder, 400)}`]
      : []),
  ];
  return defuse(`${lines.join('\n')}\n`);
}
