// Credentials in recordings are an error, and `retake redact` takes them out without a provider.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rebuildRequests, type Take } from '../../src/cassette/cassette.ts';
import { openStore } from '../../src/cassette/store.ts';
import { identify } from '../../src/request/fingerprint.ts';
import { writeProject } from '../suite/project.ts';
import { CANARIES, configFor, type FakeModel, fakeModel, filesBelow, leaksIn, retake } from './canaries.ts';

const SUITE = (system: string) => `name: shop
system: ${JSON.stringify(system)}
tools: [{name: fetch}]
mocks: {fetch: [{return: {auth: "${CANARIES.tool}"}}]}
cases:
  - {name: one, input: "Mine is ${CANARIES.input}", expect: [{calls_tool: fetch}]}
  - {name: two, input: Hi}
`;

/** A project recorded with `[redacted:…]` words, then with the secrets written back, as an older version would have kept them. */
async function leakyProject(): Promise<{ cwd: string; model: FakeModel; clean: Map<string, string> }> {
  const model = await fakeModel();
  const cwd = writeProject({
    'retake.yaml': `${configFor(model.url)}concurrency: 1\n`,
    'shop.eval.yaml': SUITE(`Use ${CANARIES.prompt}.`),
  });
  const call = { id: 'x', function: { name: 'fetch', arguments: '{}' } };
  model.answers.push(
    { message: { tool_calls: [call] } },
    { message: { content: `Got ${CANARIES.input}, ${CANARIES.response}` } },
  );
  expect((await retake(cwd, ['record'], { MODEL_KEY: CANARIES.apiKey })).exitCode).toBe(0);
  const clean = filesBelow(join(cwd, 'cassettes'));
  const secrets: Record<string, string> = {
    'openai-key-1': CANARIES.prompt,
    'github-token-1': CANARIES.input,
    'anthropic-key-1': CANARIES.tool,
    'huggingface-token-of-model-1': CANARIES.response,
  };
  const leak = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replace(/\[redacted:([\w-]+)\]/g, (_, word: string) => secrets[word] ?? ''));
  const store = openStore(cwd, 'cassettes');
  for (const name of ['one', 'two']) {
    const cassette = store.read('shop', name);
    if (!cassette) throw new Error('not recorded');
    const takes: Take[] = cassette.takes.map((take) => {
      const requests = rebuildRequests(take.interactions, store.openPrompt('shop'));
      const interactions = take.interactions.map((one, at) => ({
        ...leak(one),
        fingerprint: identify(leak(requests[at] as (typeof requests)[number])).fingerprint,
        ...(one.start && {
          start: { ...one.start, prompt: '', inlinePrompt: leak(store.openPrompt('shop')(one.start.prompt as string)) },
        }),
      }));
      for (const { start } of interactions) if (start) delete (start as { prompt?: string }).prompt;
      return { ...take, interactions };
    });
    store.write({ ...cassette, takes }, new Map());
  }
  return { cwd, model, clean };
}

it('is an error of validate, which names file, line and shape and shows no secret', async () => {
  const { cwd } = await leakyProject();
  const ran = await retake(cwd, ['validate']);
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
  const text = readFileSync(join(cwd, 'cassettes/shop/one.yaml'), 'utf8').split('\n');
  const line = (secret: string) => text.findIndex((one) => one.includes(secret)) + 1;
  expect(ran.stderr).toContain(
    `cassettes/shop/one.yaml:${line(CANARIES.prompt)}  holds what looks like an OpenAI key\n`,
  );
  expect(ran.stderr).toContain(
    `cassettes/shop/one.yaml:${line(CANARIES.tool)}  holds what looks like an Anthropic key\n`,
  );
  expect(ran.stderr).toContain('`retake redact --yes`');
  expect(leaksIn(ran.stderr)).toEqual([]);
});

