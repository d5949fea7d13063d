// What a live provider is asked, where, with which key, and what becomes of its answers.

import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { countCalls, withPositionalIds } from '../../../src/request/call-ids.ts';
import type { AssistantBlock, ChatRequest } from '../../../src/request/request.ts';
import { type ProviderSpec, provider } from '../../../src/responder/providers/index.ts';
import { BUILT_IN_NAMES, builtIn, type Wire } from '../../../src/responder/providers/table.ts';
import { recorder } from '../../../src/responder/recorder.ts';
import { type Said, serve } from './wire-server.ts';

const KEY = 'key-of-a-test';

const REQUEST: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
};

const spec = (endpoint: string, more: Partial<ProviderSpec> = {}): ProviderSpec => ({
  name: 'here',
  wire: 'openai',
  endpoint,
  apiKeyEnv: 'HERE_KEY',
  apiKey: KEY,
  timeoutS: 10,
  maxRetries: 0,
  ...more,
});

async function ask(answers: Said[], more: Partial<ProviderSpec> = {}, request = REQUEST) {
  const { url, asked } = await serve(answers);
  return { answer: await provider(spec(url, more)).respond(request), asked };
}

const HELLO: Said = {
  body: {
    model: 'm-1-0',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  },
};

test('every built-in provider has an address of its own but azure, and a key but ollama', () => {
  const facts = BUILT_IN_NAMES.map((name) => {
    const { wire, baseUrl, apiKeyEnv } = builtIn(name) ?? {};
    return [name, wire, baseUrl ?? '-', apiKeyEnv ?? '-'].join(' ');
  });
  expect(facts).toMatchInlineSnapshot(`
    [
      "openai openai https://api.openai.com/v1 OPENAI_API_KEY",
      "openai-responses openai-responses https://api.openai.com/v1 OPENAI_API_KEY",
      "anthropic anthropic https://api.anthropic.com/v1 ANTHROPIC_API_KEY",
      "gemini gemini https://generativelanguage.googleapis.com/v1beta GEMINI_API_KEY",
      "xai openai https://api.x.ai/v1 XAI_API_KEY",
      "moonshot openai https://api.moonshot.ai/v1 MOONSHOT_API_KEY",
      "zhipu openai https://open.bigmodel.cn/api/paas/v4 ZHIPUAI_API_KEY",
      "deepseek openai https://api.deepseek.com DEEPSEEK_API_KEY",
      "openrouter openai https://openrouter.ai/api/v1 OPENROUTER_API_KEY",
      "mistral openai https://api.mistral.ai/v1 MISTRAL_API_KEY",
      "groq openai https://api.groq.com/openai/v1 GROQ_API_KEY",
      "together openai https://api.together.ai/v1 TOGETHER_API_KEY",
      "ollama openai http://localhost:11434/v1 -",
      "azure openai - AZURE_OPENAI_API_KEY",
    ]
  `);
});

describe('the key', () => {
  const keyHeaders = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => String(value).includes(KEY)));

  test.each<[string, Wire, object]>([
    ['openai', 'openai', { authorization: `Bearer ${KEY}` }],
    ['azure', 'openai', { 'api-key': KEY }],
    ['anthropic', 'anthropic', { 'x-api-key': KEY }],
    ['gemini', 'gemini', { 'x-goog-api-key': KEY }],
  ])('%s takes it in its header alone', async (name, wire, expected) => {
    const { asked } = await ask([HELLO], { name, wire });
    expect(keyHeaders(asked[0]?.headers ?? {})).toEqual(expected);
    expect(`${asked[0]?.path}${asked[0]?.text}`).not.toContain(KEY);
  });

  test('is not needed where none is named', async () => {
    const { answer, asked } = await ask([HELLO], { apiKeyEnv: undefined, apiKey: undefined });
    expect(answer).toMatchObject({ ok: true, response: { content: [{ type: 'text', text: 'Hello' }] } });
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('is told by its variable where it is missing', async () => {
    const { answer, asked } = await ask([HELLO], { name: 'mistral', apiKeyEnv: 'MISTRAL_API_KEY', apiKey: undefined });
    expect(answer).toMatchObject({
      ok: false,
      failure: { kind: 'no_key', message: 'mistral needs a key, and MISTRAL_API_KEY is not set' },
    });
    expect(asked).toEqual([]);
  });
});

