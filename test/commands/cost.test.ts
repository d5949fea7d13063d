// What a run cost, in every report, from a model on this machine.

import { expect, test } from 'vitest';
import { outputsOf } from '../../src/action/outputs.ts';
import { openStore } from '../../src/cassette/store.ts';
import { type Progress, run } from '../../src/commands/run.ts';
import { renderSummary } from '../../src/render/summary.ts';
import { identify } from '../../src/request/fingerprint.ts';
import { requestOf } from '../../src/run/case.ts';
import type { RunResult } from '../../src/run/result.ts';
import { runResultSchema } from '../../src/run/result-schema.ts';
import { loadProject } from '../../src/suite/load.ts';
import { writeProject } from '../suite/project.ts';
import { type ChatServer, chatProject, retake, startChat, suiteOf } from './chat-server.ts';

const CACHED = { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 600 } };
const PRICES = 'prices: {my-llm/m: {input: 10, output: 20, cache_read: 1}}\n';

async function json(cwd: string, ...argv: string[]): Promise<RunResult> {
  const { out } = await retake(cwd, ...argv, '--reporter', 'json');
  return runResultSchema.parse(JSON.parse(out));
}

function lineOf(text: string, start: string): string {
  return text.split('\n').find((line) => line.trimStart().startsWith(start)) ?? '';
}

test("the project's prices count cached tokens; recording spends, replay does not", async () => {
  const cwd = chatProject(await startChat(CACHED), PRICES, { 'a.eval.yaml': suiteOf('a', 2) });
  const recorded = await retake(cwd, 'record');
  // 400 plain at $10, 600 cached at $1, 200 out at $20, a million each.
  expect(lineOf(recorded.out, '✓')).toContain('$0.0086');
  expect(lineOf(recorded.out, 'tokens')).toContain('cost $0.0172');
  expect(lineOf(recorded.out, 'spent')).toBe('spent    $0.0172 on 2 live answers');
  const replayed = await retake(cwd, 'run');
  expect(lineOf(replayed.out, 'tokens')).toContain('cost $0.0172');
  expect(replayed.out).not.toContain('spent');
  expect(replayed.out).not.toContain('genai-prices');
  const { tally } = await json(cwd, 'run');
  expect(tally).toMatchObject({ costUsd: 0.0172, costKnownUsd: 0.0172, unpricedTurns: 0, liveCostUsd: 0 });
  expect((await json(cwd, 'record')).tally).toMatchObject({ costUsd: 0.0172, liveCostUsd: 0.0172 });
});

test('progress tells what is spent so far, a replay nothing', async () => {
  const cwd = chatProject(await startChat(CACHED), PRICES, { 'a.eval.yaml': suiteOf('a', 2) });
  const spent = async (mode: 'record' | 'replay') => {
    const told: (number | null)[] = [];
    const onProgress = ({ costUsd }: Progress) => void told.push(costUsd);
    await run({ cwd, globs: [], mode, filter: [], tags: [], failFast: false, resume: false, env: {}, onProgress });
    return told;
  };
  expect(await spent('record')).toEqual([0.0086, 0.0172]);
  expect(await spent('replay')).toEqual([0, 0]);
});

test('an unknown model is unknown everywhere', async () => {
  const cwd = chatProject(await startChat(CACHED), '', {
    'a.eval.yaml': suiteOf('a', 1, 'expect: [{cost_under: 100}]\n'),
  });
  const recorded = await retake(cwd, 'record');
  expect(recorded.exitCode).toBe(1);
  expect(recorded.out).toContain('no price is known for my-llm/m. Prices go under `prices:` in retake.yaml');
  expect(lineOf(recorded.out, 'spent')).toBe('spent    unknown on 1 live answer');
  const replayed = await retake(cwd, 'run');
  expect(lineOf(replayed.out, '✗')).toContain('unknown');
  expect(lineOf(replayed.out, 'tokens')).toContain('cost unknown');
  const result = await json(cwd, 'run');
  expect(result.tally).toMatchObject({ costUsd: null, costKnownUsd: 0, unpricedTurns: 1 });
  expect(outputsOf(result)['cost-usd']).toBe('unknown');
  expect(renderSummary(result)).toContain('| ❌ | `a` | 0 of 1 | 1,000 → 200 | unknown |');
  expect((await retake(cwd, 'record', '--estimate')).out).toContain('no price is known for my-llm/m');
  const refused = await retake(cwd, 'record', '--max-cost-usd', '1');
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toContain('no price is known for my-llm/m, so a budget of $1 cannot be kept');
  expect(refused.err).toContain('prices: {"my-llm/m": {input: 0.4, output: 1.6}}');
});

