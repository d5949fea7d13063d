// What a drift commit says for the next night, in trailers at the end of its message: git keeps them, whatever becomes of the pull request.

import { createHash } from 'node:crypto';

/** How one case behaves in a drift commit. */
export interface TrailerCase {
  suite: string;
  case: string;
  /** Its behaviour signature, hexadecimal. */
  signature: string;
}

/** What the trailers hold. */
export interface Trailers {
  digest: string;
  inputs: string;
  /** Signatures by case key. */
  cases: Map<string, string>;
}

/** A case's key where its name, which may hold anything, must not stand. */
export function caseKey({ suite, case: name }: { suite: string; case: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([suite, name]))
    .digest('hex')
    .slice(0, 16);
}

/** A signature as trailers and memory hold it. */
export function shortSignature(signature: string): string {
  return signature.slice(0, 16);
}

/** The trailers as the last paragraph of a commit message. */
export function writeTrailers({
  digest,
  inputs,
  cases,
}: {
  digest: string;
  inputs: string;
  cases: readonly TrailerCase[];
}): string {
  const lines = cases.map((one) => `Retake-Case: ${caseKey(one)} ${shortSignature(one.signature)}`).sort();
  return [`Retake-Drift: ${digest}`, `Retake-Inputs: ${inputs}`, ...lines].join('\n');
}

const HEX = '[0-9a-f]+';
const TRAILER = new RegExp(`^Retake-(Drift|Inputs|Case): (${HEX})(?: (${HEX}))?$`);

/** Reads the trailers of a commit message; undefined where it is no drift commit. Only the last paragraph counts. */
export function readTrailers(message: string): Trailers | undefined {
  const last = message.replaceAll('\r\n', '\n').trimEnd().split('\n\n').at(-1) ?? '';
  const found: Trailers = { digest: '', inputs: '', cases: new Map() };
  for (const line of last.split('\n')) {
    const [, what, first = '', second] = TRAILER.exec(line) ?? [];
    if (what === 'Drift') found.digest = first;
    if (what === 'Inputs') found.inputs = first;
    if (what === 'Case' && second !== undefined) found.cases.set(first, second);
  }
  return found.digest === '' ? undefined : found;
}
