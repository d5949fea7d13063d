// Says what is wrong with a damaged cassette or prompt file: one fault with line, source and remedy.

import { type Fault, UserError } from '../errors.ts';
import { CASSETTE_VERSION } from './cassette.ts';

/** What a damaged file is called in messages. */
export type FileKind = 'cassette' | 'prompt file';

/** A file that was refused. */
export interface Refused {
  kind: FileKind;
  /** The path as shown to the user. */
  file: string;
  /** The text; undecodable bytes may stand as replacement characters. */
  text: string;
}

// Long enough for any line a person wrote; model output on one line may have megabytes.
const MAX_SOURCE = 200;

/** The error for a text that first differs from what Retake writes at index `at`, with a message saying how. */
export function damageAt(refused: Refused, at: number, message: string): UserError {
  const { text } = refused;
  if (text === '') return damage(refused, 0, 'is empty');
  const version = otherVersion(refused);
  if (version) return version;
  if (text.startsWith('\ufeff'))
    return damage(refused, 0, 'begins with a byte order mark, which Retake does not write');
  const conflict = /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$/m.exec(text);
  if (conflict) return conflictAt(refused, conflict.index);
  const place = Math.min(at, text.length - 1);
  const end = text.indexOf('\n', place);
  if (end > 0 && text.charCodeAt(end - 1) === 13) return carriageReturnAt(refused, place);
  if (end === -1 || at >= text.length) {
    const isAfterDigest = text.slice(0, at).includes('\ndigest: "');
    if (!isAfterDigest) return damage(refused, place, 'is cut off: it ends before its digest line does');
  }
  return damage(refused, place, `is not as Retake wrote it: ${message}`);
}

/** The error for a file with undecodable bytes: its line is the first that is not UTF-8. */
export function notUtf8(refused: Refused, bytes: Uint8Array): UserError {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(10, start);
    const end = found === -1 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      const source = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_SOURCE)));
      return failure(refused, { line, source, message: 'is not UTF-8 text' });
    }
    start = end + 1;
  }
  return failure(refused, { line: 1, source: '', message: 'is too large to be read' });
}

/** The error for a text whose digest is not the one on its last line, which begins at `at`. */
export function digestDiffers(refused: Refused, at: number): UserError {
  return damage(refused, at, 'does not match the digest on its last line: it was edited by hand or damaged');
}

function conflictAt(refused: Refused, at: number): UserError {
  const { file } = refused;
  return failure(refused, {
    ...lineAt(refused.text, at),
    message: 'holds conflict markers of a git merge',
    remedy:
      `Run \`retake resolve\`, which keeps the side that answers the suites; or take one side whole with \`git checkout --ours -- ${file}\` or \`git checkout --theirs -- ${file}\`, ` +
      'or record the case again with `retake record`.',
  });
}

function carriageReturnAt(refused: Refused, at: number): UserError {
  return failure(refused, {
    ...lineAt(refused.text, at),
    message: 'has a line that ends with CRLF, where Retake writes LF only',
    remedy:
      'Add the line `cassettes/** text eol=lf` (with your own cassette folder) to .gitattributes, then run ' +
      `\`git add --renormalize .\` and \`git checkout -- ${refused.file}\`; or record the case again with \`retake record\`.`,
  });
}

function otherVersion({ kind, file, text }: Refused): UserError | undefined {
  const [line = '', version = ''] = /^(?:#[^\n]*\n)?retake: (\d{1,9})\r?$/m.exec(text.slice(0, 1000)) ?? [];
  if (version === '' || Number(version) === CASSETTE_VERSION || !text.startsWith(line)) return undefined;
  const number = line.startsWith('#') ? 2 : 1;
  const isNewer = Number(version) > CASSETTE_VERSION;
  const fault: Fault = {
    code: 'cassette_version',
    message:
      `The ${kind} ${file} has format version ${version}, and this Retake reads version ${CASSETTE_VERSION}` +
      (isNewer ? ': a newer Retake wrote it.' : '.'),
    place: { file, line: number },
    source: `retake: ${version}`,
    remedy: isNewer
      ? 'Use the Retake version that wrote it, or record the case again with `retake record`.'
      : 'Record the case again with `retake record`.',
  };
  return new UserError([fault]);
}

function damage(refused: Refused, at: number, message: string): UserError {
  return failure(refused, { ...lineAt(refused.text, at), message });
}

function failure(
  refused: Refused,
  what: { line: number; source: string; message: string; remedy?: string },
): UserError {
  const { kind, file } = refused;
  const remedy =
    what.remedy ?? `Restore it with \`git checkout -- ${file}\`, or record the case again with \`retake record\`.`;
  const fault: Fault = {
    code: 'cassette_damaged',
    message: `The ${kind} ${file} ${what.message}.`,
    place: { file, line: what.line },
    source: what.source,
    remedy,
  };
  return new UserError([fault]);
}

function lineAt(text: string, at: number): { line: number; source: string } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    start = end + 1;
    line++;
  }
  const end = text.indexOf('\n', start);
  const source = text.slice(start, Math.min(end === -1 ? text.length : end, start + MAX_SOURCE));
  return { line, source: source.endsWith('\r') ? source.slice(0, -1) : source };
}
