// Wraps whatever answers live and keeps what it says as interactions.

import type { ConversationStart, Interaction, Prompt } from '../cassette/cassette.ts';
import { splitPrompt } from '../cassette/prompt.ts';
import { roundTripResponse } from '../cassette/text.ts';
import { UserError } from '../errors.ts';
import { countCalls, withPositionalIds } from '../request/call-ids.ts';
import { identify } from '../request/fingerprint.ts';
import type { ChatRequest, Message, Response } from '../request/request.ts';
import type { Responder } from './responder.ts';

/** A recorder and what it has recorded. */
export interface Recorder extends Responder {
  /** In the order they were answered. */
  interactions(): Interaction[];
  /** The prompts that the interactions refer to, by digest. */
  prompts(): Map<string, Prompt>;
}

/** A response as a player will return it; or why no cassette can hold it, which a model's answer must never end a run with. */
function kept(response: Response): Response | { message: string } {
  try {
    return roundTripResponse(response);
  } catch (error) {
    if (error instanceof UserError) return { message: `the answer cannot be recorded. ${error.message}` };
    throw error;
  }
}

/** How to record. */
export interface RecorderOptions {
  /** Keep the prompt in the interactions themselves: it depends on one case. False unless set. */
  ownPrompt?: boolean;
}

/** Records what `live` answers. It returns exactly what a player will later return: ids positional, written and read back. */
export function recorder(live: Responder, { ownPrompt = false }: RecorderOptions = {}): Recorder {
  const interactions: Interaction[] = [];
  const prompts = new Map<string, Prompt>();
  let last: { request: ChatRequest; head: string; length: number; content: unknown } | undefined;

  /** The messages after the last response, where this request continues that conversation; undefined where it does not. */
  function continuation(request: ChatRequest, head: string, length: number): Message[] | undefined {
    if (!last || last.head !== head || last.request.messages !== request.messages) return undefined;
    const echoed = request.messages[last.length];
    if (echoed?.role !== 'assistant' || echoed.content !== last.content) return undefined;
    return request.messages.slice(last.length + 1, length);
  }

  function start(request: ChatRequest): ConversationStart {
    const { params, prompt } = splitPrompt(request);
    if (prompt && !ownPrompt) prompts.set(prompt.digest, prompt.content);
    return {
      provider: request.provider,
      ...(request.endpoint !== undefined && { endpoint: request.endpoint }),
      model: request.model,
      ...(params && { params }),
      ...(prompt && (ownPrompt ? { inlinePrompt: prompt.content } : { prompt: prompt.digest })),
    };
  }

  return {
    async respond(request, signal) {
      const { fingerprint, head } = identify(request);
      const length = request.messages.length;
      const before = countCalls(request.messages);
      const answer = await live.respond(request, signal);
      if (!answer.ok) return answer;
      const content = withPositionalIds(answer.response.content, before);
      const response = kept({ ...answer.response, content });
      if ('message' in response) return { ok: false, failure: { kind: 'provider', ...response } };
      const added = continuation(request, head, length);
      interactions.push({
        fingerprint,
        ...(added ? {} : { start: start(request) }),
        messages: added ?? request.messages.slice(0, length),
        response,
      });
      last = { request, head, length, content: response.content };
      return { ok: true, response, source: answer.source };
    },
    interactions: () => interactions,
    prompts: () => prompts,
  };
}
