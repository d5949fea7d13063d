// One project for every kind of change below changes/: before and after replayed and compared, three reports byte for byte.
//
// `UPDATE=1 npx vitest run test/changes.test.ts` records again from answers.json, where a side has them, and writes
// expected/ anew.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { run } from '../src/commands/run.ts';
import { compare } from '../src/compare/compare.ts';
import { KINDS, KINDS_BY_WEIGHT } from '../src/compare/kinds.ts';
import { renderChanges } from '../src/render/changes.ts';
import { renderChangesHtml } from '../src/render/changes-html.ts';
import { renderChangesMarkdown } from '../src/render/changes-markdown.ts';
import { newProject } from './helpers/project.ts';
import { type Said, startProvider } from './helpers/provider-server.ts';

const CHANGES = fileURLToPath(new URL('./changes/', import.meta.url));
/** The port in the retake.yaml of what is recorded: an endpoint is part of what is asked. */
const PORT = 18_912;
const UPDATE = process.env.UPDATE === '1';
const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false, env: {} };

async function record(side: string): Promise<void> {
  const answers = JSON.parse(readFileSync(join(side, 'answers.json'), 'utf8')) as Record<string, Said[][]>;
  await using _provider = await startProvider(({ input, turn, conversation }) => {
    const said = answers[input]?.[conversation - 1]?.[turn - 1];
    if (!said) throw new Error(`no answer to turn ${turn} of ${input}`);
    return said;
  }, PORT);
  using copy = newProject({});
  cpSync(side, copy.folder, { recursive: true });
  const { counts, suites } = await run({ ...EVERYTHING, cwd: copy.folder, mode: 'record' });
  if (counts.errored > 0)
    throw new Error(JSON.stringify(suites.flatMap(({ cases }) => cases.map(({ problem }) => problem))));
  rmSync(join(side, 'cassettes'), { recursive: true, force: true });
  cpSync(join(copy.folder, 'cassettes'), join(side, 'cassettes'), { recursive: true });
}

async function replay(side: string) {
  if (UPDATE && existsSync(join(side, 'answers.json'))) await record(side);
  using copy = newProject({});
  cpSync(side, copy.folder, { recursive: true, filter: (path) => basename(path) !== 'answers.json' });
  return await run({ ...EVERYTHING, cwd: copy.folder, mode: 'replay' });
}

function golden(file: string, text: string): void {
  if (UPDATE) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe.sequential('every kind of change', () => {
  test.each(KINDS_BY_WEIGHT)('%s', async (kind) => {
    const folder = join(CHANGES, kind);
    const comparison = compare(await replay(join(folder, 'before')), await replay(join(folder, 'after')));
    expect(comparison.counts).toMatchObject({ [kind]: 1 });
    const look = { all: true, labels: { before: 'main (0a1b2c3d4)', after: 'working tree' } };
    golden(join(folder, 'expected/terminal.txt'), renderChanges(comparison, { ...look, color: false }));
    golden(join(folder, 'expected/changes.md'), renderChangesMarkdown(comparison, look));
    golden(join(folder, 'expected/changes.html'), renderChangesHtml(comparison, look));
  });

  test('there is a project and a page for every kind, and no other', () => {
    expect(readdirSync(CHANGES).sort()).toEqual([...KINDS_BY_WEIGHT].sort());
    for (const kind of KINDS_BY_WEIGHT) {
      const page = readFileSync(fileURLToPath(new URL(`../${KINDS[kind].page}`, import.meta.url)), 'utf8');
      expect(page).toMatch(new RegExp(`^# ${KINDS[kind].title}\n`));
    }
  });
});
