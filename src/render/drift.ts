// A night's drift for the terminal: what it came to, what changed, what could not be told, what to do.

import pc from 'picocolors';
import type { Comparison } from '../compare/comparison.ts';
import { renderChanges } from './changes.ts';
import { atLeastUsd, counted, usd } from './terminal-figures.ts';
import { defuse, safeLine } from './terminal-text.ts';

/** What is shown of it. */
export interface ShownDrift {
  outcome: 'none' | 'drift' | 'unknown';
  threshold: string;
  drifted: readonly { suite: string; case: string; kind: string; takes: number; stillPasses: boolean }[];
  incomparable: readonly { suite: string; case: string; why: string }[];
  unchecked: readonly string[];
  attempted: number;
  spentUsd: number | null;
  spentKnownUsd: number;
  into: string;
  comparison: Comparison;
}

/** More names than a terminal wants. */
const MOST_NAMES = 20;

function headline({ outcome, drifted, attempted, incomparable }: ShownDrift): string {
  const of = `of ${counted(attempted, 'case')}`;
  if (outcome === 'unknown') return `Could not tell: ${incomparable.length} ${of} had no answer`;
  if (outcome === 'none') return `No drift in ${counted(attempted, 'case')}`;
  const failing = drifted.filter(({ stillPasses }) => !stillPasses).length;
  const rest = failing === 0 ? '' : `; ${failing} of them ${failing === 1 ? 'fails' : 'fail'} now`;
  return `Drift: ${drifted.length} ${of} ${drifted.length === 1 ? 'behaves' : 'behave'} differently${rest}`;
}

function listed(names: readonly string[]): string[] {
  const more = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES).map((name) => `  ${name}`), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function nextSteps({ outcome, into }: ShownDrift): string[] {
  if (outcome !== 'drift') return [];
  return [
    '',
    `The fresh recordings wait in ${safeLine(into, 200)}. To take them over:`,
    '  retake drift --accept',
    '  retake drift --accept --filter "suite::case"',
  ];
}

/** The report as text. */
export function renderDrift(shown: ShownDrift, { color, all }: { color: boolean; all: boolean }): string {
  const colors = pc.createColors(color);
  const { incomparable, unchecked, spentUsd, spentKnownUsd, drifted } = shown;
  const confirmed = drifted.filter(({ takes }) => takes > 1);
  const lines = [
    colors.bold(headline(shown)),
    colors.dim(`spent ${spentUsd === 0 ? usd(0) : atLeastUsd(spentUsd, spentKnownUsd)}`),
    '',
    renderChanges(shown.comparison, { color, all }).trim(),
    ...(confirmed.length === 0
      ? []
      : [
          '',
          ...listed(
            confirmed.map(
              (one) => `${safeLine(`${one.suite} › ${one.case}`, 200)}: ${one.takes} of ${one.takes} fresh takes agree`,
            ),
          ),
        ]),
    ...(incomparable.length === 0
      ? []
      : [
          '',
          `${counted(incomparable.length, 'case')} could not be compared:`,
          ...listed(incomparable.map((one) => safeLine(`${one.suite} › ${one.case}: ${one.why}`, 300))),
        ]),
    ...(unchecked.length === 0
      ? []
      : [
          '',
          `${counted(unchecked.length, 'case')} not asked, the budget ended:`,
          ...listed(unchecked.map((name) => safeLine(name, 200))),
        ]),
    ...nextSteps(shown),
  ];
  return defuse(`${lines.join('\n')}\n`);
}

/** What was accepted, as text. */
export function renderAccepted(moved: readonly { suite: string; case: string; kind: string }[]): string {
  if (moved.length === 0) return 'Nothing was accepted: no fresh recording that waits is chosen and differs.\n';
  const names = moved.map(({ suite, case: name, kind }) => `  ${safeLine(`${suite} › ${name}`, 200)}  ${kind}`);
  return defuse(
    `${counted(moved.length, 'recording')} accepted:\n${names.join('\n')}\nReview them with git diff, then commit.\n`,
  );
}
