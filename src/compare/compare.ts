// Compares two runs case by case.

import type { CaseResult, RunResult, TakeResult } from '../run/result.ts';
import { pathOf } from '../target/trajectory.ts';
import { VERSION } from '../version.ts';
import type { LooseArguments } from './behaviour.ts';
import { type CaseChange, type ChangeSide, COMPARISON_VERSION, type Comparison } from './comparison.ts';
import { alignCalls, answerChange } from './details.ts';
import { type ChangeKind, KINDS, KINDS_BY_WEIGHT } from './kinds.ts';
import { scoreChanges, type Verdict, verdictOf } from './verdict.ts';

function sideOf(one: CaseResult, shown: TakeResult | undefined): ChangeSide {
  const take = shown ?? one.takes[0];
  const models = one.takes.flatMap(({ trajectory }) =>
    trajectory.turns.flatMap(({ servedModel }) => servedModel ?? []),
  );
  return {
    outcome: one.outcome,
    passed: one.takes.filter(({ outcome }) => outcome === 'passed').length,
    takes: one.takes.length,
    ...(one.passRate && { passRate: one.passRate }),
    path: take ? pathOf(take.trajectory) : '',
    stopped: take?.trajectory.stopped ?? 'error',
    servedModels: [...new Set(models)],
    tally: one.tally,
  };
}

function changeOf(before: CaseResult | undefined, after: CaseResult | undefined, loose: LooseArguments): CaseChange {
  const one = (after ?? before) as CaseResult;
  const verdict: Verdict = !before ? { kind: 'added' } : !after ? { kind: 'removed' } : verdictOf(before, after, loose);
  const { kind, why, p, shown } = verdict;
  const answer = shown && answerChange(shown.before.trajectory, shown.after.trajectory);
  return {
    suite: one.suite,
    case: one.case,
    kind,
    path: one.path,
    line: one.line,
    ...(why !== undefined && { why }),
    ...(before && { before: sideOf(before, shown?.before) }),
    ...(after && { after: sideOf(after, shown?.after) }),
    ...(shown && { calls: alignCalls(shown.before.trajectory, shown.after.trajectory, loose) }),
    ...(answer && { answer }),
    scores: shown ? scoreChanges(shown.before, shown.after) : [],
    ...(p !== undefined && { p }),
  };
}

/** The cases of a run by suite and case. */
function casesOf({ suites }: RunResult): Map<string, CaseResult> {
  return new Map(suites.flatMap(({ cases }) => cases.map((one) => [JSON.stringify([one.suite, one.case]), one])));
}

function servedOf(cases: Iterable<CaseResult>): Map<string, Set<string>> {
  const served = new Map<string, Set<string>>();
  for (const { model, takes } of cases) {
    for (const { trajectory } of takes) {
      for (const { servedModel } of trajectory.turns) {
        if (servedModel === undefined) continue;
        const names = served.get(model) ?? new Set();
        served.set(model, names.add(servedModel));
      }
    }
  }
  return served;
}

/** What providers serve under the same name, where it differs. */
function servedModels(before: Iterable<CaseResult>, after: Iterable<CaseResult>): Comparison['servedModels'] {
  const olds = servedOf(before);
  const news = servedOf(after);
  return [...olds.keys()].sort().flatMap((model) => {
    const now = news.get(model);
    if (!now) return [];
    const [was, is] = [[...(olds.get(model) ?? [])].sort(), [...now].sort()];
    return was.join('\n') === is.join('\n') ? [] : { model, before: was, after: is };
  });
}

function byCase(one: CaseChange, other: CaseChange): number {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const weights = KINDS[other.kind].weight - KINDS[one.kind].weight;
  return weights || order(one.suite, other.suite) || order(one.case, other.case);
}

/** Arguments that count as wording, as the newer run's suites say. */
function looseOf({ suites }: RunResult): Map<string, LooseArguments> {
  return new Map(suites.map(({ suite, looseArgs = [] }) => [suite, new Set(looseArgs)]));
}

/** Compares two runs case by case. */
export function compare(before: RunResult, after: RunResult): Comparison {
  const olds = casesOf(before);
  const news = casesOf(after);
  const loose = looseOf(after);
  const none: LooseArguments = new Set();
  const counts = Object.fromEntries(KINDS_BY_WEIGHT.map((kind) => [kind, 0])) as Record<ChangeKind, number>;
  const changes: CaseChange[] = [];
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const old = olds.get(key);
    const now = news.get(key);
    const args = loose.get((now ?? old)?.suite ?? '') ?? none;
    // Most cases of most runs: nothing is built for them.
    const isSame = old && now && verdictOf(old, now, args).kind === 'same';
    const change = isSame ? undefined : changeOf(old, now, args);
    counts[change?.kind ?? 'same']++;
    if (change) changes.push(change);
  }
  return {
    document: 'retake/comparison',
    version: COMPARISON_VERSION,
    retake: VERSION,
    counts,
    before: { cases: olds.size, tally: before.tally },
    after: { cases: news.size, tally: after.tally },
    servedModels: servedModels(olds.values(), news.values()),
    changes: changes.sort(byCase),
  };
}
