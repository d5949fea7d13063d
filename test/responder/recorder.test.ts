// A recorder gives what the cassette will give, and keeps every conversation apart.

import { expect, test } from 'vitest';
import type { ChatRequest, ChatResponse, Message, ToolCallBlock } from '../../src/request/request.ts';
import { recorder } from '../../src/responder/recorder.ts';
import type { Answer, Responder } from '../../src/responder/responder.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const newRequest = (...messages: Message[]): ChatRequest => ({
  kind: 'chat',
  provider: 'openai',
  model: 'm',
  messages,
});
const answer = (content: ChatResponse['content']): Answer => ({
  ok: true,
  response: { content, stop: 'end_turn', latencyMs: 1 },
  source: 'live',
});

function says(...answers: Answer[]): Responder {
  let asked = 0;
  return { respond: async () => answers[asked++] as Answer };
}

async function recorded(content: ChatResponse['content'], request = newRequest(user('Hi'))) {
  const said = await recorder(says(answer(content))).respond(request);
  return said.ok ? said.response.content : said;
}

test.each<[string, Partial<ToolCallBlock>]>([
  ['arguments that are not JSON', { malformedArguments: '{"a": "b\r\n' }],
  ['a 64-bit id', { arguments: { id: 12345678901234567000 }, argumentsJson: '{"id":12345678901234567890}' }],
  ['a half of a character', { arguments: { text: 'a\ud800', '\udc00': 1 } }],
  ['__proto__', { arguments: JSON.parse('{"__proto__": {"a": 1}}') as object as never }],
  ['a list', { arguments: [1, [2]] }],
  ['null', { arguments: null }],
])('a call with %s is kept as it is', async (_what, call) => {
  const block = { type: 'tool_call', id: 'x', name: 'a', ...call } as ToolCallBlock;
  expect(await recorded([block])).toStrictEqual([{ ...block, id: 'call_0' }]);
});

test.each(['a\r\nb\r', '\ud83d', '', ' \n', '\u2028\u202e\x00\x1b[31m', '\ufeff'])(
  'the text %j is kept',
  async (text) => {
    expect(await recorded([{ type: 'text', text }])).toStrictEqual([{ type: 'text', text }]);
  },
);

test('ids count on from the calls before', async () => {
  const before: ToolCallBlock[] = [0, 1].map((at) => ({
    type: 'tool_call',
    id: `call_${at}`,
    name: 'a',
    arguments: {},
  }));
  const request = newRequest(user('Hi'), { role: 'assistant', content: before });
  const call = (id: string): ToolCallBlock => ({ type: 'tool_call', id, name: 'b', arguments: {} });
  expect(await recorded([call('call_9fK'), call('call_0')], request)).toMatchObject([
    { id: 'call_2' },
    { id: 'call_3' },
  ]);
});

test('an answer that no cassette can hold is a failure of the answer, not the end of the run', async () => {
  let deep: ToolCallBlock['arguments'] = 1;
  for (let at = 0; at < 20_000; at++) deep = [deep as never];
  const live = recorder(says(answer([{ type: 'tool_call', id: 'x', name: 'a', arguments: deep }])));
  expect(await live.respond(newRequest(user('Hi')))).toEqual({
    ok: false,
    failure: {
      kind: 'provider',
      message: expect.stringMatching(/^the answer cannot be recorded\. .* more than \d+ levels/),
    },
  });
  expect(live.interactions()).toEqual([]);
});

test('a failure is passed on and not recorded', async () => {
  const failure: Answer = { ok: false, failure: { kind: 'provider', message: 'down' } };
  const live = recorder(says(failure, answer([{ type: 'text', text: 'up' }])));
  const request = newRequest(user('Hi'));
  expect(await live.respond(request)).toBe(failure);
  await live.respond(request);
  expect(live.interactions()).toHaveLength(1);
});

test('a conversation that goes on keeps only what is new; another begins anew', async () => {
  const live = recorder(says(...['one', 'two', 'three'].map((text) => answer([{ type: 'text', text }]))));
  const request = newRequest(user('Hi'));
  const first = await live.respond(request);
  if (!first.ok) throw new Error('no answer');
  request.messages.push({ role: 'assistant', content: first.response.content }, user('And?'));
  await live.respond(request);
  await live.respond(newRequest(user('Other')));
  expect(live.interactions().map(({ start, messages }) => [start?.model, messages])).toEqual([
    ['m', [user('Hi')]],
    [undefined, [user('And?')]],
    ['m', [user('Other')]],
  ]);
});

test('a conversation whose model, prompt or past changed begins anew', async () => {
  const live = recorder(says(...['one', 'two', 'three'].map((text) => answer([{ type: 'text', text }]))));
  const request = newRequest(user('Hi'));
  const first = await live.respond(request);
  if (!first.ok) throw new Error('no answer');
  request.messages.push({ role: 'assistant', content: first.response.content }, user('And?'));
  await live.respond({ ...request, system: 'Be brief.' });
  await live.respond({ ...request, messages: [user('Hi'), { role: 'assistant', content: [] }, user('And?')] });
  expect(live.interactions().map(({ start }) => start !== undefined)).toEqual([true, true, true]);
});

test('a conversation in which something else is put into the model’s mouth begins anew', async () => {
  const live = recorder(says(...['one', 'two'].map((text) => answer([{ type: 'text', text }]))));
  const request = newRequest(user('Hi'));
  await live.respond(request);
  const put: Message = { role: 'assistant', content: [{ type: 'text', text: 'uno' }] };
  request.messages.push(put, user('And?'));
  await live.respond(request);
  expect(live.interactions().map(({ messages }) => messages)).toEqual([[user('Hi')], [user('Hi'), put, user('And?')]]);
});
