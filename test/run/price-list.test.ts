// The bundled price list says what providers published, at the day it was valid; the project's own prices win.

import { readFileSync } from 'node:fs';
import { calcPrice } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import type { Usage } from '../../src/request/request.ts';
import { pricesOf } from '../../src/run/cost.ts';
import { LIST, priceList } from '../../src/run/price-list.ts';
import type { Rates } from '../../src/suite/prices.ts';

const load = async () => priceList;
const DAY = '2025-11-15';

/**
 * USD per million tokens as the providers' own pages gave them on the day (openai.com/api/pricing,
 * docs.claude.com pricing, ai.google.dev/pricing, docs.x.ai/models, api-docs.deepseek.com pricing, groq.com/pricing),
 * written down by hand, not taken from the package: input, cached input, output.
 */
const PUBLISHED: [
  provider: string,
  model: string,
  day: string,
  input: number,
  cached: number | undefined,
  output: number,
][] = [
  ['openai', 'gpt-4o', DAY, 2.5, 1.25, 10],
  ['openai', 'gpt-4o-mini', DAY, 0.15, 0.075, 0.6],
  ['openai', 'gpt-4.1-mini', DAY, 0.4, 0.1, 1.6],
  // Cached input was $2.50 then; the list has the later price for it.
  ['openai', 'o3', '2025-06-01', 10, undefined, 40],
  ['openai', 'o3', '2025-06-15', 2, 0.5, 8],
  ['openai-responses', 'gpt-5', DAY, 1.25, 0.125, 10],
  ['anthropic', 'claude-sonnet-4-5', DAY, 3, 0.3, 15],
  ['anthropic', 'claude-sonnet-4-5-20250929', DAY, 3, 0.3, 15],
  ['anthropic', 'claude-opus-4-1', DAY, 15, 1.5, 75],
  ['anthropic', 'claude-3-5-haiku-latest', DAY, 0.8, 0.08, 4],
  ['gemini', 'gemini-2.5-flash', DAY, 0.3, 0.03, 2.5],
  ['gemini', 'gemini-2.5-pro', DAY, 1.25, 0.125, 10],
  ['xai', 'grok-4', DAY, 3, 0.75, 15],
  ['deepseek', 'deepseek-chat', '2025-03-01', 0.27, 0.07, 1.1],
  ['groq', 'llama-3.3-70b-versatile', DAY, 0.59, 0.59, 0.79],
];

/** Below the size at which long prompts cost more. */
const TOKENS = 100_000;

test.each(PUBLISHED)('%s/%s on %s costs %s, cached %s, out %s', async (provider, model, day, input, cached, output) => {
  const prices = pricesOf(new Map(), load);
  const cost = (usage: Usage) => prices.cost({ provider, model, day }, usage);
  const share = TOKENS / 1_000_000;
  expect(await cost({ inputTokens: TOKENS, outputTokens: 0 })).toBeCloseTo(input * share, 9);
  const allCached = { inputTokens: TOKENS, outputTokens: 0, cachedInputTokens: TOKENS };
  if (cached !== undefined) expect(await cost(allCached)).toBeCloseTo(cached * share, 9);
  expect(await cost({ inputTokens: 0, outputTokens: TOKENS })).toBeCloseTo(output * share, 9);
  expect(prices.usedList()).toBe(`genai-prices ${LIST.version} of ${LIST.date}`);
});

test('reasoning is billed as the output it is part of, cache writes at their own price, long prompts at theirs', async () => {
  const prices = pricesOf(new Map(), load);
  const cost = (provider: string, model: string, usage: Usage) => prices.cost({ provider, model, day: DAY }, usage);
  expect(await cost('openai', 'o3', { inputTokens: 0, outputTokens: 1000, reasoningTokens: 900 })).toBeCloseTo(
    0.008,
    9,
  );
  // 2,000 plain at $3, 5,000 written at $3.75, 3,000 read at $0.30, 1,000 out at $15.
  const usage = { inputTokens: 10_000, cacheWriteTokens: 5000, cachedInputTokens: 3000, outputTokens: 1000 };
  expect(await cost('anthropic', 'claude-sonnet-4-5', usage)).toBeCloseTo(0.006 + 0.01875 + 0.0009 + 0.015, 9);
  expect(await cost('gemini', 'gemini-2.5-pro', { inputTokens: 300_000, outputTokens: 0 })).toBeCloseTo(0.75, 9);
});

