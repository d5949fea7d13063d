// The benches run; how fast Retake is, no test says: that depends on the machine.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the quick bench prints a row for everything it measures', { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.js', '--quick'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
  expect(rows[0]).toBe('| what | figure | result | goal | met |');
  for (const what of [
    '--version',
    'replay of 1 case',
    'floor over',
    'peak memory',
    'reader',
    'fingerprints',
    'recording',
    'comment',
    'HTML page',
  ])
    expect(rows.filter((row) => row.includes(what))).not.toEqual([]);
  expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
});
