// The command line's words: commands, options, help; gives plain data, runs nothing.

import { Command, CommanderError, Option } from 'commander';
import { userError } from '../errors.ts';
import type { RunMode } from '../run/result.ts';
import { addCompare, type CompareArgs } from './compare-args.ts';
import { addDiff, type DiffArgs } from './diff-args.ts';
import { addDrift, type DriftArgs } from './drift-args.ts';
import { mistake } from './mistake.ts';
import { addRedact, type RedactArgs } from './redact-args.ts';
import { addReport, type ReportArgs } from './report.ts';
import { addReportFiles, filesOf, REPORTERS, type ReporterName, type ReportFiles } from './reports.ts';
import { budgetOf, budgetOption, type EstimateArgs, recordArgs, type SpendingGiven } from './spending.ts';
import { addUpkeep, type UpkeepArgs } from './upkeep.ts';
import { collect, listed, oneOf, text, wholeNumber } from './values.ts';

/** Options of every command. */
export interface GlobalArgs {
  /** The folder to work in, as given; absent for the current one. */
  cwd?: string;
  color: boolean;
}

/** `retake run` and `retake record`. */
export interface RunArgs extends GlobalArgs, ReportFiles {
  command: 'run';
  globs: string[];
  mode?: RunMode;
  filter: string[];
  tags: string[];
  concurrency?: number;
  /** USD. */
  maxCostUsd?: number;
  failFast: boolean;
  resume: boolean;
  /** Ask judges again, and nobody else. */
  rejudge: boolean;
  liveCode: boolean;
  reporter: ReporterName;
  /** A file for the RunResult, as given. */
  jsonOut?: string;
  verbose: boolean;
}

/** `retake validate`. */
export interface ValidateArgs extends GlobalArgs {
  command: 'validate';
  globs: string[];
}

/** Help or the version was asked for. */
export interface TextArgs {
  command: 'text';
  text: string;
}

/** What the command line asks for. */
export type Args =
  | RunArgs
  | EstimateArgs
  | ValidateArgs
  | UpkeepArgs
  | RedactArgs
  | CompareArgs
  | DiffArgs
  | DriftArgs
  | ReportArgs
  | TextArgs;

const MODES: Record<string, RunMode> = { replay: 'replay', record: 'record', live: 'record', auto: 'auto', off: 'off' };
const MOST_AT_ONCE = 1000;

/** A command that runs cases: `run` and `record` differ only in how they choose the mode. */
function addRunOptions(command: Command): Command {
  return addReportFiles(command)
    .argument('[globs...]', 'suite files to take (default: `suites:` of retake.yaml)')
    .option('--filter <pattern>', 'only cases that match `suite::case`; * is any text; repeatable', collect('--filter'))
    .option('--tag <tag>', 'only cases with this tag; repeatable', collect('--tag'))
    .option('--concurrency <number>', 'cases at once', wholeNumber('--concurrency', MOST_AT_ONCE))
    .addOption(budgetOption())
    .option('--live-code', 'also run cases whose tools run commands; they ask the provider')
    .option('--fail-fast', 'start no more cases after the first that does not pass')
    .option('--json-out <file>', 'also write the result as JSON to this file', text('--json-out'))
    .option(
      '--reporter <name>',
      'what goes to stdout: terminal, json, junit or html',
      oneOf('--reporter', REPORTERS),
      'terminal',
    )
    .option('-v, --verbose', 'show every turn of every case');
}

const EXAMPLES = {
  retake: `
Examples:
  retake record                      ask the models once and keep their answers
  retake run                         replay every suite: no key, no network
  retake run evals/refund.eval.yaml  replay one suite
  retake validate                    check suites and cassettes, ask nobody

Exit codes: 0 passed, 1 a case failed, 2 a mistake in suites, cassettes or
arguments, 3 a recording is missing, a provider failed or the budget ended.`,
  run: `
Examples:
  retake run
  retake run "evals/**/*.eval.yaml" --tag safety
  retake run --filter "refund_agent::*over_limit*" -v
  retake run --json-out out/result.json --fail-fast
  retake run --reporter json > result.json`,
  record: `
Examples:
  retake record
  retake record evals/refund.eval.yaml
  retake record --missing            keep what replays, record the rest
  retake record --resume             go on after an interrupted recording
  retake record --estimate           what it will cost`,
  rejudge: `
Examples:
  retake rejudge                     ask every judge again about the recorded answers
  retake rejudge evals/tone.eval.yaml --filter "*::late*"
  retake record --missing            ask only about what was never judged, as after an edit of a rubric`,
  validate: `
Examples:
  retake validate
  retake validate "evals/**/*.eval.yaml"`,
};

/** Options as commander gives them. */
interface Given extends SpendingGiven, ReportFiles {
  mode?: RunMode;
  cassetteMode?: RunMode;
  cache?: RunMode;
  missing?: true;
  resume?: true;
  liveCode?: true;
  filter?: string[];
  tag?: string[];
  concurrency?: number;
  failFast?: true;
  jsonOut?: string;
  reporter: ReporterName;
  verbose?: true;
}

