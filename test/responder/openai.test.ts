// The wire of Chat Completions, both ways, with all that compatible servers do in their own way.

import { describe, expect, test } from 'vitest';
import type { AssistantBlock, ChatRequest, Json, Message } from '../../src/request/request.ts';
import { WIRES } from '../../src/responder/providers/table.ts';

const { encode, decode } = WIRES.openai;

const answer = (message: object, more: object = {}) =>
  decode({ choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }], ...more } as Json);
const called = (...given: unknown[]) =>
  answer({
    content: null,
    tool_calls: given.map((args) => ({ id: 'x', type: 'function', function: { name: 'a', arguments: args } })),
  });

describe('arguments', () => {
  test.each<[string, unknown, Partial<AssistantBlock>]>([
    ['as text', '{"b":1,"a":[2]}', { arguments: { b: 1, a: [2] } }],
    ['as an object', { b: 1 }, { arguments: { b: 1 } }],
    ['empty', '', { arguments: {} }],
    ['white space', ' \n', { arguments: {} }],
    ['missing', undefined, { arguments: {} }],
    ['null', null, { arguments: {} }],
    ['a list', '[1]', { arguments: [1] }],
    ['cut off', '{"order_id": "A-', { malformedArguments: '{"order_id": "A-' }],
    ['JSON in a code fence', '```json\n{}\n```', { malformedArguments: '```json\n{}\n```' }],
    ['two objects', '{}{}', { malformedArguments: '{}{}' }],
    ['NaN', '{"a": NaN}', { malformedArguments: '{"a": NaN}' }],
    ['a number in place of text', 7, { malformedArguments: '7' }],
    [
      'a 64-bit number',
      '{"id": 12345678901234567890}',
      { arguments: { id: 12345678901234567000 }, argumentsJson: '{"id": 12345678901234567890}' },
    ],
    ['780.0', '{"total": 780.0}', { arguments: { total: 780 } }],
    ['digits in a text', '{"id": "12345678901234567890"}', { arguments: { id: '12345678901234567890' } }],
  ])('%s', (_what, given, expected) => {
    expect(called(given)).toEqual({
      content: [{ type: 'tool_call', id: 'call_0', name: 'a', ...expected }],
      stop: 'tool_use',
    });
  });

  test('of a key that is no key of JavaScript’s', () => {
    const decoded = called('{"__proto__": {"admin": true}}');
    expect(JSON.stringify(decoded)).toContain('"arguments":{"__proto__":{"admin":true}}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

test('parallel calls keep their order, and two equal ones are two', () => {
  expect(called('{"n":1}', '{"n":2}', '{"n":1}')).toMatchObject({
    content: [
      { id: 'call_0', arguments: { n: 1 } },
      { id: 'call_1', arguments: { n: 2 } },
      { id: 'call_2', arguments: { n: 1 } },
    ],
  });
});

test.each([null, 1, 'x', [], {}, { function: null }, { function: { name: 7 } }])(
  'a call that is %j has no name',
  (call) => {
    expect(answer({ tool_calls: [call] })).toEqual({
      content: [{ type: 'tool_call', id: 'call_0', name: '', arguments: {} }],
      stop: 'tool_use',
    });
  },
);

test.each<[string, unknown, AssistantBlock[]]>([
  ['a text', 'Hi', [{ type: 'text', text: 'Hi' }]],
  [
    'parts',
    [{ type: 'text', text: 'H' }, null, { type: 'image_url' }, { type: 'text', text: 'i' }],
    [{ type: 'text', text: 'Hi' }],
  ],
  ['an empty text', '', []],
  ['null', null, []],
  ['nothing', undefined, []],
  ['a number', 7, []],
])('content that is %s', (_what, content, expected) => {
  expect(answer({ content })).toEqual({ content: expected, stop: 'end_turn' });
});

test.each<[unknown, object]>([
  ['stop', { stop: 'end_turn' }],
  ['length', { stop: 'max_tokens' }],
  ['content_filter', { stop: 'refusal' }],
  ['tool_calls', { stop: 'tool_use' }],
  ['function_call', { stop: 'tool_use' }],
  ['eos', { stop: 'error', stopDetail: 'eos' }],
  ['toString', { stop: 'error', stopDetail: 'toString' }],
  ['', { stop: 'error', stopDetail: '' }],
  [null, { stop: 'error', stopDetail: 'no finish_reason' }],
  [undefined, { stop: 'error', stopDetail: 'no finish_reason' }],
  [{}, { stop: 'error', stopDetail: 'no finish_reason' }],
])('finish_reason %j', (reason, expected) => {
  const choice = { message: { content: 'Hi' }, finish_reason: reason };
  expect(decode({ choices: [choice] } as Json)).toEqual({ content: [{ type: 'text', text: 'Hi' }], ...expected });
});

test.each<[string, unknown, object | undefined]>([
  ['missing', undefined, undefined],
  ['null', null, undefined],
  ['a half', { prompt_tokens: 3 }, undefined],
  ['negative', { prompt_tokens: -1, completion_tokens: 1 }, undefined],
  ['a fraction', { prompt_tokens: 1.5, completion_tokens: 1 }, undefined],
  ['text', { prompt_tokens: '3', completion_tokens: '1' }, undefined],
  ['zero', { prompt_tokens: 0, completion_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
  [
    'with parts that are none',
    {
      prompt_tokens: 3,
      completion_tokens: 1,
      prompt_tokens_details: null,
      completion_tokens_details: { reasoning_tokens: 'x' },
    },
    { inputTokens: 3, outputTokens: 1 },
  ],
])('usage that is %s', (_what, usage, expected) => {
  const decoded = answer({ content: 'Hi' }, { usage });
  expect('problem' in decoded ? decoded : decoded.usage).toEqual(expected);
});

describe('what is sent', () => {
  const request = (more: Partial<ChatRequest>): ChatRequest => ({
    kind: 'chat',
    provider: 'openai',
    model: 'm-1',
    messages: [],
    ...more,
  });

  test('is model, messages, tools and every parameter as it stands', () => {
    const tools = [{ name: 'a', description: 'Does a.', inputSchema: { type: 'object' } }, { name: 'b' }];
    const params = { response_format: { type: 'json_object' }, seed: 7 };
    expect(encode(request({ system: 'Help.', tools, params }))).toEqual({
      model: 'm-1',
      messages: [{ role: 'system', content: 'Help.' }],
      tools: [
        { type: 'function', function: { name: 'a', description: 'Does a.', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'b' } },
      ],
      response_format: { type: 'json_object' },
      seed: 7,
    });
  });

  test('has no tools where there are none', () => {
    expect(encode(request({ tools: [] }))).toEqual({ model: 'm-1', messages: [] });
  });

  const call = (more: object): Message => ({
    role: 'assistant',
    content: [{ type: 'tool_call', id: 'call_0', name: 'a', ...more }],
  });
  const result = (more: object) => ({ role: 'tool', name: 'a', callId: 'call_0', ...more }) as Message;
  const toolCall = (args: string) => [{ id: 'call_0', type: 'function', function: { name: 'a', arguments: args } }];

  test.each<[string, Message, object]>([
    ['a text', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }, { role: 'user', content: 'Hi' }],
    [
      'two texts',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    ['an answer of nothing', { role: 'assistant', content: [] }, { role: 'assistant', content: '' }],
    ['a call', call({ arguments: { n: 1 } }), { role: 'assistant', content: null, tool_calls: toolCall('{"n":1}') }],
    [
      'a call with a long number',
      call({ arguments: { n: 1 }, argumentsJson: '{"n": 12345678901234567890}' }),
      { role: 'assistant', content: null, tool_calls: toolCall('{"n": 12345678901234567890}') },
    ],
    [
      'a call that was malformed',
      call({ malformedArguments: '{"n": ' }),
      { role: 'assistant', content: null, tool_calls: toolCall('{"n": ') },
    ],
    ['a result of text', result({ result: 'late' }), { role: 'tool', tool_call_id: 'call_0', content: 'late' }],
    ['a result', result({ result: { n: [1] } }), { role: 'tool', tool_call_id: 'call_0', content: '{"n":[1]}' }],
    ['an empty result', result({ result: null }), { role: 'tool', tool_call_id: 'call_0', content: 'null' }],
    [
      'an error',
      result({ result: 'timeout', isError: true }),
      { role: 'tool', tool_call_id: 'call_0', content: '{"error":"timeout"}' },
    ],
  ])('for %s', (_what, message, expected) => {
    expect(encode(request({ messages: [message] })).messages).toEqual([expected]);
  });
});