it('is an error of a replay, and a new recording mends it', async () => {
  const { cwd } = await leakyProject();
  const ran = await retake(cwd, ['run']);
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ran.stderr).toContain('cassettes/shop/two.yaml:12  holds what looks like an OpenAI key\n');
  expect(leaksIn(ran.stderr)).toEqual([]);
  expect((await retake(cwd, ['record'], { MODEL_KEY: CANARIES.apiKey })).stdout).toContain('2 cases');
  expect((await retake(cwd, ['validate'])).exitCode).toBe(0);
});

it('finds them in files that no case owns', async () => {
  const { cwd } = await leakyProject();
  await retake(cwd, ['redact', '--yes']);
  writeFileSync(join(cwd, 'cassettes/shop/old.yaml'), `a: b\nkey: ${CANARIES.error}\n`);
  const { stderr, exitCode } = await retake(cwd, ['validate']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cassettes/shop/old.yaml:2  holds what looks like an npm token');
});

it('lists first, and rewrites to what a recording would have written', async () => {
  const { cwd, model, clean } = await leakyProject();
  const asked = model.requests.length;
  const before = filesBelow(join(cwd, 'cassettes'));
  const listed = await retake(cwd, ['redact']);
  expect(listed.stdout).toBe(
    [
      'cassettes/shop/one.yaml',
      '  take 1, turn 1, prompt: [redacted:openai-key-1]',
      '  take 1, turn 1, messages: [redacted:github-token-1]',
      '  take 1, turn 2, messages: [redacted:anthropic-key-1]',
      '  take 1, turn 2, response: [redacted:github-token-1], [redacted:huggingface-token-of-model-1]',
      'cassettes/shop/two.yaml',
      '  take 1, turn 1, prompt: [redacted:openai-key-1]',
      '',
      '2 of 2 cassettes would be rewritten. Nothing is written yet: retake redact --yes',
      '',
    ].join('\n'),
  );
  expect(filesBelow(join(cwd, 'cassettes'))).toEqual(before);

  const written = await retake(cwd, ['redact', '--yes']);
  expect(written.exitCode).toBe(0);
  expect(written.stdout).toContain('2 of 2 cassettes rewritten.');
  expect(filesBelow(join(cwd, 'cassettes'))).toEqual(clean);
  expect((await retake(cwd, ['validate'])).exitCode).toBe(0);
  expect((await retake(cwd, ['run'])).exitCode).toBe(0);
  expect((await retake(cwd, ['redact', '--yes'])).stdout).toBe(
    '✓ 2 cassettes: nothing in them looks like a credential\n',
  );
  expect(model.requests).toHaveLength(asked);
});

it('writes nothing where a recording is damaged', async () => {
  const { cwd } = await leakyProject();
  const file = join(cwd, 'cassettes/shop/two.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
  const before = filesBelow(join(cwd, 'cassettes'));
  const ran = await retake(cwd, ['redact', '--yes']);
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toContain('cassettes/shop/two.yaml');
  expect(filesBelow(join(cwd, 'cassettes'))).toEqual(before);
});

it('rewrites recordings that no case owns any more, unless suites are named', async () => {
  const { cwd, clean } = await leakyProject();
  const suite = join(cwd, 'shop.eval.yaml');
  writeFileSync(suite, readFileSync(suite, 'utf8').replace('  - {name: two, input: Hi}\n', ''));
  const some = await retake(cwd, ['redact', 'shop.eval.yaml']);
  expect(some.stdout).toContain('1 of 1 cassette would be rewritten.');
  expect(some.stdout).not.toContain('two.yaml');
  const written = await retake(cwd, ['redact', '--yes']);
  expect(written.stdout).toContain('cassettes/shop/two.yaml\n  take 1, turn 1, prompt: [redacted:openai-key-1]\n');
  expect(written.stdout).toContain('2 of 2 cassettes rewritten.');
  expect(filesBelow(join(cwd, 'cassettes'))).toEqual(clean);
  expect((await retake(cwd, ['validate'])).exitCode).toBe(0);
});
