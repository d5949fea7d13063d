// A streamed answer of Chat Completions put together into the one that is not streamed.
// https://platform.openai.com/docs/api-reference/chat-streaming

import { isObject } from '../../request/json.ts';
import type { Json, JsonObject } from '../../request/request.ts';
import type { Codec } from './codec.ts';
import { brokenStream, errorMessage, objectsOf } from './wire-json.ts';

/** Texts of a message that come in pieces. */
const TEXTS = ['content', 'reasoning_content', 'reasoning', 'refusal'];

function appendText(message: JsonObject, name: string, piece: Json | undefined): void {
  if (typeof piece === 'string') message[name] = `${typeof message[name] === 'string' ? message[name] : ''}${piece}`;
}

/** Adds the pieces of tool calls. A piece says which call it belongs to, or is the next one. */
function appendCalls(calls: Map<number, JsonObject>, pieces: readonly JsonObject[]): void {
  for (const piece of pieces) {
    const index = typeof piece.index === 'number' ? piece.index : calls.size;
    const call: JsonObject = calls.get(index) ?? { type: 'function', function: {} };
    calls.set(index, call);
    if (typeof piece.id === 'string') call.id = piece.id;
    const [called, more] = [call.function as JsonObject, isObject(piece.function) ? piece.function : {}];
    if (typeof more.name === 'string' && more.name !== '') called.name = more.name;
    if (isObject(more.arguments)) called.arguments = more.arguments;
    else appendText(called, 'arguments', more.arguments);
  }
}

function assemble(events: readonly Json[]): Json {
  const answer: JsonObject = {};
  const message: JsonObject = { role: 'assistant', content: null };
  const calls = new Map<number, JsonObject>();
  const details: Json[] = [];
  let finish: Json = null;
  for (const event of events) {
    if (!isObject(event)) continue;
    if (event.error) return brokenStream(errorMessage(event) ?? 'the stream holds an error without a message');
    if (typeof event.model === 'string') answer.model = event.model;
    if (isObject(event.usage)) answer.usage = event.usage;
    const choice = objectsOf(event.choices).find(({ index }) => index === undefined || index === 0);
    if (!choice) continue;
    if (typeof choice.finish_reason === 'string') finish = choice.finish_reason;
    const delta = isObject(choice.delta) ? choice.delta : {};
    for (const name of TEXTS) appendText(message, name, delta[name]);
    details.push(...objectsOf(delta.reasoning_details));
    appendCalls(calls, objectsOf(delta.tool_calls));
  }
  if (finish === null) return brokenStream('the stream broke off before its finish_reason');
  if (calls.size > 0) message.tool_calls = [...calls].sort(([one], [other]) => one - other).map(([, call]) => call);
  if (details.length > 0) message.reasoning_details = details;
  return { ...answer, choices: [{ index: 0, message, finish_reason: finish }] };
}

/** Chat Completions of a server that only streams. */
export const chatStream: NonNullable<Codec['stream']> = {
  ask: (body) => ({ stream_options: { include_usage: true }, ...body, stream: true }),
  assemble,
};
