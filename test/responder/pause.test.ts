// Waiting: as long as the server asks, all together where it says 429, no longer than makes sense.

import { expect, test } from 'vitest';
import type { ChatRequest } from '../../src/request/request.ts';
import { provider } from '../../src/responder/providers/index.ts';
import type { Clock } from '../../src/responder/retry.ts';
import { type Handle, listen } from './raw-server.ts';

const REQUEST: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
};
const HELLO = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});

/** A clock that stands still but for what is slept; a sleep ends when every sleeper that began before it has. */
function newClock(): Clock & { slept: number[] } {
  let now = Date.parse('2026-11-30T12:00:00Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    random: () => 1,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      const end = now + ms;
      await Promise.resolve();
      now = Math.max(now, end);
    },
  };
}

/** Each answer once, in order, the last again and again; a number is a status. */
function answering(...answers: [status: number, headers?: Record<string, string>, body?: string][]): Handle {
  return (response, attempt) => {
    const [status, headers = {}, body = status === 200 ? HELLO : ''] = answers[
      Math.min(attempt, answers.length) - 1
    ] as (typeof answers)[number];
    response.writeHead(status, headers).end(body);
  };
}

async function ask(handle: Handle, maxRetries: number) {
  const clock = newClock();
  const { url, attempts } = await listen(handle);
  let retries = 0;
  const onRetry = () => retries++;
  const live = provider({ name: 'my-llm', wire: 'openai', endpoint: url, timeoutS: 5, maxRetries, clock, onRetry });
  const answer = await live.respond(REQUEST);
  return { answer, slept: clock.slept, attempts: attempts(), retries, live, clock };
}

test('a server is waited for as long as it asks, in seconds or until a date', async () => {
  const { answer, slept, retries } = await ask(
    answering(
      [429, { 'retry-after': '2' }],
      [503, { 'retry-after': 'Mon, 30 Nov 2026 12:00:12 GMT' }],
      [429, { 'x-ratelimit-reset-requests': '1m2.5s' }],
      [200],
    ),
    3,
  );
  expect(answer).toMatchObject({ ok: true });
  expect(slept).toEqual([2000, 10_000, 62_500]);
  expect(retries).toBe(3);
});

test('a server that does not say is waited for twice as long each time, a minute at most', async () => {
  const { slept, attempts, retries } = await ask(answering([500]), 9);
  expect(slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect([attempts, retries]).toEqual([10, 9]);
});

test('garbage and an answer that is cut off are asked again', async () => {
  const { answer, retries } = await ask(answering([200, {}, '<p>hi'], [200, {}, HELLO.slice(0, 20)], [200]), 2);
  expect([answer.ok, retries]).toEqual([true, 2]);
});

test.each([
  ['asks for hours', { 'retry-after': '7200' }, '', 'The provider asks to wait 120 minutes: record again then.'],
  ['has no credit left', {}, '{"error":{"code":"insufficient_quota"}}', 'The account has no credit left: add some'],
])('a server that %s is not waited for', async (_what, headers, body, remedy) => {
  const { answer, slept, attempts } = await ask(answering([429, headers, body]), 3);
  expect(answer).toMatchObject({ failure: { kind: 'provider', remedy: expect.stringContaining(remedy) } });
  expect([slept, attempts]).toEqual([[], 1]);
});

test('after a 429 no other request goes to that endpoint before the wait is over, and all go after it', async () => {
  const { live, clock, slept } = await ask(answering([429, { 'retry-after': '30' }], [200]), 0);
  expect(slept).toEqual([]);
  const begun = clock.now();
  const answers = await Promise.all([live.respond(REQUEST), live.respond(REQUEST), live.respond(REQUEST)]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(slept).toEqual([30_000, 30_000, 30_000]);
  expect(clock.now() - begun).toBe(30_000);
});

test('a 429 of one endpoint holds up no other', async () => {
  await ask(answering([429, { 'retry-after': '30' }]), 0);
  expect((await ask(answering([200]), 0)).slept).toEqual([]);
});

test('an interruption ends the shared wait', async () => {
  const { url, attempts } = await listen(answering([429, { 'retry-after': '60' }]));
  const live = provider({ name: 'my-llm', wire: 'openai', endpoint: url, timeoutS: 5, maxRetries: 0 });
  await live.respond(REQUEST);
  const controller = new AbortController();
  const waiting = live.respond(REQUEST, controller.signal);
  controller.abort();
  expect(await waiting).toEqual({ ok: false, failure: { kind: 'aborted', message: 'interrupted' } });
  expect(attempts()).toBe(1);
});
