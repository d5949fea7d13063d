// Runs the built command line as its users do: a process of its own in a folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

// What a developer's shell or a runner may set and what would change the output.
const UNSET = ['NO_COLOR', 'FORCE_COLOR', 'CI', 'TERM', 'COLUMNS', 'NODE_OPTIONS', 'VITEST', 'NODE_ENV'];

/** What a process left behind. */
export interface CliRun {
  stdout: string;
  stderr: string;
  /** Null where a signal killed the process. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** Settings of a process. */
export interface CliSettings {
  /** Set on top of this process' own variables; undefined removes one. */
  env?: Record<string, string | undefined>;
  /** The Node to run it with. */
  node?: string;
  /** Called with the child once it runs, to send signals. */
  onStart?: (child: Pick<ChildProcess, 'pid' | 'kill'>) => void;
  /** Milliseconds after which the process is killed; 60,000 unless given. */
  timeoutMs?: number;
}

/** Runs `retake <args>` in `folder` from the bundle `dist/cli.js` and waits for its end. */
export function runCli(folder: string, args: readonly string[], settings: CliSettings = {}): Promise<CliRun> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of UNSET) delete env[name];
  for (const [name, value] of Object.entries(settings.env ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return new Promise((resolve, reject) => {
    const child = spawn(settings.node ?? process.execPath, [CLI, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: settings.timeoutMs ?? 60_000,
      killSignal: 'SIGKILL',
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('spawn', () => settings.onStart?.(child));
    child.on('close', (exitCode, signal) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
      resolve({ stdout: text(stdout), stderr: text(stderr), exitCode, signal });
    });
  });
}
