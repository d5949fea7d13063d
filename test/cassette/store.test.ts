// Cassettes as files: what is written, what is left alone, what is refused and how that is told.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Cassette, Prompt } from '../../src/cassette/cassette.ts';
import { openPending, openStore, type Store, today } from '../../src/cassette/store.ts';
import { writePrompt } from '../../src/cassette/text.ts';
import { type Fault, UserError } from '../../src/errors.ts';

let root: string;
let store: Store;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'retake-store-'));
  store = openStore(root, 'evals/cassettes');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const PROMPT: Prompt = { system: 'You help.' };
const DIGEST = writePrompt(PROMPT).digest;
const PROMPTS = new Map([[DIGEST, PROMPT]]);
const PROMPT_FILE = `evals/cassettes/refunds/prompts/${DIGEST}.yaml`;
const FILE = 'evals/cassettes/refunds/late.yaml';

function cassette(name = 'late', text = 'Sorry.', prompt: string | undefined = DIGEST): Cassette {
  const start = { provider: 'openai', model: 'm', ...(prompt !== undefined && { prompt }) };
  const response = { content: [{ type: 'text' as const, text }], stop: 'end_turn' as const, latencyMs: 1 };
  const interaction = { fingerprint: '0'.repeat(32), start, messages: [], response };
  return { suite: 'refunds', case: name, takes: [{ recorded: '2026-01-01', interactions: [interaction] }] };
}

const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError && error.faults[0]) return error.faults[0];
    throw error;
  }
  throw new Error('nothing was refused');
}

test('what is written is read, and nothing else lies about', () => {
  store.write(cassette(), PROMPTS);
  expect(files()).toEqual([FILE, PROMPT_FILE]);
  expect(store.path('refunds', 'late')).toBe(FILE);
  const again = openStore(root, 'evals/cassettes');
  expect(again.read('refunds', 'late')).toEqual(cassette());
  expect(again.openPrompt('refunds')(DIGEST)).toEqual(PROMPT);
});

test('a case without a recording has none, and reading creates nothing', () => {
  expect(store.read('refunds', 'late')).toBeUndefined();
  expect(files()).toEqual([]);
});

test('what has these bytes already is not touched', () => {
  store.write(cassette(), PROMPTS);
  const past = new Date('2020-01-01T00:00:00Z');
  for (const file of files()) utimesSync(join(root, file), past, past);
  store.write(cassette(), PROMPTS);
  expect(files().map((file) => statSync(join(root, file)).mtime)).toEqual([past, past]);
  store.write(cassette('late', 'Oh.'), PROMPTS);
  expect(statSync(join(root, FILE)).mtime).not.toEqual(past);
});

test('names that differ in case, form or by a path do not meet', () => {
  const names = ['late', 'Late', 'caf\u00e9', 'cafe\u0301', '../late', 'C:\\late', 'nul', 'nul.txt', '🦊', ''];
  for (const name of names) store.write(cassette(name, name), PROMPTS);
  for (const name of names) expect(store.read('refunds', name)).toEqual(cassette(name, name));
  expect(files().filter((file) => !file.startsWith('evals/cassettes/refunds/'))).toEqual([]);
});

