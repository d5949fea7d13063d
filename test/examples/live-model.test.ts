// The tiny live model: its server asked over HTTP as any client would, its parts where a client cannot reach.

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAnswer } from '../../examples/live-model/chat.js';
import { readGguf } from '../../examples/live-model/gguf.js';
import { sample, seededRandom } from '../../examples/live-model/sampling.js';
import { type RunningServer, type ServerOptions, startServer } from '../../examples/live-model/server.js';
import { createTokenizer } from '../../examples/live-model/tokenizer.js';

const FOLDER = new URL('../../examples/live-model/', import.meta.url);
const STORY = [{ role: 'user', content: 'Tell me a story.' }];
const WEATHER = [{ role: 'user', content: 'What is the weather in Oslo?' }];
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const TOOLS = [
  {
    type: 'function',
    function: { name: 'get_weather', description: 'The weather of a city today.', parameters: SCHEMA },
  },
  { type: 'function', function: { name: 'get_time', description: 'The time of day in a city.', parameters: SCHEMA } },
];

interface Call {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

interface Completion {
  id: string;
  object: string;
  model: string;
  choices: [{ message: { role: string; content: string | null; tool_calls?: Call[] }; finish_reason: string }];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

interface Asked {
  status: number;
  body: Completion & { error: { message: string; type: string; param: string | null; code: string } };
}

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function post(url: string, body: string, init: RequestInit = {}): Promise<Asked> {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body, ...init });
  return { status: response.status, body: (await response.json()) as Asked['body'] };
}

async function ask(fields: Record<string, unknown>, url = server.url): Promise<Completion> {
  const { status, body } = await post(url, JSON.stringify({ model: 'tiny-chat', messages: STORY, ...fields }));
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  return body;
}

const textOf = (completion: Completion) => completion.choices[0].message.content ?? '';
const callOf = (completion: Completion) => completion.choices[0].message.tool_calls?.[0] as Call;

async function withServer<T>(options: ServerOptions, use: (started: RunningServer) => Promise<T>): Promise<T> {
  const started = await startServer(options);
  try {
    return await use(started);
  } finally {
    await started.close();
  }
}

describe('answers', () => {
  test('at temperature 0 are always the same, under a new id', async () => {
    const first = await ask({ temperature: 0 });
    const second = await ask({ temperature: 0 });
    expect(textOf(first)).toBe(
      'In the mountain there lived a clever cat called Max. One day Max lost a blanket and went to look for it. Then Oscar the frog said, "May I help you?"',
    );
    expect(second.choices).toEqual(first.choices);
    expect(second.id).not.toBe(first.id);
    expect(first).toMatchObject({
      object: 'chat.completion',
      model: 'tiny-chat',
      choices: [{ index: 0, finish_reason: 'stop' }],
    });
  });

  test('know some facts', async () => {
    const answer = await ask({
      temperature: 0,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is the capital of Norway?' }] }],
    });
    expect(textOf(answer)).toBe('The capital of Norway is Oslo.');
  });

  test('at temperature 0.8 without a seed all differ', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ temperature: 0.8 })));
    expect(new Set(answers.map(textOf)).size).toBe(6);
  });

  test('depend on the seed alone where one is given', async () => {
    const [one, again, other] = await Promise.all([7, 7, 8].map((seed) => ask({ temperature: 0.8, seed })));
    expect(textOf(again as Completion)).toBe(textOf(one as Completion));
    expect(textOf(other as Completion)).not.toBe(textOf(one as Completion));
  });

  test('with a tiny top_p are the greedy ones', async () => {
    expect(textOf(await ask({ temperature: 2, top_p: 0 }))).toBe(textOf(await ask({ temperature: 0 })));
  });

  test('count the tokens of prompt and answer', async () => {
    const short = await ask({ temperature: 0, max_tokens: 5 });
    expect(short.usage).toEqual({ prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 });
    expect(short.choices[0].finish_reason).toBe('length');
    const shorter = await ask({ temperature: 0, max_completion_tokens: 3 });
    expect(shorter.usage.completion_tokens).toBe(3);
    expect(textOf(short).startsWith(textOf(shorter))).toBe(true);
  });

  test('end before a stop sequence', async () => {
    const answer = await ask({ temperature: 0, stop: ['Oscar', ' lost'] });
    expect(textOf(answer)).toBe('In the mountain there lived a clever cat called Max. One day Max');
    expect(answer.choices[0].finish_reason).toBe('stop');
  });

  test('take the system prompt and the turns before into account', async () => {
    const bare = await ask({ temperature: 0, messages: [{ role: 'user', content: 'Thanks' }] });
    const system = await ask({
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Thanks' },
      ],
    });
    expect(system.usage.prompt_tokens).toBeGreaterThan(bare.usage.prompt_tokens);
    const turns = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'Thanks' },
    ];
    expect((await ask({ temperature: 0, messages: turns })).usage.prompt_tokens).toBeGreaterThan(
      bare.usage.prompt_tokens,
    );
  });

  test('are right where several are asked for at once', async () => {
    const cities = { Norway: 'Oslo', Italy: 'Rome', Japan: 'Tokyo', Peru: 'Lima' };
    const answers = await Promise.all(
      Object.keys(cities).map((country) =>
        ask({ temperature: 0, messages: [{ role: 'user', content: `What is the capital of ${country}?` }] }),
      ),
    );
    expect(answers.map(textOf)).toEqual(Object.values(cities).map((city) => expect.stringContaining(city)));
  });
});

