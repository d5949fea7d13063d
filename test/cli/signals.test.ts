// What a signal does to a run.

import { describe, expect, it } from 'vitest';
import { caseOf, runOf } from '../render/terminal-samples.ts';
import { retake } from './shell.ts';

describe('signals', () => {
  const rest = caseOf('later', 'skipped', { takes: [] });
  const part = runOf([caseOf('done'), rest], { mode: 'record' });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s waits for what is under way, says what is kept and ends with %i', async (name, exitCode) => {
    const stop = new AbortController();
    const ran = await retake(['record'], {
      signal: stop.signal,
      run: async ({ signal }) => {
        const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve));
        stop.abort(name);
        await aborted;
        return part;
      },
    });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout).toContain(`Interrupted: 1 of 2 cases finished and are kept (exit ${exitCode}).`);
    expect(ran.stderr).toBe('');
  });

  it('ends with 130 where the run gives up at once', async () => {
    const stop = new AbortController();
    const ran = await retake(['run'], {
      signal: stop.signal,
      run: async ({ signal }) => {
        stop.abort('SIGINT');
        throw signal?.reason;
      },
    });
    expect(ran).toMatchObject({ exitCode: 130, stdout: '', stderr: 'Interrupted.\n' });
  });
});
