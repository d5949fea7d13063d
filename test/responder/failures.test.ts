// Whatever a provider does that is no answer is a failure with its reason; what may work later is asked again.

import { expect, test } from 'vitest';
import type { ChatRequest } from '../../src/request/request.ts';
import { type ProviderSpec, provider } from '../../src/responder/providers/index.ts';
import { type Handle, listen } from './raw-server.ts';

const REQUEST: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
};
const KEY = 'sk-test-0123456789abcdef';
const HELLO = JSON.stringify({
  model: 'm-1-0',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});

async function ask(handle: Handle, more: Partial<ProviderSpec> = {}, signal?: AbortSignal) {
  const { url, attempts } = await listen(handle);
  const spec: ProviderSpec = {
    name: 'my-llm',
    wire: 'openai',
    endpoint: url,
    apiKeyEnv: 'MY_KEY',
    apiKey: KEY,
    timeoutS: 5,
    maxRetries: 0,
    ...more,
  };
  const answer = await provider(spec).respond(REQUEST, signal);
  return { url, answer, attempts: attempts(), failure: answer.ok ? undefined : answer.failure };
}

/** Answers so, every time. */
const always =
  (status: number, body = '', headers: Record<string, string> = {}): Handle =>
  (response) =>
    response.writeHead(status, headers).end(body);

test.each<[number, string, string, string | undefined]>([
  [401, '{"error":{"message":"Bad key."}}', 'my-llm answered 401: Bad key.', 'Check the key in MY_KEY.'],
  [
    403,
    '{"error":"No."}',
    'my-llm answered 403: No.',
    'Check what the key in MY_KEY may use; it may not be allowed the model m-1.',
  ],
  [
    404,
    '{"error":{"message":"No such model."}}',
    'my-llm answered 404: No such model.',
    'The model m-1 does not exist there or is retired: choose another. Else check the base URL.',
  ],
  [
    429,
    '{"error":{"message":"Slow down."}}',
    'my-llm answered 429: Slow down.',
    'Wait, lower `--concurrency`, or raise the limit at the provider. What is recorded stays.',
  ],
  [500, '', 'my-llm answered 500', undefined],
  [502, '<html>\n <h1>Bad\tGateway</h1>', 'my-llm answered 502: <html> <h1>Bad Gateway</h1>', undefined],
  [
    400,
    `{"error":{"message":"${'x'.repeat(500)}"}}`,
    `my-llm answered 400: ${'x'.repeat(400)}…`,
    'The provider refuses the request as it is: mend `params`, `tools` or the messages by what it says.',
  ],
])('%i is told with the remedy', async (status, body, message, remedy) => {
  const { failure } = await ask(always(status, body));
  expect(failure).toEqual({ kind: 'provider', message, ...(remedy && { remedy }) });
});

test.each([
  ['HTML', '<!doctype html>\n<title>Sign in</title>', '<!doctype html> <title>Sign in</title>'],
  ['JSON cut off', '{"choices": [', '{"choices": ['],
  ['nothing', '', 'nothing'],
])('200 with %s is no answer', async (_what, body, quoted) => {
  expect((await ask(always(200, body))).failure).toEqual({
    kind: 'provider',
    message: `my-llm answered 200, but not with JSON: ${quoted}`,
    remedy: 'Check the base URL.',
  });
});

test.each([
  ['an error', '{"error":{"message":"Overloaded."}}', 'my-llm: Overloaded.'],
  ['an error as text', '{"error":"Overloaded."}', 'my-llm: Overloaded.'],
  ['no choices', '{"choices":[]}', 'my-llm: the answer has no choices'],
  ['choices null', '{"choices":null}', 'my-llm: the answer has no choices'],
  ['a choice without message', '{"choices":[{}]}', 'my-llm: the first choice of the answer has no message'],
  ['a list', '[]', 'my-llm: the answer is not a JSON object'],
])('200 with %s is a failure', async (_what, body, message) => {
  expect((await ask(always(200, body))).failure).toEqual({ kind: 'provider', message });
});