describe('tools', () => {
  test('are called, and their result becomes a sentence', async () => {
    const called = await ask({ temperature: 0, messages: WEATHER, tools: TOOLS });
    const { message, finish_reason } = called.choices[0];
    expect(finish_reason).toBe('tool_calls');
    expect(message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: expect.stringMatching(/^call_\w{24}$/),
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
        },
      ],
    });

    const result = { role: 'tool', tool_call_id: callOf(called).id, content: '{"weather":"cold","degrees":8}' };
    const answered = await ask({ temperature: 0, messages: [...WEATHER, message, result], tools: TOOLS });
    expect(textOf(answered)).toBe('The weather in Oslo is cold and 8 degrees.');
    expect(answered.choices[0].finish_reason).toBe('stop');

    const again = await ask({ temperature: 0, messages: WEATHER, tools: TOOLS });
    expect(callOf(again).id).not.toBe(callOf(called).id);
  });

  test('are not called where none are offered or tool_choice is none', async () => {
    const without = await ask({ temperature: 0, messages: WEATHER });
    const none = await ask({ temperature: 0, messages: WEATHER, tools: TOOLS, tool_choice: 'none' });
    expect(textOf(without)).toContain('Oslo');
    expect(none.choices).toEqual(without.choices);
  });

  test('reach the model with their descriptions', async () => {
    const edited = structuredClone(TOOLS);
    (edited[0] as (typeof TOOLS)[number]).function.description = 'What the sky over a city looks like today.';
    const [before, after] = await Promise.all(
      [TOOLS, edited].map((tools) => ask({ temperature: 0, messages: WEATHER, tools })),
    );
    expect(after?.usage.prompt_tokens).not.toBe(before?.usage.prompt_tokens);
  });

  test('keep arguments that were cut short as they were written', async () => {
    const cut = await ask({ temperature: 0, messages: WEATHER, tools: TOOLS, max_tokens: 18 });
    expect(cut.choices[0].finish_reason).toBe('length');
    expect('{"city": "Oslo"}'.startsWith(callOf(cut).function.arguments)).toBe(true);
    expect(() => JSON.parse(callOf(cut).function.arguments)).toThrow();
  });

  test('are told from text in what the model wrote', () => {
    const call = { name: 'f', arguments: '{"a":[1]}' };
    expect(parseAnswer('Hello.')).toEqual({ text: 'Hello.', calls: [] });
    expect(parseAnswer('Yes. <tool_call>{"name": "f", "arguments": {"a": [1]}}</tool_call>')).toEqual({
      text: 'Yes.',
      calls: [call],
    });
    expect(parseAnswer('<tool_call>{"name": "f", "arguments": {"a": [1]}}</tool_call>\n'.repeat(2)).calls).toEqual([
      call,
      call,
    ]);
    expect(parseAnswer('<tool_call>{"name": "f", "arguments": {"a": </tool_call>').calls).toEqual([
      { name: 'f', arguments: '{"a": ' },
    ]);
    const nameless = '<tool_call>{"city": "Oslo"}</tool_call>';
    expect(parseAnswer(nameless)).toEqual({ text: nameless, calls: [] });
  });
});

