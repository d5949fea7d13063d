// Annotations: on the suites' lines, ten of a level, nothing in them that a runner would act on.

import { describe, expect, it } from 'vitest';
import { annotationsOf } from '../../src/render/annotations.ts';
import { HOSTILE } from './hostile.ts';
import { unnamed } from './report-samples.ts';
import { caseOf, DESCRIPTION_MISS, HARMFUL, missed, refunded, runOf, score, take } from './terminal-samples.ts';

const EVALS = 'evals/refund_agent.eval.yaml';

it('stands on the line of the expectation that broke, or on the case', () => {
  const result = runOf([
    missed('looks_up', 'tools[1].description differs', DESCRIPTION_MISS),
    missed('escalates', 'tools[1].description differs', DESCRIPTION_MISS),
    refunded(),
    caseOf('greets'),
  ]);
  expect(annotationsOf(result)).toEqual([
    {
      level: 'error',
      path: EVALS,
      line: 34,
      endLine: 34,
      title: 'refund_agent › escalates_refund_over_limit failed',
      message: 'expected not_calls_tool: issue_refund: issue_refund was called in turn 2',
    },
    {
      level: 'error',
      path: EVALS,
      line: 28,
      endLine: 36,
      title: 'refund_agent › looks_up and 1 more case have no recording',
      message: 'tools[1].description differs\nretake record evals/refund_agent.eval.yaml',
    },
  ]);
});

it('is relative to the repository', () => {
  for (const folder of ['packages/agent', './packages/agent/', '/packages/agent']) {
    expect(annotationsOf(runOf([refunded()]), { folder })[0]?.path).toBe(`packages/agent/${EVALS}`);
  }
  expect(annotationsOf(runOf([refunded()]), { folder: '.' })[0]?.path).toBe(EVALS);
});

it('shows ten of a level and counts the rest', () => {
  const all = annotationsOf(runOf(Array.from({ length: 30 }, (_, at) => refunded(`c${at}`))));
  expect(all).toHaveLength(10);
  expect(all.at(-1)).toMatchObject({
    title: '21 more remarks',
    message: '21 more remarks in the job summary.',
    path: EVALS,
  });
  expect(annotationsOf(runOf(Array.from({ length: 10 }, (_, at) => refunded(`c${at}`)))).at(-1)?.title).toContain('c9');
});

it('warns of what does not redden the check', () => {
  const result = runOf([unnamed('old'), refunded()]);
  const base = { label: 'main', tally: result.tally, suites: [], failing: ['refund_agent::old'] };
  const levels = (failOn: 'any' | 'regressions' | 'never') =>
    annotationsOf(result, { base, failOn }).map(({ level, title }) => [level, title.split(' ')[2]]);
  const name = 'escalates_refund_over_limit';
  expect(levels('any')).toEqual([
    ['error', name],
    ['error', 'old'],
  ]);
  expect(levels('regressions')).toEqual([
    ['error', name],
    ['warning', 'old'],
  ]);
  expect(levels('never')).toEqual([
    ['warning', name],
    ['warning', 'old'],
  ]);
});

it('tells missed gates and mistakes', () => {
  const result = runOf([caseOf('a')]);
  const gate = { gate: 'cost_usd', limit: 1, actual: 2, passed: false, reason: '$2 is more than $1' };
  const missedGate = {
    ...result,
    exitCode: 1 as const,
    suites: result.suites.map((suite) => ({ ...suite, gates: [gate] })),
  };
  expect(annotationsOf(missedGate)).toMatchObject([
    { path: EVALS, line: 1, title: 'gate cost_usd of refund_agent missed', message: '$2 is more than $1' },
  ]);
  const invalid = [
    {
      code: 'suite_invalid' as const,
      message: 'unknown key',
      place: { file: 'evals\\a.yaml', line: 3 },
      remedy: 'Remove it.',
    },
    { code: 'no_suites' as const, message: 'none' },
  ];
  expect(annotationsOf(undefined, { invalid })).toEqual([
    {
      level: 'error',
      path: 'evals/a.yaml',
      line: 3,
      endLine: 3,
      title: 'Invalid suite',
      message: 'unknown key\nRemove it.',
    },
  ]);
});

describe.each(HOSTILE.map((text): [string, string] => [JSON.stringify(text.slice(0, 60)), text]))('%s', (_, evil) => {
  it('is harmless in a workflow log', () => {
    const scores = [score(evil, 9, evil)];
    const failed = caseOf(evil, 'failed', { suite: evil, takes: [take({ outcome: 'failed', scores })] });
    const all = annotationsOf(runOf([failed, missed(evil, `${evil}\n${evil}`, undefined, evil)]));
    for (const { title, message } of all) {
      expect(title).not.toMatch(/\n|##\[/);
      expect(title.length).toBeLessThanOrEqual(255);
      expect(message).not.toMatch(/^\s*::|##\[/m);
      expect(message.length).toBeLessThanOrEqual(4000);
      expect(title + message).not.toMatch(HARMFUL);
      expect(title + message).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
