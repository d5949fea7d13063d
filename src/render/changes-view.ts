// What is told of changed behaviour, in any format: plain data, nothing escaped yet.

import type { CallChange, CaseChange, ChangeSide, Comparison, TextPart, ValueChange } from '../compare/comparison.ts';
import { behaviourChanges, type ChangeKind, KINDS, KINDS_BY_WEIGHT } from '../compare/kinds.ts';
import type { Json } from '../request/request.ts';
import { atLeastUsd, counted, duration, grouped } from './terminal-figures.ts';

/** One line about one value. */
export interface ValueLine {
  /** Where: a tool and a path, or a path in the answer. */
  where: string;
  before?: string;
  after?: string;
  /** Said to count as wording. */
  loose: boolean;
}

/** One step of the way, as a diff has it. */
export interface StepLine {
  op: 'same' | 'removed' | 'added';
  text: string;
}

/** One changed case. */
export interface ChangedCase {
  kind: ChangeKind;
  suite: string;
  case: string;
  /** `passed → failed`, `passed`, `4/5 → 1/5 takes passed`. */
  verdict: string;
  why: string;
  /** The calls in order and the stop, aligned. */
  steps: StepLine[];
  values: ValueLine[];
  /** The answer word by word; empty where it is equal or told by `values`. */
  words: TextPart[];
  scores: { expectation: string; before: string; after: string }[];
  /** Tokens, cost, time: only those that differ. */
  figures: string[];
}

/** The whole view. */
export interface ChangesView {
  headline: string;
  /** Every kind that occurs, counted; rewordings at the end. */
  counts: string;
  /** What else changed over the whole run. */
  facts: string[];
  /** In full, the gravest first. */
  cases: ChangedCase[];
  /** Rewordings that are counted and not shown. */
  reworded: number;
}

const LONGEST_VALUE = 300;

function valueText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function valueLine(where: string, { before, after, loose }: ValueChange): ValueLine {
  const old = valueText(before);
  const now = valueText(after);
  return {
    where,
    ...(old !== undefined && { before: old }),
    ...(now !== undefined && { after: now }),
    loose: loose === true,
  };
}

function callLines(calls: readonly CallChange[]): ValueLine[] {
  return calls.flatMap(({ status, tool, changes, argumentsBefore, argumentsAfter }) => {
    if (changes)
      return changes.map((change) => valueLine(change.path === '' ? tool : `${tool}  ${change.path}`, change));
    if (status === 'added') return { where: tool, after: argumentsAfter ?? '', loose: false };
    if (status === 'removed') return { where: tool, before: argumentsBefore ?? '', loose: false };
    if (status === 'changed' && argumentsBefore !== undefined && argumentsAfter !== undefined)
      return { where: tool, before: argumentsBefore, after: argumentsAfter, loose: false };
    return [];
  });
}

function stepsOf({ calls = [], before, after }: CaseChange): StepLine[] {
  const ops = { kept: 'same', changed: 'same', added: 'added', removed: 'removed' } as const;
  const steps: StepLine[] = calls.map(({ status, tool }) => ({ op: ops[status], text: tool }));
  if (!before || !after) return steps;
  if (before.stopped === after.stopped) return [...steps, { op: 'same', text: `(${after.stopped})` }];
  return [...steps, { op: 'removed', text: `(${before.stopped})` }, { op: 'added', text: `(${after.stopped})` }];
}

function verdictOf({ before, after }: CaseChange): string {
  if (!before || !after) return (after ?? before)?.outcome ?? '';
  if (before.takes > 1 || after.takes > 1)
    return `${before.passed}/${before.takes} → ${after.passed}/${after.takes} takes passed`;
  return before.outcome === after.outcome ? after.outcome : `${before.outcome} → ${after.outcome}`;
}

const percent = (before: number, after: number) =>
  before === 0 ? '' : ` (${after >= before ? '+' : '−'}${Math.abs(((after - before) / before) * 100).toFixed(0)} %)`;

/** Times differ from one take to the next: only what a person would feel is told. */
function differInTime(before: number, after: number): boolean {
  const difference = Math.abs(after - before);
  return difference >= 500 && difference >= 0.25 * Math.min(before, after);
}

