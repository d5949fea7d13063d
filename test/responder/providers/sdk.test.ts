// What the codecs send, held against the providers' own SDKs: their types check the bodies when this file is compiled,
// and their clients, given the same conversation, must send the same bytes to the same place.

import Anthropic from '@anthropic-ai/sdk';
import { type GenerateContentParameters, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import type { ChatRequest, JsonObject, Message, OpaqueBlock } from '../../../src/request/request.ts';
import type { Codec } from '../../../src/responder/providers/codec.ts';
import { WIRES, type Wire } from '../../../src/responder/providers/table.ts';
import { serve } from './wire-server.ts';

const SCHEMA = { type: 'object' as const, properties: { order_id: { type: 'string' } }, required: ['order_id'] };
const KEY = 'key-of-a-test';

/** Two calls at once, one of which fails, then an answer and a further question. */
function conversation(wire: Wire, params: JsonObject, opaque: OpaqueBlock[]): ChatRequest {
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Where are A-1 and B-2?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Both.' },
        ...opaque,
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'call_0', name: 'lookup_order', arguments: { order_id: 'A-1' } },
        { type: 'tool_call', id: 'call_1', name: 'lookup_order', arguments: { order_id: 'B-2' } },
      ],
    },
    { role: 'tool', name: 'lookup_order', callId: 'call_0', result: { status: 'shipped' } },
    { role: 'tool', name: 'lookup_order', callId: 'call_1', result: 'no such order', isError: true },
    { role: 'assistant', content: [{ type: 'text', text: 'A-1 is on its way.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Thanks.' },
        { type: 'image', mediaType: 'image/png', bytes: 4, digest: '0'.repeat(64), base64: 'iVBORw==' },
        { type: 'text', text: 'And B-2?' },
      ],
    },
  ];
  const tools = [{ name: 'lookup_order', description: 'Look up an order.', inputSchema: SCHEMA }];
  return { kind: 'chat', provider: wire, model: 'm-1', params, system: 'Be brief.', tools, messages };
}

const chat = {
  model: 'm-1',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where are A-1 and B-2?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_0', type: 'function', function: { name: 'lookup_order', arguments: '{"order_id":"A-1"}' } },
        { id: 'call_1', type: 'function', function: { name: 'lookup_order', arguments: '{"order_id":"B-2"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_0', content: '{"status":"shipped"}' },
    { role: 'tool', tool_call_id: 'call_1', content: '{"error":"no such order"}' },
    { role: 'assistant', content: 'A-1 is on its way.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Thanks.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
        { type: 'text', text: 'And B-2?' },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'lookup_order', description: 'Look up an order.', parameters: SCHEMA },
    },
  ],
  temperature: 0,
  tool_choice: 'auto',
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

const reasoningItem = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Both.' }],
  encrypted_content: 'gAAAAB+/==',
} satisfies OpenAI.Responses.ResponseReasoningItem;

const responses = {
  model: 'm-1',
  instructions: 'Be brief.',
  input: [
    { role: 'user', content: 'Where are A-1 and B-2?' },
    reasoningItem,
    { role: 'assistant', content: 'I look.', phase: 'commentary' },
    { type: 'function_call', call_id: 'call_0', name: 'lookup_order', arguments: '{"order_id":"A-1"}' },
    { type: 'function_call', call_id: 'call_1', name: 'lookup_order', arguments: '{"order_id":"B-2"}' },
    { type: 'function_call_output', call_id: 'call_0', output: '{"status":"shipped"}' },
    { type: 'function_call_output', call_id: 'call_1', output: '{"error":"no such order"}' },
    { role: 'assistant', content: 'A-1 is on its way.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Thanks.' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw==' },
        { type: 'input_text', text: 'And B-2?' },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      name: 'lookup_order',
      description: 'Look up an order.',
      parameters: SCHEMA,
      strict: false,
    },
  ],
  include: ['reasoning.encrypted_content'],
  store: false,
} satisfies OpenAI.Responses.ResponseCreateParamsNonStreaming;

const thinking = { type: 'thinking', thinking: 'Both.', signature: 'EqQB+/==' } satisfies Anthropic.ThinkingBlock;
const redacted = { type: 'redacted_thinking', data: 'bm90aGluZw==' } satisfies Anthropic.RedactedThinkingBlock;

