// Numbers that JavaScript cannot hold go through without loss of a digit.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { losslessText, markedValue, parseLossless, writeLossless } from '../../src/request/numbers.ts';
import type { JsonObject } from '../../src/request/request.ts';

const BIG = '{"input":{"id":12345678901234567890,"list":[1,{"n":-0.1000000000000000055}],"text":"9007199254740993"}}';

test('an object says what its numbers were, and what they became', () => {
  const { input } = parseLossless(BIG) as { input: JsonObject };
  expect(input).toEqual({ id: 12345678901234567000, list: [1, { n: -0.1 }], text: '9007199254740993' });
  expect(losslessText(input)).toBe(BIG.slice('{"input":'.length, -1));
});

test('an object whose numbers are kept says nothing', () => {
  const body = parseLossless('{"a":{"n":1,"s":"x"},"b":12345678901234567890}') as { a: JsonObject };
  expect(body.a).toEqual({ n: 1, s: 'x' });
  expect(losslessText(body.a)).toBeUndefined();
});

test('what is no JSON throws, and a text that writes our marks stays a text', () => {
  expect(() => parseLossless('{"a": 12345678901234567890')).toThrow(SyntaxError);
  expect(parseLossless('["\\udffd\\udffc1", 12345678901234567890]')).toEqual(['\udffd\udffc1', 12345678901234567000]);
});

test('any value is read as JSON.parse reads it and written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseLossless(text)).toEqual(JSON.parse(text));
      expect(writeLossless(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('big integers anywhere come out as they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })), (numbers) => {
      const text = `{"n":[${numbers.join(',')}]}`;
      expect(writeLossless(markedValue(text))).toBe(text);
    }),
  );
});