describe('is refused with file and remedy', () => {
  const copyTo = (name: string) => {
    store.write(cassette(), PROMPTS);
    writeFileSync(join(root, `evals/cassettes/refunds/${name}.yaml`), readFileSync(join(root, FILE)));
  };

  test('a cassette under the name of another case', () => {
    copyTo('early');
    expect(faultOf(() => store.read('refunds', 'early'))).toMatchObject({
      code: 'cassette_damaged',
      message: 'holds the recording of refunds › late, not of refunds › early',
      place: { file: 'evals/cassettes/refunds/early.yaml' },
      remedy: expect.stringContaining('retake record --missing'),
    });
  });

  test('a folder where a cassette should be', () => {
    mkdirSync(join(root, FILE), { recursive: true });
    expect(faultOf(() => store.read('refunds', 'late'))).toMatchObject({
      code: 'cassette_damaged',
      message: 'cannot be read: a folder stands where a file should be',
      place: { file: FILE, line: 1 },
    });
    expect(faultOf(() => store.checkWritable('refunds', ['late']))).toMatchObject({
      code: 'cassette_unwritable',
      place: { file: FILE },
    });
  });

  test('a file where the folder of a suite should be, before anything is asked', () => {
    mkdirSync(join(root, 'evals/cassettes'), { recursive: true });
    writeFileSync(join(root, 'evals/cassettes/refunds'), '');
    for (const action of [() => store.checkWritable('refunds', []), () => store.write(cassette(), PROMPTS)]) {
      expect(faultOf(action)).toMatchObject({
        code: 'cassette_unwritable',
        message: 'cannot be written: a file stands where a folder should be',
        remedy: expect.stringContaining('retake.yaml'),
      });
    }
  });

  test('a cassette whose prompt is missing', () => {
    store.write(cassette(), PROMPTS);
    rmSync(join(root, PROMPT_FILE));
    expect(faultOf(() => openStore(root, 'evals/cassettes').read('refunds', 'late'))).toMatchObject({
      code: 'cassette_damaged',
      message: 'is missing, and cassettes refer to it',
      place: { file: PROMPT_FILE },
      remedy: expect.stringContaining(`git checkout -- ${PROMPT_FILE}`),
    });
  });

  test('a prompt under the name of another', () => {
    store.write(cassette(), PROMPTS);
    writeFileSync(join(root, PROMPT_FILE), writePrompt({ system: 'You do not help.' }).text);
    expect(faultOf(() => openStore(root, 'evals/cassettes').read('refunds', 'late'))).toMatchObject({
      code: 'cassette_damaged',
      message: 'holds another prompt than its name says',
      place: { file: PROMPT_FILE },
    });
  });

  test('a cassette that is being recorded', () => {
    const release = store.lock('refunds', 'late');
    expect(faultOf(() => store.lock('refunds', 'late'))).toMatchObject({
      code: 'cassette_locked',
      message: expect.stringMatching(/^is being recorded by process \d+ on /),
      place: { file: FILE },
      remedy: expect.stringMatching(/delete \.retake\/locks\/[0-9a-f]{16}\.lock/),
    });
    store.lock('refunds', 'early')();
    release();
    store.lock('refunds', 'late')();
  });
});

test('a folder that does not exist yet can be written', () => {
  expect(() => store.checkWritable('refunds', ['late'])).not.toThrow();
  expect(files()).toEqual([]);
});

test('locks and takes that wait are kept out of git', () => {
  store.lock('refunds', 'late')();
  openPending(root, 2).write(cassette(), PROMPTS);
  expect(readFileSync(join(root, '.retake/.gitignore'), 'utf8')).toBe('*\n');
  expect(openPending(root, 2).read('refunds', 'late')).toEqual(cassette());
  expect(openPending(root, 1).read('refunds', 'late')).toBeUndefined();
});

describe('sweep', () => {
  test('removes the prompts nothing refers to, and nothing else', () => {
    const old: Prompt = { system: 'You helped.' };
    const { digest } = writePrompt(old);
    store.write(cassette('early', 'Hi', digest), new Map([[digest, old]]));
    store.write(cassette(), PROMPTS);
    writeFileSync(join(root, 'evals/cassettes/refunds/prompts/notes.txt'), 'mine');
    store.sweep('refunds');
    expect(files()).toHaveLength(5);
    store.remove('refunds', 'early');
    store.sweep('refunds');
    expect(files()).toEqual([FILE, PROMPT_FILE, 'evals/cassettes/refunds/prompts/notes.txt']);
  });

  test('removes no prompt where a cassette cannot be read', () => {
    store.write(cassette(), PROMPTS);
    writeFileSync(join(root, FILE), 'damaged');
    expect(faultOf(() => store.sweep('refunds')).code).toBe('cassette_damaged');
    expect(existsSync(join(root, PROMPT_FILE))).toBe(true);
  });

  test('has nothing to do where there is no folder', () => {
    expect(() => store.sweep('refunds')).not.toThrow();
  });
});

test('a removed cassette is gone, and removing it again is nothing', () => {
  store.write(cassette(), PROMPTS);
  store.remove('refunds', 'late');
  store.remove('refunds', 'late');
  expect(store.read('refunds', 'late')).toBeUndefined();
});

test('cassettes are dated by the day', () => {
  expect(today()).toMatch(/^\d{4}-\d\d-\d\d$/);
});