test('a sum of which a part is unknown says at least', async () => {
  const cwd = chatProject(await startChat(CACHED), PRICES, {
    'a.eval.yaml': suiteOf('a', 1),
    'b.eval.yaml': suiteOf('b', 1).replace('model: m', 'model: other'),
  });
  await retake(cwd, 'record');
  const { out } = await retake(cwd, 'run');
  expect(lineOf(out, 'tokens')).toContain('cost ≥ $0.0086');
  const result = await json(cwd, 'run');
  expect(result.tally).toMatchObject({ costUsd: null, costKnownUsd: 0.0086, unpricedTurns: 1 });
  expect(renderSummary(result)).toContain('| 2,000 → 400 | ≥ &#36;0.0086 |');
});

test('a turn without reported tokens has no cost, and cost_under says so', async () => {
  const server: ChatServer = await startChat(undefined);
  const cwd = chatProject(server, PRICES, { 'a.eval.yaml': suiteOf('a', 1, 'expect: [{cost_under: 1}]\n') });
  const { out, exitCode } = await retake(cwd, 'record');
  expect(exitCode).toBe(1);
  expect(out).toContain('my-llm/m reported no tokens');
});

test('a script costs nothing and needs no price', async () => {
  const cwd = writeProject({
    'a.eval.yaml':
      'name: a\nprovider: script\nexpect: [{cost_under: 0.000001}, {tokens_under: 1}, {latency_under_ms: 1}]\ncases: [{name: c, input: Hi, script: [{text: Hello}]}]\n',
  });
  const { tally, exitCode } = await json(cwd, 'run', '--mode', 'record', '--max-cost-usd', '0');
  expect(exitCode).toBe(0);
  expect(tally).toMatchObject({ costUsd: 0, unpricedTurns: 0, liveCostUsd: 0 });
});

/** A project whose only case was recorded from `openai/o3` on a day. */
function recordedOn(day: string): string {
  const cwd = writeProject({
    'a.eval.yaml': 'name: a\nmodel: openai/o3\ncases: [{name: c, input: Hi, expect: [{cost_under: 0.02}]}]\n',
  });
  const planned = loadProject({ cwd, globs: [], env: {} }).suites[0]?.cases[0];
  if (!planned) throw new Error('no case');
  const request = requestOf(planned);
  const interaction = {
    fingerprint: identify(request).fingerprint,
    start: { provider: request.provider, model: request.model },
    messages: request.messages,
    response: {
      content: [{ type: 'text' as const, text: 'Hello' }],
      stop: 'end_turn' as const,
      usage: { inputTokens: 1000, outputTokens: 1000, reasoningTokens: 990 },
      latencyMs: 5,
    },
  };
  const takes = [{ recorded: day, interactions: [interaction] }];
  openStore(cwd, 'cassettes').write({ suite: 'a', case: 'c', takes }, new Map());
  return cwd;
}

test('a recording is priced as on its day, and the report names the list', async () => {
  const before = await retake(recordedOn('2025-06-01'), 'run');
  expect(before.out).toContain('cost $0.05, less than $0.02 expected');
  expect(before.exitCode).toBe(1);
  const after = await retake(recordedOn('2025-07-01'), 'run');
  expect(lineOf(after.out, 'tokens')).toContain('cost $0.0100');
  expect(lineOf(after.out, 'prices')).toMatch(/^prices {3}genai-prices \d+\.\d+\.\d+ of \d{4}-\d\d-\d\d, at the day/);
  expect(after.exitCode).toBe(0);
  const result = await json(recordedOn('2025-07-01'), 'run');
  expect(result.priceList).toMatch(/^genai-prices /);
  expect(outputsOf(result)['cost-usd']).toBe(0.01);
});