test('an error that is empty, beside an answer, is none', async () => {
  const body = JSON.stringify({ ...JSON.parse(HELLO), error: null });
  expect((await ask(always(200, body))).answer).toMatchObject({ ok: true, response: { servedModel: 'm-1-0' } });
});

test.each<[string, string, Handle]>([
  ['a refusal', KEY, always(401, `{"error":{"message":"Incorrect key ${KEY}, twice ${KEY}"}}`)],
  ['an answer that is not JSON', KEY, always(200, `<p>${KEY}</p>`)],
  ['an error within 200', KEY, always(200, `{"error":{"message":"no ${KEY}"}}`)],
  ['a redirect', KEY, always(302, '', { location: `http://127.0.0.1:1/?key=${KEY}` })],
  ['a long answer that is cut within the key', KEY, always(500, `${'x'.repeat(390)}${KEY}`)],
  ['a refusal, where the variable has a line end', `${KEY}\n`, always(401, `{"error":"Incorrect key ${KEY}"}`)],
  ['a key that no header can carry', `${KEY}\n${KEY}`, always(200, HELLO)],
])('the key is in no failure: %s', async (_what, apiKey, handle) => {
  const { failure } = await ask(handle, { apiKey });
  expect(failure).toMatchObject({ kind: 'provider' });
  expect(JSON.stringify(failure)).not.toContain(KEY.slice(0, 8));
});

test('a key with white space around it is sent without', async () => {
  let sent: string | undefined;
  const handle: Handle = (response, _attempt, request) => {
    sent = request.headers.authorization;
    response.end(HELLO);
  };
  await ask(handle, { apiKey: ` ${KEY}\r\n` });
  expect(sent).toBe(`Bearer ${KEY}`);
});

test('a key of nothing but white space is no key', async () => {
  const { failure, attempts } = await ask(always(200, HELLO), { apiKey: ' \n' });
  expect(failure).toMatchObject({ kind: 'no_key', message: 'my-llm needs a key, and MY_KEY is not set' });
  expect(attempts).toBe(0);
});

test('a key that no header can carry is told at once', async () => {
  const { failure, attempts } = await ask(always(200, HELLO), { apiKey: 'a\nb', maxRetries: 20 });
  expect(failure).toMatchObject({ kind: 'provider', message: expect.stringContaining('invalid header value') });
  expect(attempts).toBe(0);
});

test('a redirect is not followed, and where it leads is told', async () => {
  const other = await listen(always(200, HELLO));
  const { failure, attempts } = await ask(always(307, '', { location: `${other.url}/v2` }), { maxRetries: 3 });
  expect(failure).toEqual({
    kind: 'provider',
    message: `my-llm answered 307, a redirect to ${other.url}/v2`,
    remedy: 'Redirects are not followed. Set the base URL to where it leads.',
  });
  expect([attempts, other.attempts()]).toEqual([1, 0]);
});

/** Sends without end until the other side has enough; tells how much was taken. */
function endless(head: Record<string, string>): { handle: Handle; sent: () => number } {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  let sent = 0;
  const handle: Handle = (response) => {
    response.writeHead(200, head);
    const more = () => {
      while (!response.destroyed && sent < 50 * piece.length) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
      if (!response.destroyed) response.end();
    };
    response.on('drain', more);
    more();
  };
  return { handle, sent: () => sent };
}

test.each([
  ['that says so', { 'content-length': String(50 * 1024 * 1024) }, 8],
  ['that does not say so', {}, 40],
])('an answer of 50 MB %s is refused without being taken whole', async (_what, head, mostMiB) => {
  const { handle, sent } = endless(head);
  const { failure, attempts } = await ask(handle, { maxRetries: 3 });
  expect(failure).toEqual({ kind: 'provider', message: 'my-llm: the answer is larger than 32 MiB' });
  expect(attempts).toBe(1);
  expect(sent()).toBeLessThanOrEqual(mostMiB * 1024 * 1024);
});

