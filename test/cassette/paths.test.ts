// File names that are portable, stable, and never shared.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cassettePath, promptPath, slugOf } from '../../src/cassette/paths.ts';

test.each([
  ['refund_agent', 'refund_agent'],
  ['v1.2-beta', 'v1.2-beta'],
  ['Refund Agent', 'refund-agent-0f1c3b2a'],
  ['a/../../b', 'a-..-..-b'],
  ['.hidden', 'hidden'],
  ['con', 'con'],
  ['nul.txt', 'nul-txt'],
  ['COM1.log.txt', 'com1-log.txt'],
  ['nulls.txt.', 'nulls.txt'],
  ['🦊', 'case'],
  ['x-0123abcd', 'x-0123abcd'],
])('%s', (name, begin) => {
  const slug = slugOf(name);
  const plain = begin.replace(/-[0-9a-f]{8}$/, '');
  expect(slug.startsWith(plain)).toBe(true);
  if (['refund_agent', 'v1.2-beta'].includes(name)) expect(slug).toBe(name);
  else expect(slug).toMatch(/-[0-9a-f]{8}$/);
});

test('one name is one path, whatever else there is', () => {
  expect(cassettePath('Support', 'refund over limit')).toBe('support-be91940b/refund-over-limit-d0274cb3.yaml');
  expect(promptPath('refunds', '0011223344556677')).toBe('refunds/prompts/0011223344556677.yaml');
});

test('composed and decomposed letters are two names, and two files', () => {
  expect(slugOf('caf\u00e9')).not.toBe(slugOf('cafe\u0301'));
});

test('names never share a file, not even where case does not count', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.stringMatching(/^[aAbB.-]{1,6}$/),
    fc.stringMatching(/^[ab]-[0-9a-f]{8}$/),
  );
  fc.assert(
    fc.property(name, name, (a, b) => {
      fc.pre(a !== b);
      expect(slugOf(a).toLowerCase()).not.toBe(slugOf(b).toLowerCase());
    }),
    { numRuns: 2000 },
  );
});

test('every name is a portable file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const slug = slugOf(name);
      expect(slug).toMatch(/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/);
      expect(slug.length).toBeLessThanOrEqual(89);
    }),
    { numRuns: 2000 },
  );
});
