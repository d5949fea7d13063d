// The main job on the embedded example: record from a live model, replay without it, change a prompt, read the miss.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnServer } from '../examples/live-model/spawn.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist', 'cli.js');
const FOLDER = join(ROOT, '.retake', 'demo');
const here = relative(process.cwd(), FOLDER).replaceAll('\\', '/') || '.';

let step = 0;

/** @param {string} text */
function say(text) {
  step++;
  process.stdout.write(`\n── ${step}. ${text}\n\n`);
}

/**
 * Runs `retake` in the demo's folder, expects it to end with one of these exit codes, and gives it.
 * @param {string[]} words
 * @param {...(number | null)} expected
 */
function retake(words, ...expected) {
  process.stdout.write(`$ retake ${words.join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [CLI, ...words], { cwd: FOLDER, stdio: 'inherit' });
  if (expected.includes(status)) return status;
  process.stderr.write(`\nThe demo expected exit code ${expected.join(' or ')}, not ${status}.\n`);
  process.exit(1);
}

/**
 * @param {string} file
 * @param {string} from
 * @param {string} to
 */
function edit(file, from, to) {
  const path = join(FOLDER, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(path, text.replace(from, to));
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(dirname(FOLDER), { recursive: true });
cpSync(join(ROOT, 'examples', 'stories'), FOLDER, {
  recursive: true,
  filter: (path) => !/[\\/](cassettes|\.retake)$/.test(path),
});

process.stdout.write(`Retake's demo, in a scratch copy of examples/stories: ${here}\n`);

say('A live model: a 0.9M-parameter model trained by this project, often wrong, served on this machine.');
const server = await spawnServer();
edit('retake.yaml', 'http://127.0.0.1:8011/v1', server.url);
process.stdout.write(`${server.url} speaks OpenAI's Chat Completions.\n`);

say('Record every case from it. At temperature 0.8 each story is another one.');
/** @type {number | null} */
let recorded;
try {
  // About one recording in fifty has a story that misses its expectations: a real model, a real failure.
  recorded = retake(['record'], 0, 1);
} finally {
  await server.stop();
}

say('The model is stopped. Replay: no key, no network, the same bytes every time.');
retake(['run'], recorded);

say('A cassette is text, made to be read in a diff.');
const cassette = 'cassettes/weather/looks_up_the_weather_in_oslo.yaml';
process.stdout.write(`$ cat ${cassette}\n${readFileSync(join(FOLDER, cassette), 'utf8')}`);

say("Edit a tool's description: it is part of the prompt, so the recordings no longer answer for it.");
edit('evals/weather.eval.yaml', 'The weather of a city today.', 'The weather of a city right now.');
retake(['run', 'evals/weather.eval.yaml'], 3);

process.stdout.write(`
That is the whole loop: record once, commit the cassettes, replay on every push, record again when a prompt changes.
The suites, their config and the cassettes of this run are in ${here}.
`);
