// Starts the server in a process of its own, so that the caller's event loop stays free, and stops it again.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));

/**
 * Starts `server.js` with these flags on a free port, unless they name one.
 * @param {string[]} [flags]
 * @returns {Promise<{url: string, stop(): Promise<void>}>} `url` is the base URL, with `/v1`
 */
export async function spawnServer(flags = []) {
  const port = flags.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(process.execPath, [SERVER, ...port, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+\/v1/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return {
      url,
      async stop() {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('the live model did not start');
}
