// Files that are whole, old or new, whenever the process dies; and locks that die with it.

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

const HOST = hostname().replace(/[^A-Za-z0-9-]/g, '-');
const TEMPORARY = /^\..+\.([A-Za-z0-9-]*)\.(\d+)\.\d+\.tmp$/;

let serial = 0;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: somebody else's process, but a living one.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `lasting` text survives a power cut as well; that costs a millisecond or more a file. */
function writeWhole(path: string, text: string, { flags, lasting }: { flags: string; lasting: boolean }): void {
  const file = openSync(path, flags);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (lasting) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name beside `path` that tells whose it is, so that it can be swept when its process is dead. */
function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${HOST}.${process.pid}.${serial++}.tmp`);
}

/** Writes a file through a temporary one beside it: readers and killed processes see the old text or the new, whole. Creates folders. Throws what the file system says. */
export function writeAtomic(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryBeside(path);
  try {
    writeWhole(temporary, text, { flags: 'wx', lasting: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes temporary files that processes of this machine left behind when they died. */
export function sweepTemporary(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const [, host, pid] = TEMPORARY.exec(name) ?? [];
    if (host === HOST && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

interface Holder {
  host: string;
  pid: number;
}

function holderOf(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

/** Whether the lock was free and is now ours, whose text stands in `own`. */
function tryLock(own: string, path: string): boolean {
  try {
    // A hard link appears whole or not at all, so nobody reads a half-written lock.
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  try {
    writeWhole(path, readFileSync(own, 'utf8'), { flags: 'wx', lasting: false });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Who lives and holds the lock; undefined where it is free or its process is dead. */
function livingHolder(path: string): Holder | undefined {
  const holder = holderOf(path);
  return holder && (holder.host !== HOST || isAlive(holder.pid)) ? holder : undefined;
}

/** Moves a dead lock out of the way. Of two who find it dead one may move the lock the other has just taken: that one is put back. */
function moveDeadLock(path: string): void {
  const moved = temporaryBeside(path);
  try {
    renameSync(path, moved);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (livingHolder(moved)) tryLock(moved, path);
  rmSync(moved, { force: true });
}

/** Takes a lock file. Gives its release, or who holds it. A lock whose process died on this machine is taken over. */
export function takeLock(path: string): { release: () => void } | { heldBy: string } {
  mkdirSync(dirname(path), { recursive: true });
  const own = temporaryBeside(path);
  const ours: Holder = { host: HOST, pid: process.pid };
  writeWhole(own, JSON.stringify(ours), { flags: 'w', lasting: false });
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (tryLock(own, path)) return { release: () => rmSync(path, { force: true }) };
      const holder = livingHolder(path);
      if (holder) return { heldBy: `process ${holder.pid} on ${holder.host}` };
      moveDeadLock(path);
    }
    return { heldBy: 'another process' };
  } finally {
    rmSync(own, { force: true });
  }
}