test.each<[string, Record<string, number>, string]>([
  ['no parameter of sampling', { max_tokens: 9 }, '2026-10-21'],
  ['a temperature', { max_tokens: 9, temperature: 0 }, '2023-06-01'],
])('anthropic with %s is asked in the version that takes it', async (_name, params, version) => {
  const { asked } = await ask([HELLO], { wire: 'anthropic' }, { ...REQUEST, params });
  expect(asked[0]?.headers['anthropic-version']).toBe(version);
});

test.each([
  ['gemini-2.5-flash', '/models/gemini-2.5-flash:generateContent'],
  ['models/gemini-2.5-flash', '/models/gemini-2.5-flash:generateContent'],
  ['tunedModels/mine', '/tunedModels/mine:generateContent'],
  ['a/b?c', '/models/a%2Fb%3Fc:generateContent'],
])('gemini has the model %s in its path', async (model, path) => {
  const { asked } = await ask([HELLO], { wire: 'gemini' }, { ...REQUEST, model });
  expect(asked[0]?.path).toBe(path);
});

test('mistral gets ids of nine letters and digits, the same in call and result', async () => {
  const messages: ChatRequest['messages'] = [
    ...REQUEST.messages,
    { role: 'assistant', content: [{ type: 'tool_call', id: 'call_12', name: 'a', arguments: {} }] },
    { role: 'tool', name: 'a', callId: 'call_12', result: 'x' },
  ];
  const { asked } = await ask([HELLO], {}, { ...REQUEST, provider: 'mistral', messages });
  const body: OpenAI.ChatCompletionCreateParams = JSON.parse(asked[0]?.text ?? '');
  expect(body.messages.slice(1)).toEqual([
    expect.objectContaining({ tool_calls: [expect.objectContaining({ id: 'call00012' })] }),
    { role: 'tool', tool_call_id: 'call00012', content: 'x' },
  ]);
});

const CALL = { type: 'tool_call', id: 'call_0', name: 'a', arguments: {} } as const;

test.each<[string, Partial<ChatRequest>, AssistantBlock[], string | undefined]>([
  ['deepseek', { provider: 'deepseek' }, [{ type: 'reasoning', text: 'Both.' }, CALL], 'Both.'],
  ['deepseek, even where there is none', { provider: 'deepseek' }, [CALL], ''],
  ['an endpoint of the project', { endpoint: 'https://a.b' }, [{ type: 'reasoning', text: 'Both.' }, CALL], 'Both.'],
  ['an endpoint that shows none', { endpoint: 'https://a.b' }, [CALL], undefined],
  ['openai', {}, [{ type: 'reasoning', text: 'Both.' }, CALL], undefined],
])('reasoning goes back to %s', async (_name, more, content, expected) => {
  const result = { role: 'tool', name: 'a', callId: 'call_0', result: 1 } as const;
  const messages: ChatRequest['messages'] = [...REQUEST.messages, { role: 'assistant', content }, result];
  const { asked } = await ask([HELLO], {}, { ...REQUEST, ...more, messages });
  expect(JSON.parse(asked[0]?.text ?? '').messages[1].reasoning_content).toBe(expected);
});

test('anthropic gets its signed thinking back byte for byte, through the cassette', async () => {
  // Odd order of keys, a key nobody knows, text that a careless hand would change.
  const thinking = JSON.stringify({
    signature: 'EqQB+/8==',
    type: 'thinking',
    thinking: 'Both.\r\n\n  "A" & <b>\u2028 cafe\u0301 \ud83d\ude00 \t ',
    extra: { b: 1, a: [1.5, null, {}] },
  });
  const redacted = '{"type":"redacted_thinking","data":"bm90aGluZw=="}';
  const used: Partial<Anthropic.ToolUseBlock> = { type: 'tool_use', id: 'toolu_01', name: 'look_up', input: { x: 1 } };
  const first = `{"type":"message","role":"assistant","model":"m-1-0","stop_reason":"tool_use","content":[${thinking},${redacted},${JSON.stringify(used)}]}`;
  const { url, asked } = await serve([{ body: first }]);
  const live = recorder(provider(spec(url, { wire: 'anthropic' })));

  const request: ChatRequest = {
    ...REQUEST,
    provider: 'anthropic',
    params: { max_tokens: 9 },
    messages: [...REQUEST.messages],
  };
  const answer = await live.respond(request);
  if (!answer.ok) throw new Error(JSON.stringify(answer.failure));
  const content = withPositionalIds(answer.response.content, countCalls(request.messages));
  request.messages.push({ role: 'assistant', content }, { role: 'tool', name: 'look_up', callId: 'call_0', result: 1 });
  await live.respond(request);

  const echoed = asked[1]?.text ?? '';
  expect(echoed).toContain(`"content":[${thinking},${redacted},{"type":"tool_use","id":"call_0"`);
});

