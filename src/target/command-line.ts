// The user's own code as a suite names it: a command line, its time limit, and what running it comes to.

import { z } from 'zod';
import type { Json } from '../request/request.ts';
import { hasMark } from '../request/secret.ts';

/** A command line of a suite's. */
export interface CommandLine {
  /** For the platform's shell. */
  command: string;
  /** In seconds. */
  timeoutS: number;
  /** Variables it gets though they hold keys of providers. */
  env?: readonly string[];
}

/** What a command said; or why that is no answer. A message begins with the command. */
export type CommandResult =
  | { ok: true; stdout: string }
  | {
      ok: false;
      /** `exit`: ended with another code than 0 · `timeout` · `too_large`: printed too much · `killed`: by a signal from elsewhere · `unstartable` · `aborted`: the run was interrupted. */
      reason: 'exit' | 'timeout' | 'too_large' | 'killed' | 'unstartable' | 'aborted';
      message: string;
    };

/** Runs a command of a suite's in the suite's folder with `input` on stdin. Never rejects. */
export type RunCode = (line: CommandLine, input: string, signal?: AbortSignal) => Promise<CommandResult>;

/** Seconds a mock or a scorer may take unless it says otherwise. */
export const DEFAULT_TIMEOUT_S = 30;

/** A command line in a suite. */
export const commandText = z.string().superRefine((text, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message });
  if (text.trim() === '') complain('must not be empty');
  else if (text.includes('\u0000')) complain('must hold no NUL');
  else if (hasMark(text)) complain('must hold no secret: the command finds the variable in its environment');
});

/** `timeout_s` of a command. */
export const commandTimeout = z.number().positive().max(86_400);

/** `env` of a command: names of variables. */
export const commandEnv = z.array(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'must be the name of an environment variable' }),
);

/** A value as the command prints it: JSON, else text. */
export function printedValue(stdout: string): Json {
  try {
    return JSON.parse(stdout) as Json;
  } catch {
    return stdout;
  }
}
