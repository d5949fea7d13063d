// The comment: verdict first, each case once, below its limit, the same bytes for the same input.

import { describe, expect, it } from 'vitest';
import { COMMENT_BYTES, commentView, renderComment } from '../../src/render/comment.ts';
import { renderSummary, SUMMARY_BYTES } from '../../src/render/summary.ts';
import { isRed } from '../../src/render/verdict.ts';
import { gfmHtml } from '../helpers/gfm.ts';
import { aliveIn } from './hostile.ts';
import { CONTEXT, huge, passing, readerRuns, unnamed } from './report-samples.ts';
import { caseOf, DESCRIPTION_MISS, missed, refunded, runOf } from './terminal-samples.ts';

const bytes = (text: string) => Buffer.byteLength(text);
const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe.each(Object.entries(readerRuns()))('a run: %s', (name, { result, context }) => {
  it('reads as it should', async () => {
    await expect(renderComment(result, context)).toMatchFileSnapshot(`golden/comment-${name}.md`);
  });

  it('is a view of plain data', async () => {
    const text = `${JSON.stringify(commentView(result, context), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/comment-${name}.json`);
  });

  it('opens with the marker and has the same bytes again', () => {
    const text = renderComment(result, context);
    expect(text.startsWith(`${context.marker}\n### `)).toBe(true);
    expect(renderComment(structuredClone(result), structuredClone(context))).toBe(text);
  });
});

it('is two lines and a folded table when all is well', () => {
  const { result, context } = readerRuns().well ?? expect.fail();
  const open = renderComment(result, context)
    .replace(/<details>[\s\S]*<\/details>/, '')
    .split('\n')
    .filter((line) => line !== '');
  expect(open).toEqual([
    CONTEXT.marker,
    '### ✅ 42 of 42 cases passed',
    '37,716 → 2,940 tokens · recorded cost &#36;0.0168 · no behaviour changed',
  ]);
});

it('tells each case once', () => {
  const { result, context } = readerRuns().mixed ?? expect.fail();
  const text = renderComment(result, context);
  for (const name of ['escalates_refund_over_limit', 'names_the_ticket', 'looks_up', 'asks_twice', 'case_1']) {
    expect(occurrences(text, name), name).toBe(1);
  }
});

it('opens five failures and folds the rest', () => {
  const text = renderComment(runOf(Array.from({ length: 8 }, (_, at) => refunded(`c${at}`))), CONTEXT);
  expect(occurrences(text, '<details open>')).toBe(5);
  expect(occurrences(text, '<details><summary>❌')).toBe(3);
});

describe('the colour', () => {
  const failed = runOf([refunded(), caseOf('a')]);
  const base = (failing: string[]) => ({ label: 'main', tally: failed.tally, suites: [], failing });
  const known = base(['refund_agent::escalates_refund_over_limit']);
  const lost = runOf([missed('looks_up', 'differs', DESCRIPTION_MISS)]);
  it.each([
    ['any failure', failed, {}, true],
    ['a failure with fail-on never', failed, { failOn: 'never' as const }, false],
    ['a failure known at base', failed, { base: known }, true],
    ['a failure known at base, fail-on regressions', failed, { base: known, failOn: 'regressions' as const }, false],
    ['a new failure, fail-on regressions', failed, { base: base([]), failOn: 'regressions' as const }, true],
    ['no base, fail-on regressions', failed, { base: { missing: 'gone' }, failOn: 'regressions' as const }, true],
    [
      'no recording, at base as well',
      lost,
      { base: base(['refund_agent::looks_up']), failOn: 'regressions' as const },
      true,
    ],
    ['all passed', runOf([caseOf('a')]), {}, false],
    [
      'a mistake, fail-on never',
      runOf([caseOf('a')]),
      { failOn: 'never' as const, invalid: [{ code: 'suite_invalid' as const, message: 'x' }] },
      true,
    ],
    ['nothing run', undefined, { invalid: [{ code: 'no_suites' as const, message: 'x' }] }, true],
  ])('%s', (_, result, context, red) => {
    expect(isRed(result, context)).toBe(red);
    const verdict = renderComment(result, { ...CONTEXT, ...context }).split('\n')[1] ?? '';
    expect(verdict.startsWith('### ❌')).toBe(red);
  });

  it('says why it is green with failures', () => {
    const text = renderComment(failed, { ...CONTEXT, failOn: 'regressions', base: known });
    expect(text).toContain('### ⚠️ 1 failing at base too, 1 passed, of 2 cases');
    expect(text).toContain('every failing case fails at base too');
    expect(text).toContain('<details><summary>Failing at base too (1)</summary>');
    expect(text).not.toContain('<details open>');
  });
});

it('tells mistakes with their reasons where nothing ran', () => {
  const place = { file: 'evals/a.eval.yaml', line: 7 };
  const text = renderComment(undefined, {
    ...CONTEXT,
    invalid: [
      {
        code: 'suite_invalid',
        message: 'unknown key `caes`',
        place,
        source: '  caes: 1',
        remedy: 'Did you mean cases?',
      },
    ],
  });
  expect(text).toContain('### ❌ Nothing was run: 1 mistake to mend');
  expect(text).toContain('- **Invalid suite** `evals/a.eval.yaml:7`: unknown key `caes`');
  expect(text).toContain('Did you mean cases?');
});

