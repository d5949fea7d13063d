// The HTML report: all of a run in one page that needs nothing else, whatever texts are in it.

import { expect, it } from 'vitest';
import { htmlView, renderHtml } from '../../src/render/html.ts';
import { HOSTILE } from './hostile.ts';
import { readerRuns } from './report-samples.ts';
import { call, caseOf, HARMFUL, missed, refunded, runOf, score, take, turn } from './terminal-samples.ts';

/** All tags with their attributes, each once. */
function tagsOf(html: string): string[] {
  return [...new Set(html.match(/<[^>]*>/g))].sort();
}

it('is a view of plain data', async () => {
  const { result, context } = readerRuns().mixed ?? expect.fail();
  const few = { ...result, suites: result.suites.map((suite) => ({ ...suite, cases: suite.cases.slice(0, 4) })) };
  await expect(`${JSON.stringify(htmlView(few, context), null, 2)}\n`).toMatchFileSnapshot('golden/html-view.json');
});

it('needs no network and no script, and has the same bytes again', () => {
  const { result, context } = readerRuns().mixed ?? expect.fail();
  const html = renderHtml(result, context);
  expect(html).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
  expect(html).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/i);
  expect(html.match(/href="[^"]*"/g)).toEqual([`href="${context.runUrl}"`]);
  expect(renderHtml(structuredClone(result), context)).toBe(html);
});

it('has a filter for each outcome there is, and tells each case in full', () => {
  const html = renderHtml(runOf([refunded(), caseOf('greets'), missed('looks_up', 'no recording yet', undefined)]));
  const labels = [...html.matchAll(/<label for="(f-\w+)">([^<]*)</g)].map(([, id, text]) => [id, text]);
  expect(labels).toEqual([
    ['f-all', 'all 3'],
    ['f-failed', 'failed 1'],
    ['f-unrecorded', 'unrecorded 1'],
    ['f-passed', 'passed 1'],
  ]);
  for (const [id = ''] of labels) expect(html).toContain(`<input class="filter" type="radio" name="f" id="${id}"`);
  expect(html).toContain('<section class="has-failed has-unrecorded has-passed">');
  expect(html).toContain(
    '<mark>turn 2   → issue_refund {&quot;order_id&quot;:&quot;A-991&quot;,&quot;amount&quot;:780}</mark>',
  );
  expect(html).toContain('<pre>retake record evals/refund_agent.eval.yaml</pre>');
});

it('tells mistakes where nothing ran', () => {
  const html = renderHtml(undefined, { invalid: [{ code: 'no_suites', message: 'no <suites>', remedy: 'Add one.' }] });
  expect(html).toContain('<h1>❌ Nothing was run: 1 mistake to mend</h1>');
  expect(html).toContain('<p>no &lt;suites&gt;</p>\n<pre>Add one.</pre>');
});

it.each(HOSTILE.map((text): [string, string] => [JSON.stringify(text.slice(0, 60)), text]))('shows %s', (_, evil) => {
  const page = (text: string) => {
    const turns = [
      turn([call(text, { [text]: text })], [{ role: 'tool', name: text, callId: 'call_0', result: text }]),
      turn([{ type: 'text', text: `${text}\ufffe` }]),
    ];
    const trajectory = { input: [], turns, stopped: 'error' as const, detail: text };
    const failed = take({ outcome: 'failed', trajectory, scores: [score(text, 1, text, 1)] });
    const named = { suite: 'suite', path: `p${text}`, model: text, tags: [text] };
    const cases = [
      caseOf(text, 'failed', { ...named, takes: [failed, failed] }),
      caseOf('x', 'errored', { ...named, problem: { message: `x${text}`, remedy: `x${text}` } }),
    ];
    const result = runOf(cases, { notes: [text], retake: text, priceList: text });
    const invalid = [{ code: 'suite_invalid' as const, message: text, place: { file: text }, remedy: `x${text}` }];
    return renderHtml(result, {
      runUrl: `https://github.com/${encodeURI(text.replace(/\p{Surrogate}/gu, ''))}`,
      commit: text,
      notes: [text],
      invalid,
    });
  };
  const html = page(evil);
  const known = tagsOf(page('plain')).filter((tag) => !tag.includes('href'));
  expect(
    tagsOf(html).filter(
      (tag) => !known.includes(tag) && !/^<a href="https:\/\/github\.com\/[^"<>]*" rel="noreferrer">$/.test(tag),
    ),
  ).toEqual([]);
  expect(html).not.toMatch(/\p{Surrogate}|[\ufffe\uffff]/u);
  expect(html).not.toMatch(HARMFUL);
});
