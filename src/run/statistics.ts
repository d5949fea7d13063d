// What a handful of takes can and cannot show: an interval for a rate, a test for two rates.

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's 95 % score interval, without continuity correction, of the rate behind `passed` of `takes`; both ends 0..1.
 * E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927).
 */
export function wilsonInterval(passed: number, takes: number): { low: number; high: number } {
  if (takes === 0) return { low: 0, high: 1 };
  const rate = passed / takes;
  const shrink = 1 + (Z * Z) / takes;
  const center = (rate + (Z * Z) / (2 * takes)) / shrink;
  const half = (Z / shrink) * Math.sqrt((rate * (1 - rate)) / takes + (Z * Z) / (4 * takes * takes));
  // Rounding must not push an end past what is possible, nor off the rate itself.
  return {
    low: passed === 0 ? 0 : Math.max(0, center - half),
    high: passed === takes ? 1 : Math.min(1, center + half),
  };
}

/** Natural logarithms of the factorials from 0 to `most`. */
function logFactorials(most: number): number[] {
  const logs = [0];
  for (let n = 1; n <= most; n++) logs.push((logs[n - 1] as number) + Math.log(n));
  return logs;
}

/**
 * The two-sided p-value of Fisher's exact test on the table [[a, b], [c, d]]: the chance, both margins given, of a table no
 * likelier than this one. R. A. Fisher, "The Logic of Inductive Inference", JRSS 98 (1935).
 */
export function fisherExact([a, b, c, d]: readonly [number, number, number, number]): number {
  const row = a + b;
  const column = a + c;
  const all = a + b + c + d;
  const logs = logFactorials(all);
  const log = (n: number) => logs[n] as number;
  const margins = log(row) + log(c + d) + log(column) + log(b + d) - log(all);
  const chance = (x: number) =>
    Math.exp(margins - log(x) - log(row - x) - log(column - x) - log(all - row - column + x));
  const here = chance(a);
  let p = 0;
  for (let x = Math.max(0, row + column - all); x <= Math.min(row, column); x++) {
    const likely = chance(x);
    // Tables as likely as this one count, whatever rounding makes of them.
    if (likely <= here * (1 + 1e-7)) p += likely;
  }
  return Math.min(1, p);
}
