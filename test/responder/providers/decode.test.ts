// What each wire's answers come to. The answers are checked by the SDKs' types when this file is compiled.

import type Anthropic from '@anthropic-ai/sdk';
import type { Candidate, FinishReason, GenerateContentResponse } from '@google/genai';
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/request/request.ts';
import { WIRES, type Wire } from '../../../src/responder/providers/table.ts';

const decode = (wire: Wire, body: unknown) => WIRES[wire].decode(body as Json);

const call = (id: string, name: string, more: object) => ({ type: 'tool_call', id, name, ...more });
const text = (said: string) => ({ type: 'text', text: said });
const reasoning = (said: string) => ({ type: 'reasoning', text: said });
const opaque = (data: object) => ({ type: 'opaque', data });

describe('openai', () => {
  type Choice = OpenAI.ChatCompletion['choices'][number];
  const answer = (message: object, finish: string, more: object = {}) => {
    const choice = { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish };
    return { model: 'm-1-0', choices: [choice as Choice], ...more } satisfies Partial<OpenAI.ChatCompletion>;
  };
  const called = (name: string, args: string) => ({
    id: `call_${name}`,
    type: 'function' as const,
    function: { name, arguments: args },
  });

  test.each<[string, object, object]>([
    [
      'parallel calls with reasoning',
      answer({ reasoning_content: 'Both.', tool_calls: [called('a', '{"x": 1}'), called('b', '')] }, 'tool_calls'),
      {
        content: [
          reasoning('Both.'),
          call('call_0', 'a', { arguments: { x: 1 } }),
          call('call_1', 'b', { arguments: {} }),
        ],
        stop: 'tool_use',
      },
    ],
    [
      'arguments that are cut off',
      answer({ tool_calls: [called('a', '{"x": "unfin')] }, 'length'),
      { content: [call('call_0', 'a', { malformedArguments: '{"x": "unfin' })], stop: 'max_tokens' },
    ],
    [
      'arguments with a number that JavaScript cannot hold',
      answer({ tool_calls: [called('a', '{"id": 9007199254740993}')] }, 'tool_calls'),
      {
        content: [
          call('call_0', 'a', { arguments: { id: 9007199254740992 }, argumentsJson: '{"id": 9007199254740993}' }),
        ],
        stop: 'tool_use',
      },
    ],
    ['a refusal', answer({ refusal: 'I may not.' }, 'stop'), { content: [text('I may not.')], stop: 'refusal' }],
    [
      'an unknown stop',
      answer({ content: 'Hm' }, 'tired'),
      { content: [text('Hm')], stop: 'error', stopDetail: 'tired' },
    ],
    [
      'Mistral’s reasoning among the parts',
      answer({ content: [{ type: 'thinking', thinking: [text('So.')] }, text('Yes.')] }, 'stop'),
      { content: [reasoning('So.'), text('Yes.')], stop: 'end_turn' },
    ],
    [
      'OpenRouter’s signed reasoning',
      answer({ content: 'Yes.', reasoning: 'So.', reasoning_details: [{ type: 'x', signature: 's' }] }, 'stop'),
      {
        content: [reasoning('So.'), opaque({ reasoning_details: [{ type: 'x', signature: 's' }] }), text('Yes.')],
        stop: 'end_turn',
      },
    ],
    [
      'cached and reasoning tokens',
      answer({ content: 'Yes.' }, 'stop', {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 3 },
        } satisfies OpenAI.CompletionUsage,
      }),
      {
        content: [text('Yes.')],
        stop: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 8, reasoningTokens: 3 },
      },
    ],
  ])('%s', (_name, body, expected) => {
    expect(decode('openai', body)).toEqual({ ...expected, servedModel: 'm-1-0' });
  });
});

