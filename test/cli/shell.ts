// A shell for tests: memory in place of streams, commands that give what a test wants.

import { cli } from '../../src/cli/cli.ts';
import type { RunOptions } from '../../src/commands/run.ts';
import type { ValidateReport } from '../../src/commands/validate.ts';
import type { RunResult } from '../../src/run/result.ts';
import { caseOf, runOf } from '../render/terminal-samples.ts';

/** What a command line did. */
export interface Ran {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** What the command was asked for; undefined where none was. */
  asked: RunOptions | undefined;
}

/** What a test sets. */
export interface Settings {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Columns of a terminal on stdout; absent for a pipe. */
  terminal?: number;
  /** Columns of a terminal on stderr; absent for a pipe. */
  errTerminal?: number;
  signal?: AbortSignal;
  run?: (options: RunOptions) => Promise<RunResult>;
  validate?: () => Promise<ValidateReport>;
}

/** A run in which one case passed. */
export const PASSED: RunResult = runOf([caseOf('looks_up_order')]);

/** Runs one command line in this process. */
export async function retake(argv: string[], settings: Settings = {}): Promise<Ran> {
  const ran: Ran = { stdout: '', stderr: '', exitCode: -1, asked: undefined };
  const out = (name: 'stdout' | 'stderr', columns: number | undefined) => ({
    isTTY: columns !== undefined,
    columns,
    write: (text: string) => {
      ran[name] += text;
    },
  });
  ran.exitCode = await cli({
    argv,
    cwd: settings.cwd ?? import.meta.dirname,
    env: settings.env ?? {},
    stdout: out('stdout', settings.terminal),
    stderr: out('stderr', settings.errTerminal),
    ...(settings.signal && { signal: settings.signal }),
    commands: {
      run: async (options) => {
        ran.asked = options;
        return settings.run ? settings.run(options) : PASSED;
      },
      validate:
        settings.validate ??
        (async () => ({ suites: 0, cases: 0, cassettes: 0, takes: 0, interactions: 0, notes: [] })),
      redact: async () => ({ cassettes: 0, written: false, changed: [] }),
    },
  });
  return ran;
}