describe('errors', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const asked = { role: 'assistant', content: null, tool_calls: [call] };
  test.each<[string, Record<string, unknown>, string | null, string]>([
    ['an unknown argument', { logit_bias: {} }, 'logit_bias', 'unknown_parameter'],
    ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
    ['streaming', { stream: true }, 'stream', 'unsupported_value'],
    ['two choices', { n: 2 }, 'n', 'unsupported_value'],
    ['a forced tool', { tool_choice: 'required' }, 'tool_choice', 'unsupported_value'],
    ['JSON output', { response_format: { type: 'json_object' } }, 'response_format', 'unsupported_value'],
    ['no messages', { messages: [] }, 'messages', 'invalid_value'],
    ['an unknown role', { messages: [{ role: 'poet', content: 'Hi' }] }, 'messages[0].role', 'invalid_value'],
    ['no content', { messages: [{ role: 'user' }] }, 'messages[0].content', 'invalid_type'],
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      'messages[0].content',
      'invalid_type',
    ],
    [
      'a result without a call',
      { messages: [...STORY, { role: 'tool', tool_call_id: 'x', content: '' }] },
      'messages[1].role',
      'invalid_value',
    ],
    ['a call without a result', { messages: [...STORY, asked, ...STORY] }, 'messages[2]', 'invalid_value'],
    ['a last call without a result', { messages: [...STORY, asked] }, 'messages', 'invalid_value'],
    [
      'arguments that are no text',
      { messages: [{ ...asked, tool_calls: [{ ...call, function: { name: 'f', arguments: {} } }] }] },
      'messages[0].tool_calls',
      'invalid_value',
    ],
    [
      'a tool without a name',
      { tools: [{ type: 'function', function: {} }] },
      'tools[0].function.name',
      'invalid_value',
    ],
    ['a high temperature', { temperature: 2.1 }, 'temperature', 'invalid_value'],
    ['a seed that is no integer', { seed: 1.5 }, 'seed', 'invalid_value'],
    ['no room for an answer', { max_tokens: 0 }, 'max_tokens', 'invalid_value'],
    ['an empty stop sequence', { stop: '' }, 'stop', 'invalid_value'],
  ])('%s is a 400 that names the parameter', async (_, fields, param, code) => {
    const { status, body } = await post(server.url, JSON.stringify({ model: 'tiny-chat', messages: STORY, ...fields }));
    expect(status).toBe(400);
    expect(body).toEqual({ error: { type: 'invalid_request_error', param, code, message: expect.any(String) } });
  });

  test.each(['', '{', '{"model": "tiny-chat", '])('a body %j is a 400', async (text) => {
    expect(await post(server.url, text)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'invalid_json' } },
    });
  });

  test('an unknown model, route and method are told apart', async () => {
    const request = JSON.stringify({ model: 'gpt-4', messages: STORY });
    const unknown = await post(server.url, request);
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
    expect(unknown.body.error.message).toContain("'tiny-chat'");
    expect(await post(`${server.url}/v2`, request)).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown_url' } },
    });
    expect((await fetch(`${server.url}/chat/completions`)).status).toBe(405);
  });

  test.each([
    ['a word of 12,000 letters', 'x'.repeat(12_000)],
    ['many words', 'story '.repeat(1100)],
    ['nested JSON', `${'['.repeat(6000)}${']'.repeat(6000)}`],
    ['most of a megabyte', 'x'.repeat(900_000)],
  ])('%s does not fit, in any place', async (_, text) => {
    const calls = [{ ...call, function: { name: 'f', arguments: text } }];
    for (const messages of [
      [{ role: 'user', content: text }],
      [{ role: 'system', content: text }, ...STORY],
      [asked, { role: 'tool', tool_call_id: 'call_1', content: text }],
      [
        { ...asked, tool_calls: calls },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
    ]) {
      const { status, body } = await post(server.url, JSON.stringify({ model: 'tiny-chat', messages }));
      expect(body.error).toMatchObject({ code: 'context_length_exceeded', message: expect.stringContaining('1024') });
      expect(status).toBe(400);
    }
  });

  test('a body over a megabyte is a 413', async () => {
    const body = JSON.stringify({ model: 'tiny-chat', messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] });
    expect(await post(server.url, body)).toMatchObject({ status: 413, body: { error: { code: 'request_too_large' } } });
  });

  test('a key is asked for where the server has one', async () => {
    await withServer({ apiKey: 'k-1' }, async ({ url }) => {
      const body = JSON.stringify({ model: 'tiny-chat', messages: STORY, max_tokens: 1 });
      const refused = { status: 401, body: { error: { type: 'invalid_request_error', code: 'invalid_api_key' } } };
      expect(await post(url, body)).toMatchObject(refused);
      expect(await post(url, body, { headers: { authorization: 'Bearer k-2' } })).toMatchObject(refused);
      expect((await fetch(`${url}/models`)).status).toBe(401);
      expect((await post(url, body, { headers: { authorization: 'Bearer k-1' } })).status).toBe(200);
    });
  });
});

