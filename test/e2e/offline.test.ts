// The example suites replay with every connection refused, and always to the same bytes.

import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProject, type ProjectFolder } from '../helpers/project.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/stories/', import.meta.url));

/** Loaded before anything else: whoever tries to reach anything is told no and written down. */
const PRELOAD = `
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';
const refuse = (what) => () => {
  appendFileSync(process.env.ATTEMPTS, what + '\\n');
  throw new Error('offline: ' + what);
};
net.Socket.prototype.connect = refuse('connect');
dgram.Socket.prototype.send = refuse('send');
dns.lookup = refuse('lookup');
dns.promises.lookup = refuse('lookup');
globalThis.fetch = refuse('fetch');
appendFileSync(process.env.ATTEMPTS, 'loaded\\n');
`;

let project: ProjectFolder;

beforeAll(() => {
  project = newProject({ 'preload.mjs': PRELOAD });
  cpSync(EXAMPLE, join(project.folder, 'stories'), { recursive: true });
});
afterAll(() => project[Symbol.dispose]());

interface OfflineRun extends CliRun {
  attempts: string;
  json: string;
}

/** Runs with all connections refused; `args` come after `run --json-out`. */
async function offline(folder: string, args: string[], command: string[] = ['run']): Promise<OfflineRun> {
  project.remove('attempts.txt');
  project.remove('out');
  const ran = await runCli(folder, [...command, '--json-out', join(project.folder, 'out/report.json'), ...args], {
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(project.folder, 'preload.mjs')).href}`,
      ATTEMPTS: join(project.folder, 'attempts.txt'),
    },
  });
  const json = existsSync(join(project.folder, 'out/report.json')) ? project.read('out/report.json') : '';
  return { ...ran, attempts: project.read('attempts.txt'), json };
}

it('passes without one attempt to connect, twice to the same bytes, however many at once and from wherever', async () => {
  const stories = join(project.folder, 'stories');
  const before = project.contents('stories');
  const first = await offline(stories, []);
  expect(first).toMatchObject({ exitCode: 0, stderr: '', attempts: 'loaded\n' });
  expect(first.stdout).toMatch(/^answers {2}\d+ from cassettes · 0 live · 0 unused \(replay\)$/m);
  expect(first.stdout).toMatch(/^cases {4}6 passed of 6 cases in 2 suites$/m);
  expect(JSON.parse(first.json)).toMatchObject({ outcome: 'passed', tally: { live: 0, unused: 0 } });

  expect(await offline(stories, [])).toEqual(first);
  expect(await offline(stories, ['--concurrency', '16'])).toEqual(first);
  expect(await offline(stories, ['--concurrency', '1'])).toEqual(first);
  expect(await offline(project.folder, [], ['-C', 'stories', 'run'])).toEqual(first);
  expect(await offline(join(stories, 'evals'), [])).toEqual(first);
  expect(project.contents('stories')).toEqual(before);
  expect(first.stdout + first.json).not.toContain(project.folder);
});

it('does not try where a recording is missing either', async () => {
  using copy = newProject({});
  cpSync(EXAMPLE, copy.folder, { recursive: true });
  copy.remove('cassettes/weather');
  const ran = await offline(copy.folder, []);
  expect(ran).toMatchObject({ exitCode: 3, stderr: '', attempts: 'loaded\n' });
  expect(ran.stdout).toContain('? unrecorded  weather › looks_up_the_weather_in_oslo and 2 more cases');
});

it('sees an attempt, so that none seen means none made', async () => {
  using copy = newProject({});
  cpSync(EXAMPLE, copy.folder, { recursive: true });
  copy.edit('retake.yaml', '  model: tiny-chat', '  model: tiny-chat\n  max_retries: 0');
  const ran = await offline(copy.folder, ['--mode', 'off', '--filter', 'weather::greets_without_a_tool']);
  expect(ran).toMatchObject({ exitCode: 3, attempts: 'loaded\nfetch\n' });
});