describe('openai-responses', () => {
  type Item = OpenAI.Responses.ResponseOutputItem;
  const answer = (output: Item[], more: Partial<OpenAI.Responses.Response> = {}) => ({
    model: 'm-1-0',
    status: 'completed',
    error: null,
    output,
    ...more,
  });
  const message = (...content: OpenAI.Responses.ResponseOutputMessage['content']): Item => ({
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content,
  });
  const said = (words: string) => ({ type: 'output_text' as const, text: words, annotations: [] });
  const called = (name: string, args: string): Item => ({
    type: 'function_call',
    call_id: `call_${name}`,
    name,
    arguments: args,
  });
  const thought: Item = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Both.' }],
    encrypted_content: 'gAAAAB',
  };

  test.each<[string, object, object]>([
    [
      'parallel calls with encrypted reasoning',
      answer([thought, called('a', '{"x": 1}'), called('b', '')]),
      {
        content: [
          reasoning('Both.'),
          opaque(thought),
          call('call_a', 'a', { arguments: { x: 1 } }),
          call('call_b', 'b', { arguments: {} }),
        ],
        stop: 'tool_use',
      },
    ],
    [
      'arguments that are cut off',
      answer([called('a', '{"x": "unfin')], {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      }),
      { content: [call('call_a', 'a', { malformedArguments: '{"x": "unfin' })], stop: 'max_tokens' },
    ],
    [
      'a refusal',
      answer([message({ type: 'refusal', refusal: 'I may not.' })]),
      { content: [text('I may not.')], stop: 'refusal' },
    ],
    [
      'a filtered answer',
      answer([message(said('Well'))], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
      { content: [text('Well')], stop: 'refusal', stopDetail: 'content_filter' },
    ],
    [
      'a message with its phase',
      answer([{ ...message(said('I look.')), phase: 'commentary' } as Item]),
      { content: [opaque({ phase: 'commentary' }), text('I look.')], stop: 'end_turn' },
    ],
    [
      'an answer that is still in the queue',
      answer([], { status: 'queued' }),
      { content: [], stop: 'error', stopDetail: 'queued' },
    ],
    [
      'cached and reasoning tokens',
      answer([message(said('Yes.'))], {
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          total_tokens: 15,
          input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 3 },
        },
      }),
      {
        content: [text('Yes.')],
        stop: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 8, reasoningTokens: 3 },
      },
    ],
  ])('%s', (_name, body, expected) => {
    expect(decode('openai-responses', body)).toEqual({ ...expected, servedModel: 'm-1-0' });
  });

  test('a failed answer says why', () => {
    const error = { code: 'server_error', message: 'Overloaded.' } satisfies OpenAI.Responses.ResponseError;
    expect(decode('openai-responses', { ...answer([]), status: 'failed', error })).toEqual({ problem: 'Overloaded.' });
  });
});

describe('anthropic', () => {
  const answer = (content: Anthropic.ContentBlock[], stop: string, usage?: Partial<Anthropic.Usage>) => ({
    type: 'message',
    model: 'm-1-0',
    content,
    stop_reason: stop as Anthropic.StopReason,
    ...(usage && { usage }),
  });
  const said = (words: string): Anthropic.TextBlock => ({ type: 'text', text: words, citations: null });
  const used = (id: string, name: string, input: unknown): Anthropic.ToolUseBlock => ({
    type: 'tool_use',
    caller: { type: 'direct' },
    id,
    name,
    input,
  });
  const thinking: Anthropic.ThinkingBlock = { type: 'thinking', thinking: 'Both.', signature: 'EqQB' };
  const redacted: Anthropic.RedactedThinkingBlock = { type: 'redacted_thinking', data: 'bm8=' };

  test.each<[string, object, object]>([
    [
      'parallel calls with thinking, in order',
      answer([thinking, redacted, said('I look.'), used('t1', 'a', { x: 1 }), used('t2', 'b', {})], 'tool_use'),
      {
        content: [
          reasoning('Both.'),
          opaque(thinking),
          opaque(redacted),
          text('I look.'),
          call('t1', 'a', { arguments: { x: 1 } }),
          call('t2', 'b', { arguments: {} }),
        ],
        stop: 'tool_use',
      },
    ],
    [
      'thinking that is not shown',
      answer([{ ...thinking, thinking: '' }, said('Yes.')], 'end_turn'),
      { content: [opaque({ ...thinking, thinking: '' }), text('Yes.')], stop: 'end_turn' },
    ],
    [
      'arguments that are no object',
      answer([used('t1', 'a', '{"x": "unfin')], 'max_tokens'),
      { content: [call('t1', 'a', { malformedArguments: '"{\\"x\\": \\"unfin"' })], stop: 'max_tokens' },
    ],
    ['a refusal', answer([], 'refusal'), { content: [], stop: 'refusal' }],
    [
      'a refusal with its reason',
      {
        ...answer([], 'refusal'),
        stop_details: { type: 'refusal', category: 'cyber', explanation: null } satisfies Anthropic.RefusalStopDetails,
      },
      { content: [], stop: 'refusal', stopDetail: 'cyber' },
    ],
    [
      'a pause',
      answer([said('Well')], 'pause_turn'),
      { content: [text('Well')], stop: 'end_turn', stopDetail: 'pause_turn' },
    ],
    [
      'a full context',
      answer([said('Well')], 'model_context_window_exceeded'),
      { content: [text('Well')], stop: 'max_tokens', stopDetail: 'model_context_window_exceeded' },
    ],
    [
      'an unknown stop',
      answer([said('Well')], 'tired'),
      { content: [text('Well')], stop: 'error', stopDetail: 'tired' },
    ],
    [
      'what the cache read and wrote is part of the input',
      answer([said('Yes.')], 'end_turn', {
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 1000,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 3 },
      }),
      {
        content: [text('Yes.')],
        stop: 'end_turn',
        usage: {
          inputTokens: 1110,
          outputTokens: 5,
          cachedInputTokens: 100,
          cacheWriteTokens: 1000,
          reasoningTokens: 3,
        },
      },
    ],
  ])('%s', (_name, body, expected) => {
    expect(decode('anthropic', body)).toEqual({ ...expected, servedModel: 'm-1-0' });
  });

  test('an error says what it says', () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(decode('anthropic', body)).toEqual({ problem: 'Overloaded' });
  });
});

