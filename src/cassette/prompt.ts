// Splits what many cases share off a request, so that a prompt is stored once and read in one place.

import { formatJson } from '../request/json.ts';
import type { ChatRequest, Json, JsonObject } from '../request/request.ts';
import type { Prompt } from './cassette.ts';
import { writePrompt } from './text.ts';

/** Parameters longer than a line of a cassette stand in the prompt file. */
const LINE_CODE_POINTS = 80;

/** A request's head in the two parts it is stored in. */
export interface SplitHead {
  /** The parameters that stand in the cassette itself; absent where there are none. */
  params?: JsonObject;
  /** What stands in the prompt file, with the digest that names it; absent where there is nothing. */
  prompt?: { digest: string; content: Prompt };
}

// The cases of a suite share system prompt and tools as the same objects.
let last: { system: string | undefined; tools: unknown; params: unknown; split: SplitHead } | undefined;

/** Splits a request's head; `rebuildRequests` joins it again. */
export function splitPrompt({ system, tools, params }: ChatRequest): SplitHead {
  if (last && last.system === system && last.tools === tools && last.params === params) return last.split;
  const own: [string, Json][] = [];
  const large: [string, Json][] = [];
  for (const entry of Object.entries(params ?? {})) {
    ([...formatJson(entry[1])].length > LINE_CODE_POINTS ? large : own).push(entry);
  }
  const content: Prompt = {
    ...(system !== undefined && { system }),
    ...(tools && tools.length > 0 && { tools }),
    ...(large.length > 0 && { params: Object.fromEntries(large) }),
  };
  const split: SplitHead = {
    ...(own.length > 0 && { params: Object.fromEntries(own) }),
    ...(Object.keys(content).length > 0 && { prompt: { digest: writePrompt(content).digest, content } }),
  };
  last = { system, tools, params, split };
  return split;
}
