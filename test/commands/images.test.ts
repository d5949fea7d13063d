// An image in a case: sent to every wire, known by what it holds, never written into a cassette.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { validate } from '../../src/commands/validate.ts';
import { sha256 } from '../../src/request/fingerprint.ts';
import { provider } from '../../src/responder/providers/index.ts';
import { WIRE_NAMES, type Wire } from '../../src/responder/providers/table.ts';
import { serve } from '../responder/providers/wire-server.ts';
import { writeProject } from '../suite/project.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n a small picture of a cat', 'latin1');

const ANSWERS = {
  openai: { choices: [{ message: { role: 'assistant', content: 'A cat.' }, finish_reason: 'stop' }] },
  'openai-responses': {
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'A cat.' }] }],
  },
  anthropic: { content: [{ type: 'text', text: 'A cat.' }], stop_reason: 'end_turn' },
  gemini: { candidates: [{ content: { parts: [{ text: 'A cat.' }] }, finishReason: 'STOP' }] },
} satisfies Record<Wire, unknown>;

const suite = (image: string) => `name: pictures
model: here/m
cases:
  - name: cat
    input: [{text: What is it?}, {image: ${image}}]
    expect:
      - final_contains: cat
`;

async function setUp(wire: Wire) {
  const { url, asked } = await serve([{ body: ANSWERS[wire] }]);
  const cwd = writeProject({
    'retake.yaml': `version: 1\nproviders:\n  here: {base_url: "${url}", wire: ${wire}}\ndefaults: {max_retries: 0}\n`,
    'evals/pictures.eval.yaml': suite('cat.png'),
    'evals/cat.png': PNG,
  });
  const go = async (mode: 'record' | 'replay') => {
    const result = await run({ cwd, globs: [], mode, filter: [], tags: [], failFast: false, resume: false, env: {} });
    const [one] = result.suites.flatMap(({ cases }) => cases);
    return { outcome: one?.outcome, problem: one?.problem };
  };
  const file = (name: string) => path.join(cwd, name);
  return { cwd, asked, go, file };
}

test.each(WIRE_NAMES)(
  '%s: the image is sent, its digest is recorded, and the replay needs no provider',
  async (wire) => {
    const { asked, go, file } = await setUp(wire);
    expect(await go('record')).toMatchObject({ outcome: 'passed' });
    expect(asked[0]?.text).toContain(PNG.toString('base64'));
    const cassette = readFileSync(file('cassettes/pictures/cat.yaml'), 'utf8');
    expect(cassette).toContain(`
          - user:
              - text: "What is it?"
              - image:
                  media_type: "image/png"
                  bytes: ${PNG.length}
                  sha256: "${sha256(PNG)}"
`);
    expect(cassette).not.toContain(PNG.toString('base64').slice(0, 16));
    expect(await go('replay')).toMatchObject({ outcome: 'passed' });
    expect(asked).toHaveLength(1);
  },
);

test('a moved image is the same, an edited one is a miss that names it', async () => {
  const { go, file } = await setUp('openai');
  await go('record');
  renameSync(file('evals/cat.png'), file('moved.png'));
  writeFileSync(file('evals/pictures.eval.yaml'), suite('../moved.png'));
  expect(await go('replay')).toMatchObject({ outcome: 'passed' });

  const edited = Buffer.concat([PNG, PNG]);
  writeFileSync(file('moved.png'), edited);
  expect(await go('replay')).toMatchObject({
    outcome: 'unrecorded',
    problem: {
      miss: {
        difference: {
          path: 'messages[0].content[1].image',
          recorded: expect.stringContaining(`image/png, ${PNG.length} bytes, sha256:`),
          now: expect.stringContaining(`image/png, ${edited.length} bytes, sha256:`),
        },
      },
    },
  });
});

test('validate recomputes the fingerprint from the cassette alone', async () => {
  const { cwd, go, file } = await setUp('openai');
  await go('record');
  // The case asks something else now, and no file of the project holds the image any more.
  rmSync(file('evals/cat.png'));
  writeFileSync(file('evals/pictures.eval.yaml'), suite('cat.png').replace(/input: .*/, 'input: What is it?'));
  expect(await validate({ cwd, globs: [], env: {} })).toMatchObject({ cassettes: 1, interactions: 1 });
});

test('an image that changes during the run is not sent', async () => {
  const { url, asked } = await serve([{ body: ANSWERS.openai }]);
  const cwd = writeProject({ 'a.png': Buffer.concat([PNG, PNG]) });
  const images = new Map([[sha256(PNG), path.join(cwd, 'a.png')]]);
  const live = provider({ name: 'here', wire: 'openai', endpoint: url, timeoutS: 5, maxRetries: 0, images });
  const image = { type: 'image' as const, mediaType: 'image/png' as const, bytes: PNG.length, digest: sha256(PNG) };
  const answer = await live.respond({
    kind: 'chat',
    provider: 'openai',
    model: 'm',
    messages: [{ role: 'user', content: [image] }],
  });
  expect(answer).toMatchObject({ failure: { message: expect.stringContaining('changed during the run') } });
  expect(asked).toHaveLength(0);
});
