// The wire of Gemini's generateContent.
// https://ai.google.dev/api/generate-content

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
import type { Codec } from './codec.ts';
import { geminiEmbedding } from './embeddings.ts';
import { contentStream } from './gemini-stream.ts';
import {
  argumentsObject,
  argumentsOfObject,
  errorMessage,
  filledText,
  groupResults,
  objectsOf,
  tokens,
} from './wire-json.ts';

const STOPS: Record<string, Stop> = {
  STOP: 'end_turn',
  // Not Gemini's own word, but that of servers that stand in for it.
  FUNCTION_CALL: 'tool_use',
  MAX_TOKENS: 'max_tokens',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
};

/** Parameters that stand beside `generationConfig`; every other one stands in it. */
const OUTER = new Set(['cachedContent', 'labels', 'safetySettings', 'serviceTier', 'store', 'toolConfig']);

function encodeParams(params: JsonObject): JsonObject {
  const { generationConfig, ...others } = params;
  const entries = Object.entries(others);
  const inner = Object.fromEntries(entries.filter(([name]) => !OUTER.has(name)));
  const config = { ...inner, ...(isObject(generationConfig) && generationConfig) };
  return {
    ...Object.fromEntries(entries.filter(([name]) => OUTER.has(name))),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

/** A signature that belongs to the part after it; any other opaque block is a part of its own. */
function isSignature(data: Json): data is { thoughtSignature: string } {
  return isObject(data) && Object.keys(data).length === 1 && typeof data.thoughtSignature === 'string';
}

function encodeParts(content: readonly (AssistantBlock | ImageBlock)[]): JsonObject[] {
  const parts: JsonObject[] = [];
  let signature: JsonObject = {};
  for (const block of content) {
    if (block.type === 'opaque') {
      if (isSignature(block.data)) signature = block.data;
      else if (isObject(block.data)) parts.push(block.data);
    } else if (block.type === 'image') {
      parts.push({ inlineData: { mimeType: block.mediaType, data: block.base64 ?? '' } });
    } else if (block.type === 'text') {
      parts.push({ text: block.text, ...signature });
      signature = {};
    } else if (block.type === 'tool_call') {
      parts.push({ functionCall: { id: block.id, name: block.name, args: argumentsObject(block) }, ...signature });
      signature = {};
    }
  }
  return parts;
}

function encodeContents({ messages }: ChatRequest): JsonObject[] {
  return groupResults(messages).map((group) => {
    if (!Array.isArray(group)) {
      return { role: group.role === 'user' ? 'user' : 'model', parts: encodeParts(group.content) };
    }
    const parts = group.map(({ callId, name, result, isError }) => {
      // `output` and `error` are the wire's own names for a result that is no object.
      const response = isError ? { error: result } : isObject(result) ? result : { output: result };
      return { functionResponse: { id: callId, name, response } };
    });
    return { role: 'user', parts };
  });
}

function encode(request: ChatRequest): JsonObject {
  const { system, tools, params } = request;
  return {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents: encodeContents(request),
    ...(tools &&
      tools.length > 0 && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
              name,
              ...(description !== undefined && { description }),
              // `parameters` takes only a part of JSON Schema.
              ...(inputSchema && { parametersJsonSchema: inputSchema }),
            })),
          },
        ],
      }),
    ...encodeParams(params ?? {}),
  };
}

function decodePart(part: JsonObject): AssistantBlock[] {
  const signature = filledText(part.thoughtSignature);
  const signed: AssistantBlock[] =
    signature === undefined ? [] : [{ type: 'opaque', data: { thoughtSignature: signature } }];
  if (isObject(part.functionCall)) {
    const { id, name, args } = part.functionCall;
    const call = { id: filledText(id) ?? '', name: filledText(name) ?? '' };
    return [...signed, { type: 'tool_call', ...call, ...argumentsOfObject(args) }];
  }
  if (typeof part.text !== 'string') return [{ type: 'opaque', data: part }];
  const text = filledText(part.text);
  if (part.thought === true) {
    const shown: AssistantBlock[] = text === undefined ? [] : [{ type: 'reasoning', text }];
    return signature === undefined ? shown : [...shown, { type: 'opaque', data: part }];
  }
  // A signature may come in a part of its own, whose text is empty.
  if (text === undefined) return signature === undefined ? [] : [{ type: 'opaque', data: part }];
  return [...signed, { type: 'text', text }];
}

/** Gemini counts thoughts beside the answer and results of its own tools beside the prompt; ours are the totals. */
function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = tokens(usage.promptTokenCount);
  if (prompt === undefined) return undefined;
  const reasoning = tokens(usage.thoughtsTokenCount) ?? 0;
  const cached = tokens(usage.cachedContentTokenCount);
  return {
    inputTokens: prompt + (tokens(usage.toolUsePromptTokenCount) ?? 0),
    // Left out where it is 0.
    outputTokens: (tokens(usage.candidatesTokenCount) ?? 0) + reasoning,
    ...(cached && { cachedInputTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}

function decodeStop(
  reason: Json | undefined,
  content: readonly AssistantBlock[],
): Pick<ChatResponse, 'stop' | 'stopDetail'> {
  if (typeof reason !== 'string') return { stop: 'error', stopDetail: 'no finishReason' };
  const stop = Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  if (stop === 'end_turn') return { stop: content.some(({ type }) => type === 'tool_call') ? 'tool_use' : stop };
  if (stop === 'max_tokens' || stop === 'tool_use') return { stop };
  return { stop: stop ?? 'error', stopDetail: reason };
}

function decode(body: Json): ReturnType<Codec['decode']> {
  if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
  if (isObject(body.error)) return { problem: errorMessage(body) ?? 'the answer is an error without a message' };
  const usage = decodeUsage(body.usageMetadata);
  const servedModel = filledText(body.modelVersion);
  const facts = { ...(usage && { usage }), ...(servedModel !== undefined && { servedModel }) };
  const [candidate] = objectsOf(body.candidates);
  if (!candidate) {
    const feedback = isObject(body.promptFeedback) ? body.promptFeedback : {};
    const blocked = filledText(feedback.blockReason);
    if (blocked === undefined) return { problem: 'the answer has no candidates' };
    return { content: [], stop: 'refusal', stopDetail: blocked, ...facts };
  }
  const parts = isObject(candidate.content) ? objectsOf(candidate.content.parts) : [];
  const content = parts.flatMap(decodePart);
  return { content, ...decodeStop(candidate.finishReason, content), ...facts };
}

/** Gemini generateContent. */
export const gemini: Codec = {
  path: ({ model }) => {
    // A tuned model is named with its collection.
    const [, collection = 'models', name = model] = /^(models|tunedModels)\/(.+)$/.exec(model) ?? [];
    return `/${collection}/${encodeURIComponent(name)}:generateContent`;
  },
  headers: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
  encode,
  decode,
  stream: contentStream,
  embedding: geminiEmbedding,
  errorMessage,
};
