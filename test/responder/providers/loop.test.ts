// One tool-loop suite recorded through every wire family, against an emulator of the providers that is not ours.

import { LLMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import { WIRE_NAMES } from '../../../src/responder/providers/table.ts';
import { cassetteOf, MODELS, project, runCase } from './loop-project.ts';

const THOUGHT = 'Two orders are meant.\nI look up "both".';
const SIGNATURE = 'EqQBCkYIARgCKkC+/==';

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
