// Cassettes and prompts as files: one folder, read and written whole.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError, userError } from '../errors.ts';
import { sha256 } from '../request/fingerprint.ts';
import { sweepTemporary, takeLock, writeAtomic } from './atomic.ts';
import { type Cassette, type OpenPrompt, type Prompt, promptDigestsOf } from './cassette.ts';
import { credentialFaults } from './credentials.ts';
import { listFiles, listYaml, removeEmpty } from './folder.ts';
import { cassettePath, promptPath, slugOf } from './paths.ts';
import { isRecorded, readCassette, readPrompt, writeCassette, writePrompt } from './text.ts';

/** A folder of cassettes. Paths in messages are relative to the project, with POSIX separators. */
export interface Store {
  /** The cassette's path relative to the project. */
  path(suite: string, name: string): string;
  /** Undefined where there is none. Throws UserError where it is damaged, or a prompt it refers to is. */
  read(suite: string, name: string): Cassette | undefined;
  openPrompt(suite: string): OpenPrompt;
  /** Every cassette and prompt file there is, whoever owns it, in code-unit order of paths. */
  texts(): Iterable<{ file: string; text: string }>;
  /** Writes the prompts, then the cassette, atomically; leaves untouched what has these bytes already. */
  write(cassette: Cassette, prompts: ReadonlyMap<string, Prompt>): void;
  /** Writes a file of ours at a path below the folder as it is, atomically. Throws UserError. */
  writeAt(path: string, text: string): void;
  /** Removes a cassette, not its prompts. */
  remove(suite: string, name: string): void;
  /** Throws UserError where the folders of the suite or the cassettes of these cases cannot be written, before anything is spent. */
  checkWritable(suite: string, cases: readonly string[]): void;
  /** Takes the cassette's lock; throws UserError where another process has it. */
  lock(suite: string, name: string): () => void;
  /** Removes the suite's prompts that no cassette of it refers to, and what dead processes left. */
  sweep(suite: string): void;
  /** Paths below the folder, where cassettes and prompts lie and beside them, in code-unit order; neither links nor hidden files. */
  files(): string[];
  /** Whether the file at a path below the folder begins as Retake's own files do. */
  isOurs(path: string): boolean;
  /** Reads the cassette at a path below the folder, whatever its name; throws UserError where it is damaged or lies where its names do not belong. */
  readAt(path: string): Cassette;
  /** Removes files by their paths below the folder, then folders that are left empty. Throws UserError. */
  removeFiles(paths: readonly string[]): void;
}

