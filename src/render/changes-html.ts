// Changed behaviour as one page that needs nothing else: no script, no network.

import type { Comparison, TextPart } from '../compare/comparison.ts';
import { KINDS } from '../compare/kinds.ts';
import { fillTemplate } from '../templates.ts';
import { type ChangedCase, changesView, type StepLine, shortParts, shortValue } from './changes-view.ts';
import { markupLine, markupLines } from './html-text.ts';
import { counted } from './terminal-figures.ts';

function stepText(steps: readonly StepLine[], side: 'removed' | 'added'): string {
  const tags = { same: 'span', removed: 'del', added: 'ins' };
  return steps
    .filter(({ op }) => op === 'same' || op === side)
    .map(({ op, text }) => `<${tags[op]}>${markupLine(text, 100)}</${tags[op]}>`)
    .join(' → ');
}

function wordsOf(parts: readonly TextPart[]): string {
  const tags = { same: 'span', removed: 'del', added: 'ins' };
  return shortParts(parts)
    .map(({ op, text }) => `<${tags[op]}>${markupLines(text)}</${tags[op]}>`)
    .join('');
}

function caseView(one: ChangedCase) {
  const isSameWay = one.steps.every(({ op }) => op === 'same');
  return {
    kind: one.kind,
    title: KINDS[one.kind].title,
    name: markupLine(`${one.suite} › ${one.case}`, 400),
    verdict: markupLine(one.verdict),
    why: markupLine(one.why),
    wayBefore: isSameWay ? '' : stepText(one.steps, 'removed'),
    wayNow: one.steps.length > 1 ? stepText(one.steps, 'added') : '',
    values: one.values.map(({ where, before, after, loose }) => ({
      where: `${markupLine(where, 200)}${loose ? ' (counts as wording)' : ''}`,
      before: before === undefined ? '–' : markupLine(shortValue(before)),
      after: after === undefined ? '–' : markupLine(shortValue(after)),
    })),
    words: wordsOf(one.words),
    scores: one.scores.map(({ expectation, before, after }) => ({
      expectation: markupLine(expectation, 200),
      before: markupLine(before),
      after: markupLine(after),
    })),
    figures: one.figures.map((figure) => markupLine(figure)).join(' · '),
  };
}

/** The comparison as a page. */
export function renderChangesHtml(
  comparison: Comparison,
  { all, labels }: { all: boolean; labels: { before: string; after: string } },
): string {
  const view = changesView(comparison, { all });
  return fillTemplate('changes', {
    headline: markupLine(view.headline),
    counts: markupLine(view.counts),
    sides: `${markupLine(labels.before, 200)} → ${markupLine(labels.after, 200)}`,
    facts: view.facts.map((fact) => markupLine(fact)),
    cases: view.cases.map(caseView),
    reworded: view.reworded > 0 ? `${counted(view.reworded, 'case')} only reworded, not shown.` : '',
    version: markupLine(comparison.retake),
  });
}
