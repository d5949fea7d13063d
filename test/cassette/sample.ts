// A cassette as recorded from a small refund agent, and one with every field and tricky layout there is.

import type { Cassette, Prompt } from '../../src/cassette/cassette.ts';

/** Three interactions, the commonest shape. */
export const SAMPLE: Cassette = {
  suite: 'refund_agent',
  case: 'escalates_refund_over_limit',
  takes: [
    {
      recorded: '2026-11-30',
      interactions: [
        {
          fingerprint: '5f0c2b9d4d1e6a07c1b3f9e2a8d45b60',
          start: { provider: 'openai', model: 'gpt-4.1-mini', params: { temperature: 0 }, prompt: '8c1f0a7be2d94c55' },
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'I want a refund for order A-991, it arrived broken.' }] },
          ],
          response: {
            content: [{ type: 'tool_call', id: 'call_0', name: 'lookup_order', arguments: { order_id: 'A-991' } }],
            stop: 'tool_use',
            usage: { inputTokens: 412, outputTokens: 31 },
            latencyMs: 830,
            servedModel: 'gpt-4.1-mini-2025-04-14',
          },
        },
        {
          fingerprint: '0be7f3a1906c4d2b8e5f7a6c1d3b2e90',
          messages: [
            {
              role: 'tool',
              name: 'lookup_order',
              callId: 'call_0',
              result: {
                order_id: 'A-991',
                total: 780,
                status: 'delivered',
                items: [{ sku: 'LAMP-2', price: 390, quantity: 2, note: 'fragile' }],
                customer: { name: 'Mara Lind', tier: 'gold', since: '2019-04-02', notes: null },
              },
            },
          ],
          response: {
            content: [
              {
                type: 'tool_call',
                id: 'call_1',
                name: 'open_ticket',
                arguments: {
                  order_id: 'A-991',
                  reason: 'Refund of 780 is over the limit of 500.',
                  summary: 'The customer says "it arrived broken".\nAsk for a picture.',
                },
              },
            ],
            stop: 'tool_use',
            usage: { inputTokens: 486, outputTokens: 62, cachedInputTokens: 256 },
            latencyMs: 1210,
            servedModel: 'gpt-4.1-mini-2025-04-14',
          },
        },
        {
          fingerprint: '77aa3c5be0914f2d6a8c9b0d1e2f3a4b',
          messages: [
            { role: 'tool', name: 'open_ticket', callId: 'call_1', result: { ticket: 'T-55', queue: 'refunds' } },
          ],
          response: {
            content: [
              {
                type: 'text',
                text:
                  'This order is over $500, so a colleague must approve the refund.\n\n' +
                  "I've opened ticket T-55. You'll hear from us within one working day.",
              },
            ],
            stop: 'end_turn',
            usage: { inputTokens: 571, outputTokens: 48 },
            latencyMs: 1340,
            servedModel: 'gpt-4.1-mini-2025-04-14',
          },
        },
      ],
    },
  ],
};

/** The prompt of a case, small but with every field. */
export const PROMPT: Prompt = {
  system: 'You are the refund agent of a lamp shop.\nNever promise more than $500.\n',
  tools: [
    {
      name: 'lookup_order',
      description: 'Look up an order.',
      inputSchema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
    },
    { name: 'escalate' },
  ],
  params: {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'verdict', schema: { type: 'object', properties: {} } },
    },
    seed: 7,
  },
};

/** Every field and form of the format once. */
export const EVERYTHING: Cassette = {
  suite: 'Größe "XL"',
  case: 'line one\nline two',
  takes: [
    {
      recorded: '2026-11-30',
      interactions: [
        {
          fingerprint: '00000000000000000000000000000001',
          start: {
            provider: 'anthropic',
            model: 'org/model',
            endpoint: 'http://127.0.0.1:8080/v1',
            params: { stop: ['\n\n', 'END'], metadata: {}, nested: [[1, [2, 'a'.repeat(80)]], []] },
            inlinePrompt: PROMPT,
          },
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'one' },
                { type: 'image', mediaType: 'image/webp', bytes: 70_123, digest: '0123456789abcdef'.repeat(4) },
                { type: 'text', text: 'two' },
              ],
            },
            {
              role: 'assistant',
              content: [
                { type: 'reasoning', text: 'Let me think.\n  Indented.' },
                { type: 'opaque', data: { type: 'thinking', signature: 'c2lnbmF0dXJl' } },
                { type: 'tool_call', id: 'call_0', name: 'sum', malformedArguments: '{"a": 1' },
              ],
            },
            { role: 'tool', name: 'sum', callId: 'call_0', result: 'not JSON', isError: true },
            { role: 'user', content: [] },
            { role: 'assistant', content: [{ type: 'text', text: 'fine' }] },
          ],
          response: {
            content: [
              { type: 'text', text: 'Looking.' },
              {
                type: 'tool_call',
                id: 'call_1',
                name: 'get',
                arguments: { id: 12345678901234567000 },
                argumentsJson: '{"id": 12345678901234567890}',
              },
              { type: 'tool_call', id: 'call_2', name: 'get', arguments: { ['k'.repeat(1001)]: 1 } },
              { type: 'tool_call', id: 'call_3', name: 'get', arguments: [] },
            ],
            stop: 'error',
            stopDetail: 'paused',
            usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 },
            latencyMs: 0,
          },
        },
        {
          fingerprint: '00000000000000000000000000000002',
          messages: [],
          response: { content: [], stop: 'refusal', latencyMs: 12 },
        },
      ],
    },
    { recorded: '2026-12-01', interactions: [] },
  ],
};
