// A file line by line, however long it is. [edge]

import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Line, ReadLines } from './dataset.ts';
import { within } from './paths.ts';

const CHUNK = 256 * 1024;
/** As much as a whole suite may have. */
const LONGEST_LINE = 10 * 1024 * 1024;

/** Opens files of the project alone by lines; `reasonOf` puts a failure of the file system's into words. */
export function linesReaderOf(root: string, reasonOf: (error: unknown) => string): ReadLines {
  const realRoot = realpathSync(root);
  return (file) => {
    const absolute = path.join(root, file);
    try {
      if (within(realRoot, realpathSync(absolute)) === undefined) return { ok: false, message: 'leaves the project' };
      if (!statSync(absolute).isFile()) return { ok: false, message: 'is no file' };
      closeSync(openSync(absolute, 'r'));
    } catch (error) {
      return { ok: false, message: reasonOf(error) };
    }
    return { ok: true, lines: linesOf(absolute) };
  };
}

/** The lines of a file, read as they are asked for; LF and CRLF end one, a BOM at the beginning is dropped. */
function* linesOf(file: string): Generator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const opened = openSync(file, 'r');
  let isFirst = true;

  function decode(bytes: Uint8Array): Line {
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    try {
      const text = decoder.decode(bytes.subarray(0, end));
      const whole = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
      isFirst = false;
      return { text: whole };
    } catch {
      return {};
    }
  }

  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(opened, chunk, 0, CHUNK, null);
      if (read === 0) break;
      const bytes = rest.length === 0 ? chunk.subarray(0, read) : Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
        yield decode(bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > LONGEST_LINE) {
        yield { tooLong: true };
        return;
      }
    }
    if (rest.length > 0) yield decode(rest);
  } finally {
    closeSync(opened);
  }
}
