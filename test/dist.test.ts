// dist/ is what src/ builds to, and is what a package or a runner can use.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../src/version.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'retake-dist-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder's files by name. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Names of files that differ or are in one folder only. */
function stale(is: Record<string, string>, should: Record<string, string>): string[] {
  return [...new Set([...Object.keys(is), ...Object.keys(should)])].filter((name) => is[name] !== should[name]).sort();
}

it('is fresh', { timeout: 120_000 }, () => {
  const out = temporary();
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.js'), '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(stale(contents(DIST), contents(out)), 'dist/ is stale: run npm run build and commit it').toEqual([]);
});

it('has the same bytes from a copy in another folder', { timeout: 120_000 }, () => {
  const copy = temporary();
  for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  // A copy of its own: a link would be resolved and the packages be found where they are.
  cpSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path !== join(ROOT, 'node_modules/.cache'),
  });
  execFileSync(process.execPath, [join(copy, 'scripts/build.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  expect(stale(contents(join(copy, 'dist')), contents(DIST))).toEqual([]);
});

it('has line feeds only, no source map and no path of a machine', () => {
  for (const [name, text] of Object.entries(contents(DIST))) {
    expect(text.includes('\r\n'), name).toBe(false);
    expect(text.includes('sourceMappingURL'), name).toBe(false);
    expect(text.includes(ROOT), name).toBe(false);
    expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(3 * 1024 * 1024);
  }
});

it.each([['--version'], ['-V'], ['version']])('tells its version: retake %s', (word) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(DIST, 'cli.js'), word], { encoding: 'utf8' });
  expect({ stdout, stderr, status }).toEqual({ stdout: `${VERSION}\n`, stderr: '', status: 0 });
});

it('tells its version without loading the rest', () => {
  const folder = temporary();
  cpSync(join(DIST, 'cli.js'), join(folder, 'cli.js'));
  cpSync(join(DIST, 'package.json'), join(folder, 'package.json'));
  expect(execFileSync(process.execPath, [join(folder, 'cli.js'), '--version'], { encoding: 'utf8' })).toBe(
    `${VERSION}\n`,
  );
});

it('is found by the name of the package', () => {
  const folder = temporary();
  cpSync(DIST, join(folder, 'node_modules/retake/dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'node_modules/retake/package.json'));
  const script = "import { VERSION, run, validate } from 'retake'; console.log(VERSION, typeof run, typeof validate);";
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe(`${VERSION} function function\n`);
});