const WHY: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  EISDIR: 'a folder stands where a file should be',
};

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** What the file system says, in words. */
function why(error: unknown): string {
  return WHY[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function unwritable(file: string, reason: string): UserError {
  return userError('cassette_unwritable', `cannot be written: ${reason}`, {
    place: { file },
    remedy:
      'Make the folder writable, or set `cassettes: {dir: …}` in retake.yaml to another. The old cassette is untouched.',
  });
}

// Cassettes are small and many: a buffer for each would cost more than reading it.
const REUSED = Buffer.allocUnsafeSlow(128 * 1024);

/** A file's bytes, good until the next call. */
function readReused(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    for (let length = 0; length < REUSED.length; ) {
      const read = readSync(file, REUSED, length, REUSED.length - length, null);
      if (read === 0) return REUSED.subarray(0, length);
      length += read;
    }
  } finally {
    closeSync(file);
  }
  return readFileSync(path);
}

/** How a folder of cassettes is read. */
export interface StoreOptions {
  /** Refuse to read what holds a credential; false unless set. */
  refuseCredentials?: boolean;
}

/** Opens the folder `dir` (relative, POSIX) of the project at `root` (absolute). Nothing is created until something is written. */
export function openStore(root: string, dir: string, { refuseCredentials = false }: StoreOptions = {}): Store {
  const shown = (path: string) => `${dir}/${path}`;
  const absolute = (path: string) => join(root, dir, path);
  const prompts = new Map<string, Prompt>();

  function readBytes(path: string): Buffer | undefined {
    try {
      return readReused(absolute(path));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw userError('cassette_damaged', `cannot be read: ${why(error)}`, {
        place: { file: shown(path), line: 1 },
        remedy: `Restore it with \`git checkout -- ${shown(path)}\`, or move away what stands there and record again with \`retake record\`.`,
      });
    }
  }

  function checkCredentials(path: string, bytes: Buffer): void {
    const faults = refuseCredentials ? credentialFaults(shown(path), bytes.toString('utf8')) : [];
    if (faults.length > 0) throw new UserError(faults);
  }

  function openPrompt(suite: string, digest: string): Prompt {
    const path = promptPath(suite, digest);
    const known = prompts.get(path);
    if (known) return known;
    const bytes = readBytes(path);
    if (!bytes) {
      throw userError('cassette_damaged', 'is missing, and cassettes refer to it', {
        place: { file: shown(path) },
        remedy: `Restore it with \`git checkout -- ${shown(path)}\`, or record the suite again with \`retake record\`.`,
      });
    }
    const prompt = readPrompt(bytes, shown(path));
    if (writePrompt(prompt).digest !== digest) {
      throw userError('cassette_damaged', 'holds another prompt than its name says', {
        place: { file: shown(path), line: 1 },
        remedy: `Restore it with \`git checkout -- ${shown(path)}\`, or record the suite again with \`retake record\`.`,
      });
    }
    checkCredentials(path, bytes);
    prompts.set(path, prompt);
    return prompt;
  }

  function read(suite: string, name: string): Cassette | undefined {
    const path = cassettePath(suite, name);
    const bytes = readBytes(path);
    if (!bytes) return undefined;
    const cassette = readCassette(bytes, shown(path));
    if (cassette.suite !== suite || cassette.case !== name)
      throw misplaced(path, cassette, `, not of ${suite} › ${name}`);
    checkCredentials(path, bytes);
    for (const digest of promptDigestsOf(cassette)) openPrompt(suite, digest);
    return cassette;
  }

  function misplaced(path: string, cassette: Cassette, more: string): UserError {
    return userError('cassette_damaged', `holds the recording of ${cassette.suite} › ${cassette.case}${more}`, {
      place: { file: shown(path), line: 3 },
      remedy:
        'Cassettes are not to be copied or renamed by hand. Delete it and record again with `retake record --missing`.',
    });
  }

  function writeIfNew(path: string, text: string): void {
    try {
      if (readFileSync(absolute(path), 'utf8') === text) return;
    } catch {
      // Not there, or not readable: writing says what is wrong.
    }
    try {
      writeAtomic(absolute(path), text);
    } catch (error) {
      throw unwritable(shown(path), why(error));
    }
  }

  return {
    path: (suite, name) => shown(cassettePath(suite, name)),
    read,
    openPrompt: (suite) => (digest) => openPrompt(suite, digest),
    *texts() {
      for (const path of listFiles(join(root, dir)).filter((name) => name.endsWith('.yaml')))
        yield { file: shown(path), text: String(readBytes(path) ?? '') };
    },
    write(cassette, promptsOf) {
      const text = writeCassette(cassette);
      for (const [digest, prompt] of promptsOf)
        writeIfNew(promptPath(cassette.suite, digest), writePrompt(prompt).text);
      writeIfNew(cassettePath(cassette.suite, cassette.case), text);
    },
    writeAt: writeIfNew,
    remove(suite, name) {
      rmSync(absolute(cassettePath(suite, name)), { force: true });
    },
    checkWritable(suite, cases) {
      for (const part of [slugOf(suite), `${slugOf(suite)}/prompts`]) {
        let folder = absolute(part);
        while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
        try {
          if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
          accessSync(folder, constants.W_OK);
        } catch (error) {
          throw unwritable(shown(part), why(error));
        }
      }
      for (const name of cases) {
        const path = cassettePath(suite, name);
        if (statSync(absolute(path), { throwIfNoEntry: false })?.isDirectory())
          throw unwritable(shown(path), 'a folder stands where a file should be');
      }
    },
    lock(suite, name) {
      const path = cassettePath(suite, name);
      const file = `.retake/locks/${sha256(shown(path)).slice(0, 16)}.lock`;
      let taken: ReturnType<typeof takeLock>;
      try {
        keepOutOfGit(root);
        taken = takeLock(join(root, file));
      } catch (error) {
        throw unwritable('.retake', why(error));
      }
      if ('release' in taken) return taken.release;
      throw userError('cassette_locked', `is being recorded by ${taken.heldBy}`, {
        place: { file: shown(path) },
        remedy: `Wait until it is done. If no other \`retake record\` runs, delete ${file}.`,
      });
    },
    sweep(suite) {
      const folder = absolute(slugOf(suite));
      for (const each of [folder, join(folder, 'prompts'), join(root, '.retake'), join(root, '.retake', 'locks')])
        sweepTemporary(each);
      const named = new Set<string>();
      for (const file of listYaml(folder)) {
        const bytes = readBytes(`${slugOf(suite)}/${file}`);
        if (!bytes) continue;
        const cassette = readCassette(bytes, shown(`${slugOf(suite)}/${file}`));
        for (const digest of promptDigestsOf(cassette)) named.add(`${digest}.yaml`);
      }
      for (const file of listYaml(join(folder, 'prompts'))) {
        if (!named.has(file)) rmSync(join(folder, 'prompts', file), { force: true });
      }
    },
    files: () => listFiles(join(root, dir)),
    isOurs: (path) => isRecorded(readBytes(path) ?? new Uint8Array()),
    readAt(path) {
      const cassette = readCassette(readBytes(path) ?? new Uint8Array(), shown(path));
      if (cassettePath(cassette.suite, cassette.case) === path) return cassette;
      throw misplaced(path, cassette, ', which belongs elsewhere');
    },
    removeFiles(paths) {
      for (const path of paths) {
        try {
          rmSync(absolute(path), { force: true });
        } catch (error) {
          throw unwritable(shown(path), why(error));
        }
      }
      for (const path of paths) removeEmpty(join(root, dir), dirname(path));
    },
  };
}

/** Makes the project's `.retake/` folder ignore itself, so that no lock or pending take is ever committed. */
function keepOutOfGit(root: string): void {
  const file = join(root, '.retake', '.gitignore');
  if (!existsSync(file)) writeAtomic(file, '*\n');
}

/** Finished takes of a recording that has not all its takes yet; never committed. `take` is 1-based. */
export function openPending(root: string, take: number): Store {
  return openStore(root, `.retake/pending/${take}`);
}

/** Today's UTC day, `YYYY-MM-DD`, as cassettes are dated. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
