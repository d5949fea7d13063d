// The process around the command line: streams, signals, exit code. Runs when imported.

import { cli } from './cli.ts';

/** Two signals closer than this, in milliseconds, are one key press: npm hands on what the terminal sent already. */
const SAME_PRESS_MS = 200;

// A reader that has seen enough (`| head`) is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const stop = new AbortController();
let stoppedAt = 0;
const onSignal = (name: NodeJS.Signals) => {
  if (!stop.signal.aborted) {
    stoppedAt = performance.now();
    stop.abort(name);
  } else if (performance.now() - stoppedAt > SAME_PRESS_MS) {
    process.exit(name === 'SIGTERM' ? 143 : 130);
  }
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

// Set, not exited with: what is written to a pipe must still get through.
process.exitCode = await cli({
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
});
