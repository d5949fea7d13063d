// Many cases, several at a time; the result's order is the plan's, whoever finishes first.

import type { Gates } from '../suite/gate-schema.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { unrun } from './case.ts';
import { classify, type Labelled } from './classify.ts';
import { asksForClasses, hasFailed, judgeGates } from './gate.ts';
import { type CaseResult, RESULT_VERSION, type RunMode, type RunResult, type SuiteResult } from './result.ts';
import { countOutcomes, sumTallies } from './tally.ts';

/** How to run a plan. */
export interface PlanRun {
  suites: readonly PlannedSuite[];
  /** How many cases at a time. */
  concurrency: number;
  /** Start no case after the first that did not pass. */
  failFast: boolean;
  /** Runs one case; its UserErrors end the run once the cases under way are done. */
  runOne: (suite: PlannedSuite, planned: PlannedCase) => Promise<CaseResult>;
  /** Called after each case. */
  onCase?: (result: CaseResult) => void;
  signal?: AbortSignal;
}

/** Runs all cases. Rejects with the first error thrown, after the cases under way have ended. */
export async function runPlan({
  suites,
  concurrency,
  failFast,
  runOne,
  onCase,
  signal,
}: PlanRun): Promise<CaseResult[][]> {
  const finished: (CaseResult | undefined)[][] = suites.map(({ cases }) => cases.map(() => undefined));
  const jobs = suites.flatMap((suite, at) => suite.cases.map((planned, index) => ({ suite, planned, at, index })));
  let next = 0;
  let stopped: 'failed' | 'threw' | undefined;
  let thrown: unknown;

  async function work(): Promise<void> {
    for (;;) {
      if (stopped || signal?.aborted) return;
      const job = jobs[next++];
      if (!job) return;
      try {
        const result = await runOne(job.suite, job.planned);
        (finished[job.at] as CaseResult[])[job.index] = result;
        onCase?.(result);
        if (failFast && result.outcome !== 'passed') stopped ??= 'failed';
      } catch (error) {
        thrown ??= error;
        stopped = 'threw';
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  if (stopped === 'threw') throw thrown;
  const why = signal?.aborted ? 'interrupted before it ran' : 'not run: an earlier case did not pass';
  return suites.map((suite, at) =>
    suite.cases.map((planned, index) => {
      const result = finished[at]?.[index] ?? unrun(suite, planned);
      if (result.outcome === 'skipped' && !result.problem) result.problem = { message: why };
      return result;
    }),
  );
}

/** What a result says besides its cases. */
export interface ResultFacts {
  mode: RunMode;
  retake: string;
  notes: string[];
  priceList?: string | undefined;
  budgetEnded?: boolean;
  /** The project's own. */
  gates?: Gates | undefined;
  /** What was run: all cases, all of some suites (the project's gates are not judged), or a part of them (no gate is). */
  extent?: 'all' | 'suites' | 'part';
}

/** What the gates of a suite come to. */
function gatesOf(
  { gates }: PlannedSuite,
  labelled: readonly Labelled[],
  facts: ResultFacts,
): Pick<SuiteResult, 'gates' | 'classification'> {
  if (facts.extent === 'part') return {};
  const isAsked = asksForClasses(gates) || asksForClasses(facts.gates);
  const hasLabels = isAsked && labelled.some(({ expected }) => expected !== undefined);
  return {
    ...(gates && { gates: judgeGates(gates, labelled) }),
    ...(hasLabels && { classification: classify(labelled) }),
  };
}

/** The document of a run. */
export function resultOf(
  suites: readonly PlannedSuite[],
  results: readonly CaseResult[][],
  facts: ResultFacts,
): RunResult {
  const counts = countOutcomes(results.flat());
  const isIncomplete = counts.unrecorded > 0 || counts.errored > 0 || facts.budgetEnded === true;
  const labelled = suites.map(({ cases }, at): Labelled[] =>
    cases.map(({ expected }, index) => ({
      ...(expected !== undefined && { expected }),
      result: (results[at] as CaseResult[])[index] as CaseResult,
    })),
  );
  const suiteResults = suites.map((suite, at) => {
    const { name, description, tags, path, looseArgs } = suite;
    const cases = results[at] as CaseResult[];
    return {
      suite: name,
      ...(description !== undefined && { description }),
      tags,
      path,
      cases,
      tally: sumTallies(cases.map(({ tally }) => tally)),
      ...(looseArgs && { looseArgs }),
      ...gatesOf(suite, labelled[at] as Labelled[], facts),
    };
  });
  const gates = facts.gates && (facts.extent ?? 'all') === 'all' ? judgeGates(facts.gates, labelled.flat()) : undefined;
  const failed = hasFailed({ ...(gates && { gates }), suites: suiteResults });
  return {
    document: 'retake/run-result',
    version: RESULT_VERSION,
    retake: facts.retake,
    mode: facts.mode,
    outcome: isIncomplete ? 'incomplete' : failed ? 'failed' : 'passed',
    exitCode: isIncomplete ? 3 : failed ? 1 : 0,
    counts,
    tally: sumTallies(suiteResults.map(({ tally }) => tally)),
    ...(facts.priceList !== undefined && { priceList: facts.priceList }),
    notes: facts.notes,
    ...(gates && { gates }),
    suites: suiteResults,
  };
}
