// Reader and writer over arbitrary values: they undo each other, and YAML tools agree with them.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import * as jsYaml from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { readCassette, readPrompt, roundTripResponse, writeCassette, writePrompt } from '../../src/cassette/text.ts';
import { UserError } from '../../src/errors.ts';
import type { Json } from '../../src/request/request.ts';
import { cassette, json, prompt, response } from './arbitrary.ts';
import { type Plain, plainCassette, plainPrompt } from './plain.ts';
import { TRICKY_KEYS, TRICKY_NUMBERS, TRICKY_TEXTS } from './tricky.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function unsealed(document: unknown): Plain {
  const { digest, ...rest } = document as Plain;
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  return rest;
}

/** Strict about key order and about `__proto__`, which deep equality forgives. */
function asJson(value: unknown): string {
  return JSON.stringify(value);
}

function check(value: Cassette): void {
  const text = writeCassette(value);
  const back = readCassette(bytes(text), 'c.yaml');
  expect(back).toEqual(value);
  expect(writeCassette(back)).toBe(text);
  expect(asJson(unsealed(parse(text)))).toBe(asJson(plainCassette(value)));
}

function holding(result: Json): Cassette {
  const start = { provider: 'p', model: 'm' };
  const interaction = {
    fingerprint: '5f0c2b9d4d1e6a07c1b3f9e2a8d45b60',
    start,
    messages: [{ role: 'tool' as const, name: 't', callId: 'call_0', result }],
    response: { content: [{ type: 'opaque' as const, data: [result] }], stop: 'end_turn' as const, latencyMs: 1 },
  };
  return { suite: 's', case: 'c', takes: [{ recorded: '2026-11-30', interactions: [interaction] }] };
}

describe('arbitrary values', () => {
  test('a cassette is read as it was written, by us and by the yaml package', () => {
    fc.assert(fc.property(cassette, check), { numRuns: 200 });
  });

  test('a free value is read as it was written, by us and by the yaml package', () => {
    fc.assert(
      fc.property(json, (value) => check(holding(value))),
      { numRuns: 500 },
    );
  });

  test('a prompt is read as it was written, by us and by the yaml package', () => {
    fc.assert(
      fc.property(prompt, (value) => {
        const { text, digest } = writePrompt(value);
        const back = readPrompt(bytes(text), 'p.yaml');
        expect(back).toEqual(value);
        expect(writePrompt(back)).toEqual({ text, digest });
        expect(asJson(unsealed(parse(text)))).toBe(asJson(plainPrompt(value)));
      }),
      { numRuns: 150 },
    );
  });

  test('a response comes back from its round trip as from a file', () => {
    const comesBack = fc.property(response, (value) => {
      expect(roundTripResponse(value)).toEqual(value);
    });
    fc.assert(comesBack, { numRuns: 200 });
  });

  test('a second YAML package agrees', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = writeCassette(holding(value));
        expect(asJson(unsealed(jsYaml.load(text)))).toBe(asJson(plainCassette(holding(value))));
      }),
      { numRuns: 500 },
    );
  });
});

describe('arbitrary damage', () => {
  const token = fc.constantFrom(
    ...'{ }|[ ]|, |: |"|\\|\n|  |- | |:|{}|[]|""|null|true|0|1|-|1.0|\t|\r|é|\u2028|a|#|\\n|||-|_json|text'.split('|'),
  );
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), drop: fc.nat({ max: 3 }), add: token });
  const lines = fc.record({ from: fc.nat(), to: fc.nat(), moves: fc.boolean() });

  /** The text after edits, with a digest that fits. */
  function damaged(text: string, edits: { at: number; drop: number; add: string }[]): string {
    let body = text.slice(0, text.lastIndexOf('digest:'));
    for (const { at, drop, add } of edits) {
      const place = Math.floor(at * body.length);
      body = body.slice(0, place) + add + body.slice(place + drop);
    }
    // A pair of surrogates may have been cut in two, which UTF-8 cannot hold.
    return seal(new TextDecoder().decode(bytes(body)));
  }

  function seal(body: string): string {
    return `${body}digest: "sha256:${createHash('sha256').update(body).digest('hex')}"\n`;
  }

  /** Whatever is read is what would be written; everything else is one fault. */
  function isStrict(text: string): void {
    let value: Cassette;
    try {
      value = readCassette(bytes(text), 'c.yaml');
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      return;
    }
    expect(writeCassette(value)).toBe(text);
  }

  test('edited text is refused, or is what the writer writes', () => {
    const strict = fc.property(cassette, fc.array(edit, { minLength: 1, maxLength: 2 }), (value, edits) => {
      isStrict(damaged(writeCassette(value), edits));
    });
    fc.assert(strict, { numRuns: 1000 });
  });

  test('lines moved or repeated are refused, or are what the writer writes', () => {
    const strict = fc.property(cassette, lines, (value, { from, to, moves }) => {
      const all = writeCassette(value).split('\n').slice(0, -2);
      const line = all[from % all.length] as string;
      const rest = moves ? all.toSpliced(from % all.length, 1) : all;
      isStrict(seal(`${rest.toSpliced(to % all.length, 0, line).join('\n')}\n`));
    });
    fc.assert(strict, { numRuns: 500 });
  });
});

describe('known traps', () => {
  test.each(TRICKY_TEXTS.map((text) => [JSON.stringify(text).slice(0, 40), text]))('text %s', (_, text) => {
    check(holding(text));
    check(holding([text, { a: text, b: [[text]] }]));
    check({ suite: text, case: text, takes: [] });
  });

  test.each(TRICKY_KEYS.map((key) => [JSON.stringify(key).slice(0, 40), key]))('key %s', (_, key) => {
    const object = Object.fromEntries([[key, 1]]) as Json;
    check(holding(object));
    check(holding({ a: object, long: 'x'.repeat(90) }));
    check(holding([{ ...(object as object), other: ['"'], z: { a: object } }]));
  });

  test.each(TRICKY_NUMBERS.map((number) => [String(number), number]))('number %s', (_, number) => {
    check(holding(number));
    check(holding([number, { a: number, long: 'x'.repeat(90) }]));
  });

  test('-0 is written 0', () => {
    const text = writeCassette(holding([-0, { a: -0, long: 'x'.repeat(90) }]));
    expect(text).not.toContain('-0\n');
    expect(text).toBe(writeCassette(holding([0, { a: 0, long: 'x'.repeat(90) }])));
  });

  test('`__proto__` stays a key of its own, on a line and in a block', () => {
    const value = JSON.parse(`{"__proto__": {"a": 1}, "b": ["${'x'.repeat(90)}", {"__proto__": 2}]}`) as Json;
    const back = readCassette(bytes(writeCassette(holding(value))), 'c.yaml').takes[0]?.interactions[0]?.messages[0];
    expect(asJson(back)).toContain('"result":{"__proto__":{"a":1},"b":["xxx');
    expect(Object.getPrototypeOf(back && 'result' in back ? back.result : undefined)).toBe(Object.prototype);
  });
});
