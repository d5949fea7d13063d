// The user's own code in a suite: `run:` of a mock, and `target:`.

import { z } from 'zod';
import {
  type CommandLine,
  commandEnv,
  commandText,
  commandTimeout,
  DEFAULT_TIMEOUT_S,
} from '../target/command-line.ts';
import { httpTarget } from './http-schema.ts';

const env = commandEnv.describe('Variables it gets though they hold keys of providers.').optional();

/** What a mock's live code is. */
export const live = {
  run: commandText
    .describe('Live code: a command line, run in the suite’s folder; arguments as JSON on stdin, the result on stdout.')
    .optional(),
  timeout_s: commandTimeout.describe(`Seconds \`run\` may take; ${DEFAULT_TIMEOUT_S} unless set.`).optional(),
  env,
};

/** What is under test, where it is no prompt. */
export const target = z
  .strictObject({
    command: commandText
      .describe('A command line, run in the suite’s folder: input on stdin, answer on stdout. Never recorded.')
      .optional(),
    env,
    http: httpTarget.optional(),
  })
  .superRefine(({ command, env: names, http }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    // What is missing may stand there under a misspelt name.
    if (command === undefined && http === undefined && context.issues.length === 0)
      complain([], 'must say `command` or `http`');
    if (command !== undefined && http) complain(['http'], 'excludes `command`');
    if (names && http) complain(['env'], 'belongs to `command`; `api_key_env` names the key of `http`');
  })
  .describe('What is under test, where it is no prompt of the suite’s.');

/** The command of a mock that says `run`. */
export function mockCommand({
  run,
  timeout_s: timeoutS = DEFAULT_TIMEOUT_S,
  env: names,
}: {
  run: string;
  timeout_s?: number | undefined;
  env?: string[] | undefined;
}): CommandLine {
  return { command: run, timeoutS, ...(names && { env: names }) };
}