test.each([
  ['a model nobody knows', { provider: 'openai', model: 'gpt-of-tomorrow' }],
  ['a known model under an unknown provider', { provider: 'my-llm', model: 'gpt-4o' }],
  ['a known model at an unknown endpoint', { provider: 'my-llm', endpoint: 'https://llm.example/v1', model: 'gpt-4o' }],
  ['a known model on this machine', { provider: 'openai', endpoint: 'http://127.0.0.1:8080/v1', model: 'gpt-4o' }],
  ['the same by name', { provider: 'my-llm', endpoint: 'http://localhost/api.openai.com', model: 'gpt-4o' }],
  ['a name of every object', { provider: 'constructor', model: 'gpt-4o' }],
])('%s has no price', async (_what, asked) => {
  const prices = pricesOf(new Map(), load);
  expect(await prices.cost({ ...asked, day: DAY }, { inputTokens: 1000, outputTokens: 1000 })).toBeNull();
  expect(prices.usedList()).toBeUndefined();
});

test("a provider of the project's own is known by its public endpoint", async () => {
  const asked = { provider: 'mine', endpoint: 'https://api.openai.com/v1', model: 'gpt-4o', day: DAY };
  expect(await pricesOf(new Map(), load).cost(asked, { inputTokens: 1000, outputTokens: 0 })).toBeCloseTo(0.0025, 9);
});

test('more cached tokens than input cannot be priced', async () => {
  const table = new Map<string, Rates>([['openai/gpt-4o', { input: 1, output: 1 }]]);
  const usage = { inputTokens: 10, outputTokens: 1, cachedInputTokens: 8, cacheWriteTokens: 3 };
  const asked = { provider: 'openai', model: 'gpt-4o', day: DAY };
  expect(await pricesOf(table, load).cost(asked, usage)).toBeNull();
  expect(await pricesOf(new Map(), load).cost(asked, usage)).toBeNull();
});

test('the price of the model that was asked for comes before that of the one served', async () => {
  const asked = { provider: 'openai', model: 'gpt-4o', day: DAY };
  const usage = { inputTokens: 1_000, outputTokens: 0 };
  const prices = pricesOf(new Map(), load);
  expect(await prices.cost(asked, usage, 'gpt-4o-mini')).toBeCloseTo(0.0025, 9);
  expect(await prices.cost({ ...asked, model: 'auto' }, usage, 'gpt-4o-mini')).toBeCloseTo(0.00015, 9);
});

test("the project's prices win, and then the list is not even loaded", async () => {
  const rates = { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 4 };
  const table = new Map<string, Rates>([
    ['openai/gpt-4o', rates],
    ['openai/plain', { input: 1, output: 2 }],
  ]);
  const prices = pricesOf(table, () => Promise.reject(new Error('loaded')));
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 500_000,
    cachedInputTokens: 400_000,
    cacheWriteTokens: 100_000,
  };
  const cost = (model: string) => prices.cost({ provider: 'openai', model, day: DAY }, usage);
  expect(await cost('gpt-4o')).toBeCloseTo(0.5 + 0.2 + 0.4 + 1, 9);
  expect(await cost('plain')).toBeCloseTo(2, 9);
  expect(prices.usedList()).toBeUndefined();
});

test('the version that reports name is the one that is bundled', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(devDependencies['@pydantic/genai-prices']).toBe(LIST.version);
});

test('prices of any usage are the package’s own to the last digit, however often a model is asked', async () => {
  const prices = pricesOf(new Map(), load);
  const timestamp = new Date(`${DAY}T12:00:00Z`);
  const counts = [0, 1, 3, 97, 1_234, 65_537, 199_999, 200_001, 1_000_003];
  for (const [provider, model] of PUBLISHED) {
    const providerId = { gemini: 'google', xai: 'x-ai', 'openai-responses': 'openai' }[provider] ?? provider;
    for (const input of counts) {
      for (const cached of [0, 1, Math.floor(input / 3)].filter((tokens) => tokens <= input)) {
        const written = Math.floor((input - cached) / 2);
        const usage = { inputTokens: input, outputTokens: 7 * input + 1, cachedInputTokens: cached };
        const tokens = { input_tokens: input, output_tokens: 7 * input + 1, cache_read_tokens: cached };
        const plain = calcPrice(tokens, model, { providerId, timestamp });
        expect(await prices.cost({ provider, model, day: DAY }, usage)).toBe(plain?.total_price);
        const writing = calcPrice({ ...tokens, cache_write_tokens: written }, model, {
          providerId,
          timestamp,
        });
        const withWritten = await prices.cost({ provider, model, day: DAY }, { ...usage, cacheWriteTokens: written });
        expect(withWritten).toBe(writing?.total_price);
      }
    }
  }
});
