// No secret is ever written: keys planted everywhere, recorded, replayed, and looked for in every file and output.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderSummary } from '../../src/render/summary.ts';
import type { RunResult } from '../../src/run/result.ts';
import { writeProject } from '../suite/project.ts';
import { CANARIES, configFor, type FakeModel, fakeModel, filesBelow, leaksIn, retake } from './canaries.ts';

const ENV = { MODEL_KEY: CANARIES.apiKey, SHOP_TOKEN: CANARIES.variable };

const SUITE = `name: shop
system: |
  Use ${CANARIES.prompt} and \${SHOP_TOKEN}, customer ${CANARIES.project}.
params: {metadata: {note: "${CANARIES.params}"}}
tools:
  - name: fetch
    description: "Reads postgres://shop:${CANARIES.url}@db/1 with ${CANARIES.description}"
mocks:
  fetch:
    - return: {auth: "${CANARIES.tool}", of: "\${SHOP_TOKEN}", jwt: ["Bearer ${CANARIES.jwt}"]}
cases:
  - name: one
    input: My token is ${CANARIES.input}, and \${SHOP_TOKEN}.
    expect: [{calls_tool: fetch}, {final_contains: "\${SHOP_TOKEN}"}, {final_contains: nothing like it}]
`;

const said = [
  `I saw ${CANARIES.prompt}, ${CANARIES.variable}, ${CANARIES.project}, ${CANARIES.response}`,
  `${CANARIES.apiKey}, ${encodeURIComponent(CANARIES.apiKey)}, ${CANARIES.tool} and ${CANARIES.jwt}.`,
].join('\n');

const call = {
  id: 'x',
  function: {
    name: 'fetch',
    arguments: JSON.stringify({ [CANARIES.key]: CANARIES.argument, text: said, id: '9007199254740993' }),
  },
};
const broken = { id: 'y', function: { name: 'fetch', arguments: `{"a": "${CANARIES.argument} ${CANARIES.apiKey}` } };

function answer(model: FakeModel): void {
  model.answers.push(
    { message: { content: said, reasoning: `Hm, ${CANARIES.response}`, tool_calls: [call, broken] } },
    { message: { content: said } },
  );
}

async function projectOf(suite: string, given?: FakeModel) {
  const model = given ?? (await fakeModel());
  const cwd = writeProject({ 'retake.yaml': configFor(model.url), 'shop.eval.yaml': suite });
  return { model, cwd };
}

function expectClean(cwd: string, ...outputs: { stdout: string; stderr: string }[]): void {
  const leaks = [...filesBelow(cwd)].flatMap(([file, text]) =>
    leaksIn(text + file).map((place) => `${file}: ${place}`),
  );
  expect(leaks).toEqual([]);
  for (const { stdout, stderr } of outputs) expect(leaksIn(stdout + stderr)).toEqual([]);
}

describe('canaries', () => {
  it('are sent to the provider, and written and printed nowhere', async () => {
    const { model, cwd } = await projectOf(SUITE);
    answer(model);
    const recorded = await retake(cwd, ['record', '-v', '--json-out', 'result.json'], ENV);
    expect(recorded.exitCode).toBe(1);
    const sent = model.requests.join('\n');
    expect(leaksIn(sent)).toEqual(
      expect.arrayContaining([
        'apiKey',
        'variable',
        'prompt',
        'input',
        'tool',
        'description',
        'params',
        'project',
        'url',
      ]),
    );
    const replayed = await retake(cwd, ['run', '--reporter', 'json']);
    const verbose = await retake(cwd, ['run', '-v']);
    const summary = renderSummary(JSON.parse(replayed.stdout) as RunResult);
    expectClean(cwd, recorded, replayed, verbose, { stdout: summary, stderr: '' });
    expect([...filesBelow(cwd).keys()].some((file) => file.startsWith(join(cwd, 'cassettes')))).toBe(true);
  });

  it('that a provider’s error repeats are printed nowhere, cut short or not', async () => {
    const { model, cwd } = await projectOf(SUITE);
    for (const filler of [0, 300, 355, 375, 385]) {
      const message = `${'z'.repeat(filler)} ${CANARIES.error} ${CANARIES.apiKey} ${CANARIES.variable} ${CANARIES.prompt}`;
      for (const body of [JSON.stringify({ error: { message } }), message]) {
        model.answers.push({ status: 400, body });
        const ran = await retake(cwd, ['record', '--json-out', 'result.json'], ENV);
        expect(ran.exitCode).toBe(3);
        expect(ran.stdout).toContain('answered 400');
        expectClean(cwd, ran);
      }
    }
  });

  it('that wait among pending takes are redacted', async () => {
    const { model, cwd } = await projectOf(SUITE.replace('  - name: one\n', '  - name: one\n    repeat: 2\n'));
    answer(model);
    model.answers.push({ status: 400, body: CANARIES.error });
    const ran = await retake(cwd, ['record'], ENV);
    expect(ran.exitCode).toBe(3);
    expect([...filesBelow(cwd).keys()].some((file) => file.includes('pending'))).toBe(true);
    expectClean(cwd, ran);
  });

  it('of a script are printed nowhere', async () => {
    const script = `    script: [{text: "${CANARIES.response} and \${SHOP_TOKEN}"}]\n    provider: script\n`;
    const suite = `name: s\ncases:\n  - name: c\n    input: Hi ${CANARIES.input}\n${script}    expect: [{final_equals: no}]\n`;
    const { cwd } = await projectOf(suite);
    expectClean(cwd, await retake(cwd, ['run', '-v'], ENV), await retake(cwd, ['run', '--reporter', 'json']));
  });
});

