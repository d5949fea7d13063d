// Title and body of a drift pull request: what the models do differently, whether it matters, what to do.

import type { Comparison } from '../compare/comparison.ts';
import { changeBlocks } from './changes-markdown.ts';
import { fitted } from './fit.ts';
import { code, inline } from './markdown.ts';
import { atLeastUsd, counted, usd } from './terminal-figures.ts';

/** Which pull request: of cases that still pass, or of those that fail now. */
export type DriftLane = 'accept' | 'fix';

/** What the body is made of. */
export interface DriftBody {
  lane: DriftLane;
  /** The branch of the pull request. */
  branch: string;
  /** The branch it goes into. */
  base: string;
  /** The changes that are in it, and no other. */
  comparison: Comparison;
  /** Cases that were asked tonight. */
  attempted: number;
  /** Fresh takes by `suite::case`, all of which agree. */
  takes: ReadonlyMap<string, number>;
  /** Carried over from an earlier night, as `suite::case`: not asked tonight. */
  carried: readonly string[];
  rejected: readonly string[];
  reworded: number;
  unsettled: number;
  incomparable: readonly { suite: string; case: string; why: string }[];
  unchecked: readonly string[];
  spentUsd: number | null;
  spentKnownUsd: number;
  runUrl?: string;
  /** The first line, an HTML comment of ours. */
  marker: string;
}

/** The most a body may take, in UTF-8 bytes; GitHub takes 65,536 characters. */
const MOST_BYTES = 60_000;
/** Names that are listed of what was not checked. */
const MOST_NAMES = 20;

/** The title; nothing from a model is in it. */
export function driftTitle({ lane, comparison, carried }: Pick<DriftBody, 'lane' | 'comparison' | 'carried'>): string {
  const cases = comparison.changes.length + carried.length;
  if (lane === 'fix')
    return `Retake: ${counted(cases, 'case')} ${cases === 1 ? 'fails' : 'fail'} with what the model does now`;
  return `Retake: ${counted(cases, 'case')} ${cases === 1 ? 'behaves' : 'behave'} differently`;
}

const WHAT_TO_DO: Record<DriftLane, (branch: string, base: string) => string[]> = {
  accept: (branch, base) => [
    '- **Accept all of it:** merge. The recordings here become what every pull request is held to.',
    `- **Reject a case:** on the branch ${code(branch)} take its file back, ${code(`git checkout origin/${base} -- <cassette>`)}, commit and push. It stays out while the model behaves so.`,
    '- **Reject all of it:** close. It stays closed until the models behave differently again.',
  ],
  fix: (branch) => [
    `- These cases **fail** with what the model does now, so this is a draft: merging it as it stands would turn the default branch red.`,
    `- **Mend** the prompt or the expectation on the branch ${code(branch)}, record again, and mark it ready; or mend it elsewhere, and this closes by itself.`,
    '- **Close** it to leave the old recordings in place until the models behave differently again.',
  ],
};

function names(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_NAMES;
  return [
    `<details><summary>${title}</summary>`,
    '',
    ...lines.slice(0, MOST_NAMES).map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    '</details>',
    '',
  ];
}

function verdictOf(body: DriftBody): string {
  const { lane, comparison, attempted, reworded, unsettled, carried } = body;
  const { line } = changeBlocks(comparison);
  const counts = line.slice(line.indexOf(': ') + 2);
  const rest = [
    ...(reworded > 0 ? [`${reworded} reworded, not included`] : []),
    ...(unsettled > 0 ? [`${unsettled} unsettled, not included`] : []),
    ...(carried.length > 0 ? [`${carried.length} carried over, not checked again`] : []),
  ];
  const changed = comparison.changes.length;
  const does =
    lane === 'fix'
      ? changed === 1
        ? 'fails now'
        : 'fail now'
      : changed === 1
        ? 'behaves differently'
        : 'behave differently';
  const head = `**${counted(changed, 'case')} of ${attempted} ${does}: ${counts}**`;
  return rest.length === 0 ? head : `${head}; ${rest.join('; ')}.`;
}

/** The body, Markdown of 60,000 UTF-8 bytes at most; details of the least grave changes go first, their lines stay. */
export function driftBody(body: DriftBody): string {
  const { comparison, lane, branch, takes, carried, rejected, incomparable, unchecked, spentUsd, spentKnownUsd } = body;
  const { blocks, facts } = changeBlocks(comparison, { all: true });
  const amount = spentUsd === 0 ? usd(0) : atLeastUsd(spentUsd, spentKnownUsd);
  const spent = amount === 'unknown' ? 'their cost unknown' : `${amount} spent`;
  const draw = ({ details, rows }: { details: number; rows: number }) => {
    const shown = blocks.slice(0, rows);
    const lines = [
      body.marker,
      verdictOf(body),
      '',
      ...(facts.length === 0 ? [] : [...facts.map((fact) => `- ${fact}`), '']),
      ...shown.flatMap(({ row, details: text, suite, case: name }, at) => {
        const agreed = takes.get(`${suite}::${name}`) ?? 1;
        const confirmed = agreed > 1 ? `- ${agreed} of ${agreed} fresh takes agree\n` : '';
        if (at >= details) return [`- ${row}`];
        const isOpen = at < 3 ? ' open' : '';
        return [`<details${isOpen}><summary>${row}</summary>`, '', `${confirmed}${text}`, '', '</details>', ''];
      }),
      ...(blocks.length > rows ? [`- and ${blocks.length - rows} more`] : []),
      ...(blocks.length > details
        ? ['', 'Details that are left out here are in the commits of this pull request.']
        : []),
      '',
      '### What to do',
      '',
      ...WHAT_TO_DO[lane](branch, body.base),
      '',
      ...names(
        `${counted(carried.length, 'case')} carried over from an earlier night`,
        carried.map((name) => inline(name)),
      ),
      ...names(
        `${counted(rejected.length, 'case')} rejected before, left out`,
        rejected.map((name) => inline(name)),
      ),
      ...names(
        `${counted(incomparable.length, 'case')} could not be compared`,
        incomparable.map((one) => `${inline(`${one.suite} › ${one.case}`)}: ${inline(one.why)}`),
      ),
      ...names(
        `${counted(unchecked.length, 'case')} not asked, the budget ended`,
        unchecked.map((name) => inline(name)),
      ),
      `<sub>${counted(body.attempted, 'case')} asked, ${spent}${body.runUrl === undefined ? '' : ` · [the run](${body.runUrl})`} · Retake ${comparison.retake}</sub>`,
    ];
    return `${lines.join('\n')}\n`;
  };
  const most = blocks.length;
  return fitted({
    maxBytes: MOST_BYTES,
    rungs: [
      { part: 'details', most },
      { part: 'rows', most },
    ],
    draw,
  });
}
