// Files that an option names, whole or absent; the result as JSON.

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

/** A file that an option names, and what prints the same to stdout. */
export interface OutFile {
  flag: string;
  /** As given. */
  file: string;
  /** `For JSON on stdout use --reporter json.` */
  instead: string;
}

function jsonOut(file: string): OutFile {
  return { flag: '--json-out', file, instead: 'For JSON on stdout use --reporter json.' };
}

function unwritable({ flag, file, instead }: OutFile, error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  return userError('file_unwritable', `${flag} cannot write ${file}: ${WHY[code] ?? code}`, {
    remedy: `Name a file in a folder that you can write to. ${instead}`,
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
export function prepareOut(cwd: string, out: OutFile): void {
  if (out.file === '-') {
    throw userError('bad_argument', `${out.flag} takes a file, not "-"`, { remedy: out.instead });
  }
  try {
    const { path, special } = target(cwd, out.file);
    mkdirSync(dirname(path), { recursive: true });
    accessSync(special ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(out, error);
  }
}

/** Writes the file, whole or not at all. Throws UserError. */
export function writeOut(cwd: string, out: OutFile, text: string): void {
  let temporary: string | undefined;
  try {
    const { path, special } = target(cwd, out.file);
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
    throw unwritable(out, error);
  }
}

/** `prepareOut` of `--json-out`. */
export function prepareJsonOut(cwd: string, file: string): void {
  prepareOut(cwd, jsonOut(file));
}

/** `writeOut` of `--json-out`. */
export function writeJsonOut(cwd: string, file: string, text: string): void {
  writeOut(cwd, jsonOut(file), text);
}
