// `npm run bench`: the speed and size of dist/ as a Markdown table, all from one run on one machine.
// `--quick` measures tiny corpora once: it shows that the benches run, not how fast Retake is.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundledEngine } from './bundled.js';
import { measureReading } from './cassette-text.js';
import { makeCorpus } from './corpus.js';
import { measureFingerprints } from './fingerprints.js';
import { inTurns, medianUsed, usedBy, wholeProcess } from './measure.js';
import { measureRecording } from './recording.js';
import { measureReports } from './reports.js';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const QUICK = values.quick;
const ROUNDS = QUICK ? 1 : 5;
const SIZES = QUICK ? { few: 20, many: 60, suites: 2, live: 20 } : { few: 1000, many: 10_000, suites: 20, live: 200 };

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const CLI = join(dist, 'cli.js');
const FLOOR = fileURLToPath(new URL('./floor.js', import.meta.url));

/** @type {string[]} */
const table = [];

/**
 * @param {string} what
 * @param {string} figure
 * @param {{ value: number, most: number, unit?: string }} [goal] absent where nothing is promised
 */
function row(what, figure, goal) {
  const shown = goal ? `${goal.value.toFixed(2)}${goal.unit ?? ' x'}` : '';
  const most = goal ? `<= ${goal.most}${goal.unit ?? ' x'}` : '';
  const met = goal ? (goal.value <= goal.most ? 'yes' : 'no') : '';
  table.push(`| ${what} | ${figure} | ${shown} | ${most} | ${met} |`);
}

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const grouped = (/** @type {number} */ number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** @param {string} one the project of a single case */
function measureStart(one) {
  const { bare, version, replay } = inTurns(
    {
      bare: () => wholeProcess(['-e', '0'], one),
      version: () => wholeProcess([CLI, '--version'], one),
      replay: () => wholeProcess([CLI, 'run'], one),
    },
    QUICK ? 1 : 15,
  );
  row('bare `node -e 0`', seconds(bare));
  row('`retake --version` ÷ bare node', seconds(version), { value: version / bare, most: 1.5 });
  row('replay of 1 case ÷ bare node', seconds(replay), { value: replay / bare, most: 2.5 });
}

/** @param {Record<'few' | 'many', import('./corpus.js').Corpus>} corpora */
function measureReplay({ few, many }) {
  const kinds = /** @type {const} */ ({
    few: [CLI, ['run'], few.project],
    fewFloor: [FLOOR, [], few.json],
    many: [CLI, ['run'], many.project],
    manyFloor: [FLOOR, [], many.json],
  });
  /** @type {Record<keyof typeof kinds, import('./measure.js').Used[]>} */
  const runs = { few: [], fewFloor: [], many: [], manyFloor: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [module, args, cwd]] of Object.entries(kinds)) {
      runs[/** @type {keyof typeof kinds} */ (name)].push(usedBy(module, args, cwd));
    }
  }
  const figure = (/** @type {import('./measure.js').Used} */ used) =>
    `${seconds(used.wallMs)} (CPU ${seconds(used.cpuMs)})`;
  const used = {
    few: medianUsed(runs.few),
    fewFloor: medianUsed(runs.fewFloor),
    many: medianUsed(runs.many),
    manyFloor: medianUsed(runs.manyFloor),
  };
  const few3 = `${grouped(SIZES.few)} cases of 3 turns, ${SIZES.suites} YAML suites`;
  const many3 = `${grouped(SIZES.many)} cases of 3 turns`;
  row(`floor over ${few3}`, figure(used.fewFloor));
  row(`replay of ${few3}, seconds`, figure(used.few), { value: used.few.wallMs / 1000, most: 0.8, unit: ' s' });
  row(`replay of ${few3} ÷ floor`, figure(used.few), { value: used.few.wallMs / used.fewFloor.wallMs, most: 3 });
  row('the same, peak memory', '', { value: used.few.peakMiB, most: 120, unit: ' MiB' });
  row(`floor over ${many3}`, figure(used.manyFloor));
  row(`replay of ${many3} ÷ floor`, figure(used.many), { value: used.many.wallMs / used.manyFloor.wallMs, most: 3 });
  row('the same in CPU time', figure(used.many), { value: used.many.cpuMs / used.manyFloor.cpuMs, most: 3 });
  const times = SIZES.many / SIZES.few;
  row(`growth from ${grouped(SIZES.few)} to ${grouped(SIZES.many)} cases`, '', {
    value: used.many.wallMs / used.few.wallMs,
    most: Math.round(times * 10.5) / 10,
  });
  row(`replay of ${many3}, peak memory`, `floor ${used.manyFloor.peakMiB.toFixed(0)} MiB`, {
    value: used.many.peakMiB,
    most: 200,
    unit: ' MiB',
  });
}