describe('a redacted recording', () => {
  it('replays where no variable is set, with the same bytes as where it is', async () => {
    const { model, cwd } = await projectOf(SUITE.replace(', {final_contains: nothing like it}', ''));
    answer(model);
    expect((await retake(cwd, ['record'], ENV)).exitCode).toBe(0);
    const bare = await retake(cwd, ['run', '--reporter', 'json']);
    expect(bare).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await retake(cwd, ['run', '--reporter', 'json'], ENV)).toEqual(bare);
    expect(await retake(cwd, ['run', '--reporter', 'json'], { ...ENV, SHOP_TOKEN: 'another' })).toEqual(bare);
    expect((await retake(cwd, ['validate'])).stdout).toContain('all sound');
    expect(model.requests).toHaveLength(2);
  });

  it('keeps apart requests that differ only in their secrets', async () => {
    const [one, two] = [CANARIES.input, CANARIES.input.replace('INPUT', 'OTHER')];
    const asks = (first: string, second: string) =>
      `name: s\ncases:\n  - name: c\n    input: [{role: user, content: ${first}}, {role: assistant, content: ok}, {role: user, content: ${second}}]\n`;
    const model = await fakeModel();
    const fingerprintOf = async (suite: string) => {
      const { cwd } = await projectOf(suite, model);
      await retake(cwd, ['record'], ENV);
      const cassettes = [...filesBelow(cwd)].filter(([file]) => file.endsWith('c.yaml')).map(([, text]) => text);
      return /fingerprint: "(\w+)"/.exec(cassettes[0] ?? '')?.[1];
    };
    const twice = await fingerprintOf(asks(one, one));
    const both = await fingerprintOf(asks(one, two));
    expect(twice).toMatch(/^[0-9a-f]{32}$/);
    expect(both).toMatch(/^[0-9a-f]{32}$/);
    expect(both).not.toBe(twice);
    expect(await fingerprintOf(asks(two, one))).toBe(both);
  });

  it('needs the variable to be recorded, and says so', async () => {
    const { model, cwd } = await projectOf(SUITE);
    const ran = await retake(cwd, ['record'], { MODEL_KEY: CANARIES.apiKey });
    expect(ran.exitCode).toBe(3);
    expect(ran.stdout).toContain('the request needs SHOP_TOKEN, which is not set');
    expect(ran.stdout).toContain('Set SHOP_TOKEN and record again.');
    expect(model.requests).toEqual([]);
  });
});

describe('what redaction does not reach is not asked', () => {
  it.each([
    ['the value of a variable', `content of ${CANARIES.variable}`, 'the value of SHOP_TOKEN stands in messages[0]'],
    ['the key of the provider', `content of ${CANARIES.apiKey}`, 'the value of MODEL_KEY stands in messages[0]'],
  ])('%s', async (_what, input, message) => {
    const other = '  - name: two\n    input: Hi\n';
    const { model, cwd } = await projectOf(
      `name: s\nsystem: "\${SHOP_TOKEN}"\ncases:\n  - name: one\n    input: ${input}\n${other}`,
    );
    const ran = await retake(cwd, ['record', '--json-out', 'result.json'], ENV);
    expect(ran.exitCode).toBe(3);
    expect(ran.stdout).toContain(`${message}, so nothing was asked or recorded`);
    expect(model.requests).toHaveLength(1);
    expectClean(cwd, ran);
    expect([...filesBelow(cwd).keys()].filter((file) => /(?:one|two)\.yaml$/.test(file))).toEqual([
      join(cwd, 'cassettes', 's', 'two.yaml'),
    ]);
  });

  it('a credential as a key', async () => {
    const suite = `name: s\nparams: {metadata: {${CANARIES.tool}: 1}}\ncases:\n  - name: one\n    input: Hi\n`;
    const { model, cwd } = await projectOf(suite);
    const ran = await retake(cwd, ['record'], ENV);
    expect(ran.stdout).toContain('a key of params looks like an Anthropic key, so nothing was asked or recorded');
    expect(model.requests).toEqual([]);
  });
});
