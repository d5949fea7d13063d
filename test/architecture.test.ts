// The house's two rules hold: imports go one way, and only [edge] files touch the world. See docs/architecture.md.

import { describe, expect, it } from 'vitest';
import { importFaults, readSources, worldFaults } from './helpers/architecture.ts';

describe('src/', () => {
  const sources = readSources();

  it('is read', () => {
    expect(sources.size).toBeGreaterThan(20);
    expect(sources.has('errors.ts')).toBe(true);
  });

  it('imports one way only, and the world only at the edge', () => {
    expect(importFaults(sources)).toEqual([]);
  });

  it('uses clock, network, environment and randomness only at the edge', () => {
    expect(worldFaults(sources)).toEqual([]);
  });
});

describe('the import rule', () => {
  const faults = (file: string, text: string) => importFaults(new Map([[file, text]]));

  it.each([
    ['request/redact.ts', "import { a } from '../cassette/cassette.ts';"],
    ['request/redact.ts', "export { a } from '../cassette/cassette.ts';"],
    ['request/redact.ts', "import type { A } from '../run/result.ts';"],
    ['run/run.ts', "const a = await import('../render/terminal.ts');"],
    ['errors.ts', "import { VERSION } from './version.ts';"],
    ['cli/cli.ts', "import { a } from '../action/inputs.ts';"],
    ['commands/run.ts', "import { cli } from '../cli/cli.ts';"],
    ['render/comment.ts', "import { a } from '../github/client.ts';"],
    ['github/client.ts', "import { a } from '../request/request.ts';"],
    ['cli/cli.ts', "import { a } from '../git/worktree.ts';"],
    ['helpers/a.ts', "import { a } from '../errors.ts';"],
    ['run/run.ts', "import { a } from '../../test/a.ts';"],
    ['run/run.ts', "import { readFileSync } from 'node:fs';"],
    ['run/run.ts', "import { readFileSync } from 'fs';"],
    ['commands/run.ts', "import { spawn } from 'node:child_process';"],
    ['cassette/text.ts', "import fs = require('node:fs');"],
    ['commands/run.ts', "import { glob } from 'tinyglobby';"],
    ['render/summary.ts', "import { summary } from '@actions/core';"],
  ])('refuses in %s: %s', (file, text) => {
    expect(faults(file, text)).toHaveLength(1);
  });

  it.each([
    ['cassette/text.ts', "import { a } from '../request/request.ts'; import { b } from './cassette.ts';"],
    ['cassette/text.ts', "import { createHash } from 'node:crypto'; import { posix } from 'node:path';"],
    ['cassette/store.ts', "import { readFileSync } from 'node:fs';"],
    ['responder/providers/openai.ts', "import { setTimeout } from 'node:timers/promises';"],
    ['commands/drift.ts', "import { a } from '../git/worktree.ts'; import { b } from '../github/client.ts';"],
    ['action/main.ts', "import { run } from '../commands/run.ts'; import { info } from '@actions/core';"],
    ['render/summary.ts', "import { fillTemplate } from '../templates.ts';"],
  ])('allows in %s: %s', (file, text) => {
    expect(faults(file, text)).toEqual([]);
  });
});

describe('the edge rule', () => {
  const faults = (file: string, text: string) => worldFaults(new Map([[file, text]]));

  it.each([
    'fetch("https://example.com");',
    'const f = fetch;',
    'export const shell = { fetch };',
    'const now = Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const now = Date();',
    'const key = process.env.KEY;',
    'performance.now();',
    'setTimeout(() => {}, 1);',
    'console.log("hello");',
    'const n = Math.random();',
    'const id = crypto.randomUUID();',
    "import { randomUUID } from 'node:crypto';",
    'globalThis.fetch("https://example.com");',
    'AbortSignal.timeout(5);',
    'const here = import.meta.url;',
    'function f(fetch: () => void) { fetch(); }\nfetch("https://example.com");',
  ])('refuses %s', (text) => {
    expect(faults('run/run.ts', text)).not.toEqual([]);
  });

  it.each([
    'const day = new Date(2026, 1, 1); const same = new Date("2026-01-01");',
    'const a = Math.max(1, 2); const ms = Date.UTC(2026, 1);',
    'function f(now: () => number, process: { env: string }) { return now() + process.env.length; }',
    'const o = { process: 1, console: 2 }; o.process; o.console;',
    'type F = typeof fetch; interface P { fetch: F; performance: number }',
  ])('allows %s', (text) => {
    expect(faults('run/run.ts', text)).toEqual([]);
  });

  it('allows all of it at the edge', () => {
    expect(faults('cli/main.ts', 'process.exitCode = Date.now();')).toEqual([]);
  });

  it('names file and line', () => {
    expect(faults('run/run.ts', '\nfetch("https://example.com");')).toEqual([
      'run/run.ts:2: uses fetch, which only [edge] files may',
    ]);
  });
});
