// What the tests of damage share: texts with a fitting digest, and the fault a text is refused with.

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { readCassette, writeCassette } from '../../src/cassette/text.ts';
import { type Fault, UserError } from '../../src/errors.ts';
import type { Json } from '../../src/request/request.ts';
import { SAMPLE } from './sample.ts';

/** The path of the damaged file. */
export const FILE = 'cassettes/refund_agent/a.yaml';
/** A text as UTF-8. */
export const bytes = (text: string) => new TextEncoder().encode(text);
/** The text of the sample. */
export const sample = writeCassette(SAMPLE);

/** The text with a digest that fits it, so that only its layout can be at fault. */
export function sealed(text: string): string {
  const body = text.replace(/^digest: .*\n/m, '');
  return `${body}digest: "sha256:${createHash('sha256').update(body).digest('hex')}"\n`;
}

/** The one fault a text is refused with. */
export function faultOf(
  content: string | Uint8Array,
  read: (bytes: Uint8Array, file: string) => unknown = readCassette,
): Fault {
  try {
    read(typeof content === 'string' ? bytes(content) : content, FILE);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.faults).toHaveLength(1);
    const [fault] = error.faults as [Fault];
    expect(fault.place?.file).toBe(FILE);
    expect(fault.remedy).toContain('retake record');
    return fault;
  }
  throw new Error('the text was read');
}

/** The sample with one change, its digest made to fit. */
export function changed(from: string | RegExp, to: string): string {
  const text = sample.replace(from, () => to);
  expect(text).not.toBe(sample);
  return sealed(text);
}

/** 1-based line of the first occurrence. */
export function lineOf(text: string, part: string): number {
  expect(text).toContain(part);
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

/** A cassette whose only tool result is a value. */
export function withResult(result: Json): Cassette {
  return {
    suite: 's',
    case: 'c',
    takes: [
      {
        recorded: '2026-11-30',
        interactions: [
          {
            fingerprint: '5f0c2b9d4d1e6a07c1b3f9e2a8d45b60',
            start: { provider: 'p', model: 'm' },
            messages: [{ role: 'tool', name: 't', callId: 'call_0', result }],
            response: { content: [], stop: 'end_turn', latencyMs: 1 },
          },
        ],
      },
    ],
  };
}