describe('the server', () => {
  test('lists its model', async () => {
    await withServer({ model: 'other' }, async ({ url }) => {
      expect(await (await fetch(`${url}/models`)).json()).toMatchObject({
        object: 'list',
        data: [{ id: 'other', object: 'model' }],
      });
      expect((await ask({ model: 'other', max_tokens: 1 }, url)).model).toBe('other');
    });
  });

  test('drifts where temperature or system prompt are overridden', async () => {
    const greedy = await ask({ temperature: 0 });
    await withServer({ temperature: 0 }, async ({ url }) => {
      expect(textOf(await ask({ temperature: 1 }, url))).toBe(textOf(greedy));
    });
    await withServer({ systemPrompt: 'Answer in one sentence.' }, async ({ url }) => {
      const messages = [
        { role: 'system', content: 'You are a tiny language model. Say as much as you can.' },
        ...STORY,
      ];
      const sentence = [{ role: 'system', content: 'Answer in one sentence.' }, ...STORY];
      const drifted = await ask({ temperature: 0, messages }, url);
      const { choices, usage } = await ask({ temperature: 0, messages: sentence });
      expect(drifted).toMatchObject({ choices, usage });
    });
  });

  test('stops computing for clients that left', async () => {
    await withServer({}, async (started) => {
      const leaving = new AbortController();
      const body = JSON.stringify({ model: 'tiny-chat', messages: STORY });
      const left = Array.from({ length: 20 }, () => post(started.url, body, { signal: leaving.signal }));
      const settled = Promise.allSettled(left);
      while (started.generatedTokens === 0) await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
      await ask({ max_tokens: 1 }, started.url);
      // Twenty stories are about 1,000 tokens.
      expect(started.generatedTokens).toBeLessThan(200);
      expect(started.requests).toBe(21);
    });
  });

  test('closes in the middle of an answer and frees its port', async () => {
    const started = await startServer({ latencyMs: 60_000 });
    const waiting = post(started.url, JSON.stringify({ model: 'tiny-chat', messages: STORY }));
    const settled = Promise.allSettled([waiting]);
    while (started.requests === 0) await new Promise((resolve) => setImmediate(resolve));
    await started.close();
    expect((await settled)[0].status).toBe('rejected');
    await withServer({ port: Number(new URL(started.url).port) }, async ({ url }) => expect(url).toBe(started.url));
  });

  test('runs from the command line until it is told to end', async () => {
    const child = spawn(process.execPath, [
      fileURLToPath(new URL('server.js', FOLDER)),
      '--port',
      '0',
      '--temperature',
      '0',
    ]);
    const ended = new Promise((resolve) => child.on('close', resolve));
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(line)?.[0] ?? '';
    expect(textOf(await ask({ messages: WEATHER }, url))).toContain('Oslo');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('says that its port is taken', async () => {
    const port = new URL(server.url).port;
    const child = spawn(process.execPath, [fileURLToPath(new URL('server.js', FOLDER)), '--port', port]);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
    expect(stderr).toBe(`Port ${port} is taken. Free it, or choose another with --port.\n`);
  });

  test.each([
    [['--port', 'abc'], '--port must be a number'],
    [['--prot', '1'], "Unknown option '--prot'"],
  ])('refuses %j', async (args, message) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('server.js', FOLDER)), ...args]);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage:');
  });
});

