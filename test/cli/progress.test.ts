// The progress line: what it says, and who sees it.

import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/progress.ts';
import type { Progress } from '../../src/commands/run.ts';
import { PASSED, retake, type Settings } from './shell.ts';

const AT: Progress = {
  total: 48,
  done: 12,
  failed: 1,
  live: 30,
  inputTokens: 10_233,
  outputTokens: 2120,
  costUsd: null,
};

describe('progressLine', () => {
  it.each([
    [AT, 'record', 'recording 12/48 · 1 failed · 10,233 → 2,120 tokens · spent unknown'],
    [{ ...AT, failed: 0, costUsd: 0.1234 }, 'auto', 'recording 12/48 · 10,233 → 2,120 tokens · spent $0.1234'],
    [AT, 'off', 'asking 12/48 · 1 failed · 10,233 → 2,120 tokens · spent unknown'],
    [{ ...AT, live: 0, total: 10_000 }, undefined, 'replaying 12/10,000 · 1 failed'],
    [AT, undefined, 'recording 12/48 · 1 failed · 10,233 → 2,120 tokens · spent unknown'],
  ] as const)('says %j in mode %s', (progress, mode, line) => {
    expect(progressLine(progress, mode)).toBe(line);
  });
});

describe('on stderr', () => {
  const record = (settings: Settings, argv = ['record'], progress = AT) =>
    retake(argv, {
      ...settings,
      run: async ({ onProgress }) => {
        onProgress?.(progress);
        return PASSED;
      },
    });

  it('is drawn while recording on a terminal, and gone before the report', async () => {
    const { stderr, stdout } = await record({ errTerminal: 120 });
    expect(stderr).toBe(`\r\u001b[2K${progressLine(AT, 'record')}\r\u001b[2K`);
    expect(stdout).toContain('✓ passed');
  });

  it('never wraps', async () => {
    const { stderr } = await record({ errTerminal: 20 });
    expect(stderr).toBe('\r\u001b[2Krecording 12/48 · 1\r\u001b[2K');
  });

  it.each([
    ['into a pipe', {}],
    ['in CI', { errTerminal: 80, env: { CI: 'true' } }],
    ['on a dumb terminal', { errTerminal: 80, env: { TERM: 'dumb' } }],
  ])('is silent %s', async (_, settings) => {
    expect((await record(settings)).stderr).toBe('');
  });

  it('is silent for a quick replay', async () => {
    expect((await record({ errTerminal: 80 }, ['run'], { ...AT, live: 0 })).stderr).toBe('');
  });

  it('says on a terminal that it is stopping', async () => {
    const stop = new AbortController();
    const { stderr } = await retake(['record'], {
      errTerminal: 80,
      signal: stop.signal,
      run: async () => {
        stop.abort('SIGINT');
        return PASSED;
      },
    });
    expect(stderr).toBe('Stopping. What is finished is kept; Ctrl-C again stops at once.\n');
  });
});
