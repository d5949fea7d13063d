// cost_under, latency_under_ms, tokens_under: recorded figures against a limit.

import { expect, test } from 'vitest';
import type { Usage } from '../../src/request/request.ts';
import { scorerOf } from '../../src/score/index.ts';
import type { TakeCost, Verdict } from '../../src/score/scorer.ts';
import type { Turn } from '../../src/target/trajectory.ts';

function turn(more: Partial<Turn> = {}): Turn {
  const content = [{ type: 'text' as const, text: 'Hello' }];
  return {
    fingerprint: 'f',
    head: 'h',
    source: 'cassette',
    content,
    stop: 'end_turn',
    latencyMs: 400,
    results: [],
    ...more,
  };
}

function judge(kind: string, limit: number, turns: Turn[], cost?: TakeCost): string {
  const scorer = scorerOf(kind);
  if (!scorer) throw new Error(`no scorer of kind ${kind}`);
  const trajectory = { input: [], turns, stopped: 'end_turn' as const };
  const { passed, reason, turn: at } = scorer.score(limit, { trajectory, ...(cost && { cost }) }) as Verdict;
  return `${passed ? 'passed' : 'failed'}: ${reason}${at === undefined ? '' : ` (turn ${at})`}`;
}

const usage = (inputTokens: number, outputTokens: number): { usage: Usage } => ({
  usage: { inputTokens, outputTokens },
});
const script = turn({ source: 'script', latencyMs: 0 });

test.each([
  ['cost_under', 0.01, { usd: 0.0042, unknown: [] }, 'passed: cost $0.0042'],
  ['cost_under', 0.01, { usd: 0.01, unknown: [] }, 'failed: cost $0.01, less than $0.01 expected'],
  ['cost_under', 0.01, { usd: 0.01000001, unknown: [] }, 'failed: cost $0.01000001, less than $0.01 expected'],
  ['cost_under', 20, { usd: 10, unknown: [] }, 'passed: cost $10'],
  ['cost_under', 0.01, { usd: 0, unknown: [] }, 'passed: cost $0'],
  [
    'cost_under',
    0.01,
    { usd: 0.001, unknown: ['no price is known for my-llm/m'] },
    'failed: the cost is unknown: no price is known for my-llm/m. Prices go under `prices:` in retake.yaml',
  ],
])('%s %d of %j', (kind, limit, cost, said) => {
  expect(judge(kind, limit, [turn()], cost)).toBe(said);
});

test.each([
  ['latency_under_ms', 1000, [turn(), turn()], 'passed: 800 ms'],
  ['latency_under_ms', 800, [turn(), turn()], 'failed: 800 ms, less than 800 ms expected'],
  ['latency_under_ms', 1, [script], 'passed: 0 ms'],
  ['tokens_under', 31, [turn(usage(10, 5)), turn(usage(10, 5))], 'passed: 30 tokens'],
  ['tokens_under', 30, [turn(usage(10, 5)), turn(usage(10, 5))], 'failed: 30 tokens, fewer than 30 expected'],
  ['tokens_under', 30, [turn(usage(1, 1)), turn()], 'failed: the provider reported no tokens for turn 2 (turn 2)'],
  ['tokens_under', 1, [script], 'passed: 0 tokens'],
])('%s %d', (kind, limit, turns, said) => {
  expect(judge(kind, limit, turns)).toBe(said);
});