describe('gemini', () => {
  type Answer = Pick<GenerateContentResponse, 'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'>;
  const answer = (parts: NonNullable<Candidate['content']>['parts'], stop: string, more: Answer = {}) =>
    ({
      candidates: [{ content: { role: 'model', ...(parts && { parts }) }, finishReason: stop as FinishReason }],
      ...more,
    }) satisfies Answer;

  test.each<[string, object, object]>([
    [
      'parallel calls, the first signed',
      answer(
        [
          { text: 'Both.', thought: true },
          { functionCall: { id: 'f1', name: 'a', args: { x: 1 } }, thoughtSignature: 'CiQB' },
          { functionCall: { name: 'b' } },
        ],
        'STOP',
      ),
      {
        content: [
          reasoning('Both.'),
          opaque({ thoughtSignature: 'CiQB' }),
          call('f1', 'a', { arguments: { x: 1 } }),
          call('', 'b', { arguments: {} }),
        ],
        stop: 'tool_use',
      },
    ],
    [
      'a signature in a part of its own',
      answer([{ text: 'Yes.' }, { text: '', thoughtSignature: 'CiQB' }], 'STOP'),
      { content: [text('Yes.'), opaque({ text: '', thoughtSignature: 'CiQB' })], stop: 'end_turn' },
    ],
    ['a cut-off answer', answer([{ text: 'We' }], 'MAX_TOKENS'), { content: [text('We')], stop: 'max_tokens' }],
    ['an unsafe answer', answer(undefined, 'SAFETY'), { content: [], stop: 'refusal', stopDetail: 'SAFETY' }],
    [
      'a malformed call',
      answer(undefined, 'MALFORMED_FUNCTION_CALL'),
      { content: [], stop: 'error', stopDetail: 'MALFORMED_FUNCTION_CALL' },
    ],
    [
      'a prompt that is blocked',
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
      { content: [], stop: 'refusal', stopDetail: 'PROHIBITED_CONTENT' },
    ],
    [
      'thoughts are part of the output',
      answer([{ text: 'Yes.' }], 'STOP', {
        modelVersion: 'm-1-0',
        usageMetadata: {
          promptTokenCount: 10,
          cachedContentTokenCount: 8,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 3,
        },
      }),
      {
        content: [text('Yes.')],
        stop: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 8, cachedInputTokens: 8, reasoningTokens: 3 },
        servedModel: 'm-1-0',
      },
    ],
  ])('%s', (_name, body, expected) => {
    expect(decode('gemini', body)).toEqual(expected);
  });
});

// What a proxy or a broken server may say with status 200.
const NONSENSE: Json[] = [null, 1, 'x', [], {}, { choices: {}, output: 1, content: 'x', candidates: null }];

test.each(Object.keys(WIRES) as Wire[])('%s: nonsense is no answer', (wire) => {
  for (const body of NONSENSE) expect(decode(wire, body)).toHaveProperty('problem');
});

test.each(Object.keys(WIRES) as Wire[])('%s: broken pieces of an answer never throw', (wire) => {
  const broken = [null, 1, 'x', [], {}, { type: 'message' }, { message: {} }, { content: { parts: [null, {}] } }];
  for (const list of [broken, ...broken.map((piece) => [piece])]) {
    const body = { choices: list, output: list, content: list, candidates: list, status: 3, stop_reason: {} };
    expect(() => decode(wire, body)).not.toThrow();
  }
});
