// Locks hold against living processes and not against dead ones; temporary files of the dead are swept, of the living kept.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepTemporary, takeLock, writeAtomic } from '../../src/cassette/atomic.ts';

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, '-');
let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'retake-atomic-'));
  lock = join(folder, 'locks', 'a.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deadPid = () => spawnSync(process.execPath, ['-e', '0']).pid;

function lockOf(pid: number, host = HOST): void {
  writeAtomic(lock, JSON.stringify({ host, pid }));
}

test('a lock is held until it is released', () => {
  const first = takeLock(lock);
  expect(takeLock(lock)).toEqual({ heldBy: `process ${process.pid} on ${HOST}` });
  if ('release' in first) first.release();
  expect(takeLock(lock)).toHaveProperty('release');
});

test('a lock of a living process is respected', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  try {
    lockOf(other.pid as number);
    expect(takeLock(lock)).toEqual({ heldBy: `process ${other.pid} on ${HOST}` });
  } finally {
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
  }
  expect(takeLock(lock)).toHaveProperty('release');
});

test('a lock of a dead process is taken over, with nothing left beside it', () => {
  lockOf(deadPid());
  expect(takeLock(lock)).toHaveProperty('release');
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual({ host: HOST, pid: process.pid });
  expect(readdirSync(join(folder, 'locks'))).toEqual(['a.lock']);
});

test('a lock of another machine is respected: nobody here can tell whether its process lives', () => {
  lockOf(deadPid(), 'elsewhere');
  expect(takeLock(lock)).toHaveProperty('heldBy');
});

test('a lock file that is damaged is taken over', () => {
  writeAtomic(lock, '{"pid":');
  expect(takeLock(lock)).toHaveProperty('release');
});

test('writing replaces the whole file and leaves no temporary one', () => {
  const file = join(folder, 'deep', 'a.yaml');
  writeAtomic(file, 'a long first text\n');
  writeAtomic(file, 'short\n');
  expect(readFileSync(file, 'utf8')).toBe('short\n');
  expect(readdirSync(join(folder, 'deep'))).toEqual(['a.yaml']);
});

test('only what dead processes of this machine left is swept', () => {
  const dead = `.a.yaml.${HOST}.${deadPid()}.0.tmp`;
  const kept = [`.a.yaml.${HOST}.${process.pid}.0.tmp`, `.a.yaml.elsewhere.${deadPid()}.0.tmp`, 'a.yaml', 'a.tmp'];
  for (const name of [dead, ...kept]) writeFileSync(join(folder, name), '');
  sweepTemporary(folder);
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
});
