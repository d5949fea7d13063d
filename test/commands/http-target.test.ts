// A service as what is under test: what it is sent, what is taken for its answer, recorded and replayed.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/run/result.ts';
import { faultLine, faultsOf, load, writeProject } from '../suite/project.ts';
import { retake, retakeWith } from './chat-server.ts';
import { type Said, type ServiceServer, startService } from './service-server.ts';

const KEY = 'shop-key-0123456789abcdef';

interface Here {
  cwd: string;
  service: ServiceServer;
}

/** A project of one case whose target is written as given; `URL` stands for the service's own. */
async function here(http: string, answer: Said = { body: '{"reply": "We are open."}' }, more = ''): Promise<Here> {
  const service = await startService(() => answer);
  const cwd = writeProject({
    'retake.yaml': 'version: 1\n',
    'shop.eval.yaml': `name: shop
target:
  http: ${http.replaceAll('URL', service.url)}
cases:
  - name: hours
    input: Open on "Sunday" & Monday?
    expect: [{final_contains: open}]
${more}`,
  });
  return { cwd, service };
}

const POST = '{url: URL/ask, body: {question: "Q: {{input}}", deep: [{text: "{{input}}"}], n: 3}, response: /reply}';

const withKey = (cwd: string, ...argv: string[]) => retakeWith({ SHOP_KEY: `${KEY}\n` }, cwd, ...argv);

const cassette = (cwd: string) => readFileSync(path.join(cwd, 'cassettes/shop/hours.yaml'), 'utf8');

async function answerOf({ cwd }: Here): Promise<string | undefined> {
  const { out } = await retake(cwd, 'record', '--reporter', 'json');
  const turn = (JSON.parse(out) as RunResult).suites[0]?.cases[0]?.takes[0]?.trajectory.turns[0];
  const [block] = turn?.content ?? [];
  return block?.type === 'text' ? block.text : undefined;
}

describe('what is sent', () => {
  it('has the input in the strings of the body, verbatim, and is posted as JSON', async () => {
    const { cwd, service } = await here(POST);
    const { exitCode, out } = await retake(cwd, 'record', '--no-color');
    expect(exitCode, out).toBe(0);
    expect(service.came).toHaveLength(1);
    const [{ method, path: where, headers, body }] = service.came as [ServiceServer['came'][0]];
    const input = 'Open on "Sunday" & Monday?';
    expect({ method, where, type: headers['content-type'] }).toEqual({
      method: 'POST',
      where: '/ask',
      type: 'application/json',
    });
    expect(JSON.parse(body)).toEqual({ question: `Q: ${input}`, deep: [{ text: input }], n: 3 });
  });

  it('has the input percent-encoded in the URL, and is a GET without a body', async () => {
    const { cwd, service } = await here('{url: "URL/ask?q={{input}}&x=1", response: /reply}');
    expect((await retake(cwd, 'record')).exitCode).toBe(0);
    expect(service.came[0]).toMatchObject({
      method: 'GET',
      path: '/ask?q=Open%20on%20%22Sunday%22%20%26%20Monday%3F&x=1',
      body: '',
    });
    expect(service.came[0]?.headers['content-type']).toBeUndefined();
  });

  it('is a text where the body is one, and has the headers that are given', async () => {
    const { cwd, service } = await here(
      '{url: URL/ask, method: PUT, headers: {X-Shop: north, Content-Type: text/csv}, body: "q;{{input}}", response: /reply}',
    );
    expect((await retake(cwd, 'record')).exitCode).toBe(0);
    expect(service.came[0]).toMatchObject({ method: 'PUT', body: 'q;Open on "Sunday" & Monday?' });
    expect(service.came[0]?.headers).toMatchObject({ 'x-shop': 'north', 'content-type': 'text/csv' });
  });

  it('is a conversation as JSON where the input is one', async () => {
    const { cwd, service } = await here('{url: URL/ask, body: "{{input}}", response: /reply}');
    const file = path.join(cwd, 'shop.eval.yaml');
    const suite = readFileSync(file, 'utf8').replace(
      'input: Open on "Sunday" & Monday?',
      'input: [{role: user, content: Hi}, {role: assistant, content: Hello}, {role: user, content: "Open?"}]',
    );
    const other = writeProject({ 'retake.yaml': 'version: 1\n', 'shop.eval.yaml': suite });
    expect((await retake(other, 'record')).exitCode).toBe(0);
    expect(JSON.parse(service.came[0]?.body ?? '')).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Open?' },
    ]);
  });

  it.each([
    ['api_key_env: SHOP_KEY', 'authorization', `Bearer ${KEY}`],
    ['api_key_env: SHOP_KEY, auth_header: X-Api-Key', 'x-api-key', KEY],
    ['api_key_env: SHOP_KEY, auth_prefix: "Token "', 'authorization', `Token ${KEY}`],
  ])('carries the key: %s', async (auth, header, value) => {
    const { cwd, service } = await here(`{url: "URL/ask?q={{input}}", response: /reply, ${auth}}`);
    const recorded = await withKey(cwd, 'record', '--no-color');
    expect(recorded.exitCode, recorded.out).toBe(0);
    expect(service.came[0]?.headers[header]).toBe(value);
    expect(cassette(cwd)).not.toContain(KEY);
    // The key is no part of the request's identity, and a replay needs none.
    expect((await retake(cwd, 'run')).exitCode).toBe(0);
  });
});

