// What kind of change a case is: one total function over its before and after.

import type { CaseResult, Score, TakeResult } from '../run/result.ts';
import { fisherExact } from '../run/statistics.ts';
import type { Trajectory } from '../target/trajectory.ts';
import { behaviourSignature, type LooseArguments, routeOf } from './behaviour.ts';
import type { ScoreChange } from './comparison.ts';
import type { ChangeKind } from './kinds.ts';

/** How far a score must move to count, 0..1. */
const SCORE_STEP = 0.15;
/** Takes on each side from which a difference of rates can be claimed at all. */
const FEWEST_TAKES = 4;
const SIGNIFICANT = 0.05;

/** What one case is, and why. */
export interface Verdict {
  kind: ChangeKind;
  why?: string;
  p?: number;
  /** The takes that show it. */
  shown?: { before: TakeResult; after: TakeResult };
}

const isTold = ({ outcome }: CaseResult) => outcome === 'passed' || outcome === 'failed';

/** The texts of a conversation: what of it is words and not behaviour. */
function wordsOf({ turns }: Trajectory): string {
  return JSON.stringify(turns.map(({ content }) => content.filter(({ type }) => type !== 'opaque')));
}

/** Whether two takes are equal in all that a comparison looks at; quick where the requests are equal. */
function isEqualTake(before: TakeResult, after: TakeResult): boolean {
  const olds = before.trajectory.turns;
  const news = after.trajectory.turns;
  if (before.outcome !== after.outcome || olds.length !== news.length) return false;
  if (before.trajectory.stopped !== after.trajectory.stopped) return false;
  if (before.scores.length !== after.scores.length) return false;
  for (const [at, score] of before.scores.entries()) {
    const other = after.scores[at] as Score;
    if (score.key !== other.key || score.passed !== other.passed || score.value !== other.value) return false;
  }
  // A request holds all that was said before it: where all are equal, only the last answer can differ.
  if (!olds.every(({ fingerprint }, at) => fingerprint === news[at]?.fingerprint)) return false;
  const last = olds.at(-1);
  return last === undefined || JSON.stringify(last.content) === JSON.stringify(news.at(-1)?.content);
}

/** The values that stand most often, the first of them where several do. */
function commonest<T>(items: readonly T[], key: (item: T) => string): T {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return items.find((item) => counts.get(key(item)) === most) as T;
}

/** The expectations whose scores differ, and those that only one side has. */
export function scoreChanges(before: TakeResult, after: TakeResult): ScoreChange[] {
  const side = ({ passed, value, reason }: Score) => ({ passed, value, reason });
  const news = new Map(after.scores.map((score) => [score.key, score]));
  const changes: ScoreChange[] = [];
  for (const score of before.scores) {
    const now = news.get(score.key);
    news.delete(score.key);
    if (now && now.passed === score.passed && now.value === score.value) continue;
    const { kind, key, expectation } = score;
    changes.push({ kind, key, expectation, before: side(score), ...(now && { after: side(now) }) });
  }
  for (const score of news.values())
    changes.push({ kind: score.kind, key: score.key, expectation: score.expectation, after: side(score) });
  return changes;
}

/** A score that moved, where its expectation stands on both sides. */
function moved(changes: readonly ScoreChange[]): ScoreChange | undefined {
  return changes.find(({ before, after }) => {
    if (!before || !after) return false;
    // A hair's breadth below the step is noise of the decimal fractions, not of the judge.
    return before.passed !== after.passed || Math.abs(before.value - after.value) >= SCORE_STEP - 1e-9;
  });
}

function expectationsDiffer(changes: readonly ScoreChange[]): boolean {
  return changes.some(({ before, after }) => !before || !after);
}

const signed = (value: number) => String(Number(value.toFixed(4)));

/** One take on each side, or takes that agree with each other: what they show counts. */
function settled(before: TakeResult, after: TakeResult, loose: LooseArguments): Verdict {
  const shown = { before, after };
  const isSameRoute = routeOf(before.trajectory, loose) === routeOf(after.trajectory, loose);
  const isSameWords = wordsOf(before.trajectory) === wordsOf(after.trajectory);
  const scores = scoreChanges(before, after);
  if (isSameRoute && isSameWords && expectationsDiffer(scores)) return { kind: 'regraded', shown };
  if (before.outcome !== after.outcome) return { kind: after.outcome === 'passed' ? 'fixed' : 'regressed', shown };
  if (!isSameRoute) return { kind: 'rerouted', shown };
  const score = moved(scores);
  if (score?.before && score.after) {
    const { kind, before: old, after: now } = score;
    return { kind: 'rescored', why: `${kind}: ${signed(old.value)} → ${signed(now.value)}`, shown };
  }
  if (!isSameWords) return { kind: 'reworded', shown };
  return expectationsDiffer(scores) ? { kind: 'regraded', shown } : { kind: 'same', shown };
}

