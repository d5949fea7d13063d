// Measures: medians, functions in this process, whole processes with what they used.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));

/**
 * @param {readonly number[]} values
 * @returns {number} the middle one, the upper of two
 */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/**
 * @param {() => unknown} run
 * @param {number} [count]
 * @returns {number} milliseconds that `count` runs take
 */
export function time(run, count = 1) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Runs all of `runs` once a round, each after the other, so that a busy moment of the machine hits them alike.
 * @template {Record<string, () => number>} Runs
 * @param {Runs} runs each gives its figure
 * @param {number} rounds
 * @returns {Record<keyof Runs, number>} the median of each
 */
export function inTurns(runs, rounds) {
  /** @type {Record<string, number[]>} */
  const figures = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) figures[name]?.push(run());
  }
  const medians = Object.entries(figures).map(([name, values]) => [name, median(values)]);
  return /** @type {Record<keyof Runs, number>} */ (Object.fromEntries(medians));
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function spawnNode(args, cwd, options = {}) {
  const done = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], ...options });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${done.status}: ${done.stderr}`);
  return done;
}

/**
 * @param {readonly string[]} args of node
 * @param {string} cwd
 * @returns {number} milliseconds that the whole process takes
 */
export function wholeProcess(args, cwd) {
  return time(() => spawnNode(args, cwd));
}

/**
 * What a process used, measured by itself.
 * @typedef {object} Used
 * @property {number} wallMs of the whole process, seen from outside
 * @property {number} cpuMs of user and system
 * @property {number} runMs from the first line of our code to the exit
 * @property {number} peakMiB of resident memory; on other systems than Linux that of the parent counts too
 */

/**
 * @param {string} module an ES module that does its work when imported
 * @param {readonly string[]} args its words
 * @param {string} cwd
 * @returns {Used}
 */
export function usedBy(module, args, cwd) {
  const start = process.hrtime.bigint();
  const done = spawnNode([CHILD, module, ...args], cwd, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const wallMs = Number(process.hrtime.bigint() - start) / 1e6;
  return { wallMs, ...JSON.parse(String(done.output[3])) };
}

/**
 * @param {readonly Used[]} all
 * @returns {Used} the median of each figure
 */
export function medianUsed(all) {
  const of = (/** @type {keyof Used} */ name) => median(all.map((one) => one[name]));
  return { wallMs: of('wallMs'), cpuMs: of('cpuMs'), runMs: of('runMs'), peakMiB: of('peakMiB') };
}
