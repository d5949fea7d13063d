// Changed behaviour for the terminal: a headline, then case by case what differs.

import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { Comparison, TextPart } from '../compare/comparison.ts';
import { type ChangeKind, KINDS } from '../compare/kinds.ts';
import { type ChangedCase, changesView, type StepLine, shortParts, shortValue } from './changes-view.ts';
import { counted } from './terminal-figures.ts';
import { defuse, safeLine, safeLines } from './terminal-text.ts';

/** What stands before a case; told apart without colour. */
const SIGNS: Record<ChangeKind, string> = {
  regressed: '✗',
  rerouted: '↝',
  fixed: '✓',
  rescored: '±',
  regraded: '≡',
  unsettled: '?',
  incomparable: '!',
  removed: '−',
  added: '+',
  reworded: '~',
  same: '=',
};

function paintKind(kind: ChangeKind, text: string, colors: Colors): string {
  if (kind === 'regressed') return colors.red(text);
  if (kind === 'fixed') return colors.green(text);
  if (kind === 'incomparable' || kind === 'unsettled') return colors.magenta(text);
  return kind === 'reworded' || kind === 'same' ? colors.dim(text) : colors.yellow(text);
}

function stepText(steps: readonly StepLine[], side: 'removed' | 'added'): string {
  return steps
    .filter(({ op }) => op === 'same' || op === side)
    .map(({ text }) => safeLine(text, 100))
    .join(' → ');
}

function stepLines(steps: readonly StepLine[], colors: Colors): string[] {
  if (steps.every(({ op }) => op === 'same')) return steps.length > 1 ? [`  ${stepText(steps, 'added')}`] : [];
  return [colors.red(`- ${stepText(steps, 'removed')}`), colors.green(`+ ${stepText(steps, 'added')}`)];
}

function valueLines({ values }: ChangedCase, colors: Colors): string[] {
  return values.flatMap(({ where, before, after, loose }) => {
    const name = `${safeLine(where, 200)}${loose ? colors.dim('  (counts as wording)') : ''}`;
    return [
      `  ${name}`,
      ...(before === undefined ? [] : [colors.red(`  - ${safeLine(shortValue(before))}`)]),
      ...(after === undefined ? [] : [colors.green(`  + ${safeLine(shortValue(after))}`)]),
    ];
  });
}

/** The words of the answer on as many lines as it has; marked as `git diff --word-diff` does, so that it reads without colour. */
function wordLines(parts: readonly TextPart[], colors: Colors): string[] {
  if (parts.length === 0) return [];
  if (parts.every(({ op }) => op !== 'same')) {
    const side = (op: 'removed' | 'added', sign: string) =>
      parts
        .filter((part) => part.op === op)
        .flatMap(({ text }) => safeLines(text, 15, 2000).map((line) => `  ${sign} ${line}`));
    return ['  answer', ...side('removed', '-').map(colors.red), ...side('added', '+').map(colors.green)];
  }
  const marked = shortParts(parts)
    .map(({ op, text }) => (op === 'removed' ? `[-${text}-]` : op === 'added' ? `{+${text}+}` : text))
    .join('');
  const paint = (line: string) =>
    line.replace(/\[-.*?-\]/g, (text) => colors.red(text)).replace(/\{\+.*?\+\}/g, (text) => colors.green(text));
  return ['  answer', ...safeLines(marked, 30, 4000).map((line) => `    ${paint(line)}`)];
}

function caseLines(one: ChangedCase, colors: Colors): string[] {
  const head = paintKind(one.kind, `${SIGNS[one.kind]} ${KINDS[one.kind].title.toLowerCase()}`, colors);
  return [
    `${head}  ${colors.bold(`${safeLine(one.suite, 200)} › ${safeLine(one.case, 200)}`)}  ${colors.dim(one.verdict)}`,
    ...(one.why === '' ? [] : [`  ${safeLine(one.why, 400)}`]),
    ...stepLines(one.steps, colors),
    ...valueLines(one, colors),
    ...wordLines(one.words, colors),
    ...one.scores.flatMap(({ expectation, before, after }) => [
      `  ${safeLine(expectation, 200)}`,
      colors.red(`  - ${safeLine(before, 400)}`),
      colors.green(`  + ${safeLine(after, 400)}`),
    ]),
    ...(one.figures.length === 0 ? [] : [colors.dim(`  ${one.figures.join(' · ')}`)]),
  ].map((line, at) => (at === 0 ? line : `    ${line}`));
}

/** The comparison as text. `labels` name the two sides; without them the headline is left to the caller. */
export function renderChanges(
  comparison: Comparison,
  { color, all, labels }: { color: boolean; all: boolean; labels?: { before: string; after: string } },
): string {
  const colors = pc.createColors(color);
  const view = changesView(comparison, { all });
  const lines = [
    ...(labels
      ? [colors.bold(view.headline), colors.dim(`${safeLine(labels.before, 200)} → ${safeLine(labels.after, 200)}`)]
      : []),
    ...(view.counts === '' ? [] : [view.counts]),
    ...view.facts.map((fact) => safeLine(fact, 400)),
    ...view.cases.flatMap((one) => ['', ...caseLines(one, colors)]),
    ...(view.reworded > 0 ? ['', `${counted(view.reworded, 'case')} only reworded; --all shows them.`] : []),
  ];
  return defuse(`${lines.join('\n')}\n`);
}
