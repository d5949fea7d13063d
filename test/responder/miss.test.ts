// A miss names exactly the place that was edited, with both values.

import { describe, expect, test } from 'vitest';
import { identify } from '../../src/request/fingerprint.ts';
import type { ChatRequest, Message, ToolDefinition } from '../../src/request/request.ts';
import { allDifferences, explainMiss } from '../../src/responder/miss.ts';

const TOOLS: ToolDefinition[] = [
  {
    name: 'lookup',
    description: 'Look up an order.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  },
  {
    name: 'refund',
    description: 'Issue a refund against an order.',
    inputSchema: { type: 'object', required: ['id'] },
  },
];
const CALL = { type: 'tool_call', id: 'call_0', name: 'lookup', arguments: { id: 'A-1' } } as const;
const MESSAGES: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Where is my order?' }] },
  { role: 'assistant', content: [CALL] },
  { role: 'tool', name: 'lookup', callId: 'call_0', result: { total: 780, items: [{ sku: 'a' }] } },
];
const BASE: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'gpt-4.1-mini',
  params: { response_format: { type: 'json_object' }, temperature: 0 },
  system: 'You help.\nBe brief.\nNever refund.',
  tools: TOOLS,
  messages: MESSAGES,
};

const place = { take: 1, turn: 1, fingerprint: 'f', exhausted: false };
const differenceOf = (now: ChatRequest, recorded = BASE) => explainMiss(now, [recorded], place).difference;
const tools = (at: number, change: Partial<ToolDefinition>) =>
  TOOLS.map((tool, index) => (index === at ? { ...tool, ...change } : tool));
const messages = (at: number, change: object) =>
  MESSAGES.map((message, index) => (index === at ? ({ ...message, ...change } as Message) : message));
const user = (text: string) => [{ type: 'text', text }];

