// Git as a child process: no hooks, no prompts, no locks that another git would wait for.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type UserError, userError } from '../errors.ts';

/** Variables of a process. */
export type GitEnv = Record<string, string | undefined>;

/** Runs git with these words; gives what it prints. Rejects as `execFile` does. */
export type Git = (args: readonly string[], more?: { index?: string }) => Promise<string>;

const run = promisify(execFile);
const MOST_OUTPUT = 256 * 1024 * 1024;

/** The mistake of a machine without git. */
export function gitMissing(): UserError {
  return userError('git_failed', 'git is not installed', {
    remedy: 'Install git, or compare two folders of cassettes with `retake diff --dirs`.',
  });
}

/** Git in a folder. */
export function gitOf(cwd: string, env: GitEnv): Git {
  return async (args, { index } = {}) => {
    const settings = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
    const running = run('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args], {
      cwd,
      env: { ...env, ...settings, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
      maxBuffer: MOST_OUTPUT,
    });
    return (await running).stdout;
  };
}

/** The last line of what git complained of. */
export function complaintOf(error: unknown): string {
  const { stderr } = error as { stderr?: unknown };
  const text = typeof stderr === 'string' ? stderr.trim() : '';
  return (
    text
      .split('\n')
      .at(-1)
      ?.replace(/^(?:fatal|error): /, '') ?? ''
  );
}

/** Whether a program, or the folder to run it in, is not there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** What git prints, as it is; undefined where it refuses. Throws UserError where there is no git. */
export async function attemptRaw(git: Git, ...args: string[]): Promise<string | undefined> {
  try {
    return await git(args);
  } catch (error) {
    if (isMissing(error)) throw gitMissing();
    return undefined;
  }
}

/** What git prints, without spaces around it; undefined where it refuses. Throws UserError where there is no git. */
export async function attempt(git: Git, ...args: string[]): Promise<string | undefined> {
  return (await attemptRaw(git, ...args))?.trim();
}
