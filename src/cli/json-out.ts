// The result as JSON: on stdout, or in a file that is whole or absent.

import { accessSync, constants, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type UserError, userError } from '../errors.ts';

// Legal in JSON, yet a terminal acts on them; escaped, the value stays the same.
const UNSAFE = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The document's text: two spaces, a final newline, nothing in it that a terminal would act on. */
export function jsonText(document: object): string {
  const text = JSON.stringify(document, null, 2);
  return `${text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

const WHY: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
};

function unwritable(file: string, error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  return userError('file_unwritable', `--json-out cannot write ${file}: ${WHY[code] ?? code}`, {
    remedy: 'Name a file in a folder that you can write to. For JSON on stdout use --reporter json.',
  });
}

/** The file behind a path: where a symbolic link points, so that the link outlives the write. */
function target(cwd: string, file: string): { path: string; special: boolean } {
  const path = resolve(cwd, file);
  try {
    const real = realpathSync(path);
    const stat = statSync(real);
    if (stat.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    return { path: real, special: !stat.isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path, special: false };
  }
}

/** Makes the file's folders and sees that it can be written, before a run has cost anything. Throws UserError. */
export function prepareJsonOut(cwd: string, file: string): void {
  if (file === '-') {
    throw userError('bad_argument', '--json-out takes a file, not "-"', {
      remedy: 'For JSON on stdout use --reporter json.',
    });
  }
  try {
    const { path, special } = target(cwd, file);
    mkdirSync(dirname(path), { recursive: true });
    accessSync(special ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes the file, whole or not at all. Throws UserError. */
export function writeJsonOut(cwd: string, file: string, text: string): void {
  let temporary: string | undefined;
  try {
    const { path, special } = target(cwd, file);
    // A device or pipe must be written to, not replaced by a file.
    if (special) {
      writeFileSync(path, text);
      return;
    }
    temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${process.pid}.tmp`);
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, path);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw unwritable(file, error);
  }
}