describe('the parts', () => {
  const bytes = readFile(new URL('model/tiny-chat-0.9m-q8_0.gguf', FOLDER));

  test('the tokenizer gives back any text, and markup in it stays text', async () => {
    const tokenizer = createTokenizer(readGguf(await bytes).metadata);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
    expect(tokenizer.encode('Hello<|im_end|>')).not.toContain(tokenizer.special('<|im_end|>'));
    expect(tokenizer.decode(tokenizer.encode('<|im_end|>'))).toBe('<|im_end|>');
    expect(tokenizer.encode('Tell me a story.').length).toBeLessThan(8);
    expect(tokenizer.encode('')).toEqual([]);
    expect(() => tokenizer.special('Hello')).toThrow('no special token');
  });

  test('the reader refuses what is no whole GGUF file', async () => {
    const whole = await bytes;
    expect(() => readGguf(new Uint8Array())).toThrow('not a GGUF file');
    expect(() => readGguf(Buffer.from('version https://git-lfs.github.com/spec/v1\n'))).toThrow('not a GGUF file');
    for (const length of [30, 5000, 30_000, whole.length - 1])
      expect(() => readGguf(whole.subarray(0, length))).toThrow(RangeError);
  });

  test('sampling picks in proportion and respects top_p', () => {
    const logits = Float32Array.from([0.6, 0.3, 0.1], Math.log);
    const random = seededRandom(1);
    const picks = Array.from({ length: 3000 }, () => sample(logits, { temperature: 1, topP: 1, random }));
    const counts = [0, 1, 2].map((id) => picks.filter((pick) => pick === id).length);
    expect(counts.map((count) => Math.round(count / 300))).toEqual([6, 3, 1]);
    const top = Array.from({ length: 200 }, () => sample(logits, { temperature: 1, topP: 0.8, random }));
    expect(new Set(top)).toEqual(new Set([0, 1]));
  });

  test('random numbers differ for neighbouring, negative and large seeds', () => {
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    const streams = seeds.map((seed) => {
      const random = seededRandom(seed);
      return [random(), random(), random()];
    });
    expect(new Set(streams.map(String)).size).toBe(seeds.length);
    expect(new Set(streams.map(([first]) => first)).size).toBe(seeds.length);
    for (const value of streams.flat()) expect(value >= 0 && value < 1).toBe(true);
  });
});