describe('the answer', () => {
  it.each<[string, string, Said, string]>([
    [
      'the string at the pointer',
      ', response: /reply/0/text',
      { body: '{"reply": [{"text": "So\\nopen."}]}' },
      'So\nopen.',
    ],
    [
      'compact JSON at the pointer',
      ', response: /reply',
      { body: '{"reply": {"a": [1, 12345678901234567890]}}' },
      '{"a":[1,12345678901234567890]}',
    ],
    ['with escapes in the pointer', ', response: /a~1b/m~0n', { body: '{"a/b": {"m~n": "open"}}' }, 'open'],
    ['all of the JSON without a pointer', '', { body: '{ "open": true }' }, '{"open":true}'],
    ['a JSON string without a pointer', '', { body: '"open"' }, 'open'],
    [
      'a text that is no JSON',
      '',
      { body: 'We are <b>open</b>.\n', headers: { 'content-type': 'text/html' } },
      'We are <b>open</b>.\n',
    ],
  ])('is %s', async (_title, pointer, said, text) => {
    expect(await answerOf(await here(`{url: "URL/ask?q={{input}}"${pointer}}`, said))).toBe(text);
  });

  it.each<[string, Said, string]>([
    ['nothing at the pointer', { body: '{"answer": "open"}' }, 'answered nothing at /reply: {"answer": "open"}'],
    ['no JSON', { body: '<html>open</html>' }, 'answered no JSON, so nothing at /reply'],
    ['a refusal', { status: 403, body: `no: ${KEY}` }, 'answered 403: no: [key]'],
    ['a redirect', { status: 302, headers: { location: '/login' }, body: '' }, 'a redirect to /login'],
  ])('that is %s is an error of the case, and nothing is recorded', async (_title, said, words) => {
    const { cwd } = await here('{url: "URL/ask?q={{input}}", response: /reply, api_key_env: SHOP_KEY}', said);
    const { exitCode, out, err } = await withKey(cwd, 'record', '--no-color');
    expect(exitCode).toBe(3);
    expect(out).toContain(words);
    expect(out + err).not.toContain(KEY);
    expect(() => cassette(cwd)).toThrow('ENOENT');
  });

  it('is asked for again where the service stumbles', async () => {
    const { cwd, service } = await here('{url: "URL/ask?q={{input}}", response: /reply}');
    const answers: Said[] = [
      { status: 503, headers: { 'retry-after': '0' }, body: 'later' },
      { body: '{"reply": "open"}' },
    ];
    service.answer = () => answers.shift() as Said;
    expect((await retake(cwd, 'record')).exitCode).toBe(0);
    expect(service.came).toHaveLength(2);
  });
});