/** Figures of two sides, where they differ. */
function figuresOf(before: ChangeSide['tally'], after: ChangeSide['tally']): string[] {
  const lines: string[] = [];
  const tokens = (tally: ChangeSide['tally']) => tally.usage.inputTokens + tally.usage.outputTokens;
  const [old, now] = [tokens(before), tokens(after)];
  if (old !== now) lines.push(`tokens ${grouped(old)} → ${grouped(now)}${percent(old, now)}`);
  const cost = (tally: ChangeSide['tally']) => atLeastUsd(tally.costUsd, tally.costKnownUsd);
  const isPriced = before.costUsd !== null && after.costUsd !== null;
  if (cost(before) !== cost(after)) {
    const change = isPriced ? percent(before.costUsd ?? 0, after.costUsd ?? 0) : '';
    lines.push(`recorded cost ${cost(before)} → ${cost(after)}${change}`);
  }
  if (differInTime(before.latencyMs, after.latencyMs))
    lines.push(`recorded time ${duration(before.latencyMs)} → ${duration(after.latencyMs)}`);
  return lines;
}

function scoreText(score: { passed: boolean; value: number; reason: string } | undefined): string {
  if (!score) return 'not there';
  const value = score.value === 0 || score.value === 1 ? '' : ` ${Number(score.value.toFixed(4))}`;
  return `${score.passed ? 'passed' : 'failed'}${value}${score.passed ? '' : `: ${score.reason}`}`;
}

function changedCase(change: CaseChange): ChangedCase {
  const { kind, suite, case: name, why = '', calls = [], answer, scores, before, after } = change;
  const answers = answer?.kind === 'json' ? answer.changes.map((one) => valueLine(`answer  ${one.path}`, one)) : [];
  return {
    kind,
    suite,
    case: name,
    verdict: verdictOf(change),
    why,
    steps: stepsOf(change),
    values: [...callLines(calls), ...answers],
    words: answer?.kind === 'words' ? answer.parts : [],
    scores: scores.map(({ expectation, before: old, after: now }) => ({
      expectation,
      before: scoreText(old),
      after: scoreText(now),
    })),
    figures: before && after ? figuresOf(before.tally, after.tally) : [],
  };
}

function headlineOf({ counts, after }: Comparison): string {
  const changed = behaviourChanges(counts);
  const total = counted(after.cases, 'case');
  if (changed === 0) return `No change in behaviour over ${total}`;
  return `${grouped(changed)} of ${total} ${changed === 1 ? 'behaves' : 'behave'} differently`;
}

/** Builds the view; rewordings are only counted unless `all`. */
export function changesView(comparison: Comparison, { all = false }: { all?: boolean } = {}): ChangesView {
  const { counts, changes, servedModels, before, after } = comparison;
  const shown = changes.filter(({ kind }) => all || kind !== 'reworded');
  const told = KINDS_BY_WEIGHT.filter((kind) => kind !== 'same' && counts[kind] > 0);
  return {
    headline: headlineOf(comparison),
    counts: told.map((kind) => `${grouped(counts[kind])} ${KINDS[kind].title.toLowerCase()}`).join(' · '),
    facts: [
      ...servedModels.map(
        ({ model, before: was, after: is }) => `${model} is served by ${is.join(', ')}, before by ${was.join(', ')}`,
      ),
      ...figuresOf(before.tally, after.tally),
    ],
    cases: shown.map(changedCase),
    reworded: all ? 0 : counts.reworded,
  };
}

/** A value cut for a line, its end told. */
export function shortValue(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}… (${value.length} characters)`;
}

/** Characters of unchanged text that stay on each side of a change. */
const AROUND = 60;

/** A word diff without its long unchanged runs, so that a long answer stays readable. */
export function shortParts(parts: readonly TextPart[]): TextPart[] {
  return parts.map((part, at) => {
    if (part.op !== 'same' || part.text.length <= AROUND * 2 + 10) return part;
    const head = at === 0 ? '' : part.text.slice(0, AROUND);
    const tail = at === parts.length - 1 ? '' : part.text.slice(-AROUND);
    return { op: 'same', text: `${head}…${tail}` };
  });
}
