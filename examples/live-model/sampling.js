// Picks the next token from scores, and generates until something ends it.

import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';

/**
 * @typedef {object} SamplingOptions
 * @property {number} temperature 0 always takes the best token.
 * @property {number} topP The share of probability to pick from, most probable tokens first; 1 is all.
 * @property {() => number} random Numbers from 0 up to but not including 1.
 */

/**
 * Generates tokens after `prompt` until the end of the turn or of the session. Lets the event loop turn before each
 * token, so that a server can notice a client that left.
 * @param {import('./engine.js').Engine} engine
 * @param {readonly number[]} prompt
 * @param {SamplingOptions & { maxTokens: number, endToken: number, signal: AbortSignal }} options
 * @returns {AsyncGenerator<number, 'stop' | 'length', void>} Rejects with the signal's reason once it is aborted.
 */
export async function* generate(engine, prompt, { maxTokens, endToken, signal, ...sampling }) {
  const room = Math.min(maxTokens, engine.contextLength - prompt.length);
  const session = engine.start(prompt.length + room);
  for (const [index, token] of prompt.entries()) {
    if (index % 16 === 0) await turnOfTheEventLoop();
    signal.throwIfAborted();
    session.feed(token);
  }
  for (let count = 0; count < room; count++) {
    await turnOfTheEventLoop();
    signal.throwIfAborted();
    const token = sample(session.logits(), sampling);
    if (token === endToken) return 'stop';
    session.feed(token);
    yield token;
  }
  return 'length';
}

/**
 * The id of the next token.
 * @param {Float32Array} logits
 * @param {SamplingOptions} options
 */
export function sample(logits, { temperature, topP, random }) {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [id, score] of logits.entries()) {
    if (score > most) [best, most] = [id, score];
  }
  if (temperature === 0) return best;

  let candidates = Array.from(logits, (score, id) => ({ id, weight: Math.exp((score - most) / temperature) }));
  if (topP < 1) candidates = mostProbable(candidates, topP);
  let left = random() * candidates.reduce((sum, { weight }) => sum + weight, 0);
  for (const { id, weight } of candidates) {
    left -= weight;
    if (left < 0) return id;
  }
  return best;
}

/**
 * The most probable candidates that together hold at least `share` of the weight, never none.
 * @param {{ id: number, weight: number }[]} candidates
 * @param {number} share
 */
function mostProbable(candidates, share) {
  const sorted = candidates.toSorted((a, b) => b.weight - a.weight);
  const enough = share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  const last = sorted.findIndex(({ weight }) => {
    sum += weight;
    return sum >= enough;
  });
  return sorted.slice(0, last < 0 ? sorted.length : last + 1);
}

/**
 * A generator of random numbers that gives the same ones for the same seed.
 * @param {number} seed Any integer; all 53 bits count.
 * @returns {() => number}
 */
export function seededRandom(seed) {
  // Two unequal 32-bit counters, each scrambled on the way out: equal streams need equal seeds.
  let low = scramble(seed >>> 0);
  let high = scramble(Math.floor(seed / 2 ** 32) ^ 0x5bf03635);
  return () => {
    low = (low + 0x9e3779b9) >>> 0;
    high = (high + 0x7f4a7c15) >>> 0;
    return scramble(low ^ scramble(high)) / 2 ** 32;
  };
}

/**
 * Spreads the bits of a 32-bit number over all 32 bits.
 * @param {number} bits
 */
function scramble(bits) {
  let x = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b5);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  return (x ^ (x >>> 16)) >>> 0;
}
