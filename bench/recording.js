// Recording from a slow provider on the loopback, which runs in a process of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeLiveProject } from './corpus.js';
import { medianUsed, usedBy } from './measure.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));
const DELAY_MS = 200;
const CONCURRENCY = 16;

/**
 * @param {string} project where nothing is yet
 * @param {{ cases: number, rounds: number }} options
 * @returns {Promise<{ runMs: number, idealMs: number }>} start of Node excluded; the ideal is the provider's time alone
 */
export async function measureRecording(project, { cases, rounds }) {
  const server = spawn(process.execPath, [SERVER, String(DELAY_MS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(createInterface({ input: server.stdout }), 'line');
    makeLiveProject(project, { port: Number(port), cases });
    const runs = Array.from({ length: rounds }, () => {
      for (const name of ['cassettes', '.retake']) rmSync(join(project, name), { recursive: true, force: true });
      return usedBy(CLI, ['record', '--concurrency', String(CONCURRENCY)], project);
    });
    return { runMs: medianUsed(runs).runMs, idealMs: Math.ceil(cases / CONCURRENCY) * DELAY_MS };
  } finally {
    server.kill();
  }
}
