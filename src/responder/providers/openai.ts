// The wire of OpenAI's Chat Completions and of everything compatible with it.
// https://platform.openai.com/docs/api-reference/chat/create

import { argumentsText, isObject } from '../../request/json.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ChatResponse,
  Json,
  JsonObject,
  Message,
  Stop,
  Usage,
} from '../../request/request.ts';
import type { Codec } from './codec.ts';
import { openaiEmbedding } from './embeddings.ts';
import { chatStream } from './openai-stream.ts';
import { dataUrl, decodeArguments, errorMessage, filledText, objectsOf, resultText, tokens } from './wire-json.ts';

/** Providers whose models want their reasoning back within a tool loop. */
const WANT_REASONING = new Set(['deepseek', 'moonshot', 'zhipu']);

/** The id of a call as a provider takes it: Mistral wants nine letters and digits. */
function wireId(id: string, provider: string): string {
  if (provider !== 'mistral') return id;
  const digits = /^call_(\d{1,5})$/.exec(id)?.[1];
  return digits === undefined ? id : `call${digits.padStart(5, '0')}`;
}

/** What a message says of its reasoning when it is sent back. */
function encodeReasoning(content: readonly AssistantBlock[], { provider, endpoint }: ChatRequest): JsonObject {
  const text = content.flatMap((block) => (block.type === 'reasoning' ? [block.text] : [])).join('');
  const details = content.flatMap((block) => (block.type === 'opaque' && isObject(block.data) ? [block.data] : []));
  const wanted = WANT_REASONING.has(provider);
  // An endpoint that shows reasoning may be one of theirs behind a gateway.
  const welcome = wanted || (provider === 'openai' && endpoint !== undefined);
  // DeepSeek refuses a call without the field, even where there was no reasoning.
  const demanded = wanted && content.some(({ type }) => type === 'tool_call');
  return {
    ...((demanded || (welcome && text !== '')) && { reasoning_content: text }),
    ...Object.assign({}, ...details),
  };
}

const STOPS: Record<string, Stop> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

function encodeMessage(message: Message, request: ChatRequest): JsonObject {
  switch (message.role) {
    case 'user': {
      const [only] = message.content;
      const content =
        message.content.length === 1 && only?.type === 'text'
          ? only.text
          : message.content.map((block) =>
              block.type === 'text'
                ? { type: 'text', text: block.text }
                : { type: 'image_url', image_url: { url: dataUrl(block) } },
            );
      return { role: 'user', content };
    }
    case 'assistant': {
      const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
      const calls = message.content.filter((block) => block.type === 'tool_call');
      return {
        role: 'assistant',
        content: text === '' && calls.length > 0 ? null : text,
        ...encodeReasoning(message.content, request),
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) => ({
            id: wireId(call.id, request.provider),
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call) },
          })),
        }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: wireId(message.callId, request.provider), content: resultText(message) };
  }
}

function encode(request: ChatRequest): JsonObject {
  const system: JsonObject[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }];
  return {
    model: request.model,
    messages: [...system, ...request.messages.map((message) => encodeMessage(message, request))],
    ...(request.tools &&
      request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: {
            name,
            ...(description !== undefined && { description }),
            ...(inputSchema && { parameters: inputSchema }),
          },
        })),
      }),
    ...request.params,
  };
}

function textParts(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => filledText(part.text) ?? '')
    .join('');
}

/** Reasoning as it is named here and there; Mistral's stands among the parts of the content. */
function reasoningText({ reasoning_content: named, reasoning, content }: JsonObject): string {
  const parts = objectsOf(content).filter(({ type }) => type === 'thinking');
  return filledText(named ?? reasoning) ?? parts.map(({ thinking }) => textParts(thinking)).join('');
}

function decodeContent(message: JsonObject): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  const reasoning = reasoningText(message);
  if (reasoning !== '') blocks.push({ type: 'reasoning', text: reasoning });
  // OpenRouter's signed and encrypted reasoning.
  const details = message.reasoning_details;
  if (Array.isArray(details) && details.length > 0)
    blocks.push({ type: 'opaque', data: { reasoning_details: details } });
  const text = textParts(message.content) || (filledText(message.refusal) ?? '');
  if (text !== '') blocks.push({ type: 'text', text });
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const [at, call] of calls.entries()) {
    const called = isObject(call) && isObject(call.function) ? call.function : {};
    blocks.push({
      type: 'tool_call',
      id: `call_${at}`,
      name: filledText(called.name) ?? '',
      ...decodeArguments(called.arguments),
    });
  }
  return blocks;
}

function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const [inputTokens, outputTokens] = [tokens(usage.prompt_tokens), tokens(usage.completion_tokens)];
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = (name: string) => (isObject(usage[name]) ? (usage[name] as JsonObject) : {});
  const cached = tokens(details('prompt_tokens_details').cached_tokens);
  const reasoning = tokens(details('completion_tokens_details').reasoning_tokens);
  return {
    inputTokens,
    outputTokens,
    ...(cached && { cachedInputTokens: cached }),
    ...(reasoning && { reasoningTokens: reasoning }),
  };
}

function decodeStop(
  reason: Json | undefined,
  message: JsonObject,
  content: AssistantBlock[],
): Pick<ChatResponse, 'stop' | 'stopDetail'> {
  if (typeof message.refusal === 'string' && message.refusal !== '') return { stop: 'refusal' };
  const known = typeof reason === 'string' && Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  if (known === undefined)
    return { stop: 'error', stopDetail: typeof reason === 'string' ? reason : 'no finish_reason' };
  // Some servers say `stop` where they call tools.
  if (known === 'end_turn' && content.some((block) => block.type === 'tool_call')) return { stop: 'tool_use' };
  return { stop: known };
}

function decode(body: Json): ReturnType<Codec['decode']> {
  if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
  // Some gateways answer 200 with an error in it; an empty one beside choices is none.
  const problem = errorMessage(body);
  if (isObject(body.error) || problem) return { problem: problem || 'the answer is an error without a message' };
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(choice)) return { problem: 'the answer has no choices' };
  if (!isObject(choice.message)) return { problem: 'the first choice of the answer has no message' };
  const content = decodeContent(choice.message);
  const usage = decodeUsage(body.usage);
  return {
    content,
    ...decodeStop(choice.finish_reason, choice.message, content),
    ...(usage && { usage }),
    ...(typeof body.model === 'string' && { servedModel: body.model }),
  };
}

/** OpenAI Chat Completions. */
export const openai: Codec = {
  path: () => '/chat/completions',
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  encode,
  decode,
  stream: chatStream,
  embedding: openaiEmbedding,
  errorMessage,
};