const messages = {
  model: 'm-1',
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Where are A-1 and B-2?' },
    {
      role: 'assistant',
      content: [
        thinking,
        redacted,
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_0', name: 'lookup_order', input: { order_id: 'A-1' } },
        { type: 'tool_use', id: 'call_1', name: 'lookup_order', input: { order_id: 'B-2' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_0', content: '{"status":"shipped"}' },
        { type: 'tool_result', tool_use_id: 'call_1', content: 'no such order', is_error: true },
      ],
    },
    { role: 'assistant', content: 'A-1 is on its way.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Thanks.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
        { type: 'text', text: 'And B-2?' },
      ],
    },
  ],
  tools: [{ name: 'lookup_order', description: 'Look up an order.', input_schema: SCHEMA }],
  max_tokens: 4096,
} satisfies Anthropic.MessageCreateParamsNonStreaming;

const gemini = {
  model: 'm-1',
  contents: [
    { role: 'user', parts: [{ text: 'Where are A-1 and B-2?' }] },
    {
      role: 'model',
      parts: [
        { text: 'I look.', thoughtSignature: 'CiQB+/==' },
        { functionCall: { id: 'call_0', name: 'lookup_order', args: { order_id: 'A-1' } } },
        { functionCall: { id: 'call_1', name: 'lookup_order', args: { order_id: 'B-2' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_0', name: 'lookup_order', response: { status: 'shipped' } } },
        { functionResponse: { id: 'call_1', name: 'lookup_order', response: { error: 'no such order' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'A-1 is on its way.' }] },
    {
      role: 'user',
      parts: [{ text: 'Thanks.' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }, { text: 'And B-2?' }],
    },
  ],
  config: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'lookup_order', description: 'Look up an order.', parametersJsonSchema: SCHEMA },
        ],
      },
    ],
    temperature: 0,
    maxOutputTokens: 64,
    cachedContent: 'cachedContents/1',
  },
} satisfies GenerateContentParameters;

const opaque = (data: JsonObject): OpaqueBlock => ({ type: 'opaque', data });

interface Case {
  params: JsonObject;
  opaque: OpaqueBlock[];
  /** Sends the same through the provider's client. */
  send(url: string): Promise<unknown>;
}

const CASES: Record<Wire, Case> = {
  openai: {
    params: { temperature: 0, tool_choice: 'auto' },
    opaque: [],
    send: (url) => new OpenAI({ apiKey: KEY, baseURL: url, maxRetries: 0 }).chat.completions.create(chat),
  },
  'openai-responses': {
    params: WIRES['openai-responses'].defaults?.('m-1') ?? {},
    opaque: [opaque(reasoningItem), opaque({ phase: 'commentary' })],
    send: (url) => new OpenAI({ apiKey: KEY, baseURL: url, maxRetries: 0 }).responses.create(responses),
  },
  anthropic: {
    params: WIRES.anthropic.defaults?.('m-1') ?? {},
    opaque: [opaque(thinking), opaque({ ...redacted })],
    send: (url) => new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0 }).messages.create(messages),
  },
  gemini: {
    params: { temperature: 0, maxOutputTokens: 64, cachedContent: 'cachedContents/1' },
    opaque: [opaque({ thoughtSignature: 'CiQB+/==' })],
    send: (url) => new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url } }).models.generateContent(gemini),
  },
};

test.each(Object.entries(CASES))('%s: the provider’s own client sends the same', async (name, one) => {
  const codec: Codec = WIRES[name as Wire];
  const request = conversation(name as Wire, one.params, one.opaque);
  const { url, asked } = await serve([{ body: { output: [], choices: [], content: [], candidates: [] } }]);
  await one.send(url);
  const [theirs] = asked;
  expect(codec.encode(request)).toEqual(JSON.parse(theirs?.text ?? ''));
  // Clients put the version of the API into the path, where ours is in the base URL.
  expect(theirs?.path.replace(/^\/v1(?:beta)?(?=\/)/, '')).toBe(codec.path(request));
  // Anthropic takes the key in either header; its client sends it as a bearer's.
  expect(theirs?.headers).toMatchObject(codec.headers(name === 'anthropic' ? undefined : KEY, request));
});
