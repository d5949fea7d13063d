// What is recorded gives back the whole requests: same fingerprints, through the text of the files.

import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Interaction, rebuildRequests, type Take } from '../../src/cassette/cassette.ts';
import { readCassette, readPrompt, writeCassette, writePrompt } from '../../src/cassette/text.ts';
import { identify } from '../../src/request/fingerprint.ts';
import type { ChatRequest, ChatResponse, JsonObject, Message } from '../../src/request/request.ts';
import { player } from '../../src/responder/player.ts';
import { type Recorder, recorder } from '../../src/responder/recorder.ts';
import type { Responder } from '../../src/responder/responder.ts';
import { json, prompt, response } from './arbitrary.ts';

const BYTES = new TextEncoder();

/** Answers with these, one after the other. */
function says(responses: readonly ChatResponse[]): Responder {
  let asked = 0;
  return { respond: async () => ({ ok: true, response: responses[asked++] as ChatResponse, source: 'live' }) };
}

/** A take and its prompts as they come back from disk. */
function fromDisk(recorded: Recorder) {
  const cassette = {
    suite: 's',
    case: 'c',
    takes: [{ recorded: '2026-01-01', interactions: recorded.interactions() }],
  };
  const read = readCassette(BYTES.encode(writeCassette(cassette)), 'c.yaml');
  const take = read.takes[0] as Take;
  const openPrompt = (digest: string) => {
    const kept = recorded.prompts().get(digest);
    if (!kept) throw new Error(`no prompt ${digest}`);
    return readPrompt(BYTES.encode(writePrompt(kept).text), 'p.yaml');
  };
  return { take, openPrompt };
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', 'a\nb', '\ud800', '__proto__'));
const added: fc.Arbitrary<Message> = fc.oneof(
  fc.array(text, { maxLength: 2 }).map(
    (texts): Message => ({
      role: 'user',
      content: texts.map((value) => ({ type: 'text', text: value })),
    }),
  ),
  fc.tuple(text, json, fc.boolean()).map(
    ([name, result, isError]): Message => ({
      role: 'tool',
      name,
      callId: 'call_0',
      result,
      ...(isError && { isError: true }),
    }),
  ),
);

/** A request's head: parameters in the order of their names, as a plan gives them. */
const head = fc
  .tuple(prompt, text, fc.option(text, { nil: undefined }), fc.dictionary(fc.constantFrom('seed', '__proto__'), json))
  .map(([{ system, tools, params }, model, endpoint, more]): Omit<ChatRequest, 'messages'> => {
    const all = Object.entries({ ...params, ...more }).sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      kind: 'chat',
      provider: 'openai',
      ...(endpoint !== undefined && { endpoint }),
      model,
      ...(params && { params: Object.fromEntries(all) as JsonObject }),
      ...(system !== undefined && { system }),
      ...(tools && { tools }),
    };
  });
const turn = fc.record({
  response,
  more: fc.array(added, { maxLength: 2 }),
  anew: fc.option(head, { nil: undefined }),
});

test('any conversation, and any after another, is rebuilt from its files with its fingerprints', async () => {
  await fc.assert(
    fc.asyncProperty(
      head,
      fc.array(added, { maxLength: 2 }),
      fc.array(turn, { minLength: 1, maxLength: 4 }),
      async (first, input, turns) => {
        const recorded = recorder(says(turns.map((one) => one.response)));
        let request: ChatRequest = { ...first, messages: [...input] };
        const asked: ChatRequest[] = [];
        for (const { more, anew } of turns) {
          asked.push({ ...request, messages: [...request.messages] });
          const answer = await recorded.respond(request);
          if (!answer.ok) throw new Error('not answered');
          if (anew) request = { ...anew, messages: [] };
          else request.messages.push({ role: 'assistant', content: answer.response.content });
          request.messages.push(...more);
        }
        const { take, openPrompt } = fromDisk(recorded);
        const rebuilt = rebuildRequests(take.interactions, openPrompt);
        expect(rebuilt.map((one) => identify(one).fingerprint)).toEqual(asked.map((one) => identify(one).fingerprint));
        expect(rebuilt.map((one) => identify(one).fingerprint)).toEqual(
          take.interactions.map(({ fingerprint }) => fingerprint),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test('what a recorder returns is what a player returns from the file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(response, { minLength: 1, maxLength: 4 }), async (responses) => {
      const recorded = recorder(says(responses));
      const ask = async (responder: Responder) => {
        const request: ChatRequest = { kind: 'chat', provider: 'openai', model: 'm', messages: [] };
        const said: ChatResponse[] = [];
        for (let at = 0; at < responses.length; at++) {
          const answer = await responder.respond(request);
          if (!answer.ok) throw new Error(JSON.stringify(answer));
          said.push(answer.response);
          request.messages.push({ role: 'assistant', content: answer.response.content });
        }
        return said;
      };
      const live = await ask(recorded);
      const { take } = fromDisk(recorded);
      const replayed = await ask(
        player(take, () => {
          throw new Error('a miss');
        }),
      );
      // A key named `constructor` would confuse the matchers.
      deepStrictEqual(replayed, live);
    }),
    { numRuns: 200 },
  );
});

const user = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] });
const OK: ChatResponse = { content: [{ type: 'text', text: 'ok' }], stop: 'end_turn', latencyMs: 1 };

async function record(...requests: ChatRequest[]): Promise<{ interactions: Interaction[]; recorded: Recorder }> {
  const recorded = recorder(says(requests.map(() => OK)));
  for (const request of requests) await recorded.respond(request);
  return { interactions: recorded.interactions(), recorded };
}

test('a parameter longer than a line stands in the prompt, a short one in the cassette', async () => {
  const schema = { type: 'object', properties: Object.fromEntries(Array.from('abcdefgh', (key) => [key, {}])) };
  const { interactions, recorded } = await record({
    kind: 'chat',
    provider: 'openai',
    model: 'm',
    params: { response_format: schema, seed: 7 },
    messages: [user('Hi')],
  });
  expect(interactions[0]?.start).toMatchObject({
    params: { seed: 7 },
    prompt: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect([...recorded.prompts().values()]).toEqual([{ params: { response_format: schema } }]);
});

test('a request with nothing to share has no prompt file', async () => {
  const { interactions, recorded } = await record({
    kind: 'chat',
    provider: 'openai',
    model: 'm',
    params: {},
    tools: [],
    messages: [user('Hi')],
  });
  expect(interactions[0]?.start).toEqual({ provider: 'openai', model: 'm' });
  expect(recorded.prompts().size).toBe(0);
});

test('empty tools and parameters are no tools and no parameters', () => {
  const bare: ChatRequest = { kind: 'chat', provider: 'openai', model: 'm', messages: [] };
  expect(identify({ ...bare, tools: [], params: {} })).toEqual(identify(bare));
});
