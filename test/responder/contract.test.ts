// What holds of everything that answers requests: a player, a recorder, a script, a live provider.

import { describe, expect, test } from 'vitest';
import type { ChatRequest, ChatResponse, Message } from '../../src/request/request.ts';
import { toolCallsOf } from '../../src/request/request.ts';
import { player } from '../../src/responder/player.ts';
import { provider } from '../../src/responder/providers/index.ts';
import { recorder } from '../../src/responder/recorder.ts';
import type { Responder, Source } from '../../src/responder/responder.ts';
import { type ScriptStep, scripted } from '../../src/responder/scripted.ts';
import { listen } from './raw-server.ts';

const CALLS = [
  { name: 'lookup', arguments: { id: 'A-1', deep: { n: [1, null] } } },
  { name: 'lookup', arguments: {} },
];
const STEPS: ScriptStep[] = [{ text: 'I look.', calls: CALLS }, { text: 'Done — ✓\n' }];

function newRequest(): ChatRequest {
  return {
    kind: 'chat',
    provider: 'openai',
    model: 'm',
    params: { temperature: 0 },
    system: 'You help.',
    tools: [{ name: 'lookup', inputSchema: { type: 'object' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Where is it?' }] }],
  };
}

/** What the user's tools say to the calls of an answer. */
function resultsOf({ content }: ChatResponse): Message[] {
  return toolCallsOf(content).map(({ name, id }) => ({ role: 'tool', name, callId: id, result: { late: true } }));
}

/** Asks as the tool loop does, until there are no calls. */
async function converse(responder: Responder): Promise<{ responses: ChatResponse[]; request: ChatRequest }> {
  const request = newRequest();
  const responses: ChatResponse[] = [];
  for (;;) {
    const answer = await responder.respond(request);
    if (!answer.ok) throw new Error(JSON.stringify(answer.failure));
    responses.push(answer.response);
    if (answer.response.stop !== 'tool_use') return { responses, request };
    request.messages.push({ role: 'assistant', content: answer.response.content }, ...resultsOf(answer.response));
  }
}

async function recordedTake() {
  const recording = recorder(scripted(STEPS));
  await converse(recording);
  return { recorded: '2026-01-01', interactions: recording.interactions() };
}

/** An answer of the wire for each step, then an error. */
function liveServer() {
  return listen((response, attempt) => {
    const step = STEPS[attempt - 1];
    if (!step || 'fails' in step) return response.writeHead(400).end('{"error":{"message":"no more"}}');
    const calls = 'calls' in step ? step.calls : [];
    const message = {
      role: 'assistant',
      content: step.text,
      tool_calls: calls.map(({ name, arguments: given }, at) => ({
        id: `call_x${attempt}${at}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      })),
    };
    const finish = calls.length > 0 ? 'tool_calls' : 'stop';
    return response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }] }));
  });
}

const RESPONDERS: Record<string, { open: () => Promise<Responder>; source: Source; exhausted: object }> = {
  player: {
    open: async () =>
      player(await recordedTake(), (_request, { turn, exhausted }) => ({
        reason: exhausted ? 'exhausted' : 'longer',
        take: 1,
        turn,
        fingerprint: 'f',
      })),
    source: 'cassette',
    exhausted: { kind: 'unrecorded', miss: { reason: 'exhausted', take: 1, turn: 3, fingerprint: 'f' } },
  },
  scripted: {
    open: async () => scripted(STEPS),
    source: 'script',
    exhausted: {
      kind: 'provider',
      message: 'the script has 2 answers, and turn 3 asks for one more',
      remedy: "Add a step to the case's `script:`.",
    },
  },
  'recorder over a script': {
    open: async () => recorder(scripted(STEPS)),
    source: 'script',
    exhausted: { kind: 'provider' },
  },
  provider: {
    open: async () =>
      provider({ name: 'openai', wire: 'openai', endpoint: (await liveServer()).url, timeoutS: 5, maxRetries: 0 }),
    source: 'live',
    exhausted: { kind: 'provider', message: 'openai answered 400: no more' },
  },
  'recorder over a provider': {
    open: async () =>
      recorder(
        provider({ name: 'openai', wire: 'openai', endpoint: (await liveServer()).url, timeoutS: 5, maxRetries: 0 }),
      ),
    source: 'live',
    exhausted: { kind: 'provider' },
  },
};

describe.each(Object.entries(RESPONDERS))('%s', (_name, { open, source, exhausted }) => {
  test('answers a conversation with the same blocks, ids, stops and whole milliseconds', async () => {
    const { responses } = await converse(await open());
    const withoutLatency = responses.map(({ latencyMs, ...rest }) => {
      expect(Number.isInteger(latencyMs) && latencyMs >= 0).toBe(true);
      return rest;
    });
    expect(withoutLatency).toStrictEqual([
      {
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'call_0', ...CALLS[0] },
          { type: 'tool_call', id: 'call_1', ...CALLS[1] },
        ],
        stop: 'tool_use',
      },
      { content: [{ type: 'text', text: 'Done — ✓\n' }], stop: 'end_turn' },
    ]);
  });

  test('says where the answer came from', async () => {
    expect(await (await open()).respond(newRequest())).toMatchObject({ ok: true, source });
  });

  test('leaves the request as it was', async () => {
    const request = newRequest();
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      Object.values(value).forEach(freeze);
      Object.freeze(value);
    };
    freeze(request);
    await (await open()).respond(request);
    expect(request).toStrictEqual(newRequest());
  });

  test('gives a failure, not an exception, where it has no more answers', async () => {
    const responder = await open();
    const { request } = await converse(responder);
    const answer = await responder.respond(request);
    expect(answer).toMatchObject({ ok: false, failure: exhausted });
  });

  test('does not throw where nobody wants the answer any more', async () => {
    const answer = await (await open()).respond(newRequest(), AbortSignal.abort());
    if (!answer.ok) expect(answer.failure).toEqual({ kind: 'aborted', message: 'interrupted' });
  });
});

test('a script that fails says so, and goes on where it is asked again', async () => {
  const responder = scripted([{ fails: 'overloaded' }, { text: '' }]);
  expect(await responder.respond(newRequest())).toEqual({
    ok: false,
    failure: { kind: 'provider', message: 'overloaded' },
  });
  expect(await responder.respond(newRequest())).toMatchObject({
    ok: true,
    response: { content: [], stop: 'end_turn' },
  });
});

test('a player serves equal requests in recorded order, each once, and counts what is left', async () => {
  const recording = recorder(scripted([{ text: 'one' }, { text: 'two' }]));
  await recording.respond(newRequest());
  await recording.respond(newRequest());
  const places: object[] = [];
  const played = player({ recorded: '2026-01-01', interactions: recording.interactions() }, (_request, place) => {
    places.push(place);
    return { reason: 'exhausted', take: 1, turn: place.turn, fingerprint: 'f' };
  });
  expect(played.unused()).toBe(2);
  const other = { ...newRequest(), model: 'other' };
  expect(await played.respond(other)).toMatchObject({ ok: false });
  const said = [await played.respond(newRequest()), await played.respond(newRequest())];
  expect(said.map((answer) => answer.ok && answer.response.content)).toEqual([
    [{ type: 'text', text: 'one' }],
    [{ type: 'text', text: 'two' }],
  ]);
  expect(played.unused()).toBe(0);
  expect(await played.respond(newRequest())).toMatchObject({ ok: false });
  expect(places).toEqual([
    { turn: 1, exhausted: false },
    { turn: 4, exhausted: true },
  ]);
});
