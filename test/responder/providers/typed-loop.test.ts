// The same tool loop against a server whose answers are of the SDKs' types: all that a provider may say in one turn.

import type Anthropic from '@anthropic-ai/sdk';
import type { FinishReason, GenerateContentResponse } from '@google/genai';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { WIRE_NAMES, type Wire } from '../../../src/responder/providers/table.ts';
import { cassetteOf, project, runCase } from './loop-project.ts';
import { serve } from './wire-server.ts';

const ARGS = ['A-1', 'B-2'].map((id) => ({ order_id: id }));
const ANSWER = 'A-1 is on its way, B-2 is lost.';
const FACTS = { id: 'x', created: 1, model: 'm-1-0' };

const completion = (
  message: Partial<OpenAI.ChatCompletionMessage>,
  finish: 'stop' | 'tool_calls',
): OpenAI.ChatCompletion => ({
  ...FACTS,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: finish,
      logprobs: null,
      message: { role: 'assistant', content: null, refusal: null, ...message },
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
});

const thought: OpenAI.Responses.ResponseReasoningItem = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Both.' }],
  encrypted_content: 'gAAAAB+/==',
};

type Output = OpenAI.Responses.ResponseOutputItem[];
const response = (output: Output): Partial<OpenAI.Responses.Response> => ({
  object: 'response',
  model: 'm-1-0',
  status: 'completed',
  error: null,
  output,
});

const thinking: Anthropic.ThinkingBlock = { type: 'thinking', thinking: 'Both.\r\n\n ', signature: 'EqQB+/==' };
const redacted: Anthropic.RedactedThinkingBlock = { type: 'redacted_thinking', data: 'bm8=' };

const message = (content: Anthropic.ContentBlock[], stop: Anthropic.StopReason): Partial<Anthropic.Message> => ({
  type: 'message',
  role: 'assistant',
  model: 'm-1-0',
  content,
  stop_reason: stop,
});

type Parts = NonNullable<NonNullable<GenerateContentResponse['candidates']>[0]['content']>['parts'];
const generated = (parts: Parts): Pick<GenerateContentResponse, 'candidates' | 'modelVersion'> => ({
  candidates: [{ content: { role: 'model', ...(parts && { parts }) }, finishReason: 'STOP' as FinishReason }],
  modelVersion: 'm-1-0',
});

interface Told {
  turns: object[];
  /** What of the second request must stand there byte for byte. */
  echoed: string[];
}

const TOLD: Record<Wire, Told> = {
  openai: {
    turns: [
      completion(
        {
          tool_calls: ARGS.map((args, at) => ({
            id: `call_${at}fK`,
            type: 'function',
            function: { name: 'lookup_order', arguments: JSON.stringify(args) },
          })),
        },
        'tool_calls',
      ),
      completion({ content: ANSWER }, 'stop'),
    ],
    echoed: ['"tool_call_id":"call_1","content":"{\\"error\\":\\"no such order\\"}"'],
  },
  'openai-responses': {
    turns: [
      response([
        thought,
        ...ARGS.map((args, at) => ({
          type: 'function_call' as const,
          id: `fc_${at}`,
          call_id: `call_${at}fK`,
          name: 'lookup_order',
          arguments: JSON.stringify(args),
        })),
      ]),
      response([
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
        },
      ]),
    ],
    echoed: [JSON.stringify(thought), '"call_id":"call_1","output":"{\\"error\\":\\"no such order\\"}"'],
  },
  anthropic: {
    turns: [
      message(
        [
          thinking,
          redacted,
          ...ARGS.map((input, at) => ({
            type: 'tool_use' as const,
            caller: { type: 'direct' as const },
            id: `toolu_${at}fK`,
            name: 'lookup_order',
            input,
          })),
        ],
        'tool_use',
      ),
      message([{ type: 'text', text: ANSWER, citations: null }], 'end_turn'),
    ],
    echoed: [
      `[${JSON.stringify(thinking)},${JSON.stringify(redacted)},{"type":"tool_use","id":"call_0"`,
      '"tool_use_id":"call_1","content":"no such order","is_error":true',
    ],
  },
  gemini: {
    turns: [
      generated([
        { text: 'Both.', thought: true },
        { functionCall: { name: 'lookup_order', args: ARGS[0] ?? {} }, thoughtSignature: 'CiQB+/==' },
        { functionCall: { name: 'lookup_order', args: ARGS[1] ?? {} } },
      ]),
      generated([{ text: ANSWER }]),
    ],
    echoed: ['"args":{"order_id":"A-1"}},"thoughtSignature":"CiQB+/=="}', '"response":{"error":"no such order"}'],
  },
};

test.each(WIRE_NAMES)('%s: what is signed goes back as it came, and the loop is replayed', async (wire) => {
  const { turns, echoed } = TOLD[wire];
  const { url, asked } = await serve(turns.map((body) => ({ body })));
  const cwd = project(wire, url);
  const recorded = await runCase(cwd, 'record');
  expect(recorded.problem).toBeUndefined();
  expect(recorded.path).toBe('lookup_order → lookup_order → (end_turn)');
  expect(asked).toHaveLength(2);
  for (const text of echoed) expect(asked[1]?.text).toContain(text);
  expect(cassetteOf(cwd)).toContain('served_model: "m-1-0"');

  const replayed = await runCase(cwd, 'replay');
  expect(replayed.outcome).toBe('passed');
  expect(replayed.turns.map(({ content }) => content)).toEqual(recorded.turns.map(({ content }) => content));
  expect(asked).toHaveLength(2);
});
