// Statistics over counts: pure functions, checked against published values.

/** The 97.5 % quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * Wilson's 95 % interval of a rate of which `passed` of `total` were seen, 0..1, without continuity correction
 * (E. B. Wilson, Probable inference, JASA 22, 1927; formula 3 in R. G. Newcombe, Statistics in Medicine 17, 1998).
 * Of no trials it is [0, 1].
 */
export function wilsonInterval(passed: number, total: number): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const rate = passed / total;
  const square = Z_95 ** 2;
  const middle = rate + square / (2 * total);
  const spread = Z_95 * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total ** 2));
  const scale = 1 + square / total;
  return {
    // At the ends the two terms are equal, and their difference is noise.
    low: passed === 0 ? 0 : Math.max(0, (middle - spread) / scale),
    high: passed === total ? 1 : Math.min(1, (middle + spread) / scale),
  };
}

/** ln n!, summed: exact to the last digits for the counts of takes. */
function logFactorials(most: number): number[] {
  const logs = [0];
  for (let n = 1; n <= most; n++) logs.push((logs[n - 1] as number) + Math.log(n));
  return logs;
}

/** Tables as likely as the one seen up to this factor count as equally likely, as in R's fisher.test. */
const EQUALLY = 1 + 1e-7;

/**
 * The two-sided p-value of Fisher's exact test that two rates are one: `passed` of `total` on each side. It sums the
 * probabilities of all tables with the same margins that are no likelier than the one seen (R. A. Fisher, Statistical
 * Methods for Research Workers, 1934, section 21.02).
 */
export function fisherExact(one: { passed: number; total: number }, other: { passed: number; total: number }): number {
  const total = one.total + other.total;
  const passed = one.passed + other.passed;
  const logs = logFactorials(total);
  const choose = (n: number, k: number) => (logs[n] as number) - (logs[k] as number) - (logs[n - k] as number);
  const probability = (first: number) =>
    Math.exp(choose(one.total, first) + choose(other.total, passed - first) - choose(total, passed));
  const seen = probability(one.passed) * EQUALLY;
  let sum = 0;
  for (let first = Math.max(0, passed - other.total); first <= Math.min(one.total, passed); first++) {
    const each = probability(first);
    if (each <= seen) sum += each;
  }
  return Math.min(1, sum);
}