it('shows gates, classes and pass rates', () => {
  const wavers = {
    ...unnamed('wavers'),
    passRate: { passed: 3, takes: 5, required: 0.8, low: 0.231, high: 0.882 },
    takes: [1, 2, 3, 4, 5].map((number) => ({
      ...(unnamed('x').takes[0] ?? expect.fail()),
      take: number,
      outcome: number > 3 ? ('failed' as const) : ('passed' as const),
    })),
  };
  const result = runOf([wavers, ...passing('intent', 3)]);
  const gate = { gate: 'pass_rate', limit: 0.95, actual: 0.75, passed: false, reason: '0.75 is below 0.95' };
  const suites = result.suites.map((suite) => ({
    ...suite,
    gates: [gate, { gate: 'cost_usd', limit: 1, actual: null, passed: true, reason: 'unknown' }],
    classification: {
      labelled: 4,
      accuracy: 0.75,
      macroF1: 0.7333,
      classes: [{ label: 'a|b', precision: 1, recall: 0.5, f1: 2 / 3, support: 2 }],
    },
  }));
  const text = renderComment({ ...result, suites }, CONTEXT);
  expect(text).toContain('### ❌ 1 failed, 2 gates missed, 3 passed, of 4 cases');
  expect(text).toContain('- ❌ `pass_rate` of `intent`: 0.75 is below 0.95');
  expect(text).toContain('| ✅ | `cost_usd` | `intent` | 1 | unknown |');
  expect(text).toContain('passed 3 of 5 takes (95 % interval 23–88 %), at least 80 % must');
  expect(text).toContain('| <code>a&#124;b</code> | 1 | 0.5 | 0.666667 | 2 |');
  expect(text).toContain('accuracy 0.75, macro F1 0.7333 over 4 labelled cases');
});

describe('the size', () => {
  const result = huge();
  const comment = renderComment(result, { ...CONTEXT, reportUrl: CONTEXT.runUrl ?? '' });

  it('of 3,000 failing cases with answers of 20 kB stays below the limit', () => {
    expect(bytes(comment)).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(bytes(comment)).toBeGreaterThan(COMMENT_BYTES - 100);
    expect(comment).toContain('### ❌ 3,000 failed, 0 passed, of 3,000 cases');
    expect(comment).toContain('recorded cost unknown');
    expect(occurrences(comment, '<details open>')).toBe(3);
    expect(occurrences(comment, 'escalates_refund_over_limit')).toBeGreaterThan(1400);
    expect(comment).toMatch(/\nand [\d,]+ more cases\n/);
    expect(comment).toContain('[whole report](');
    expect(
      aliveIn(comment.replace(CONTEXT.marker, ''), gfmHtml(comment.replace(CONTEXT.marker, '')), [
        CONTEXT.runUrl ?? '',
      ]),
    ).toEqual([]);
    const summary = renderSummary(result, CONTEXT);
    expect(bytes(summary)).toBeLessThanOrEqual(SUMMARY_BYTES);
    for (let at = 0; at < 3000; at++) expect(summary).toContain(`escalates_refund_over_limit_${at}`);
  });

  it.each([60_000, 30_000, 12_000, 5000, 2000, 900])(
    'keeps verdict, counts and cost in %d bytes and counts the rest',
    (maxBytes) => {
      const { result: mixed, context } = readerRuns().mixed ?? expect.fail();
      const all = { ...mixed, notes: Array.from({ length: 100 }, (_, at) => `note ${at}`) };
      const text = renderComment(all, context, maxBytes);
      expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
      expect(text).toContain(
        '### ❌ 1 new failure, 1 without a recording, 1 with a provider error, 1 failing at base too, 30 passed',
      );
      expect(text).toContain('recorded cost');
      if (maxBytes >= 2000) expect(text).toContain('escalates_refund_over_limit');
      expect(gfmHtml(text).match(/<details/g)?.length).toBe(gfmHtml(text).match(/<\/details>/g)?.length);
    },
  );

  it('is kept with mistakes without number, names and sentences without end', () => {
    const long = '長`|'.repeat(3000);
    const invalid = Array.from({ length: 500 }, () => ({
      code: 'suite_invalid' as const,
      message: long,
      place: { file: long },
      source: long,
      remedy: long,
    }));
    expect(bytes(renderComment(undefined, { ...CONTEXT, invalid }))).toBeLessThanOrEqual(COMMENT_BYTES);
    const base = { label: long, tally: huge().tally, suites: [], failing: [] };
    const changes = {
      line: 'many',
      blocks: Array.from({ length: 900 }, (_, at) => ({
        kind: 'x',
        suite: 's',
        case: `${at}`,
        row: 'row '.repeat(50),
        details: 'd '.repeat(900),
      })),
    };
    const cases = [refunded(long), missed(long, long, DESCRIPTION_MISS, long), caseOf(long, 'passed', { suite: long })];
    const text = renderComment(runOf(cases, { notes: Array.from({ length: 200 }, () => long) }), {
      ...CONTEXT,
      base,
      changes,
      notes: [long],
    });
    expect(bytes(text)).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(text).toMatch(/and \d+ more changes/);
  });
});
