// Runs a command line as a group of processes of its own: a limit of time and of output, and nothing left behind. [edge]

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { CommandResult } from './command-line.ts';

/** What to run. */
export interface CommandRun {
  /** For the platform's shell. */
  command: string;
  /** Goes to stdin. */
  input: string;
  /** Absolute path of the folder to run in. */
  cwd: string;
  /** All the variables it gets. */
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A command may print so much to stdout. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** So much of the end of stderr goes into a message. */
const STDERR_BYTES = 2000;
const STDERR_LINES = 10;
/** What is asked to end has so long until it is made to. */
const GRACE_MS = 1000;
/** A process that left its group may hold the pipes open; longer than this nobody listens. */
const DRAIN_MS = 500;
const SHOWN_COMMAND = 120;
const ON_WINDOWS = process.platform === 'win32';

const running = new Set<ChildProcess>();

/** Ends a process with all that it started. */
function endTree({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (ON_WINDOWS) {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    // The negative of a process id is its group's.
    process.kill(-pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

let isWatched = false;

/** A second Ctrl-C ends this process at once, and what it started must not outlive it. */
function watchExit(): void {
  if (isWatched) return;
  isWatched = true;
  process.on('exit', () => {
    for (const child of running) endTree(child, 'SIGKILL');
  });
}

/** Keeps the last bytes of a stream. */
function tailOf(limit: number): { add(chunk: Buffer): void; text(): string } {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      kept = Buffer.concat([kept, chunk.subarray(-limit)]).subarray(-limit);
    },
    text: () => new TextDecoder().decode(kept).trim().split('\n').slice(-STDERR_LINES).join('\n').trim(),
  };
}

function shorten(command: string): string {
  const line = command.trim().replace(/\s+/g, ' ');
  return line.length > SHOWN_COMMAND ? `${line.slice(0, SHOWN_COMMAND)}…` : line;
}

/** Runs a command and waits until it and all that it started in its group have ended. Never rejects. */
export function runCommand({ command, input, cwd, env, timeoutMs, signal }: CommandRun): Promise<CommandResult> {
  const name = shorten(command);
  const failed = (reason: (CommandResult & { ok: false })['reason'], message: string): CommandResult => ({
    ok: false,
    reason,
    message: reason === 'aborted' ? message : `${name} ${message}`,
  });
  if (signal?.aborted) return Promise.resolve(failed('aborted', 'interrupted'));
  watchExit();
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(command, {
        cwd,
        env: env as NodeJS.ProcessEnv,
        shell: true,
        detached: !ON_WINDOWS,
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      resolve(failed('unstartable', `cannot be started: ${(error as Error).message}`));
      return;
    }
    running.add(child);
    const stdout: Buffer[] = [];
    const stderr = tailOf(STDERR_BYTES);
    let size = 0;
    let ended: CommandResult | undefined;
    const timers: NodeJS.Timeout[] = [];

    const drain = () => {
      const close = () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      timers.push(setTimeout(close, DRAIN_MS));
    };
    const withStderr = (message: string) => (stderr.text() === '' ? message : `${message}: ${stderr.text()}`);
    const stop = (why: CommandResult) => {
      if (ended) return;
      ended = why;
      endTree(child, 'SIGTERM');
      const kill = () => {
        endTree(child, 'SIGKILL');
        drain();
      };
      timers.push(setTimeout(kill, GRACE_MS));
    };
    const onAbort = () => stop(failed('aborted', 'interrupted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    timers.push(
      setTimeout(() => {
        stop(failed('timeout', withStderr(`did not end within ${timeoutMs / 1000} s`)));
      }, timeoutMs),
    );
    const finish = (result: CommandResult) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // What closed its pipes and runs on.
      if (!ON_WINDOWS) endTree(child, 'SIGKILL');
      running.delete(child);
      resolve(ended ?? result);
    };

    child.stdout?.on('data', (chunk: Buffer) => {
      if (ended) return;
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) stdout.push(chunk);
      else stop(failed('too_large', `printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB`));
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    // A command need not read what it is given.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error) => finish(failed('unstartable', `cannot be started: ${error.message}`)));
    child.on('exit', () => {
      // The shell may go at once where what it started still tidies up.
      if (ended) return;
      // What the command leaves running in its group ends with it.
      if (!ON_WINDOWS) endTree(child, 'SIGKILL');
      drain();
    });
    child.on('close', (code, killedBy) => {
      if (killedBy !== null) finish(failed('killed', withStderr(`was ended by ${killedBy}`)));
      else if (code !== 0) finish(failed('exit', withStderr(`exited with ${code}`)));
      else finish({ ok: true, stdout: new TextDecoder().decode(Buffer.concat(stdout)).replace(/(?:\r?\n)+$/, '') });
    });
  });
}
