// The wire of OpenAI's Responses.
// https://platform.openai.com/docs/api-reference/responses/create

import { argumentsText, isObject } from '../../request/json.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ChatResponse,
  Json,
  JsonObject,
  Message,
  Usage,
} from '../../request/request.ts';
import type { Codec } from './codec.ts';
import { openaiEmbedding } from './embeddings.ts';
import {
  brokenStream,
  dataUrl,
  decodeArguments,
  errorMessage,
  filledText,
  objectsOf,
  resultText,
  tokens,
} from './wire-json.ts';

const ENCRYPTED = 'reasoning.encrypted_content';

/** Families that do not reason and refuse to be asked for reasoning. */
const WITHOUT_REASONING = /^(?:ft:)?(?:gpt-3|gpt-4|chatgpt-)/;

/** What the provider does not find again, because it was not stored, cannot be sent back without its content. */
function canEcho(item: JsonObject, params: JsonObject | undefined): boolean {
  return item.type !== 'reasoning' || typeof item.encrypted_content === 'string' || params?.store === true;
}

function encodeAssistant(content: readonly AssistantBlock[], params: JsonObject | undefined): JsonObject[] {
  const items: JsonObject[] = [];
  // A message's phase stands before its text.
  let phase: JsonObject = {};
  for (const block of content) {
    if (block.type === 'text') {
      items.push({ role: 'assistant', content: block.text, ...phase });
      phase = {};
    } else if (block.type === 'tool_call') {
      items.push({ type: 'function_call', call_id: block.id, name: block.name, arguments: argumentsText(block) });
    } else if (block.type === 'opaque' && isObject(block.data)) {
      if (block.data.type === undefined) phase = block.data;
      else if (canEcho(block.data, params)) items.push(block.data);
    }
  }
  return items;
}

function encodeMessage(message: Message, params: JsonObject | undefined): JsonObject[] {
  switch (message.role) {
    case 'user': {
      const [only, second] = message.content;
      const content =
        only?.type === 'text' && !second
          ? only.text
          : message.content.map((block) =>
              block.type === 'text'
                ? { type: 'input_text', text: block.text }
                : { type: 'input_image', detail: 'auto', image_url: dataUrl(block) },
            );
      return [{ role: 'user', content }];
    }
    case 'assistant':
      return encodeAssistant(message.content, params);
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: resultText(message) }];
  }
}

function encode({ model, system, messages, tools, params }: ChatRequest): JsonObject {
  return {
    model,
    ...(system !== undefined && { instructions: system }),
    input: messages.flatMap((message) => encodeMessage(message, params)),
    ...(tools &&
      tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          name,
          ...(description !== undefined && { description }),
          parameters: inputSchema ?? { type: 'object', properties: {} },
          // Here the wire is strict unless told otherwise, and strict changes the schema.
          strict: false,
        })),
      }),
    ...params,
  };
}

function decodeMessage(item: JsonObject): AssistantBlock[] {
  const blocks = objectsOf(item.content).flatMap((part): AssistantBlock[] => {
    const text = filledText(part.type === 'refusal' ? part.refusal : part.text);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
  const phase = filledText(item.phase);
  return phase === undefined || blocks.length === 0
    ? blocks
    : blocks.flatMap((block) => [{ type: 'opaque', data: { phase } }, block]);
}

function decodeItem(item: JsonObject): AssistantBlock[] {
  switch (item.type) {
    case 'message':
      return decodeMessage(item);
    case 'function_call': {
      const call = { id: filledText(item.call_id) ?? '', name: filledText(item.name) ?? '' };
      return [{ type: 'tool_call', ...call, ...decodeArguments(item.arguments) }];
    }
    case 'reasoning': {
      const parts = [...objectsOf(item.summary), ...objectsOf(item.content)];
      const shown = parts.flatMap((part): AssistantBlock[] => {
        const text = filledText(part.text);
        return text === undefined ? [] : [{ type: 'reasoning', text }];
      });
      return [...shown, { type: 'opaque', data: item }];
    }
    default:
      return [{ type: 'opaque', data: item }];
  }
}

function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const [inputTokens, outputTokens] = [tokens(usage.input_tokens), tokens(usage.output_tokens)];
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const cached = tokens(input.cached_tokens);
  const reasoning = tokens(output.reasoning_tokens);
  return {
    inputTokens,
    outputTokens,
    ...(cached && { cachedInputTokens: cached }),
    ...(reasoning && { reasoningTokens: reasoning }),
  };
}

function decodeStop(body: JsonObject, content: readonly AssistantBlock[]): Pick<ChatResponse, 'stop' | 'stopDetail'> {
  const parts = objectsOf(body.output).flatMap((item) => objectsOf(item.content));
  if (parts.some(({ type }) => type === 'refusal')) return { stop: 'refusal' };
  if (body.status === 'incomplete') {
    const details = isObject(body.incomplete_details) ? body.incomplete_details : {};
    if (details.reason === 'max_output_tokens') return { stop: 'max_tokens' };
    if (details.reason === 'content_filter') return { stop: 'refusal', stopDetail: 'content_filter' };
    return { stop: 'error', stopDetail: filledText(details.reason) ?? 'incomplete' };
  }
  if (body.status !== 'completed') return { stop: 'error', stopDetail: filledText(body.status) ?? 'no status' };
  return { stop: content.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn' };
}

function decode(body: Json): ReturnType<Codec['decode']> {
  if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
  if (isObject(body.error)) return { problem: errorMessage(body) ?? 'the answer is an error without a message' };
  if (!Array.isArray(body.output)) return { problem: 'the answer has no output' };
  const content = objectsOf(body.output).flatMap(decodeItem);
  const usage = decodeUsage(body.usage);
  const servedModel = filledText(body.model);
  return {
    content,
    ...decodeStop(body, content),
    ...(usage && { usage }),
    ...(servedModel !== undefined && { servedModel }),
  };
}

/** The events of a stream end with the whole answer. https://platform.openai.com/docs/api-reference/responses-streaming */
function assemble(events: readonly Json[]): Json {
  for (const event of events) {
    if (!isObject(event)) continue;
    if (event.type === 'error') {
      return brokenStream(
        filledText(event.message) ?? errorMessage(event) ?? 'the stream holds an error without a message',
      );
    }
    if (/^response\.(?:completed|incomplete|failed)$/.test(String(event.type)) && isObject(event.response)) {
      return event.response;
    }
  }
  return brokenStream('the stream broke off before its response.completed');
}

/** OpenAI Responses. */
export const openaiResponses: Codec = {
  path: () => '/responses',
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  // A recording must not depend on what the provider keeps: reasoning comes back with the answer and is sent again.
  defaults: (model) => ({ ...(!WITHOUT_REASONING.test(model) && { include: [ENCRYPTED] }), store: false }),
  encode,
  embedding: openaiEmbedding,
  decode,
  stream: { ask: (body) => ({ ...body, stream: true }), assemble },
  errorMessage,
};