/** Several takes that do not agree: a change counts only where their numbers bear it out. */
function repeated(before: CaseResult, after: CaseResult, loose: LooseArguments): Verdict {
  const signature = (take: TakeResult) => behaviourSignature(take, loose);
  const old = commonest(before.takes, signature);
  const passes = ({ takes }: CaseResult) => takes.filter(({ outcome }) => outcome === 'passed').length;
  const enough = before.takes.length >= FEWEST_TAKES && after.takes.length >= FEWEST_TAKES;
  const test = (count: (one: CaseResult) => number) =>
    fisherExact([count(before), before.takes.length - count(before), count(after), after.takes.length - count(after)]);
  const rate = (one: CaseResult, count: (one: CaseResult) => number) => `${count(one)}/${one.takes.length}`;
  const shown = { before: old, after: commonest(after.takes, signature) };
  const numbers = (count: (one: CaseResult) => number) => `${rate(before, count)} → ${rate(after, count)}`;
  if (before.outcome !== after.outcome || passes(before) * after.takes.length !== passes(after) * before.takes.length) {
    const p = test(passes);
    const why = `${numbers(passes)} takes passed`;
    const isClaimed = enough && p < SIGNIFICANT;
    if (before.outcome !== after.outcome || isClaimed) {
      const kind = passes(after) * before.takes.length > passes(before) * after.takes.length ? 'fixed' : 'regressed';
      if (isClaimed && before.outcome !== after.outcome) return { kind, why, p, shown };
      if (isClaimed) return { kind: 'rescored', why, p, shown };
      const few = enough ? '' : `; four takes on each side are the fewest that can show a change`;
      return { kind: 'unsettled', why: `${why}${few}`, p, shown };
    }
  }
  const usual = signature(old);
  const asUsual = ({ takes }: CaseResult) => takes.filter((take) => signature(take) === usual).length;
  const ways = (one: CaseResult) => [...new Set(one.takes.map(signature))].sort().join();
  if (ways(before) === ways(after)) return settledTexts(before, after, shown);
  const p = test(asUsual);
  const why = `${numbers(asUsual)} takes go the way most went before`;
  return enough && p < SIGNIFICANT ? { kind: 'rerouted', why, p, shown } : { kind: 'unsettled', why, p, shown };
}

/** The same ways on both sides: words may differ. */
function settledTexts(before: CaseResult, after: CaseResult, shown: NonNullable<Verdict['shown']>): Verdict {
  const texts = ({ takes }: CaseResult) =>
    takes
      .map(({ trajectory }) => wordsOf(trajectory))
      .sort()
      .join('\n');
  return { kind: texts(before) === texts(after) ? 'same' : 'reworded', shown };
}

const WITHOUT: Record<string, string> = {
  unrecorded: 'has no recording',
  errored: 'met an error',
  skipped: 'did not run',
};

/** Why a side has no verdict. */
function withoutVerdict(side: 'before' | 'after', one: CaseResult): string {
  const why = one.problem ? `: ${one.problem.message}` : '';
  return `${side === 'before' ? 'before, it' : 'now it'} ${WITHOUT[one.outcome]}${why}`;
}

/** What a case that both runs have is. Never `added` or `removed`. */
export function verdictOf(before: CaseResult, after: CaseResult, loose: LooseArguments): Verdict {
  // Cases of live code do not run in a replay, on either side: that is no change.
  if (before.outcome === 'skipped' && after.outcome === 'skipped') return { kind: 'same' };
  if (!isTold(before)) return { kind: 'incomparable', why: withoutVerdict('before', before) };
  if (!isTold(after)) return { kind: 'incomparable', why: withoutVerdict('after', after) };
  const [oldTake] = before.takes;
  const [newTake] = after.takes;
  if (before.takes.length === after.takes.length) {
    const isEqual = before.takes.every((take, at) => isEqualTake(take, after.takes[at] as TakeResult));
    if (isEqual && before.outcome === after.outcome) return { kind: 'same' };
    if (isEqual && oldTake && newTake) {
      const why = 'the same takes, and another share of them must pass';
      return { kind: 'regraded', why, shown: { before: oldTake, after: newTake } };
    }
  }
  if (!oldTake || !newTake) return { kind: before.outcome === after.outcome ? 'same' : 'unsettled' };
  const agree = ({ takes }: CaseResult) => new Set(takes.map((take) => behaviourSignature(take, loose))).size === 1;
  return agree(before) && agree(after) ? settled(oldTake, newTake, loose) : repeated(before, after, loose);
}