describe('a server that only streams', () => {
  const STREAM = 'text/event-stream; charset=utf-8';
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify({ model: 'm-1-0', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const piece = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
  const usage = 'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}\n\n';
  const calls = [
    ': a comment\n\n',
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Bo' }),
    chunk({ reasoning_content: 'th.' }),
    chunk(piece(0, { id: 'x', type: 'function', function: { name: 'a', arguments: '' } })),
    chunk(piece(0, { function: { arguments: '{"x"' } })),
    chunk(piece(1, { id: 'y', function: { name: 'b', arguments: '{}' } })),
    chunk(piece(0, { function: { arguments: ': 1}' } })),
    chunk({}, 'tool_calls'),
    usage,
  ];

  test('is read to the end and kept whole', async () => {
    const { answer } = await ask([{ type: STREAM, body: `${calls.join('')}data: [DONE]\n\n` }]);
    expect(answer).toMatchObject({
      ok: true,
      response: {
        content: [
          { type: 'reasoning', text: 'Both.' },
          { type: 'tool_call', name: 'a', arguments: { x: 1 } },
          { type: 'tool_call', name: 'b', arguments: {} },
        ],
        stop: 'tool_use',
        usage: { inputTokens: 7, outputTokens: 3 },
        servedModel: 'm-1-0',
      },
    });
  });

  test('with line ends of Windows says the same', async () => {
    const body = [chunk({ content: 'He' }), chunk({ content: 'llo' }, 'stop')].join('').replaceAll('\n', '\r\n');
    const { answer } = await ask([{ type: STREAM, body }]);
    expect(answer).toMatchObject({ ok: true, response: { content: [{ type: 'text', text: 'Hello' }] } });
  });

  test('and refuses anything else is asked for a stream, once for all turns', async () => {
    const refusal: Said = {
      status: 400,
      body: { error: { message: 'This model only support stream mode, please enable the stream parameter.' } },
    };
    const stream: Said = { type: STREAM, body: chunk({ content: 'Hello' }, 'stop') };
    const { url, asked } = await serve([refusal, stream]);
    const live = provider(spec(url));
    expect(await live.respond(REQUEST)).toMatchObject({ ok: true });
    expect(await live.respond(REQUEST)).toMatchObject({ ok: true });
    expect(asked.map(({ text }) => JSON.parse(text).stream)).toEqual([undefined, true, true]);
  });

  test.each([
    ['breaks off', chunk({ content: 'Hel' }), 'here: the stream broke off before its finish_reason'],
    [
      'is cut within an event',
      `${chunk({ content: 'Hel' })}data: {"choi`,
      'here: the stream broke off before its finish_reason',
    ],
    ['breaks', `${chunk({ content: 'Hel' })}data: {"error": {"message": "Overloaded"}}\n\n`, 'here: Overloaded'],
    ['is empty', '', 'here: the stream broke off before its finish_reason'],
    ['is none', 'data: nothing\n\n', 'here answered 200, but not with JSON: data: nothing'],
  ])('whose stream %s gave no answer', async (_name, body, message) => {
    const { answer } = await ask([{ type: STREAM, body }]);
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'provider', message } });
  });

  test('is not suspected where the refusal is about something else', async () => {
    const { answer, asked } = await ask([
      { status: 400, body: { error: { message: 'Unknown parameter: stream_options' } } },
    ]);
    expect(answer).toMatchObject({ failure: { message: 'here answered 400: Unknown parameter: stream_options' } });
    expect(asked).toHaveLength(1);
  });
});
