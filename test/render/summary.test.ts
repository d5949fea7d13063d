// The job summary: verdict first, what went wrong, never too large, nothing alive in it.

import { describe, expect, it } from 'vitest';
import { renderSummary, SUMMARY_BYTES, summaryView } from '../../src/render/summary.ts';
import { gfmHtml } from '../helpers/gfm.ts';
import { aliveIn } from './hostile.ts';
import { caseOf, DESCRIPTION_MISS, missed, refunded, runOf, score, take, tally } from './terminal-samples.ts';

const bytes = (text: string) => Buffer.byteLength(text);
const many = (count: number, name = 'case') => Array.from({ length: count }, (_, at) => caseOf(`${name}_${at}`));

it('tells a run', async () => {
  const misfit = missed('looks_up', 'The request differs from every recording of the case.', DESCRIPTION_MISS);
  const result = runOf([refunded(), caseOf('greets'), misfit], { notes: ['1 cassette is unused.'] });
  await expect(renderSummary(result)).toMatchFileSnapshot('golden/summary.md');
});

it('is a view of plain data', async () => {
  const text = `${JSON.stringify(summaryView(runOf([refunded(), caseOf('greets')])), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('golden/summary-view.json');
});

it('says that all passed, and what was skipped', () => {
  expect(renderSummary(runOf([caseOf('a'), caseOf('b', 'skipped', { takes: [] })]))).toMatch(
    /^## ✅ 1 of 2 cases passed, 1 skipped\n/,
  );
});

it('counts the takes that failed and tells the first', () => {
  const why = [score('max_turns: 3', 9, 'there were 4 turns')];
  const takes = [1, 2, 3].map((number) => take(number === 1 ? {} : { take: number, outcome: 'failed', scores: why }));
  const text = renderSummary(runOf([caseOf('wavers', 'failed', { takes })]));
  expect(text).toContain('- 2 of 3 takes did not pass; the first:\n- expected `max_turns: 3`: there were 4 turns · ');
});

it('shows hostile text and does nothing of it', () => {
  const evil = '@octocat fixes #1 <!-- x --> | [skip ci]\n# title\n<img src=x>';
  const scores = [score(evil, 9, evil)];
  const failed = caseOf(evil, 'failed', { suite: evil, takes: [take({ outcome: 'failed', scores })] });
  const text = renderSummary(runOf([failed, caseOf(evil, 'passed', { suite: evil })], { notes: [evil] }));
  expect(aliveIn(text, gfmHtml(text))).toEqual([]);
});

describe('the size', () => {
  it('drops passing rows first and counts them', () => {
    const text = renderSummary(runOf([refunded(), ...many(500)]), {}, 20_000);
    expect(bytes(text)).toBeLessThanOrEqual(20_000);
    expect(bytes(text)).toBeGreaterThan(19_000);
    expect(text).toContain('escalates_refund_over_limit');
    expect(text).toContain('refund_agent` | 500 of 501');
    const rows = text.match(/^\| `refund_agent` \| `case_/gm)?.length ?? 0;
    expect(text).toContain(`and ${500 - rows} more passing cases`);
  });

  it('then rows of suites, then reasons; names of failing cases stay', () => {
    const failing = Array.from({ length: 100 }, (_, at) => ({ ...refunded(`over_limit_${at}`), suite: `suite_${at}` }));
    const text = renderSummary(runOf([...failing, ...many(100)]), {}, 14_000);
    expect(bytes(text)).toBeLessThanOrEqual(14_000);
    for (let at = 0; at < 100; at++) expect(text).toMatch(new RegExp(`over_limit_${at}(?:\`|</code>)`));
    expect(text).toContain('101 suites not shown');
    expect(text).toContain('and 100 more passing cases');
    expect(text.match(/expected `not_calls_tool/g)?.length ?? 0).toBeLessThan(100);
  });

  it('stays below the limit whatever there is', () => {
    const long = '長'.repeat(500);
    const failing = Array.from({ length: 3000 }, (_, at) => ({ ...refunded(`${long}${at}`), suite: `${long}${at}` }));
    const text = renderSummary(runOf(failing));
    expect(bytes(text)).toBeLessThanOrEqual(SUMMARY_BYTES);
    expect(text).toMatch(/^## ❌ 3,000 failed/);
    expect(text).toMatch(/and [\d,]+ more cases/);
  });
});

it('says "unknown" of tokens that nobody reported', () => {
  const silent = tally(2, { turnsWithoutUsage: 2, usage: { inputTokens: 0, outputTokens: 0 } });
  expect(renderSummary(runOf([caseOf('a', 'passed', { tally: silent })]))).toContain('| unknown | unknown |');
});

it('retries are counted where there were any', () => {
  const retried = runOf([caseOf('a', 'passed')]);
  retried.tally.retries = 1;
  expect(renderSummary(retried)).toContain(' unused · 1 retry (');
});