const EDITS: [string, Partial<ChatRequest>, string | undefined, string | undefined][] = [
  ['provider', { provider: 'xai' }, '"openai"', '"xai"'],
  ['endpoint', { endpoint: 'https://llm.example/v1' }, undefined, '"https://llm.example/v1"'],
  ['model', { model: 'gpt-4.1' }, '"gpt-4.1-mini"', '"gpt-4.1"'],
  ['params.temperature', { params: { ...BASE.params, temperature: 1 } }, '0', '1'],
  ['params.top_p', { params: { ...BASE.params, top_p: 0.5 } }, undefined, '0.5'],
  ['params.temperature', { params: { response_format: { type: 'json_object' } } }, '0', undefined],
  [
    'params.response_format.type',
    { params: { ...BASE.params, response_format: { type: 'text' } } },
    '"json_object"',
    '"text"',
  ],
  ['system, line 2', { system: 'You help.\nBe kind.\nNever refund.' }, '"Be brief."', '"Be kind."'],
  ['system, line 4', { system: `${BASE.system}\nEver.` }, undefined, '"Ever."'],
  ['system, line 3', { system: 'You help.\nBe brief.' }, '"Never refund."', undefined],
  ['tools (order)', { tools: TOOLS.toReversed() }, 'lookup, refund', 'refund, lookup'],
  ['tools', { tools: TOOLS.slice(0, 1) }, 'lookup, refund', 'lookup'],
  ['tools', { tools: [...TOOLS, { name: 'escalate' }] }, 'lookup, refund', 'lookup, refund, escalate'],
  ['tools', { tools: tools(0, { name: 'look_up' }) }, 'lookup, refund', 'look_up, refund'],
  ['tools', { tools: [] }, 'lookup, refund', 'none'],
  [
    'tools[1].description',
    { tools: tools(1, { description: 'Issue a refund for an order.' }) },
    '"Issue a refund against an order."',
    '"Issue a refund for an order."',
  ],
  [
    'tools[0].input_schema.properties.id.type',
    { tools: tools(0, { inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }) },
    '"string"',
    '"integer"',
  ],
  [
    'tools[1].input_schema.required[1]',
    { tools: tools(1, { inputSchema: { type: 'object', required: ['id', 'why'] } }) },
    undefined,
    '"why"',
  ],
  [
    'tools[0].input_schema (order of keys)',
    { tools: tools(0, { inputSchema: { properties: { id: { type: 'string' } }, type: 'object' } }) },
    'type, properties',
    'properties, type',
  ],
  [
    'messages[0].content',
    { messages: messages(0, { content: user('Where is it?') }) },
    '"Where is my order?"',
    '"Where is it?"',
  ],
  ['messages[0].role', { messages: messages(0, { role: 'assistant' }) }, '"user"', '"assistant"'],
  [
    'messages[1].content[0].arguments.id',
    {
      messages: messages(1, {
        content: [{ type: 'tool_call', id: 'call_0', name: 'lookup', arguments: { id: 'A-2' } }],
      }),
    },
    '"A-1"',
    '"A-2"',
  ],
  ['messages[2].result.total', { messages: messages(2, { result: { total: 1, items: [{ sku: 'a' }] } }) }, '780', '1'],
  [
    'messages[2].result.items[0].sku',
    { messages: messages(2, { result: { total: 780, items: [{ sku: 'b' }] } }) },
    '"a"',
    '"b"',
  ],
  [
    'messages[2].result.note',
    { messages: messages(2, { result: { total: 780, items: [{ sku: 'a' }], note: 1 } }) },
    undefined,
    '1',
  ],
  [
    'messages[2]',
    { messages: messages(2, { result: 'late', isError: true }) },
    'result {"total":780,"items":[{"sku":"a"}]}',
    'error "late"',
  ],
  ['messages[2].tool', { messages: messages(2, { name: 'refund' }) }, '"lookup"', '"refund"'],
  ['messages[2].id', { messages: messages(2, { callId: 'call_1' }) }, '"call_0"', '"call_1"'],
  [
    'messages[1].content[0].arguments',
    { messages: messages(1, { content: [{ ...CALL, arguments: { id: 'A-1' }, malformedArguments: '{' }] }) },
    '{"id":"A-1"}',
    undefined,
  ],
  [
    'messages[1].content[0].arguments',
    { messages: messages(1, { content: [{ ...CALL, argumentsJson: '{"id":12345678901234567890}' }] }) },
    '{"id":"A-1"}',
    undefined,
  ],
  [
    'messages[1].content[0].name',
    { messages: messages(1, { content: [{ ...CALL, name: 'look_up' }] }) },
    '"lookup"',
    '"look_up"',
  ],
  [
    'messages[1].content[1]',
    { messages: messages(1, { content: [CALL, { type: 'opaque', data: 'signed' }] }) },
    undefined,
    '{"type":"opaque"}',
  ],
  [
    'params.__proto__',
    { params: JSON.parse('{"__proto__":1,"response_format":{"type":"json_object"},"temperature":0}') },
    undefined,
    '1',
  ],
  ['messages[3]', { messages: [...MESSAGES, ...MESSAGES.slice(0, 1)] }, undefined, 'a message of user'],
  ['messages[2]', { messages: MESSAGES.slice(0, 2) }, 'a message of tool', undefined],
];

test.each(EDITS)('%s', (path, edit, recorded, now) => {
  const edited = { ...BASE, ...edit };
  expect(identify(edited).fingerprint).not.toBe(identify(BASE).fingerprint);
  expect(differenceOf(edited)).toEqual({
    path,
    ...(recorded !== undefined && { recorded }),
    ...(now !== undefined && { now }),
  });
});

test('the first of several differences is told, in the order a person would look', () => {
  const edited = { ...BASE, system: 'x', messages: [], model: 'other' };
  expect(differenceOf(edited)?.path).toBe('model');
});

test('long texts are cut down to where they differ', () => {
  const long = (middle: string) => ({ ...BASE, system: `${'a'.repeat(500)}${middle}${'b'.repeat(500)}` });
  const { recorded, now } = differenceOf(long('new'), long('old')) ?? {};
  expect(recorded).toBe(JSON.stringify(`…${'a'.repeat(40)}old${'b'.repeat(37)}…`));
  expect(now).toBe(JSON.stringify(`…${'a'.repeat(40)}new${'b'.repeat(37)}…`));
});