/** @param {typeof import('./engine.js')} engine */
function measureInside(engine) {
  for (const one of measureReading(engine, { rounds: QUICK ? 1 : 9, quick: QUICK })) {
    const figure = `${(one.bytes / 1000 / one.oursMs).toFixed(0)} MB/s over ${grouped(one.bytes)} bytes`;
    row(`cassette reader ÷ JSON.parse, ${one.name}`, figure, { value: one.oursMs / one.parseMs, most: 2.5 });
  }
  const { half, whole } = measureFingerprints(engine, ROUNDS);
  const figure = [half, whole].map(
    ({ turns, bytes, ms }) => `${turns} turns: ${grouped(bytes)} bytes, ${ms.toFixed(2)} ms`,
  );
  const value = whole.ms / half.ms / (whole.bytes / half.bytes);
  row('all fingerprints of a case: growth of time ÷ growth of bytes', figure.join('; '), { value, most: 1.2 });
}

function measureSizes() {
  const sizes = readdirSync(dist).map((file) => ({ file, bytes: statSync(join(dist, file)).size }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const action = sizes.find(({ file }) => file === 'action.js')?.bytes ?? Number.NaN;
  row('`dist/action.js`', '', { value: action / 1e6, most: 3, unit: ' MB' });
  row('`dist/` in all, of a package', `${sizes.length} files`, { value: total / 1e6, most: 10, unit: ' MB' });
}

const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
try {
  const engine = await bundledEngine();
  const one = await makeCorpus(engine, join(folder, 'one'), { suites: 1, cases: 1 });
  const few = await makeCorpus(engine, join(folder, 'few'), { suites: SIZES.suites, cases: SIZES.few });
  const many = await makeCorpus(engine, join(folder, 'many'), { suites: SIZES.suites * 10, cases: SIZES.many });
  measureStart(one.project);
  measureReplay({ few, many });
  measureInside(engine);
  const { runMs, idealMs } = await measureRecording(join(folder, 'live'), { cases: SIZES.live, rounds: ROUNDS });
  row(`recording ${SIZES.live} cases, 200 ms an answer, concurrency 16 ÷ ideal ${seconds(idealMs)}`, seconds(runMs), {
    value: runMs / idealMs,
    most: 1.1,
  });
  const reports = { failing: QUICK ? 30 : 3000, cases: QUICK ? 50 : 5000 };
  const { comment, page } = await measureReports({ ...reports, rounds: ROUNDS });
  const commentBytes = `${grouped(comment.bytes)} bytes`;
  row(`comment from ${grouped(reports.failing)} failing cases, answers of 20 kB`, commentBytes, {
    value: comment.ms / 1000,
    most: 0.3,
    unit: ' s',
  });
  row(`HTML page of ${grouped(reports.cases)} cases`, megabytes(page.bytes), {
    value: page.ms / 1000,
    most: 1,
    unit: ' s',
  });
  measureSizes();
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  console.log(`${processor}, ${cpus().length} cores, Node ${process.version}; medians of ${ROUNDS} or more.`);
  if (QUICK) console.log('A smoke run over tiny corpora: no figure means anything.');
  console.log('The floor is a Node process that reads the same values as JSON, hashes and parses them.');
  for (const [size, corpus] of /** @type {const} */ ([
    [SIZES.few, few],
    [SIZES.many, many],
  ])) {
    const bytes = `${megabytes(corpus.yamlBytes)} of suites and cassettes, ${megabytes(corpus.jsonBytes)} as JSON`;
    console.log(`${grouped(size)} cases: ${bytes}.`);
  }
  console.log(['', '| what | figure | result | goal | met |', '|---|---|---|---|---|', ...table].join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
