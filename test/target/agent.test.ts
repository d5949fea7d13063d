// The tool loop: calls answered in order, turns counted, every stop a fact of the trajectory.

import { expect, test } from 'vitest';
import type { ChatRequest, ChatResponse, Json, ToolCallBlock } from '../../src/request/request.ts';
import type { Responder } from '../../src/responder/responder.ts';
import { type AgentSpec, agentTarget } from '../../src/target/agent.ts';
import { callsOf, finalText, pathOf } from '../../src/target/trajectory.ts';

const REQUEST: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
};

const call = (id: number, name: string, args: Json = {}): ToolCallBlock => ({
  type: 'tool_call',
  id: `call_${id}`,
  name,
  arguments: args,
});
const calls = (...content: ToolCallBlock[]): ChatResponse => ({ content, stop: 'tool_use', latencyMs: 1 });
const answer = (text: string): ChatResponse => ({ content: [{ type: 'text', text }], stop: 'end_turn', latencyMs: 1 });

/** Answers with these responses in order and keeps what it was asked. */
function says(...responses: ChatResponse[]): Responder & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    asked,
    async respond(request) {
      asked.push({ ...request, messages: [...request.messages] });
      const response = responses[asked.length - 1];
      if (!response) throw new Error('asked once too often');
      return { ok: true, response, source: 'live' };
    },
  };
}

const agent = (spec: Partial<AgentSpec> = {}) =>
  agentTarget({ request: REQUEST, mocks: {}, maxTurns: 5, onUnmocked: 'error', ...spec });

test('an answer ends it', async () => {
  const trajectory = await agent().run(says(answer('Done.')));
  expect(trajectory).toMatchObject({ stopped: 'end_turn', input: REQUEST.messages });
  expect(finalText(trajectory)).toBe('Done.');
  expect(pathOf(trajectory)).toBe('(end_turn)');
});

test('parallel calls are answered in call order, and both sides are told to the model', async () => {
  const responder = says(calls(call(0, 'a', { n: 1 }), call(1, 'b')), answer('ok'));
  const trajectory = await agent({
    mocks: { a: [{ outcomes: [{ return: 'from a' }] }], b: [{ outcomes: [{ error: 'broken' }] }] },
  }).run(responder);
  expect(pathOf(trajectory)).toBe('a → b → (end_turn)');
  expect(responder.asked[1]?.messages.slice(1)).toEqual([
    { role: 'assistant', content: [call(0, 'a', { n: 1 }), call(1, 'b')] },
    { role: 'tool', name: 'a', callId: 'call_0', result: 'from a' },
    { role: 'tool', name: 'b', callId: 'call_1', result: 'broken', isError: true },
  ]);
  expect(trajectory.turns[0]?.results).toHaveLength(2);
});

test('the first rule that matches wins, a sequence gives one outcome for each of its own calls and repeats the last', async () => {
  const pay = (n: number, id: string) => calls(call(n, 'pay', { id, extra: true }));
  const trajectory = await agent({
    maxTurns: 9,
    mocks: {
      pay: [
        { when: { id: 'A' }, outcomes: [{ error: 'timeout' }, { return: 'paid' }] },
        { outcomes: [{ return: 'other' }] },
      ],
    },
  }).run(says(pay(0, 'A'), pay(1, 'B'), pay(2, 'A'), pay(3, 'A'), answer('ok')));
  expect(trajectory.turns.flatMap(({ results }) => results.map(({ result }) => result))).toEqual([
    'timeout',
    'other',
    'paid',
    'paid',
  ]);
});

test('two runs of one target start their sequences anew', async () => {
  const target = agent({ mocks: { a: [{ outcomes: [{ return: 1 }, { return: 2 }] }] } });
  for (let run = 0; run < 2; run++) {
    const trajectory = await target.run(says(calls(call(0, 'a')), answer('ok')));
    expect(trajectory.turns[0]?.results[0]?.result).toBe(1);
  }
});

test('a call no mock matches ends it, naming tool and arguments', async () => {
  const trajectory = await agent({ mocks: { a: [{ when: { n: 1 }, outcomes: [{ return: 1 }] }] } }).run(
    says(calls(call(0, 'a', { n: 2 }))),
  );
  expect(trajectory).toMatchObject({ stopped: 'unmocked_tool', detail: 'no mock of a matches {"n":2}' });
});

test('with on_unmocked null such a call gives an empty result', async () => {
  const trajectory = await agent({ onUnmocked: 'null' }).run(says(calls(call(0, 'toString')), answer('ok')));
  expect(trajectory).toMatchObject({
    stopped: 'end_turn',
    turns: [{ results: [{ name: 'toString', result: null }] }, {}],
  });
});

test('a tool a model makes up, named as something every object has, is not mocked', async () => {
  const trajectory = await agent().run(says(calls(call(0, 'toString'))));
  expect(trajectory).toMatchObject({ stopped: 'unmocked_tool', detail: 'no mock of toString matches {}' });
});

test('malformed arguments match only a rule without when', async () => {
  const malformed: ToolCallBlock = { type: 'tool_call', id: 'call_0', name: 'a', malformedArguments: '{"n": 1' };
  const rules = [{ when: {}, outcomes: [{ return: 'when' }] }];
  const refused = await agent({ mocks: { a: rules } }).run(says(calls(malformed)));
  expect(refused).toMatchObject({ stopped: 'unmocked_tool', detail: 'no mock of a matches {"n": 1' });
  const taken = await agent({ mocks: { a: [...rules, { outcomes: [{ return: 'any' }] }] } }).run(
    says(calls(malformed), answer('ok')),
  );
  expect(taken.turns[0]?.results[0]?.result).toBe('any');
});

test('it asks no more often than max_turns', async () => {
  const responder = says(calls(call(0, 'a')), calls(call(1, 'a')), answer('too late'));
  const trajectory = await agent({ maxTurns: 2, mocks: { a: [{ outcomes: [{ return: 1 }] }] } }).run(responder);
  expect(trajectory.stopped).toBe('max_turns');
  expect(responder.asked).toHaveLength(2);
  expect(callsOf(trajectory).map(({ turn, index }) => [turn, index])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test.each([
  ['max_tokens', 'max_tokens', undefined],
  ['refusal', 'refusal', undefined],
  ['error', 'error', 'strange_reason'],
  ['tool_use', 'error', undefined],
] as const)('a stop %s without calls is %s', async (stop, stopped, detail) => {
  const trajectory = await agent().run(says({ ...answer('x'), stop, ...(detail && { stopDetail: detail }) }));
  expect(trajectory.stopped).toBe(stopped);
  expect(trajectory.detail).toBe(detail);
});

test("the case's own input is left as it was", async () => {
  await agent({ onUnmocked: 'null' }).run(says(calls(call(0, 'a')), answer('ok')));
  expect(REQUEST.messages).toHaveLength(1);
});

test.each([
  [{ kind: 'provider', message: 'down' } as const, 'provider_error'],
  [{ kind: 'no_key', message: 'no key', remedy: 'set it' } as const, 'unrecorded'],
])('a failure ends it: %o', async (failure, stopped) => {
  const trajectory = await agent().run({ respond: async () => ({ ok: false, failure }) });
  expect(trajectory).toMatchObject({ stopped, failure, turns: [] });
});
