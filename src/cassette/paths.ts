// Where a cassette lies: a pure function of its names, so that adding one case moves no other.

import { sha256 } from '../request/fingerprint.ts';

const MAX_SLUG_BYTES = 80;
/** Names that Windows reserves for devices (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

/** What stays as it is; told at a glance, because normalising a text costs more than reading a small file. */
const PORTABLE = /^[a-z0-9_](?:[a-z0-9._-]{0,78}[a-z0-9_])?$/;

function fits(name: string): boolean {
  return !/-[0-9a-f]{8}$/.test(name) && !RESERVED.test(name);
}

/** A name as a file name: portable characters in lower case, with 8 digits of its SHA-256 wherever the name itself does not fit. */
export function slugOf(name: string): string {
  if (PORTABLE.test(name) && fits(name)) return name;
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, MAX_SLUG_BYTES)
    .replace(/^[.-]+|[.-]+$/g, '');
  const digest = sha256(name).slice(0, 8);
  // A device's name is reserved with any extension, so no dot may follow it.
  const portable = plain.replace(RESERVED, (_, device, dot) => (dot === '' ? device : `${device}-`));
  return portable === '' ? `case-${digest}` : `${portable}-${digest}`;
}

/** The cassette's file under the cassette folder, with POSIX separators. */
export function cassettePath(suite: string, name: string): string {
  return `${slugOf(suite)}/${slugOf(name)}.yaml`;
}

/** The prompt's file under the cassette folder, with POSIX separators. */
export function promptPath(suite: string, digest: string): string {
  return `${slugOf(suite)}/prompts/${digest}.yaml`;
}