test('no answer in time is told, and asked again', async () => {
  const { failure, attempts } = await ask(() => {}, { timeoutS: 0.0501, maxRetries: 1 });
  expect(failure).toEqual({ kind: 'provider', message: 'my-llm: no answer within 0.0501 s' });
  expect(attempts).toBe(2);
});

test('an answer that begins in time and does not end in time is none', async () => {
  const { failure } = await ask((response) => response.writeHead(200).write('{'), { timeoutS: 0.2 });
  expect(failure).toEqual({ kind: 'provider', message: 'my-llm: no answer within 0.2 s' });
});

test('a time limit longer than a timer takes is no time limit of a millisecond', async () => {
  expect((await ask(always(200, HELLO), { timeoutS: 3_000_000 })).answer.ok).toBe(true);
});

const breaksOff: Handle = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"choices":');
  setImmediate(() => response.destroy());
};

test('a connection that breaks within the answer is told', async () => {
  const { failure } = await ask(breaksOff);
  expect(failure).toMatchObject({ kind: 'provider', message: expect.stringMatching(/^my-llm: \S/) });
});

test('nobody there is told with the reason', async () => {
  const { failure } = await ask(always(200), { endpoint: 'http://127.0.0.1:1' });
  expect(failure).toMatchObject({
    kind: 'provider',
    message: expect.stringMatching(/^my-llm: .*(?:ECONNREFUSED|bad port)/),
  });
});

/** Fails so the first times, then answers. */
const atFirst =
  (times: number, fail: Handle): Handle =>
  (response, attempt, request) =>
    attempt <= times ? fail(response, attempt, request) : response.end(HELLO);
const again = (status: number, wait: string) => always(status, '', { 'retry-after': wait });

test.each<[string, Handle]>([
  ['429 and seconds', again(429, '0')],
  ['503 and a fraction of a second', again(503, '0.01')],
  ['500 and a date that is past', again(500, 'Wed, 21 Oct 2015 07:28:00 GMT')],
  ['408', again(408, '0')],
])('what may work later is asked again: %s', async (_what, fail) => {
  const { answer, attempts } = await ask(atFirst(2, fail), { maxRetries: 2 });
  expect([answer.ok, attempts]).toEqual([true, 3]);
});

test('a broken connection is asked again', async () => {
  const { answer, attempts } = await ask(atFirst(1, breaksOff), { maxRetries: 1 });
  expect([answer.ok, attempts]).toEqual([true, 2]);
});

test('it is asked no more often than max_retries allows', async () => {
  const { failure, attempts } = await ask(again(429, '0'), { maxRetries: 2 });
  expect([failure?.kind, attempts]).toEqual(['provider', 3]);
});

test.each([400, 401, 403, 404, 422])('%i is not asked again', async (status) => {
  expect((await ask(again(status, '0'), { maxRetries: 3 })).attempts).toBe(1);
});

test('an interruption ends the wait for the next attempt', async () => {
  const controller = new AbortController();
  const handle: Handle = (response, attempt, request) => {
    again(429, '60')(response, attempt, request);
    setTimeout(() => controller.abort(), 50);
  };
  const { failure, attempts } = await ask(handle, { maxRetries: 3 }, controller.signal);
  expect(failure).toEqual({ kind: 'aborted', message: 'interrupted' });
  expect(attempts).toBe(1);
});

test('an interruption ends an attempt', async () => {
  const controller = new AbortController();
  const { failure } = await ask(() => controller.abort(), { maxRetries: 3 }, controller.signal);
  expect(failure).toEqual({ kind: 'aborted', message: 'interrupted' });
});

test('after an interruption nothing is asked', async () => {
  const { failure, attempts } = await ask(always(200, HELLO), {}, AbortSignal.abort());
  expect([failure?.kind, attempts]).toEqual(['aborted', 0]);
});
