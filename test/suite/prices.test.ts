// `prices:` and `budget_usd:` of retake.yaml: what they come to, and every mistake at its place.

import { expect, test } from 'vitest';
import { faultLines, load } from './project.ts';

const SUITE = 'name: s\nprovider: script\ncases: [{name: c, input: Hi, script: [{text: Hello}]}]\n';
const HEAD = 'version: 1\nproviders: {my-llm: {base_url: "https://llm.example/v1"}}\n';

test('are read', () => {
  const { config } = load({
    'retake.yaml': `${HEAD}budget_usd: 0.5\nprices:\n  my-llm/org/m: {input: 0.4, output: 1.6, cache_read: 0.1, cache_write: 0.5}\n  openai/gpt-4o: {input: 0, output: 0}\n`,
    'a.eval.yaml': SUITE,
  });
  expect(config.budgetUsd).toBe(0.5);
  expect([...(config.prices ?? [])]).toEqual([
    ['my-llm/org/m', { input: 0.4, output: 1.6, cacheRead: 0.1, cacheWrite: 0.5 }],
    ['openai/gpt-4o', { input: 0, output: 0 }],
  ]);
});

test.each([
  ['budget_usd: -1', ['3:13 `budget_usd` must be at least 0, not -1']],
  ['budget_usd: cheap', ['3:13 `budget_usd` must be a number, not the text `cheap`']],
  [
    'prices: {my-llm: {input: 1, output: 1}}',
    ['3:10 the name `my-llm` must be `provider/model`, such as my-llm/my-model'],
  ],
  [
    'prices: {my-lm/m: {input: 1, output: 1}}',
    ['3:10 a price of the unknown provider `my-lm`, did you mean `my-llm`?'],
  ],
  ['prices: {my-llm/m: {input: 1}}', ['3:20 `prices.my-llm/m.output` is missing']],
  ['prices: {my-llm/m: {input: -1, output: 1}}', ['3:28 `prices.my-llm/m.input` must be at least 0, not -1']],
  [
    'prices: {my-llm/m: {input: 1, output: 1, cache_reads: 1}}',
    ['3:42 unknown key `cache_reads`, did you mean `cache_read`?'],
  ],
])('%s', (line, faults) => {
  expect(faultLines({ 'retake.yaml': HEAD + line, 'a.eval.yaml': SUITE })).toEqual(
    faults.map((fault) => `retake.yaml:${fault}`),
  );
});

test.each([
  ['cost_under: 0', '`cost_under` must be more than 0, not 0'],
  ['tokens_under: 1.5', '`tokens_under` must be a whole number, not `1.5`'],
  ['latency_under_ms: fast', '`latency_under_ms` must be a number, not the text `fast`'],
])('%s', (entry, fault) => {
  const column = 'expect: [{'.length + entry.indexOf(':') + 3;
  const text = `${SUITE}expect: [{${entry}}]\n`;
  expect(faultLines({ 'a.eval.yaml': text })).toEqual([`a.eval.yaml:4:${column} ${fault}`]);
});