test('a large value that stands where nothing stood is not shown whole', () => {
  const { now } = differenceOf({ ...BASE, params: { ...BASE.params, zeta: 'x'.repeat(100_000) } }) ?? {};
  expect(now?.length).toBeLessThan(300);
  expect(now).toMatch(/^"x+…$/);
});

test('a tool whose name holds a line end is not two tools', () => {
  const two = { ...BASE, tools: [{ name: 'a' }, { name: 'b' }] };
  expect(differenceOf({ ...BASE, tools: [{ name: 'a\nb' }] }, two)?.path).toBe('tools');
});

test('numbers too long for JavaScript are told apart by their digits', () => {
  const long = (argumentsJson: string) => ({
    ...BASE,
    messages: messages(1, { content: [{ ...CALL, argumentsJson }] }),
  });
  expect(differenceOf(long('{"id":12345678901234567891}'), long('{"id":12345678901234567890}'))).toEqual({
    path: 'messages[1].content[0].arguments_json',
    recorded: String.raw`"{\"id\":12345678901234567890}"`,
    now: String.raw`"{\"id\":12345678901234567891}"`,
  });
});

test('bytes of a signed block make no difference', () => {
  const signed = (data: string) => ({ ...BASE, messages: messages(1, { content: [CALL, { type: 'opaque', data }] }) });
  expect(differenceOf(signed('one'), signed('other'))).toBeUndefined();
});

describe('without a recording at that place', () => {
  test('the conversation goes on after its recording', () => {
    expect(explainMiss(BASE, [BASE], { ...place, turn: 2 })).toEqual({
      reason: 'longer',
      take: 1,
      turn: 2,
      fingerprint: 'f',
    });
  });

  test('the same request was served already', () => {
    expect(explainMiss(BASE, [BASE], { ...place, exhausted: true }).reason).toBe('exhausted');
  });
});

describe('all that differs', () => {
  const pathsOf = (recorded: ChatRequest, now: ChatRequest) => allDifferences(recorded, now).map(({ path }) => path);

  test.each(EDITS)('%s', (path, edit, recorded, now) => {
    expect(allDifferences(BASE, { ...BASE, ...edit })[0]).toEqual({
      path,
      ...(recorded !== undefined && { recorded }),
      ...(now !== undefined && { now }),
    });
    // Arguments in another form are one field that goes and another that comes.
    const places = path === 'messages[1].content[0].arguments' ? 2 : 1;
    expect(pathsOf(BASE, { ...BASE, ...edit })).toHaveLength(places);
  });

  test('is told in the order a person would look', () => {
    const edited: ChatRequest = {
      ...BASE,
      provider: 'xai',
      model: 'grok',
      params: { response_format: { type: 'text' }, temperature: 1 },
      system: 'You help.',
      tools: [
        { name: 'refund', description: 'Refund.', inputSchema: { type: 'object', required: ['id'] } },
        { name: 'lookup', description: 'Look.', inputSchema: { type: 'array', properties: { id: {} } } },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hm' }] },
        MESSAGES[1] as Message,
        { role: 'tool', name: 'lookup', callId: 'call_0', result: { total: 1, items: [{ sku: 'b' }, 2], more: null } },
        { role: 'user', content: [] },
        { role: 'user', content: [] },
      ],
    };
    expect(pathsOf(BASE, edited)).toEqual([
      ...['provider', 'model', 'params.response_format.type', 'params.temperature', 'system, line 2', 'tools (order)'],
      ...['tools[0].description', 'tools[1].description', 'tools[1].input_schema.type'],
      ...['tools[1].input_schema.properties.id.type', 'messages[0].content', 'messages[2].result.total'],
      ...['messages[2].result.items[0].sku', 'messages[2].result.items[1]', 'messages[2].result.more'],
      ...['messages[3]', 'messages[4]'],
    ]);
  });

  test('is nothing where nothing does', () => {
    expect(allDifferences(BASE, structuredClone(BASE))).toEqual([]);
  });
});
