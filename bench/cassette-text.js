// Strict reading of a cassette against JSON.parse over the same values. Run: `node bench/cassette-text.js`.

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROUNDS = 9;
const GOAL = 2.5;
const root = fileURLToPath(new URL('..', import.meta.url));

/** The module as it will run: bundled, without a loader between its files. */
async function bundled(/** @type {string} */ entry) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: entry, write: false, minify: false, target: 'node20', rollupOptions: { external: [/^node:/] } },
  });
  const [chunk] = /** @type {{ output: { code: string }[] }} */ (/** @type {unknown} */ (result)).output;
  return import(`data:text/javascript;base64,${Buffer.from(chunk?.code ?? '').toString('base64')}`);
}

/** Milliseconds that `count` runs take. */
function time(/** @type {() => unknown} */ run, /** @type {number} */ count) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(/** @type {number[]} */ values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function micros(/** @type {number} */ milliseconds) {
  return `${(milliseconds * 1000).toFixed(1)} us`;
}

/** Medians of rounds in which both take turns, in milliseconds a run. */
function compare(/** @type {() => unknown} */ ours, /** @type {() => unknown} */ theirs, /** @type {number} */ count) {
  const pairs = Array.from({ length: ROUNDS + 2 }, () => [time(ours, count) / count, time(theirs, count) / count]);
  const kept = pairs.slice(2);
  return { ours: median(kept.map(([a]) => a ?? 0)), theirs: median(kept.map(([, b]) => b ?? 0)) };
}

const { readCassette, writeCassette } = await bundled('src/cassette/text.ts');
const golden = readFileSync(new URL('../test/cassette/golden/sample.yaml', import.meta.url));
const sample = readCassette(golden, 'sample.yaml');
const huge = { ...sample, takes: Array.from({ length: 4000 }, () => sample.takes[0]) };

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, median of ${ROUNDS}`);
for (const [name, cassette, count] of /** @type {const} */ ([
  ['sample', sample, 4000],
  ['4000 takes', huge, 1],
])) {
  const bytes = new TextEncoder().encode(writeCassette(cassette));
  // The reader decodes UTF-8 and computes the digest besides; JSON.parse is given a string.
  const json = JSON.stringify(cassette);
  const parse = () => JSON.parse(json);
  const { ours, theirs } = compare(() => readCassette(bytes, 'bench.yaml'), parse, count);
  const writing = median(Array.from({ length: ROUNDS }, () => time(() => writeCassette(cassette), count) / count));
  const speed = (bytes.length / 1000 / ours).toFixed(0);
  console.log(`${name}: ${bytes.length} bytes of text, ${json.length} of JSON`);
  console.log(`  read ${micros(ours)} (${speed} MB/s), JSON.parse ${micros(theirs)}, write ${micros(writing)}`);
  console.log(`  ratio ${(ours / theirs).toFixed(2)} (goal ${GOAL})`);
}
