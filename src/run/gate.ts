// Gates: what must hold of many cases together, and which failing cases that lets pass.

import { TOLERANCE } from '../score/verdict.ts';
import type { Gates } from '../suite/gate-schema.ts';
import { classify, type Labelled } from './classify.ts';
import type { CaseResult, GateResult, RunResult, SuiteResult } from './result.ts';

/** What a gate comes to. */
interface Measured {
  /** Null where it cannot be told; then the gate fails. */
  actual: number | null;
  /** What was counted, or why it cannot be told. */
  reason: string;
}

/** One kind of gate. */
interface GateKind {
  /** Whether the limit is the least or the most. */
  side: 'least' | 'most';
  measure(cases: readonly Labelled[]): Measured;
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The cases that ran; those that were skipped say nothing. */
function ranOf(cases: readonly Labelled[]): CaseResult[] {
  return cases.flatMap(({ result }) => (result.outcome === 'skipped' ? [] : [result]));
}

const NOTHING_RAN: Measured = { actual: null, reason: 'no case ran' };

function passRate(cases: readonly Labelled[]): Measured {
  const ran = ranOf(cases);
  if (ran.length === 0) return NOTHING_RAN;
  const passed = ran.filter(({ outcome }) => outcome === 'passed').length;
  return { actual: passed / ran.length, reason: `${passed} of ${plural(ran.length, 'case')} passed` };
}

function meanScore(cases: readonly Labelled[], kind: string): Measured {
  let sum = 0;
  let count = 0;
  for (const { scores } of ranOf(cases).flatMap(({ takes }) => takes)) {
    for (const score of scores) {
      if (score.kind !== kind || score.error !== undefined) continue;
      sum += score.value;
      count++;
    }
  }
  if (count === 0) return { actual: null, reason: `no expectation \`${kind}\` was judged` };
  return { actual: sum / count, reason: `the mean of ${plural(count, 'score')}` };
}

function ofClasses(figure: 'accuracy' | 'macroF1'): GateKind['measure'] {
  return (cases) => {
    const { labelled, classes, [figure]: actual } = classify(cases);
    if (labelled === 0) return { actual: null, reason: 'no case that ran has an `expected` answer' };
    return { actual, reason: `${plural(labelled, 'labelled answer')} of ${plural(classes.length, 'label')}` };
  };
}

/** Names of models for a sentence, the first few. */
function named(models: ReadonlySet<string>): string {
  const all = [...models].sort();
  return `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
}

function cost(cases: readonly Labelled[]): Measured {
  const ran = ranOf(cases);
  if (ran.length === 0) return NOTHING_RAN;
  const unpriced = ran.filter(({ tally }) => tally.costUsd === null);
  if (unpriced.length > 0) {
    const models = named(new Set(unpriced.map(({ model }) => model)));
    return { actual: null, reason: `no price or no tokens are known for ${models}` };
  }
  const sum = ran.reduce((total, { tally }) => total + (tally.costUsd ?? 0), 0);
  return { actual: Number(sum.toFixed(10)), reason: `the recorded cost of ${plural(ran.length, 'case')}` };
}

function latency(cases: readonly Labelled[]): Measured {
  const takes = ranOf(cases).flatMap((one) => one.takes);
  if (takes.length === 0) return NOTHING_RAN;
  const sum = takes.reduce((total, { tally }) => total + tally.latencyMs, 0);
  return { actual: sum / takes.length, reason: `the mean recorded latency of ${plural(takes.length, 'take')}` };
}

const KINDS = {
  pass_rate: { side: 'least', measure: passRate },
  accuracy: { side: 'least', measure: ofClasses('accuracy') },
  macro_f1: { side: 'least', measure: ofClasses('macroF1') },
  cost_usd: { side: 'most', measure: cost },
  latency_ms: { side: 'most', measure: latency },
} satisfies Record<Exclude<keyof Gates, 'mean_score'>, GateKind>;

function verdict(gate: string, limit: number, side: GateKind['side'], { actual, reason }: Measured): GateResult {
  const holds = actual !== null && (side === 'least' ? actual >= limit - TOLERANCE : actual <= limit + TOLERANCE);
  return { gate, limit, actual, passed: holds, reason };
}

/** Judges gates over cases, in the order of the table whatever the file's; a figure that cannot be told fails. */
export function judgeGates(gates: Gates, cases: readonly Labelled[]): GateResult[] {
  const results: GateResult[] = [];
  for (const [gate, { side, measure }] of Object.entries(KINDS)) {
    const limit = gates[gate as keyof typeof KINDS];
    if (limit !== undefined) results.push(verdict(gate, limit, side, measure(cases)));
    if (gate !== 'pass_rate') continue;
    for (const [kind, least] of Object.entries(gates.mean_score ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)))
      results.push(verdict(`mean_score.${kind}`, least as number, 'least', meanScore(cases, kind)));
  }
  return results;
}

/** Whether a gate's limit is a floor. */
export function isFloor(gate: string): boolean {
  return Object.hasOwn(KINDS, gate) ? KINDS[gate as keyof typeof KINDS].side === 'least' : true;
}

/** Whether gates ask how answers compare with labels. */
export function asksForClasses(gates: Gates | undefined): boolean {
  return gates?.accuracy !== undefined || gates?.macro_f1 !== undefined;
}

/** The failing cases of a suite that a gate on the pass rate lets pass. */
export interface Tolerated {
  suite: string;
  failed: number;
  gate: GateResult;
}

/** The gate on the pass rate that covers a suite's cases: its own, else the project's. */
function coverOf(suite: SuiteResult, result: Pick<RunResult, 'gates'>): GateResult | undefined {
  const of = (gates: readonly GateResult[] | undefined) => gates?.find(({ gate }) => gate === 'pass_rate');
  return of(suite.gates) ?? of(result.gates);
}

/** The failing cases that a gate which holds lets pass, suite by suite. */
export function toleratedOf(result: Pick<RunResult, 'gates' | 'suites'>): Tolerated[] {
  return result.suites.flatMap((suite) => {
    const failed = suite.cases.filter(({ outcome }) => outcome === 'failed').length;
    const gate = coverOf(suite, result);
    return failed > 0 && gate?.passed ? [{ suite: suite.suite, failed, gate }] : [];
  });
}

/** Whether a run that is complete has failed: a gate does not hold, or a case failed that none covers. */
export function hasFailed(result: Pick<RunResult, 'gates' | 'suites'>): boolean {
  const gates = [...(result.gates ?? []), ...result.suites.flatMap((suite) => suite.gates ?? [])];
  const failed = result.suites.flatMap(({ cases }) => cases).filter(({ outcome }) => outcome === 'failed').length;
  const tolerated = toleratedOf(result).reduce((sum, one) => sum + one.failed, 0);
  return failed > tolerated || gates.some(({ passed }) => !passed);
}
