// Strict reading of a cassette against JSON.parse over the same values. Run alone: `node bench/cassette-text.js`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledEngine } from './bundled.js';
import { median, time } from './measure.js';

const WARM_UP = 2;

/**
 * One corpus read both ways; times are milliseconds a read.
 * @typedef {object} Reading
 * @property {string} name
 * @property {number} bytes of cassette text
 * @property {number} jsonBytes
 * @property {number} oursMs
 * @property {number} parseMs
 * @property {number} writeMs
 */

/**
 * @param {typeof import('./engine.js')} engine
 * @param {{ rounds: number, quick: boolean }} options
 * @returns {Reading[]}
 */
export function measureReading({ readCassette, writeCassette }, { rounds, quick }) {
  const golden = readFileSync(new URL('../test/cassette/golden/sample.yaml', import.meta.url));
  const sample = readCassette(golden, 'sample.yaml');
  const [take] = sample.takes;
  if (!take) throw new Error('the sample has no take');
  const huge = { ...sample, takes: Array.from({ length: quick ? 40 : 4000 }, () => take) };
  const corpora = /** @type {const} */ ([
    ['one take', sample, quick ? 40 : 4000],
    [`${huge.takes.length} takes`, huge, 1],
  ]);
  return corpora.map(([name, cassette, count]) => {
    const bytes = new TextEncoder().encode(writeCassette(cassette));
    // The reader decodes UTF-8 and computes the digest besides; JSON.parse is given a string.
    const json = JSON.stringify(cassette);
    const pairs = Array.from({ length: rounds + WARM_UP }, () => [
      time(() => readCassette(bytes, 'bench.yaml'), count) / count,
      time(() => JSON.parse(json), count) / count,
    ]).slice(WARM_UP);
    return {
      name,
      bytes: bytes.length,
      jsonBytes: json.length,
      oursMs: median(pairs.map(([ours]) => ours ?? Number.NaN)),
      parseMs: median(pairs.map(([, parse]) => parse ?? Number.NaN)),
      writeMs: median(Array.from({ length: rounds }, () => time(() => writeCassette(cassette), count) / count)),
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, bytes, jsonBytes, oursMs, parseMs, writeMs } of measureReading(await bundledEngine(), {
    rounds: 9,
    quick: false,
  })) {
    const micros = (/** @type {number} */ ms) => `${(ms * 1000).toFixed(1)} us`;
    const speed = (bytes / 1000 / oursMs).toFixed(0);
    console.log(`${name}: ${bytes} bytes of text, ${jsonBytes} of JSON`);
    console.log(`  read ${micros(oursMs)} (${speed} MB/s), JSON.parse ${micros(parseMs)}, write ${micros(writeMs)}`);
    console.log(`  ratio ${(oursMs / parseMs).toFixed(2)} (goal 2.5)`);
  }
}