describe('a recording', () => {
  it('replays without the service, and the same bytes are recorded again', async () => {
    const { cwd, service } = await here(POST);
    await retake(cwd, 'record');
    const before = cassette(cwd);
    const replayed = await retake(cwd, 'run', '--no-color');
    expect(replayed.exitCode).toBe(0);
    expect(replayed.out).toContain('1 from cassettes');
    expect((await retake(cwd, 'validate')).exitCode).toBe(0);
    expect(service.came).toHaveLength(1);
    await retake(cwd, 'record');
    expect(cassette(cwd)).toBe(before);
  });

  it.each([
    ['url', '/ask', '/answer', 'params.url'],
    ['body', 'n: 3', 'n: 4', 'params.body.n'],
    ['response', 'response: /reply', 'response: /r', 'params.response'],
    ['headers', 'response: /reply', 'headers: {x-a: "1"}, response: /reply', 'params.headers'],
    ['method', 'response: /reply', 'method: PUT, response: /reply', 'model'],
  ])('is stale after an edit of `%s`, which the miss names', async (_title, from, to, place) => {
    const { cwd } = await here(POST);
    await retake(cwd, 'record');
    const other = readFileSync(path.join(cwd, 'shop.eval.yaml'), 'utf8').replace(from, to);
    const moved = writeProject({
      'retake.yaml': 'version: 1\n',
      'shop.eval.yaml': other,
      'cassettes/shop/hours.yaml': cassette(cwd),
    });
    const { exitCode, out } = await retake(moved, 'run', '--no-color');
    expect(exitCode).toBe(3);
    expect(out).toContain(`${place} differs from the recording`);
  });

  it('is bounded by no budget, and has no price', async () => {
    const { cwd } = await here(POST, { body: '{"reply": "open"}' }, '      - cost_under: 1\n');
    const file = path.join(cwd, 'shop.eval.yaml');
    const suite = readFileSync(file, 'utf8').replace('expect: [{final_contains: open}]\n', 'expect:\n');
    const other = writeProject({ 'retake.yaml': 'version: 1\n', 'shop.eval.yaml': suite });
    const { exitCode, out } = await retake(other, 'record', '--max-cost-usd', '0.01', '--no-color');
    expect(exitCode).toBe(1);
    expect(out).toContain('what the service spends is not known');
    const estimate = await retake(other, 'record', '--estimate', '--no-color');
    expect(estimate.exitCode, estimate.err).toBe(0);
    expect(estimate.out).not.toContain('unknown');
  });

  it('is of every row of a dataset', async () => {
    const service = await startService(({ body }) => ({ body: JSON.stringify({ reply: `open ${body.length}` }) }));
    const cwd = writeProject({
      'retake.yaml': 'version: 1\n',
      'shop.eval.yaml': `name: shop
target: {http: {url: "${service.url}/ask", body: {q: "{{input}}"}, response: /reply}}
dataset: rows.jsonl
expect: [{final_contains: open}]
`,
      'rows.jsonl': '{"name": "a", "input": "A?"}\n{"name": "b", "input": "B?"}\n',
    });
    const { exitCode, out, err } = await retake(cwd, 'record', '--no-color');
    expect(exitCode, out + err).toBe(0);
    expect(service.came.map(({ body }) => body)).toEqual(['{"q":"A?"}', '{"q":"B?"}']);
    expect((await retake(cwd, 'run')).exitCode).toBe(0);
  });

  it('says which variable holds the key, where it is missing', async () => {
    const { cwd } = await here('{url: "URL/ask?q={{input}}", response: /reply, api_key_env: SHOP_KEY}');
    const { exitCode, out, err } = await retake(cwd, 'record', '--no-color');
    expect(exitCode).toBe(3);
    expect(out + err).toContain('SHOP_KEY is not set');
  });
});

describe('mistakes', () => {
  it.each([
    ['{}', 'a.eval.yaml:2:9 `target` must say `command` or `http`'],
    ['{http: {url: ftp://x.example/}}', 'must be an http or https URL: `https://shop.example/ask`'],
    ['{http: {url: "https://{{input}}/ask"}}', 'may hold {{input}} in its path or query only'],
    ['{http: {url: "https://a:b@x.example/{{input}}"}}', 'must hold no user name or password'],
    ['{http: {url: https://x.example/ask}}', 'sends the input nowhere: write `{{input}}` into `url` or `body`'],
    ['{http: {url: https://x.example/ask, method: GET, body: "{{input}}"}}', 'cannot be sent with GET'],
    ['{http: {url: "https://x.example/{{input}}", response: reply}}', 'must be a JSON pointer: `/choices/0/text`'],
    ['{http: {url: "https://x.example/{{input}}", auth_header: X-Key}}', 'needs `api_key_env`'],
    [
      '{http: {url: "https://x.example/{{input}}", api_key_env: K, headers: {authorization: abc}}}',
      'is the header of the key, which `api_key_env` fills',
    ],
    ['{http: {url: "https://x.example/{{input}}", headers: {"a b": c}}}', 'must be the name of a header'],
    ['{http: {url: "https://x.example/{{input}}", headers: {A: "1", a: "2"}}}', 'stands there twice'],
    ['{http: {url: "https://x.example/{{input}}"}, command: cat}', 'excludes `command`'],
    ['{http: {uri: "https://x.example/{{input}}"}}', 'uri'],
  ])('%s', (target, message) => {
    const faults = faultsOf(() =>
      load({
        'retake.yaml': 'version: 1\n',
        'a.eval.yaml': `name: a\ntarget: ${target}\ncases: [{name: one, input: Hi}]\n`,
      }),
    );
    expect(faults.map(faultLine).join('\n')).toContain(message);
  });
});
