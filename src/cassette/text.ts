// Cassettes and prompt files as text and back: a canonical subset of YAML 1.2, sealed with a digest.

import { sha256 } from '../request/fingerprint.ts';
import type { ChatResponse } from '../request/request.ts';
import { CASSETTE_VERSION, type Cassette, type Prompt } from './cassette.ts';
import { type Cursor, cursorOn, Deviation, fail, failField, take } from './cursor.ts';
import { damageAt, digestDiffers, type FileKind, notUtf8, type Refused } from './damage.ts';
import { readCassetteFields, readPromptFields, readResponse } from './read.ts';
import { cassetteEntries, promptEntries, responseEntries } from './write.ts';
import { mapping } from './write-value.ts';

const FIRST_LINE: Record<FileKind, string> = {
  cassette: '# A Retake cassette. Recorded, not written: regenerate it with `retake record`.\n',
  'prompt file': '# A prompt of Retake cassettes. Recorded, not written: regenerate it with `retake record`.\n',
};
const VERSION_LINE = `retake: ${CASSETTE_VERSION}\n`;
const DIGEST_BEGIN = 'digest: "sha256:';
const DIGEST_END = '"\n';
const DIGEST_LINE_LENGTH = DIGEST_BEGIN.length + 64 + DIGEST_END.length;

/** Whether a file begins with the comment of a cassette or a prompt file, of whatever version. */
export function isRecorded(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 100));
  return Object.values(FIRST_LINE).some((line) => start.startsWith(line.slice(0, line.indexOf('.') + 1)));
}

/** A cassette as the text of its file; throws `cassette_unwritable` for a value nested too deep. */
export function writeCassette(cassette: Cassette): string {
  return seal('cassette', cassetteEntries(cassette));
}

/** Reads a cassette's file, whose path `file` is for messages; throws `cassette_damaged` or `cassette_version`. */
export function readCassette(bytes: Uint8Array, file: string): Cassette {
  return unseal(bytes, { kind: 'cassette', file }, readCassetteFields);
}

/** A prompt as the text of its file, and the 16 hexadecimal digits that name it; throws like `writeCassette`. */
export function writePrompt(prompt: Prompt): { digest: string; text: string } {
  const entries = promptEntries(prompt, 0);
  // Over the fields alone: a reworded comment line must not rename every prompt.
  return { digest: sha256(mapping(entries, 0)).slice(0, 16), text: seal('prompt file', entries) };
}

/** Reads a prompt's file; throws like `readCassette`. */
export function readPrompt(bytes: Uint8Array, file: string): Prompt {
  return unseal(bytes, { kind: 'prompt file', file }, (c) => readPromptFields(c, 0));
}

/** A response as a player will return it: written and read back; throws like `writeCassette`. */
export function roundTripResponse(response: ChatResponse): ChatResponse {
  return readResponse(cursorOn(`${mapping(responseEntries(response, 0), 0)}\n`, false), 0);
}

function seal(kind: FileKind, entries: string[]): string {
  const body = `${FIRST_LINE[kind]}${VERSION_LINE}${entries.map((entry) => `${entry}\n`).join('')}`;
  return `${body}${DIGEST_BEGIN}${sha256(body)}${DIGEST_END}`;
}

function unseal<T>(bytes: Uint8Array, { kind, file }: Omit<Refused, 'text'>, read: (c: Cursor) => T): T {
  const text = decode(bytes);
  if (text === undefined) throw notUtf8({ kind, file, text: '' }, bytes);
  const refused = { kind, file, text };
  const c = cursorOn(text, text.length === bytes.length);
  try {
    if (!take(c, FIRST_LINE[kind])) fail(c, `the first line of a ${kind} belongs here: ${FIRST_LINE[kind].trimEnd()}`);
    if (!take(c, VERSION_LINE)) fail(c, `\`${VERSION_LINE.trimEnd()}\` belongs here`);
    const value = read(c);
    const digestAt = c.at;
    readDigestLine(c);
    if (text.slice(-66, -2) !== sha256(bytes.subarray(0, -DIGEST_LINE_LENGTH))) throw digestDiffers(refused, digestAt);
    return value;
  } catch (error) {
    throw error instanceof Deviation ? damageAt(refused, error.at, error.message) : error;
  }
}

function readDigestLine(c: Cursor): void {
  const line = c.text.slice(c.at, c.at + DIGEST_LINE_LENGTH);
  if (!line.startsWith(DIGEST_BEGIN)) failField(c, 0, ['digest: ']);
  if (!/"sha256:[0-9a-f]{64}"\n$/.test(line)) fail(c, 'a SHA-256 digest of 64 hexadecimal digits belongs here');
  c.at += line.length;
  if (c.at < c.text.length) fail(c, 'nothing may follow the digest line');
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
