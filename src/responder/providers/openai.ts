// The wire of OpenAI's Chat Completions and of everything compatible with it.
// https://platform.openai.com/docs/api-reference/chat/create

import { keepsNumbers } from '../../request/json.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ChatResponse,
  Json,
  JsonObject,
  Message,
  Stop,
  ToolCallBlock,
  Usage,
} from '../../request/request.ts';
import type { Codec } from './codec.ts';

const STOPS: Record<string, Stop> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

function argumentsText(call: ToolCallBlock): string {
  return call.malformedArguments ?? call.argumentsJson ?? JSON.stringify(call.arguments);
}

/** A tool's result as the text the wire wants: a string as it is, an error said to be one, anything else as JSON. */
function resultText(result: Json, isError: boolean): string {
  if (isError) return JSON.stringify({ error: result });
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function encodeMessage(message: Message): JsonObject {
  switch (message.role) {
    case 'user': {
      const [only] = message.content;
      const content =
        message.content.length === 1 && only ? only.text : message.content.map(({ text }) => ({ type: 'text', text }));
      return { role: 'user', content };
    }
    case 'assistant': {
      const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
      const calls = message.content.filter((block) => block.type === 'tool_call');
      return {
        role: 'assistant',
        content: text === '' && calls.length > 0 ? null : text,
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call) },
          })),
        }),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.callId,
        content: resultText(message.result, message.isError === true),
      };
  }
}

function encode(request: ChatRequest): JsonObject {
  const system: JsonObject[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }];
  return {
    model: request.model,
    messages: [...system, ...request.messages.map(encodeMessage)],
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

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeArguments(text: unknown): Pick<ToolCallBlock, 'arguments' | 'argumentsJson' | 'malformedArguments'> {
  if (isObject(text)) return { arguments: text };
  if (typeof text !== 'string') return { malformedArguments: JSON.stringify(text ?? null) };
  // A tool without parameters is called with an empty text by some.
  if (text.trim() === '') return { arguments: {} };
  try {
    const parsed: Json = JSON.parse(text);
    return { arguments: parsed, ...(!keepsNumbers(text) && { argumentsJson: text }) };
  } catch {
    return { malformedArguments: text };
  }
}

function textParts(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function decodeContent(message: JsonObject): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  const reasoning = message.reasoning_content ?? message.reasoning;
  if (typeof reasoning === 'string' && reasoning !== '') blocks.push({ type: 'reasoning', text: reasoning });
  const text = textParts(message.content) || (typeof message.refusal === 'string' ? message.refusal : '');
  if (text !== '') blocks.push({ type: 'text', text });
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const [at, call] of calls.entries()) {
    const called = isObject(call) && isObject(call.function) ? call.function : {};
    blocks.push({
      type: 'tool_call',
      id: `call_${at}`,
      name: typeof called.name === 'string' ? called.name : '',
      ...decodeArguments(called.arguments),
    });
  }
  return blocks;
}

function tokens(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
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
  if (isObject(body.error)) return { problem: errorMessage(body) ?? 'the answer is an error without a message' };
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

function errorMessage(body: Json): string | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  if (typeof error === 'string') return error;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
}

/** OpenAI Chat Completions. */
export const openai: Codec = {
  baseUrl: 'https://api.openai.com/v1',
  path: () => '/chat/completions',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  encode,
  decode,
  errorMessage,
};