/** The mode of `run`; the aliases count as `--mode`. */
function modeOf(given: Given): RunMode | undefined {
  const modes = [given.mode, given.cassetteMode, given.cache].filter((mode) => mode !== undefined);
  if (new Set(modes).size > 1) {
    throw userError('bad_argument', `--mode is given twice, as ${listed([...new Set(modes)])}`, {
      remedy: 'Give it once. --cassette-mode and --cache are other names of --mode.',
    });
  }
  return modes[0];
}

function runArgs(globs: string[], given: Given, mode: RunMode | undefined, globals: GlobalArgs): RunArgs {
  return {
    command: 'run',
    ...globals,
    ...budgetOf(given),
    globs,
    ...(mode !== undefined && { mode }),
    filter: given.filter ?? [],
    tags: given.tag ?? [],
    ...(given.concurrency !== undefined && { concurrency: given.concurrency }),
    failFast: given.failFast ?? false,
    resume: given.resume ?? false,
    rejudge: false,
    liveCode: given.liveCode ?? false,
    reporter: given.reporter,
    ...(given.jsonOut !== undefined && { jsonOut: given.jsonOut }),
    ...filesOf(given),
    verbose: given.verbose ?? false,
  };
}

function aliasOfMode(flags: string): Option {
  const [flag = ''] = flags.split(' ');
  return new Option(flags).argParser(oneOf(flag, MODES)).hideHelp();
}

/** The program; `done` gets what the command line asks for. */
function programOf(version: string, done: (args: Args) => void): Command {
  const program = new Command('retake');
  const globals = (): GlobalArgs => {
    const { cwd, color } = program.opts<{ cwd?: string; color: boolean }>();
    return { color, ...(cwd !== undefined && { cwd }) };
  };
  program
    .description('Replays LLM and agent evals from recordings kept in git.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .option('-C, --cwd <dir>', 'work in this folder', text('--cwd'))
    .option('--no-color', 'print without colour (as NO_COLOR does)')
    .addHelpText('after', EXAMPLES.retake)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();

  const mode = new Option(
    '--mode <mode>',
    'replay, record (or live), auto or off (default: `cassettes.mode`, else replay)',
  );
  addRunOptions(
    program
      .command('run')
      .description('run cases: replay them, or ask the models')
      .addOption(mode.argParser(oneOf('--mode', MODES)))
      .addOption(aliasOfMode('--cassette-mode <mode>'))
      .addOption(aliasOfMode('--cache <mode>')),
  )
    .addHelpText('after', EXAMPLES.run)
    .action((globs: string[], given: Given) => done(runArgs(globs, given, modeOf(given), globals())));

  addRunOptions(
    program
      .command('record')
      .description('ask the models and keep their answers (run --mode record)')
      .option('--missing', 'record only what has no recording (run --mode auto)')
      .option('--resume', 'use the finished takes of an interrupted recording')
      .option('--estimate', 'say what it will cost by recorded tokens; ask nobody'),
  )
    .addHelpText('after', EXAMPLES.record)
    .action((globs: string[], given: Given) =>
      done(recordArgs(runArgs(globs, given, given.missing ? 'auto' : 'record', globals()), given)),
    );

  addRunOptions(
    program
      .command('rejudge')
      .description('grade the recorded answers again: ask judges and embedding models, not the model under test'),
  )
    .addHelpText('after', EXAMPLES.rejudge)
    .action((globs: string[], given: Given) => done({ ...runArgs(globs, given, 'replay', globals()), rejudge: true }));

  program
    .command('validate')
    .description('check suites and cassettes, ask nobody')
    .argument('[globs...]', 'suite files to check (default: `suites:` of retake.yaml)')
    .addHelpText('after', EXAMPLES.validate)
    .action((globs: string[]) => done({ command: 'validate', ...globals(), globs }));

  addUpkeep(program, globals, done);
  addRedact(program, globals, done);
  addDiff(program, globals, done);
  addDrift(program, globals, done);
  addCompare(program, globals, done);
  addReport(program, globals, done);
  return program;
}

/** Reads the words after `retake`. Throws UserError for what it does not know. `width` is that of help. */
export function parseArgs(argv: readonly string[], about: { version: string; width: number }): Args {
  let args: Args | undefined;
  let printed = '';
  const program = programOf(about.version, (given) => {
    args = given;
  });
  const print = (more: string) => {
    printed += more;
  };
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => {},
      getOutHelpWidth: () => about.width,
      getErrHelpWidth: () => about.width,
    });
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const asked = ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(error.code);
    if (!asked) {
      throw mistake(
        error,
        program.commands.map((command) => command.name()),
      );
    }
  }
  return args ?? { command: 'text', text: printed };
}
