// Embeddings on the wires that have them.
// https://platform.openai.com/docs/api-reference/embeddings/create
// https://ai.google.dev/api/embeddings#method:-models.embedcontent

import { isObject } from '../../request/json.ts';
import { type ChatRequest, type Json, textOf } from '../../request/request.ts';
import { isVector, packVector } from '../../request/vector.ts';
import type { Codec, Decoded } from './codec.ts';
import { errorMessage, objectsOf, tokens } from './wire-json.ts';

function textIn({ messages: [message] }: ChatRequest): string {
  return message?.role === 'user' ? textOf(message.content) : '';
}

function packed(vector: Json | undefined): string | undefined {
  // `encoding_format: base64` among the parameters asks for just what we keep.
  if (typeof vector === 'string') return vector !== '' && isVector(vector) ? vector : undefined;
  if (!Array.isArray(vector) || vector.length === 0) return undefined;
  const numbers = vector.filter((number) => typeof number === 'number' && Number.isFinite(number)) as number[];
  return numbers.length === vector.length ? packVector(numbers) : undefined;
}

function decodedOf(body: Json, vector: Json | undefined): Decoded {
  const said = errorMessage(body);
  if (said) return { problem: said };
  const embedding = packed(vector);
  if (embedding === undefined) return { problem: 'the answer has no embedding' };
  return { content: [], embedding, stop: 'end_turn' };
}

/** OpenAI's `/embeddings`, and of everything compatible with it. */
export const openaiEmbedding: NonNullable<Codec['embedding']> = {
  path: () => '/embeddings',
  encode: (request) => ({ model: request.model, input: textIn(request), ...request.params }),
  decode(body) {
    if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
    const decoded = decodedOf(body, objectsOf(body.data)[0]?.embedding);
    if ('problem' in decoded) return decoded;
    const inputTokens = isObject(body.usage) ? tokens(body.usage.prompt_tokens) : undefined;
    return {
      ...decoded,
      ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 0 } }),
      ...(typeof body.model === 'string' && { servedModel: body.model }),
    };
  },
};

/** Gemini's `embedContent`, which reports no tokens. */
export const geminiEmbedding: NonNullable<Codec['embedding']> = {
  path: ({ model }) => `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:embedContent`,
  encode: (request) => ({ content: { parts: [{ text: textIn(request) }] }, ...request.params }),
  decode(body) {
    if (!isObject(body)) return { problem: 'the answer is not a JSON object' };
    return decodedOf(body, isObject(body.embedding) ? body.embedding.values : undefined);
  },
};
