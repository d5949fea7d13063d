// A streamed answer of Gemini put together into the one that is not streamed.
// https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent

import { isObject } from '../../request/json.ts';
import type { Json, JsonObject } from '../../request/request.ts';
import type { Codec } from './codec.ts';
import { brokenStream, errorMessage, objectsOf } from './wire-json.ts';

/** Adds a part; a text that goes on is one with the text before it, unless that one is signed. */
function appendPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const goesOn =
    typeof part.text === 'string' &&
    typeof last?.text === 'string' &&
    last.thoughtSignature === undefined &&
    (last.thought === true) === (part.thought === true);
  if (goesOn && last) parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${part.text}` };
  else parts.push(part);
}

function assemble(events: readonly Json[]): Json {
  const answer: JsonObject = {};
  const parts: JsonObject[] = [];
  let finish: Json | undefined;
  for (const event of events) {
    if (!isObject(event)) continue;
    if (isObject(event.error)) {
      return brokenStream(errorMessage(event) ?? 'the stream holds an error without a message');
    }
    const { candidates, ...facts } = event;
    Object.assign(answer, facts);
    const [candidate] = objectsOf(candidates);
    if (!candidate) continue;
    if (typeof candidate.finishReason === 'string') finish = candidate.finishReason;
    const content = isObject(candidate.content) ? candidate.content : {};
    for (const part of objectsOf(content.parts)) appendPart(parts, part);
  }
  if (finish !== undefined) return { ...answer, candidates: [{ content: { parts }, finishReason: finish }] };
  // A prompt that is refused has no candidates.
  return isObject(answer.promptFeedback) && parts.length === 0
    ? answer
    : brokenStream('the stream broke off before its finishReason');
}

/** generateContent of a server that only streams. */
export const contentStream: NonNullable<Codec['stream']> = {
  path: (path) => `${path.replace(/:generateContent$/, ':streamGenerateContent')}?alt=sse`,
  ask: (body) => body,
  assemble,
};
