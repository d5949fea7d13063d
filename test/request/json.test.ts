// JSON on a line, and which texts JavaScript's numbers can hold.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson, keepsNumbers } from '../../src/request/json.ts';
import type { Json } from '../../src/request/request.ts';

describe('formatJson', () => {
  test.each<[Json, string]>([
    [{ a: [1, { b: null }], c: true }, '{"a": [1, {"b": null}], "c": true}'],
    [[], '[]'],
    [{}, '{}'],
    [-0, '0'],
    [1e21, '1e+21'],
    ['a: b, c', '"a: b, c"'],
    ['\ud800 \u202e \u2028 \ufeff \u0085 \x7f', '"\\ud800 \\u202e \\u2028 \\ufeff \\u0085 \\u007f"'],
    ['😀 é', '"😀 é"'],
    [JSON.parse('{"__proto__": 1, "2": 2, "1": 1}') as Json, '{"1": 1, "2": 2, "__proto__": 1}'],
  ])('%j', (value, text) => {
    expect(formatJson(value)).toBe(text);
  });

  test('is JSON of the same value', () => {
    const same = fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(formatJson(value as Json)))).toBe(JSON.stringify(value));
    });
    fc.assert(same);
  });
});

describe('keepsNumbers', () => {
  test.each([
    ...['0', '-0', '780', '780.0', '7.80e2', '0.1', '1e21', '1E+21', '5e-324', '0e999', '0.000', '9007199254740992'],
    ...[
      '{"a": [1, 2.50], "b": "12345678901234567890"}',
      '"1e999"',
      '{"12345678901234567890": 1}',
      '["\\"", 1]',
      '',
      'null',
    ],
    ...['1000000000000000000000000000000', '"\\\\", 1', '1.7976931348623157e308'],
  ])('%s keeps every digit', (json) => {
    expect(keepsNumbers(json)).toBe(true);
  });

  test.each([
    ...[
      '12345678901234567890',
      '9007199254740993',
      '-9007199254740993',
      '0.1000000000000000055511151231257827',
      '1e400',
    ],
    ...['-1e400', '1e-400', '2e-324', '{"a": [1, {"id": 12345678901234567890}]}', '["\\"", 12345678901234567890]'],
    ...[
      '["\\\\", 12345678901234567890]',
      '1.00000000000000000001',
      '1e99999999999999999999',
      '100000000000000000000000000000000001',
    ],
  ])('%s does not', (json) => {
    expect(keepsNumbers(json)).toBe(false);
  });

  test('whatever JavaScript prints is kept, and a digit added to 17 is not', () => {
    const printed = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(keepsNumbers(JSON.stringify({ a: [value] }))).toBe(true);
    });
    fc.assert(printed);
    const longer = fc.property(fc.bigInt({ min: 10n ** 20n, max: 10n ** 40n }), (value) => {
      expect(keepsNumbers(`[${value * 10n + 1n}]`)).toBe(false);
    });
    fc.assert(longer);
  });

  test('a million digits are judged at once', () => {
    expect(keepsNumbers(`1${'0'.repeat(200)}${'.'}${'0'.repeat(1_000_000)}`)).toBe(true);
    expect(keepsNumbers(`0.${'0'.repeat(1_000_000)}1`)).toBe(false);
  });
});
