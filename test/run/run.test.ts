// Many cases at a time: the plan's order, whoever finishes first; and when no further case is begun.

import { expect, test } from 'vitest';
import { userError } from '../../src/errors.ts';
import { unrun } from '../../src/run/case.ts';
import type { CaseResult, Outcome } from '../../src/run/result.ts';
import { type PlanRun, resultOf, runPlan } from '../../src/run/run.ts';
import { plannedCase, plannedSuite } from './planned.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const SUITES = [
  plannedSuite(...NAMES.slice(0, 2).map((name) => plannedCase({ name }))),
  plannedSuite(),
  plannedSuite(...NAMES.slice(2).map((name) => plannedCase({ name }))),
];

/** Lets everything else that waits go on first. */
const wait = async (ticks: number) => {
  for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate);
};

interface Watched {
  begun: string[];
  ended: string[];
  most: number;
}

/** Runs the suites; `outcomeOf` decides a case and may throw. */
function run(outcomeOf: (name: string) => Outcome, more: Partial<PlanRun> = {}) {
  const watched: Watched = { begun: [], ended: [], most: 0 };
  let running = 0;
  const results = runPlan({
    suites: SUITES,
    concurrency: 1,
    failFast: false,
    onCase: (result) => watched.ended.push(result.case),
    runOne: async (suite, planned): Promise<CaseResult> => {
      watched.begun.push(planned.name);
      watched.most = Math.max(watched.most, ++running);
      // The earlier a case stands, the longer it takes.
      await wait(10 - NAMES.indexOf(planned.name));
      running--;
      return { ...unrun(suite, planned), outcome: outcomeOf(planned.name) };
    },
    ...more,
  });
  return { results, watched };
}

const outcomes = (results: CaseResult[][]) => results.flat().map((one) => `${one.case} ${one.outcome}`);

test.each([1, 3, 16])('%i at a time: the order is the plan’s', async (concurrency) => {
  const { results, watched } = run(() => 'passed', { concurrency });
  expect((await results).map((suite) => suite.map((one) => one.case))).toEqual([['a', 'b'], [], ['c', 'd', 'e']]);
  expect(watched.begun).toEqual(NAMES);
  expect(watched.most).toBe(Math.min(concurrency, NAMES.length));
  expect(watched.ended.toSorted()).toEqual(NAMES);
});

test('a case that fails stops nothing', async () => {
  const { results } = run((name) => (name === 'b' ? 'failed' : 'passed'));
  expect(outcomes(await results)).toEqual(['a passed', 'b failed', 'c passed', 'd passed', 'e passed']);
});

test('with fail-fast no case is begun after it, and those under way end', async () => {
  const { results, watched } = run((name) => (name === 'b' ? 'failed' : 'passed'), { failFast: true, concurrency: 2 });
  const all = await results;
  expect(watched.begun.length).toBeLessThan(5);
  expect(watched.ended.toSorted()).toEqual(watched.begun);
  expect(all.flat().at(-1)).toMatchObject({
    outcome: 'skipped',
    problem: { message: 'not run: an earlier case did not pass' },
  });
});

test('an interruption begins no further case and says so', async () => {
  const controller = new AbortController();
  const { results } = run(
    (name) => {
      if (name === 'b') controller.abort();
      return 'passed';
    },
    { signal: controller.signal },
  );
  const all = (await results).flat();
  expect(outcomes([all])).toEqual(['a passed', 'b passed', 'c skipped', 'd skipped', 'e skipped']);
  expect(all.at(-1)?.problem).toEqual({ message: 'interrupted before it ran' });
});

test('a mistake of the user’s ends the run, after the cases under way', async () => {
  const { results, watched } = run(
    (name) => {
      if (name === 'a') throw userError('cassette_damaged', 'is damaged');
      return 'passed';
    },
    { concurrency: 2 },
  );
  await expect(results).rejects.toThrow('is damaged');
  expect(watched.begun).not.toContain('e');
  expect(watched.begun.filter((name) => !watched.ended.includes(name))).toEqual(['a']);
});

test('nothing to run is nothing run', async () => {
  expect(await run(() => 'passed', { suites: [] }).results).toEqual([]);
});

const facts = { mode: 'replay', retake: '0.0.0', notes: [] } as const;

test.each<[Outcome[], string, number]>([
  [['passed', 'passed'], 'passed', 0],
  [['passed', 'skipped'], 'passed', 0],
  [['passed', 'failed'], 'failed', 1],
  [['failed', 'unrecorded'], 'incomplete', 3],
  [['failed', 'errored'], 'incomplete', 3],
  [[], 'passed', 0],
])('cases that are %j make a run that is %s, exit code %i', (all, outcome, exitCode) => {
  const suite = plannedSuite(...all.map((_, at) => plannedCase({ name: String(at) })));
  const results = suite.cases.map((planned, at) => ({ ...unrun(suite, planned), outcome: all[at] as Outcome }));
  const result = resultOf([suite], [results], { ...facts, notes: [] });
  expect(result).toMatchObject({ document: 'retake/run-result', outcome, exitCode, counts: { total: all.length } });
  expect(result.counts.passed + result.counts.failed + result.counts.skipped).toBe(
    all.filter((one) => one !== 'unrecorded' && one !== 'errored').length,
  );
});
