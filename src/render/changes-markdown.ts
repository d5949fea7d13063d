// Changed behaviour as Markdown: for a pull request's comment, the drift pull request and a job summary.

import type { Comparison, TextPart } from '../compare/comparison.ts';
import { KINDS } from '../compare/kinds.ts';
import { type ChangedCase, changesView, type StepLine, shortParts, shortValue } from './changes-view.ts';
import { code, htmlCode, inline, sentence } from './markdown.ts';
import { counted } from './terminal-figures.ts';
import type { ChangeBlock } from './verdict.ts';

function stepText(steps: readonly StepLine[], side: 'removed' | 'added'): string {
  return steps
    .filter(({ op }) => op === 'same' || op === side)
    .map(({ op, text }) => (op === 'same' ? inline(text, 100) : `**${inline(text, 100)}**`))
    .join(' → ');
}

function stepLines(steps: readonly StepLine[]): string[] {
  if (steps.every(({ op }) => op === 'same')) return steps.length > 1 ? [`- way: ${stepText(steps, 'added')}`] : [];
  return [`- way before: ${stepText(steps, 'removed')}`, `- way now: ${stepText(steps, 'added')}`];
}

const cell = (value: string | undefined) => (value === undefined ? '–' : code(shortValue(value), 400));

function valueTable({ values }: ChangedCase): string[] {
  if (values.length === 0) return [];
  return [
    '',
    '| | before | now |',
    '| --- | --- | --- |',
    ...values.map(
      ({ where, before, after, loose }) =>
        `| ${inline(where, 200)}${loose ? ' (wording)' : ''} | ${cell(before)} | ${cell(after)} |`,
    ),
  ];
}

/** A piece of an answer inline: space at its ends and line breaks stay what they are to the eye. */
function piece(text: string): string {
  return text
    .split(/(\n+)/)
    .map((part, at) => {
      if (at % 2 === 1) return '<br>';
      const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(part) ?? [];
      return `${before === '' ? '' : ' '}${inline(inner, 4000)}${after === '' ? '' : ' '}`;
    })
    .join('');
}

function wordLines(parts: readonly TextPart[]): string[] {
  if (parts.length === 0) return [];
  const marked = shortParts(parts).map(({ op, text }) => {
    if (op === 'same') return piece(text);
    return op === 'removed' ? `<del>${piece(text)}</del>` : `<ins>${piece(text)}</ins>`;
  });
  return ['', `<blockquote>${marked.join('')}</blockquote>`];
}

function detailsOf(one: ChangedCase): string {
  return [
    ...(one.why === '' ? [] : [`- ${sentence(one.why)}`]),
    ...stepLines(one.steps),
    ...one.scores.map(
      ({ expectation, before, after }) => `- ${code(expectation, 200)}: ${sentence(before)} → ${sentence(after)}`,
    ),
    ...(one.figures.length === 0 ? [] : [`- ${one.figures.map((figure) => inline(figure)).join(' · ')}`]),
    ...valueTable(one),
    ...wordLines(one.words),
  ]
    .join('\n')
    .trim();
}

function blockOf(one: ChangedCase): ChangeBlock {
  const { kind, suite, case: name, verdict } = one;
  const row = `<b>${KINDS[kind].title}</b> ${htmlCode(`${suite} › ${name}`, 300)}${verdict === '' ? '' : ` ${inline(verdict)}`}`;
  return { kind, suite, case: name, row, details: detailsOf(one) };
}

/** What a comment says of changed behaviour: a line that counts, and a block for each case, the gravest first; rewordings are only counted unless `all`. All is Markdown, escaped. */
export function changeBlocks(
  comparison: Comparison,
  { all = false }: { all?: boolean } = {},
): { line: string; facts: string[]; blocks: ChangeBlock[] } {
  const view = changesView(comparison, { all });
  return {
    line: [view.headline, ...(view.counts === '' ? [] : [view.counts])].map((text) => inline(text)).join(': '),
    facts: view.facts.map((fact) => inline(fact)),
    blocks: view.cases.map(blockOf),
  };
}

/** The comparison as a Markdown document. */
export function renderChangesMarkdown(
  comparison: Comparison,
  { all, labels }: { all: boolean; labels: { before: string; after: string } },
): string {
  const { line, facts, blocks } = changeBlocks(comparison, { all });
  const { reworded } = changesView(comparison, { all });
  const lines = [
    `## ${line}`,
    '',
    `${code(labels.before, 200)} → ${code(labels.after, 200)}`,
    ...(facts.length === 0 ? [] : ['', ...facts.map((fact) => `- ${fact}`)]),
    ...blocks.flatMap(({ row, details }) => ['', `<details><summary>${row}</summary>`, '', details, '', '</details>']),
    ...(reworded > 0 ? ['', `${counted(reworded, 'case')} only reworded, not shown.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
