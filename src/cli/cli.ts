// The command line as a function: words in, text on two streams and an exit code out.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Estimate, EstimateOptions } from '../commands/estimate.ts';
import type { RedactOptions, RedactReport } from '../commands/redact.ts';
import type { RunOptions } from '../commands/run.ts';
import type { ValidateOptions, ValidateReport } from '../commands/validate.ts';
import { UserError, userError } from '../errors.ts';
import type { RunResult } from '../run/result.ts';
import { VERSION } from '../version.ts';
import { type Args, type GlobalArgs, parseArgs, type RunArgs, type ValidateArgs } from './args.ts';
import { type CompareArgs, columnsAsked, exitOf } from './compare-args.ts';
import { type DiffArgs, diffExit, diffText } from './diff-args.ts';
import type { DriftArgs } from './drift-args.ts';
import { jsonText, prepareJsonOut, writeJsonOut } from './json-out.ts';
import { drawProgress, isWatched, type Out } from './progress.ts';
import type { RedactArgs } from './redact-args.ts';
import { loadResult, type ReportArgs } from './report.ts';
import { prepareReports, reportText, writeReports } from './reports.ts';
import { type EstimateArgs, estimateOptions, estimateText } from './spending.ts';
import { isUpkeep, upkeep } from './upkeep.ts';

/** What the commands do; loaded only when one is asked for. */
export interface Commands {
  run(options: RunOptions): Promise<RunResult>;
  validate(options: ValidateOptions): Promise<ValidateReport>;
  estimate?(options: EstimateOptions): Promise<Estimate>;
  redact(options: RedactOptions): Promise<RedactReport>;
}

/** What a process lends to the command line. */
export interface Shell {
  /** The words after `retake`. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  env: Record<string, string | undefined>;
  stdout: Out;
  stderr: Out;
  /** Aborted on Ctrl-C; its reason is the signal's name. */
  signal?: AbortSignal;
  commands?: Commands;
}

/** The exit code of a mistake of the user's. */
const MISTAKE = 2;
/** The exit code of a bug of ours; 1 is a failed case (EX_SOFTWARE of sysexits). */
const BUG = 70;
/** Columns where stdout is no terminal: fixed, so that logs of equal runs are equal. */
const LOG_WIDTH = 120;

// Written out, not computed: a bundler follows these, and `--version` loads neither.
const LAZY: Required<Commands> = {
  run: async (options) => (await import('../commands/run.ts')).run(options),
  validate: async (options) => (await import('../commands/validate.ts')).validate(options),
  estimate: async (options) => (await import('../commands/estimate.ts')).estimate(options),
  redact: async (options) => (await import('../commands/redact.ts')).redact(options),
};

function widthOf(out: Out): number {
  return out.isTTY === true && out.columns ? out.columns : LOG_WIDTH;
}

