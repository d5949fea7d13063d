// The wire of Anthropic's Messages.
// https://docs.anthropic.com/en/api/messages

import { isObject } from '../../request/json.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ChatResponse,
  ImageBlock,
  Json,
  JsonObject,
  Stop,
  Usage,
} from '../../request/request.ts';
import { messageStream } from './anthropic-stream.ts';
import type { Codec } from './codec.ts';
import {
  argumentsObject,
  argumentsOfObject,
  errorMessage,
  filledText,
  groupResults,
  objectsOf,
  tokens,
  valueText,
} from './wire-json.ts';

// The newest version refuses these, the one before takes them where the model does.
// https://platform.claude.com/docs/en/api/versioning
const SAMPLING = ['temperature', 'top_p', 'top_k'];

function version({ params = {} }: ChatRequest): string {
  return SAMPLING.some((name) => Object.hasOwn(params, name)) ? '2023-06-01' : '2026-10-21';
}

// The second is the word itself where ours says less.
const STOPS: Record<string, Pick<ChatResponse, 'stop' | 'stopDetail'>> = {
  end_turn: { stop: 'end_turn' },
  tool_use: { stop: 'tool_use' },
  max_tokens: { stop: 'max_tokens' },
  refusal: { stop: 'refusal' },
  stop_sequence: { stop: 'end_turn', stopDetail: 'stop_sequence' },
  pause_turn: { stop: 'end_turn', stopDetail: 'pause_turn' },
  model_context_window_exceeded: { stop: 'max_tokens', stopDetail: 'model_context_window_exceeded' },
};

function encodeBlock(block: AssistantBlock | ImageBlock): JsonObject[] {
  switch (block.type) {
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.base64 ?? '' } }];
    case 'text':
      // An empty text is refused.
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block) }];
    case 'opaque':
      return isObject(block.data) ? [block.data] : [];
    case 'reasoning':
      // The signed block that follows it says the same.
      return [];
  }
}

function encodeMessages({ messages }: ChatRequest): JsonObject[] {
  return groupResults(messages).flatMap((group): JsonObject[] => {
    if (Array.isArray(group)) {
      const results = group.map(({ callId, result, isError }) => ({
        type: 'tool_result',
        tool_use_id: callId,
        content: valueText(result),
        ...(isError && { is_error: true }),
      }));
      return [{ role: 'user', content: results }];
    }
    const [only, second] = group.content;
    if (only?.type === 'text' && !second) return [{ role: group.role, content: only.text }];
    const content = group.content.flatMap((block: AssistantBlock | ImageBlock) => encodeBlock(block));
    return content.length === 0 ? [] : [{ role: group.role, content }];
  });
}

function encode(request: ChatRequest): JsonObject {
  const { model, system, tools } = request;
  return {
    model,
    ...(system !== undefined && { system }),
    messages: encodeMessages(request),
    ...(tools &&
      tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          ...(description !== undefined && { description }),
          input_schema: inputSchema ?? { type: 'object' },
        })),
      }),
    ...request.params,
  };
}

function decodeBlock(block: JsonObject): AssistantBlock[] {
  switch (block.type) {
    case 'text': {
      const text = filledText(block.text);
      return text === undefined ? [] : [{ type: 'text', text }];
    }
    case 'tool_use': {
      const name = filledText(block.name) ?? '';
      return [{ type: 'tool_call', id: filledText(block.id) ?? '', name, ...argumentsOfObject(block.input) }];
    }
    case 'thinking': {
      const text = filledText(block.thinking);
      return [...(text === undefined ? [] : [{ type: 'reasoning', text } as const]), { type: 'opaque', data: block }];
    }
    default:
      // Redacted thinking, and what the provider's own tools did.
      return [{ type: 'opaque', data: block }];
  }
}

/** Anthropic counts what its cache read and wrote beside `input_tokens`; ours is the total. */
function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const [fresh, outputTokens] = [tokens(usage.input_tokens), tokens(usage.output_tokens)];
  if (fresh === undefined || outputTokens === undefined) return undefined;
  const read = tokens(usage.cache_read_input_tokens) ?? 0;
  const written = tokens(usage.cache_creation_input_tokens) ?? 0;
  const details = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const reasoning = tokens(details.thinking_tokens);
  return {
    inputTokens: fresh + read + written,
    outputTokens,
    ...(read > 0 && { cachedInputTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(reasoning && { reasoningTokens: reasoning }),
  };
}

function decodeStop({
  stop_reason: reason,
  stop_details: details,
}: JsonObject): Pick<ChatResponse, 'stop' | 'stopDetail'> {
  if (typeof reason !== 'string') return { stop: 'error' satisfies Stop, stopDetail: 'no stop_reason' };
  const known = Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  // Which rule a refusal follows.
  const category = isObject(details) ? filledText(details.category) : undefined;
  if (known?.stop === 'refusal' && category !== undefined) return { ...known, stopDetail: category };
  return known ?? { stop: 'error', stopDetail: reason };
}

function decode(body: Json): ReturnType<Codec['decode']> {
  if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
  if (body.type === 'error' || isObject(body.error))
    return { problem: errorMessage(body) ?? 'the answer is an error without a message' };
  if (!Array.isArray(body.content)) return { problem: 'the answer has no content' };
  const usage = decodeUsage(body.usage);
  const servedModel = filledText(body.model);
  return {
    content: objectsOf(body.content).flatMap(decodeBlock),
    ...decodeStop(body),
    ...(usage && { usage }),
    ...(servedModel !== undefined && { servedModel }),
  };
}

/** Anthropic Messages. */
export const anthropic: Codec = {
  path: () => '/messages',
  headers: (key, request) => ({
    ...(key !== undefined && { 'x-api-key': key }),
    'anthropic-version': version(request),
  }),
  // The API demands a limit.
  defaults: () => ({ max_tokens: 4096 }),
  encode,
  decode,
  stream: messageStream,
  errorMessage,
};
