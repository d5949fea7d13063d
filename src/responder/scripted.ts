// A script in the model's place: `provider: script` runs a suite with no key and no cassette.

import { countCalls } from '../request/call-ids.ts';
import type { AssistantBlock, JsonObject } from '../request/request.ts';
import type { Responder } from './responder.ts';

/** One answer of a script. */
export type ScriptStep =
  | { text: string }
  | { calls: { name: string; arguments: JsonObject }[]; text?: string }
  | { fails: string };

/** Answers with one step for each request, in order. */
export function scripted(steps: readonly ScriptStep[]): Responder {
  let asked = 0;
  return {
    async respond(request) {
      const step = steps[asked++];
      if (!step) {
        const answers = steps.length === 1 ? '1 answer' : `${steps.length} answers`;
        const message = `the script has ${answers}, and turn ${asked} asks for one more`;
        return { ok: false, failure: { kind: 'provider', message, remedy: "Add a step to the case's `script:`." } };
      }
      if ('fails' in step) return { ok: false, failure: { kind: 'provider', message: step.fails } };
      const content: AssistantBlock[] = [];
      if (step.text !== undefined && step.text !== '') content.push({ type: 'text', text: step.text });
      const calls = 'calls' in step ? step.calls : [];
      let id = countCalls(request.messages);
      for (const call of calls) {
        content.push({ type: 'tool_call', id: `call_${id++}`, name: call.name, arguments: call.arguments });
      }
      const stop = calls.length > 0 ? 'tool_use' : 'end_turn';
      return { ok: true, response: { content, stop, latencyMs: 0 }, source: 'script' };
    },
  };
}