/** NO_COLOR (no-color.org) and --no-color win over FORCE_COLOR. */
function wantsColor(out: Out, env: Shell['env'], color: boolean): boolean {
  if (!color || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return out.isTTY === true && env.TERM !== 'dumb';
}

function folderOf(shell: Shell, { cwd }: GlobalArgs): string {
  const folder = resolve(shell.cwd, cwd ?? '.');
  if (cwd === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw userError('bad_argument', `--cwd: there is no folder ${cwd}`, { remedy: 'Name a folder that exists.' });
}

/** 130 or 143 where a signal ended the run. */
function signalCode(signal: AbortSignal | undefined): number | undefined {
  if (!signal?.aborted) return undefined;
  return signal.reason === 'SIGTERM' ? 143 : 130;
}

function optionsOf(args: RunArgs, shell: Shell, cwd: string): RunOptions {
  return {
    cwd,
    globs: args.globs,
    ...(args.mode !== undefined && { mode: args.mode }),
    filter: args.filter,
    tags: args.tags,
    ...(args.concurrency !== undefined && { concurrency: args.concurrency }),
    ...(args.maxCostUsd !== undefined && { maxCostUsd: args.maxCostUsd }),
    failFast: args.failFast,
    resume: args.resume,
    ...(args.rejudge && { rejudge: true }),
    ...(args.liveCode && { liveCode: 'ask' as const }),
    env: shell.env,
    ...(shell.signal && { signal: shell.signal }),
  };
}

/** Runs with a progress line where somebody watches. */
async function watch(options: RunOptions, shell: Shell): Promise<RunResult> {
  const { run } = shell.commands ?? LAZY;
  if (!isWatched(shell.stderr, shell.env)) return run(options);
  const line = drawProgress(shell.stderr, options.mode);
  const stopping = () => {
    line.clear();
    shell.stderr.write('Stopping. What is finished is kept; Ctrl-C again stops at once.\n');
  };
  shell.signal?.addEventListener('abort', stopping, { once: true });
  try {
    return await run({ ...options, onProgress: (progress) => line.show(progress) });
  } finally {
    shell.signal?.removeEventListener('abort', stopping);
    line.clear();
  }
}

async function report(result: RunResult, args: Pick<RunArgs, 'color' | 'verbose'>, shell: Shell): Promise<void> {
  const { renderTerminal } = await import('../render/terminal.ts');
  const interrupted = signalCode(shell.signal);
  shell.stdout.write(
    renderTerminal(result, {
      color: wantsColor(shell.stdout, shell.env, args.color),
      verbose: args.verbose,
      width: widthOf(shell.stdout),
      ...(interrupted !== undefined && { interrupted }),
    }),
  );
}

async function runCommand(args: RunArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  if (args.jsonOut !== undefined) prepareJsonOut(cwd, args.jsonOut);
  prepareReports(cwd, args);
  const result = await watch(optionsOf(args, shell, cwd), shell);
  if (args.reporter === 'terminal') await report(result, args, shell);
  else shell.stdout.write(await reportText(args.reporter, result));
  if (args.jsonOut !== undefined) writeJsonOut(cwd, args.jsonOut, jsonText(result));
  await writeReports(cwd, args, result);
  return signalCode(shell.signal) ?? result.exitCode;
}

async function reportCommand(args: ReportArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  prepareReports(cwd, args);
  const result = await loadResult(cwd, args.file);
  if (args.reporter === 'terminal') await report(result, args, shell);
  else shell.stdout.write(await reportText(args.reporter, result));
  await writeReports(cwd, args, result);
  return 0;
}

async function estimateCommand(args: EstimateArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  if (args.jsonOut !== undefined) prepareJsonOut(cwd, args.jsonOut);
  const { estimate = LAZY.estimate } = shell.commands ?? LAZY;
  const found = await estimate(estimateOptions(args, cwd, shell.env));
  shell.stdout.write(await estimateText(found, args, wantsColor(shell.stdout, shell.env, args.color)));
  if (args.jsonOut !== undefined) writeJsonOut(cwd, args.jsonOut, jsonText(found));
  return 0;
}

async function validateCommand(args: ValidateArgs, shell: Shell): Promise<number> {
  const { validate } = shell.commands ?? LAZY;
  const found = await validate({ cwd: folderOf(shell, args), globs: args.globs, env: shell.env });
  const { soundText } = await import('./sound.ts');
  shell.stdout.write(soundText(found, { color: wantsColor(shell.stdout, shell.env, args.color) }));
  return 0;
}

async function redactCommand(args: RedactArgs, shell: Shell): Promise<number> {
  const { redact } = shell.commands ?? LAZY;
  const { globs, write } = args;
  const found = await redact({ cwd: folderOf(shell, args), globs, env: shell.env, write });
  const { redactedText } = await import('./redacted.ts');
  shell.stdout.write(redactedText(found, { color: wantsColor(shell.stdout, shell.env, args.color) }));
  return 0;
}

async function diffCommand(args: DiffArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  if (args.jsonOut !== undefined) prepareJsonOut(cwd, args.jsonOut);
  const { diff } = await import('../commands/diff.ts');
  const { filter, tags, ref, dirs } = args;
  const found = await diff({
    cwd,
    globs: [],
    filter,
    tags,
    env: shell.env,
    ...(ref !== undefined && { ref }),
    ...(dirs && { dirs }),
    ...(shell.signal && { signal: shell.signal }),
  });
  shell.stdout.write(await diffText(found, args, wantsColor(shell.stdout, shell.env, args.color)));
  if (args.jsonOut !== undefined) writeJsonOut(cwd, args.jsonOut, jsonText(found.comparison));
  return signalCode(shell.signal) ?? diffExit(found, args);
}

async function runDrift(args: DriftArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  if (args.jsonOut !== undefined) prepareJsonOut(cwd, args.jsonOut);
  const line = isWatched(shell.stderr, shell.env) ? drawProgress(shell.stderr, 'record') : undefined;
  const { driftCommand } = await import('./drift-args.ts');
  const said = await driftCommand(args, {
    cwd,
    env: shell.env,
    color: wantsColor(shell.stdout, shell.env, args.color),
    ...(shell.signal && { signal: shell.signal }),
    ...(line && { onProgress: (progress) => line.show(progress) }),
  }).finally(() => line?.clear());
  shell.stdout.write(said.text);
  if (args.jsonOut !== undefined) writeJsonOut(cwd, args.jsonOut, jsonText(said.document));
  return signalCode(shell.signal) ?? said.exitCode;
}

async function compareCommand(args: CompareArgs, shell: Shell): Promise<number> {
  const cwd = folderOf(shell, args);
  if (args.jsonOut !== undefined) prepareJsonOut(cwd, args.jsonOut);
  const { globs, filter, tags, yes, concurrency, maxCostUsd, reporter } = args;
  const line = isWatched(shell.stderr, shell.env) ? drawProgress(shell.stderr, undefined) : undefined;
  const { compareColumns } = await import('../commands/columns.ts');
  const found = await compareColumns({
    cwd,
    globs,
    filter,
    tags,
    yes,
    columns: columnsAsked(args.columns, cwd),
    env: shell.env,
    ...(concurrency !== undefined && { concurrency }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(shell.signal && { signal: shell.signal }),
    ...(line && { onProgress: (progress) => line.show(progress) }),
  }).finally(() => line?.clear());
  const { renderColumns, renderColumnsHtml, renderColumnsMarkdown } = await import('../render/columns.ts');
  const look = { color: wantsColor(shell.stdout, shell.env, args.color), width: widthOf(shell.stdout) };
  const texts: Record<CompareArgs['reporter'], () => string> = {
    terminal: () => renderColumns(found, look),
    json: () => jsonText(found),
    markdown: () => renderColumnsMarkdown(found),
    html: () => renderColumnsHtml(found),
  };
  shell.stdout.write(texts[reporter]());
  if (args.jsonOut !== undefined) writeJsonOut(cwd, args.jsonOut, jsonText(found));
  return signalCode(shell.signal) ?? exitOf(found);
}

async function dispatch(args: Args, shell: Shell): Promise<number> {
  if (isUpkeep(args)) {
    const { stdout, env, signal } = shell;
    const look = { color: wantsColor(stdout, env, args.color), width: widthOf(stdout) };
    const { text, exitCode } = await upkeep(args, { cwd: folderOf(shell, args), env, look, ...(signal && { signal }) });
    stdout.write(text);
    return signalCode(signal) ?? exitCode;
  }
  switch (args.command) {
    case 'run':
      return runCommand(args, shell);
    case 'estimate':
      return estimateCommand(args, shell);
    case 'validate':
      return validateCommand(args, shell);
    case 'diff':
      return diffCommand(args, shell);
    case 'drift':
      return runDrift(args, shell);
    case 'compare':
      return compareCommand(args, shell);
    case 'redact':
      return redactCommand(args, shell);
    case 'report':
      return reportCommand(args, shell);
    case 'text':
      shell.stdout.write(args.text);
      return 0;
  }
}

function isAbort(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}

/** Tells what was thrown; gives the exit code. */
async function tell(error: unknown, shell: Shell): Promise<number> {
  const { stderr, env, signal } = shell;
  if (isAbort(error, signal)) {
    stderr.write('Interrupted.\n');
    return signalCode(signal) ?? BUG;
  }
  if (error instanceof UserError) {
    const { renderFaults } = await import('../render/faults.ts');
    const color = wantsColor(stderr, env, !shell.argv.includes('--no-color'));
    stderr.write(renderFaults(error, { color, width: widthOf(stderr) }));
    return MISTAKE;
  }
  const { defuse, safeLines } = await import('../render/terminal-text.ts');
  const stack =
    error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : `thrown: ${String(error)}`;
  const lines = safeLines(stack, 40, 8000).join('\n');
  stderr.write(
    defuse(
      `${lines}\n\nThis is a bug in Retake ${VERSION}, not in your suites. Please report it with the lines above.\n`,
    ),
  );
  return BUG;
}

/** Runs one command line. Never rejects; gives the exit code. */
export async function cli(shell: Shell): Promise<number> {
  try {
    const width = shell.stdout.isTTY === true ? Math.min(widthOf(shell.stdout), 100) : 80;
    return await dispatch(parseArgs(shell.argv, { version: VERSION, width }), shell);
  } catch (error) {
    return tell(error, shell);
  }
}
