// The tally is the last line of a run, whatever else is printed.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function lastLineOf(files: Record<string, string>): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'retake-tally-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const reporters = ['--reporter', 'default', '--reporter', path('./tally-reporter.ts')];
  const args = [path('../../node_modules/vitest/vitest.mjs'), 'run', '--root', root, '--globals', ...reporters];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trimEnd().split('\n').at(-1);
}

it('counts tests that passed and failed, and a file that cannot be read as one that failed', () => {
  const files = {
    'a.test.js': 'it("a", () => {}); it("b", () => { throw new Error("no") });',
    'b.test.js': 'nonsense(',
  };
  expect(lastLineOf(files)).toBe('1 passed, 2 failed');
});

it('counts an error outside of all tests', () => {
  const text = 'it("a", () => {}); it("b", async () => { Promise.reject(new Error("lost")); await 0; });';
  expect(lastLineOf({ 'a.test.js': text })).toBe('2 passed, 1 failed');
});
