// A streamed answer of Anthropic's Messages put together into the one that is not streamed.
// https://docs.anthropic.com/en/docs/build-with-claude/streaming

import { isObject } from '../../request/json.ts';
import { parseLossless } from '../../request/numbers.ts';
import type { Json, JsonObject } from '../../request/request.ts';
import type { Codec } from './codec.ts';
import { brokenStream, errorMessage } from './wire-json.ts';

/** Where each piece of a block goes. */
const PIECES: Record<string, [piece: string, field: string]> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  input_json_delta: ['partial_json', 'partial_json'],
};

function appendPiece(block: JsonObject, delta: JsonObject): void {
  const [piece, field] = PIECES[String(delta.type)] ?? [];
  if (piece === undefined || field === undefined) return;
  const before = block[field];
  block[field] = `${typeof before === 'string' ? before : ''}${typeof delta[piece] === 'string' ? delta[piece] : ''}`;
}

/** A block whose input came as a text; what is no JSON stays a text, which is malformed. */
function wholeBlock({ partial_json: text, ...block }: JsonObject): JsonObject {
  if (typeof text !== 'string' || text === '') return block;
  try {
    return { ...block, input: parseLossless(text) };
  } catch {
    return { ...block, input: text };
  }
}

function assemble(events: readonly Json[]): Json {
  let message: JsonObject = {};
  let isWhole = false;
  const blocks = new Map<Json | undefined, JsonObject>();
  for (const event of events) {
    if (!isObject(event)) continue;
    if (event.type === 'error')
      return brokenStream(errorMessage(event) ?? 'the stream holds an error without a message');
    if (event.type === 'message_start' && isObject(event.message)) message = { ...event.message };
    if (event.type === 'content_block_start' && isObject(event.content_block)) {
      blocks.set(event.index, { ...event.content_block });
    }
    const block = blocks.get(event.index);
    if (event.type === 'content_block_delta' && block && isObject(event.delta)) appendPiece(block, event.delta);
    if (event.type === 'message_delta') {
      if (isObject(event.delta)) Object.assign(message, event.delta);
      if (isObject(event.usage)) message.usage = { ...(isObject(message.usage) && message.usage), ...event.usage };
    }
    if (event.type === 'message_stop') isWhole = true;
  }
  if (!isWhole) return brokenStream('the stream broke off before its message_stop');
  return { ...message, content: [...blocks.values()].map(wholeBlock) };
}

/** Messages of a server that only streams. */
export const messageStream: NonNullable<Codec['stream']> = {
  ask: (body) => ({ ...body, stream: true }),
  assemble,
};
