// Intervals and tests against published examples, worked out exactly.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fisherExact, wilsonInterval } from '../../src/run/statistics.ts';

// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
// method 3, gives the first four to four digits; here with all digits.
test.each([
  [81, 263, 0.2552885198782742, 0.36620957698280004],
  [15, 148, 0.062386399530736276, 0.16048724172330803],
  [0, 20, 0, 0.16112515805281938],
  [1, 29, 0.00611321429276266, 0.17175521879320288],
  [5, 5, 0.5655175352168251, 1],
  [4, 5, 0.3755346297625253, 0.9637758913675698],
])('Wilson: %i of %i', (passed, takes, low, high) => {
  const interval = wilsonInterval(passed, takes);
  expect(Math.abs(interval.low - low)).toBeLessThan(1e-9);
  expect(Math.abs(interval.high - high)).toBeLessThan(1e-9);
});

// Fisher's tea tasting (The Design of Experiments, 1935) and convictions of twins (JRSS 98, 1935), then tables whose
// p is a plain fraction.
test.each<[[number, number, number, number], number]>([
  [[3, 1, 1, 3], 17 / 35],
  [[2, 10, 15, 3], 3571 / 6_653_325],
  [[6, 2, 1, 4], 4 / 39],
  [[8, 2, 1, 5], 5 / 143],
  [[5, 0, 0, 5], 1 / 126],
  [[4, 0, 0, 4], 1 / 35],
  [[10, 0, 10, 0], 1],
  [[19, 1, 9, 11], 83 / 66_526],
  [[0, 0, 0, 0], 1],
])('Fisher: %j', (table, p) => {
  expect(Math.abs(fisherExact(table) - p)).toBeLessThan(1e-9);
});

test('both hold for any counts: within bounds, around the rate, whichever way the table is turned', () => {
  const count = fc.nat(60);
  fc.assert(
    fc.property(count, count, count, count, (a, b, c, d) => {
      const { low, high } = wilsonInterval(a, a + b);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      if (a + b > 0) {
        expect(low).toBeLessThanOrEqual(a / (a + b));
        expect(high).toBeGreaterThanOrEqual(a / (a + b));
      }
      const p = fisherExact([a, b, c, d]);
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(1);
      for (const turned of [
        [b, a, d, c],
        [c, d, a, b],
        [a, c, b, d],
      ] as const)
        expect(Math.abs(fisherExact(turned) - p)).toBeLessThan(1e-9);
    }),
  );
});
