// Arbitrary cassettes, leaning towards texts, keys and numbers that YAML is known to trip over.

import fc from 'fast-check';
import type { Cassette, ConversationStart, Interaction, Prompt, Take } from '../../src/cassette/cassette.ts';
import type {
  AssistantBlock,
  ChatResponse,
  ImageBlock,
  Json,
  JsonObject,
  Message,
  ToolCallBlock,
} from '../../src/request/request.ts';
import { TRICKY_KEYS, TRICKY_NUMBERS, TRICKY_TEXTS } from './tricky.ts';

/** Any text. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRICKY_TEXTS),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '"', '\\', ':', '-', '#', '😀') }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.tuple(fc.constantFrom(...TRICKY_TEXTS), fc.constantFrom(...TRICKY_TEXTS)).map(([a, b]) => a + b),
);

const number = fc.oneof(
  fc.constantFrom(...TRICKY_NUMBERS),
  fc.integer(),
  // -0 is written 0, so it cannot come back.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('id', 'order_id', 'total', 'a') },
  { weight: 2, arbitrary: fc.constantFrom(...TRICKY_KEYS) },
  text,
);

/** Any JSON value. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
})).value;

const object = fc
  .array(fc.tuple(key, json), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries) as JsonObject);
const count = fc.nat();

const LOSSY = [
  '{"id": 12345678901234567890}',
  '{"id":1e400}',
  '[0.1000000000000000055511151231257827021181583404541015625]',
  '9007199254740993',
];
const lossy = fc
  .constantFrom(...LOSSY)
  .map((argumentsJson) => ({ arguments: JSON.parse(argumentsJson) as Json, argumentsJson }));
const toolCall: fc.Arbitrary<ToolCallBlock> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom('call_0', 'call_1') }, text),
    text,
    fc.oneof(
      { weight: 4, arbitrary: json.map((value) => ({ arguments: value })) },
      lossy,
      text.map((malformedArguments) => ({ malformedArguments })),
    ),
  )
  .map(([id, name, rest]) => ({ type: 'tool_call', id, name, ...rest }));

const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  text.map((value) => ({ type: 'reasoning' as const, text: value })),
  json.map((data) => ({ type: 'opaque' as const, data })),
  toolCall,
);

const plainText = text.map((value) => ({ type: 'text' as const, text: value }));
const image: fc.Arbitrary<ImageBlock> = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp'),
  bytes: fc.maxSafeNat(),
  digest: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
});

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.array(fc.oneof(plainText, image), { maxLength: 3 }).map((content) => ({ role: 'user' as const, content })),
  fc.array(block, { maxLength: 3 }).map((content) => ({ role: 'assistant' as const, content })),
  fc.tuple(text, text, json, fc.boolean()).map(([name, callId, result, isError]) => ({
    role: 'tool' as const,
    name,
    callId,
    result,
    ...(isError && { isError: true as const }),
  })),
);

/** Any response. */
export const response: fc.Arbitrary<ChatResponse> = fc.record(
  {
    content: fc.oneof(
      fc.array(block, { maxLength: 3 }),
      fc.array(toolCall, { minLength: 1, maxLength: 3 }),
      text.map((value) => [{ type: 'text' as const, text: value }]),
    ),
    stop: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'refusal', 'error'),
    stopDetail: text,
    usage: fc.record(
      {
        inputTokens: count,
        outputTokens: count,
        cachedInputTokens: count,
        cacheWriteTokens: count,
        reasoningTokens: count,
      },
      { requiredKeys: ['inputTokens', 'outputTokens'] },
    ),
    latencyMs: fc.oneof(count, fc.constantFrom(0, 0.5)),
    servedModel: text,
  },
  { requiredKeys: ['content', 'stop', 'latencyMs'] },
);

/** Any prompt. */
export const prompt: fc.Arbitrary<Prompt> = fc.record(
  {
    system: text,
    tools: fc.array(fc.record({ name: text, description: text, inputSchema: object }, { requiredKeys: ['name'] }), {
      maxLength: 2,
    }),
    params: object,
  },
  { requiredKeys: [] },
);

const start: fc.Arbitrary<ConversationStart> = fc
  .record(
    {
      provider: fc.constantFrom('openai', 'anthropic', ''),
      model: text,
      endpoint: text,
      params: object,
      prompt: fc.constant('8c1f0a7be2d94c55'),
      inlinePrompt: prompt,
    },
    { requiredKeys: ['provider', 'model'] },
  )
  .map(({ prompt: digest, inlinePrompt, ...rest }) => {
    if (digest !== undefined) return { ...rest, prompt: digest };
    return inlinePrompt ? { ...rest, inlinePrompt } : rest;
  });

const interaction: fc.Arbitrary<Interaction> = fc.record(
  {
    fingerprint: fc.constant('5f0c2b9d4d1e6a07c1b3f9e2a8d45b60'),
    start,
    messages: fc.array(message, { maxLength: 2 }),
    response,
  },
  { requiredKeys: ['fingerprint', 'messages', 'response'] },
);

const take: fc.Arbitrary<Take> = fc
  .tuple(fc.constantFrom('2026-11-30', '2026-12-01'), start, fc.array(interaction, { maxLength: 2 }))
  .map(([recorded, first, interactions]) => ({
    recorded,
    interactions: interactions.map((each, at) => (at === 0 ? { ...each, start: each.start ?? first } : each)),
  }));

/** Any cassette. */
export const cassette: fc.Arbitrary<Cassette> = fc.record({
  suite: text,
  case: text,
  takes: fc.array(take, { maxLength: 2 }),
});
