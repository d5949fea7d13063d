// What reaches a model changes the fingerprint, what does not leaves it; and the definition itself stays what it was.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identify } from '../../src/request/fingerprint.ts';
import type { ChatRequest, Message } from '../../src/request/request.ts';

const CALL = { type: 'tool_call', id: 'call_0', name: 'lookup', arguments: { order_id: 'A-1' } } as const;

function request(): ChatRequest {
  return {
    kind: 'chat',
    provider: 'openai',
    model: 'gpt-4.1-mini',
    params: { max_tokens: 9, temperature: 0 },
    system: 'You help.',
    tools: [
      {
        name: 'lookup',
        description: 'Look up an order.',
        inputSchema: { type: 'object', properties: { reasoning: {}, answer: {} } },
      },
      { name: 'refund' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Where is my order?' }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, CALL, { type: 'opaque', data: 'c2lnbmVk' }] },
      { role: 'tool', name: 'lookup', callId: 'call_0', result: { total: 780, status: 'late' } },
    ],
  };
}

const fingerprint = (change: (base: ChatRequest) => ChatRequest | undefined = () => undefined) => {
  const base = request();
  return identify(change(base) ?? base).fingerprint;
};

/** The request with its second message's blocks replaced. */
function said(content: Extract<Message, { role: 'assistant' }>['content']) {
  return (base: ChatRequest): ChatRequest => ({
    ...base,
    messages: base.messages.map((message, at) => (at === 1 ? { role: 'assistant', content } : message)),
  });
}

/** The request with its tool result replaced. */
function gave(change: Partial<Extract<Message, { role: 'tool' }>>) {
  return (base: ChatRequest): ChatRequest => ({
    ...base,
    messages: base.messages.map((message) => (message.role === 'tool' ? { ...message, ...change } : message)),
  });
}

const tools = (change: (tools: NonNullable<ChatRequest['tools']>) => NonNullable<ChatRequest['tools']>) => {
  return (base: ChatRequest): ChatRequest => ({ ...base, tools: change(base.tools ?? []) });
};

describe('changes with', () => {
  test.each<[string, (base: ChatRequest) => ChatRequest]>([
    ['the provider', (base) => ({ ...base, provider: 'anthropic' })],
    ['the endpoint', (base) => ({ ...base, endpoint: 'https://llm.example/v1' })],
    ['the model', (base) => ({ ...base, model: 'gpt-4.1' })],
    ["a parameter's value", (base) => ({ ...base, params: { max_tokens: 9, temperature: 1 } })],
    ['one parameter more', (base) => ({ ...base, params: { ...base.params, top_p: 1 } })],
    ['one parameter less', (base) => ({ ...base, params: { temperature: 0 } })],
    ['the system prompt', (base) => ({ ...base, system: 'You help!' })],
    ['no system prompt', ({ system: _, ...base }) => base],
    ["a tool's name", tools(([first, ...rest]) => [{ ...first, name: 'look_up' }, ...rest])],
    ["a tool's description", tools(([first, ...rest]) => [{ ...first, name: 'lookup', description: 'x' }, ...rest])],
    ['the order of tools', tools((all) => all.toReversed())],
    ['one tool less', tools((all) => all.slice(0, 1))],
    [
      'the order of keys in a schema',
      tools(([first, ...rest]) => [
        { name: 'lookup', ...first, inputSchema: { type: 'object', properties: { answer: {}, reasoning: {} } } },
        ...rest,
      ]),
    ],
    [
      "a user's text",
      (base) => ({ ...base, messages: [{ role: 'user', content: [{ type: 'text', text: 'Where?' }] }] }),
    ],
    ['one message more', (base) => ({ ...base, messages: [...base.messages, ...base.messages.slice(0, 1)] })],
    ['one message less', (base) => ({ ...base, messages: base.messages.slice(0, 2) })],
    ["a call's name", said([{ ...CALL, name: 'refund' }])],
    ["a call's arguments", said([{ ...CALL, arguments: { order_id: 'A-2' } }])],
    [
      'arguments that are not JSON',
      said([{ type: 'tool_call', id: 'call_0', name: 'lookup', malformedArguments: '{' }]),
    ],
    [
      'the digits of a number too long for JavaScript',
      said([{ ...CALL, argumentsJson: '{"id":12345678901234567890}' }]),
    ],
    ['reasoning that was shown', said([{ type: 'reasoning', text: 'well' }, CALL])],
    ["a tool's result", gave({ result: { total: 781, status: 'late' } })],
    ["the order of keys in a tool's result", gave({ result: { status: 'late', total: 780 } })],
    ['an error in place of a result', gave({ isError: true })],
    ['the call a result belongs to', gave({ callId: 'call_1' })],
  ])('%s', (_what, change) => {
    expect(fingerprint(change)).not.toBe(fingerprint());
  });
});

describe('does not change with', () => {
  test.each<[string, (base: ChatRequest) => ChatRequest]>([
    ['the bytes of a signed block', said([{ type: 'reasoning', text: 'hm' }, CALL, { type: 'opaque', data: 'other' }])],
    ['equal objects in place of the same', (base) => structuredClone(base)],
    ['-0 in place of 0', (base) => ({ ...base, params: { max_tokens: 9, temperature: -0 } })],
  ])('%s', (_what, change) => {
    expect(fingerprint(change)).toBe(fingerprint());
  });
});

test('keys that no model is asked with are no part of it', () => {
  const withMore = { ...request(), apiKey: 'k', timeoutS: 3 } as ChatRequest;
  expect(identify(withMore)).toEqual(identify(request()));
});

test('a conversation that grows has the fingerprints of one built at once', () => {
  const message = fc.oneof(
    fc.string({ unit: 'binary' }).map((text): Message => ({ role: 'user', content: [{ type: 'text', text }] })),
    fc.jsonValue().map((result): Message => ({ role: 'tool', name: 't', callId: 'call_0', result: result as never })),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const growing: ChatRequest = { ...request(), messages: [] };
      for (const [at, next] of messages.entries()) {
        growing.messages.push(next);
        const whole = { ...request(), messages: messages.slice(0, at + 1) };
        expect(identify(growing)).toEqual(identify(whole));
      }
    }),
  );
});

test('two messages are not one message of both texts', () => {
  const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
  const two = identify({ ...request(), messages: [user('a'), user('b')] });
  const one = identify({ ...request(), messages: [user('ab')] });
  expect(two.fingerprint).not.toBe(one.fingerprint);
});

// These stand in people's cassettes: a change here makes every recording in the world stale.
test('the definition is what it was', () => {
  expect([
    identify(request()),
    identify({ kind: 'chat', provider: 'openai', model: 'm', messages: [] }),
    identify({
      kind: 'chat',
      provider: 'openai',
      endpoint: 'http://127.0.0.1:1/v1',
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'naïve 🦊 \ud800' }] }],
    }),
  ]).toMatchInlineSnapshot(`
    [
      {
        "fingerprint": "559b14cb0d034cc8f00dfc7030dfb155",
        "head": "24e6f2dec8d3fc6e",
      },
      {
        "fingerprint": "0e0f9a852bbba6da5d1b970866e504b3",
        "head": "0e0f9a852bbba6da",
      },
      {
        "fingerprint": "173e364d3df7761a3c555870ae034ac3",
        "head": "2b34577475714f0a",
      },
    ]
  `);
});
