// JUnit XML: what readers of it count, and that no text breaks it.

import { expect, it } from 'vitest';
import { renderJunit } from '../../src/render/junit.ts';
import { readXml } from '../helpers/xml.ts';
import { HOSTILE } from './hostile.ts';
import { readerRuns, unnamed } from './report-samples.ts';
import { caseOf, missed, refunded, runOf, score, take } from './terminal-samples.ts';

it('reads as it should', async () => {
  const { result } = readerRuns().mixed ?? expect.fail();
  const small = { ...result, suites: result.suites.map((suite) => ({ ...suite, cases: suite.cases.slice(0, 4) })) };
  await expect(renderJunit(small)).toMatchFileSnapshot('golden/junit.xml');
});

it('counts by what readers of it know', () => {
  const gate = { gate: 'pass_rate', limit: 1, actual: 0.5, passed: false, reason: 'below' };
  const result = {
    ...runOf([
      refunded(),
      caseOf('a'),
      caseOf('b', 'skipped', { takes: [] }),
      missed('c', 'no recording', undefined),
      caseOf('d', 'errored'),
    ]),
    gates: [gate],
  };
  const root = readXml(renderJunit(result));
  expect(root).toMatchObject({
    name: 'testsuites',
    attributes: { tests: '6', failures: '2', errors: '2', skipped: '1' },
  });
  expect(root.children.map(({ attributes }) => [attributes['name'], attributes['tests']])).toEqual([
    ['refund_agent', '5'],
    ['retake', '1'],
  ]);
  const kinds = root.children[0]?.children.map(({ children }) => children[0]?.name);
  expect(kinds).toEqual(['failure', undefined, 'skipped', 'error', 'error']);
  expect(root.children[0]?.children[0]).toMatchObject({
    attributes: { classname: 'refund_agent', file: 'evals/refund_agent.eval.yaml', line: '28', time: '3.060' },
    children: [
      { attributes: { message: 'issue_refund was called in turn 2', type: 'not_calls_tool' } },
      { name: 'system-out' },
    ],
  });
});

it('is the same for the same run, and of an empty one', () => {
  const result = runOf([unnamed('a')]);
  expect(renderJunit(structuredClone(result))).toBe(renderJunit(result));
  expect(readXml(renderJunit(runOf([])))).toMatchObject({ attributes: { tests: '0', time: '0.000' }, children: [] });
});

it.each(HOSTILE.map((text): [string, string] => [JSON.stringify(text.slice(0, 60)), text]))('takes %s', (_, evil) => {
  const detail = { input: [], turns: [], stopped: 'error' as const, detail: `${evil}\ufffe\uffff` };
  const takes = [take({ outcome: 'failed', trajectory: detail, scores: [score(evil, 1, evil)] })];
  const result = runOf([
    caseOf(evil, 'failed', { suite: evil, path: evil, takes }),
    missed(evil, evil, undefined, evil),
  ]);
  const root = readXml(renderJunit(result));
  expect(root.children[0]?.children).toHaveLength(2);
});
