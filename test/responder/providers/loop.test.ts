// One tool-loop suite recorded through every wire family, against an emulator of the providers that is not ours.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import { type RunOptions, run } from '../../../src/commands/run.ts';
import { WIRE_NAMES, type Wire } from '../../../src/responder/providers/table.ts';
import { pathOf } from '../../../src/target/trajectory.ts';
import { writeProject } from '../../suite/project.ts';

const THOUGHT = 'Two orders are meant.\nI look up "both".';
const SIGNATURE = 'EqQBCkYIARgCKkC+/==';

const MODELS = {
  openai: 'gpt-5-mini',
  'openai-responses': 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
} satisfies Record<Wire, string>;

// With these the emulator refuses a second turn whose thinking is not signed.
const PARAMS: Partial<Record<Wire, string>> = {
  anthropic: '{thinking: {type: enabled, budget_tokens: 1024}, max_tokens: 2048}',
};

async function emulator(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  const calls = ['A-1', 'B-2'].map((id) => ({ name: 'lookup_order', arguments: `{"order_id": "${id}"}` }));
  const thinking = { reasoning: THOUGHT, reasoningSignature: SIGNATURE, redactedThinking: ['bm90aGluZw=='] };
  mock.on({ userMessage: 'Where are my orders', hasToolResult: false }, { toolCalls: calls, ...thinking });
  mock.on({ userMessage: 'Where are my orders', hasToolResult: true }, { content: 'A-1 is on its way, B-2 is lost.' });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

function project(wire: Wire, url: string): string {
  const base = `${url}/${wire === 'gemini' ? 'v1beta' : 'v1'}`;
  return writeProject({
    'retake.yaml': `version: 1\nproviders:\n  here: {base_url: "${base}", wire: ${wire}, api_key_env: HERE_KEY}\n`,
    'orders.eval.yaml': `name: orders
provider: here
model: ${MODELS[wire]}
params: ${PARAMS[wire] ?? '{}'}
system: Be brief.
tools:
  - name: lookup_order
    description: Look up an order.
    input_schema: {type: object, properties: {order_id: {type: string}}, required: [order_id]}
mocks:
  lookup_order:
    - when: {order_id: A-1}
      return: {status: shipped}
    - error: no such order
expect:
  - min_tool_calls: {tool: lookup_order, count: 2}
  - final_contains: B-2 is lost
cases:
  - {name: two, input: Where are my orders A-1 and B-2?}
`,
  });
}

async function runCase(cwd: string, mode: RunOptions['mode'] & string) {
  const env = { HERE_KEY: 'key-of-a-test' };
  const result = await run({ cwd, globs: [], mode, filter: [], tags: [], failFast: false, resume: false, env });
  const [one] = result.suites.flatMap(({ cases }) => cases);
  const trajectory = one?.takes[0]?.trajectory;
  if (!one || !trajectory) throw new Error(`no take: ${JSON.stringify(result)}`);
  return { outcome: one.outcome, problem: one.problem, path: pathOf(trajectory), turns: trajectory.turns };
}

const cassetteOf = (cwd: string) => readFileSync(path.join(cwd, 'cassettes/orders/two.yaml'), 'utf8');

test.each(WIRE_NAMES)('%s: a tool loop is recorded, replayed and recorded again', async (wire) => {
  const mock = await emulator();
  const cwd = project(wire, mock.url);

  const recorded = await runCase(cwd, 'record');
  expect(recorded.problem).toBeUndefined();
  expect(recorded.path).toBe('lookup_order → lookup_order → (end_turn)');
  expect(recorded.outcome).toBe('passed');
  expect(mock.getRequests().map(({ response }) => response.status)).toEqual([200, 200]);
  const cassette = cassetteOf(cwd);
  expect(cassette).toContain(`model: "${wire}/${MODELS[wire]}"`);
  expect(cassette).not.toContain('key-of-a-test');

  await runCase(cwd, 'record');
  expect(cassetteOf(cwd)).toBe(cassette);

  const asked = mock.getRequests().length;
  const replayed = await runCase(cwd, 'replay');
  expect(replayed.outcome).toBe('passed');
  expect(replayed.turns.map(({ content, fingerprint }) => ({ content, fingerprint }))).toEqual(
    recorded.turns.map(({ content, fingerprint }) => ({ content, fingerprint })),
  );
  expect(replayed.turns.every(({ source }) => source === 'cassette')).toBe(true);
  expect(mock.getRequests()).toHaveLength(asked);
});
