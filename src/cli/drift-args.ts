// The command line's words for `retake drift`, and what it does.

import { type Command, Option } from 'commander';
import type { DriftReport } from '../commands/drift.ts';
import type { RunOptions } from '../commands/run.ts';
import { THRESHOLDS, type Threshold } from '../compare/drift.ts';
import { userError } from '../errors.ts';
import type { GlobalArgs } from './args.ts';
import { jsonText } from './json-out.ts';
import { budgetOf, budgetOption, type SpendingGiven } from './spending.ts';
import { collect, oneOf, text, wholeNumber } from './values.ts';

/** `retake drift`. */
export interface DriftArgs extends GlobalArgs {
  command: 'drift';
  globs: string[];
  filter: string[];
  tags: string[];
  concurrency?: number;
  /** USD. */
  maxCostUsd?: number;
  confirm: number;
  /** 0..1. */
  maxIncomparable: number;
  threshold: Threshold;
  accept: boolean;
  all: boolean;
  reporter: 'terminal' | 'json';
  jsonOut?: string;
}

const EXAMPLES = `
Every case is asked live, beside what is committed; cases that changed are asked
again before a change is claimed. The fresh recordings wait in .retake/drift;
--accept moves those that changed into the project's cassettes.
Exit codes: 0 no drift, 4 drift, 5 it could not be told, 2 a mistake.

Examples:
  retake drift --max-cost-usd 2
  retake drift evals/refund.eval.yaml --confirm 4
  retake drift --accept                       take all of it over
  retake drift --accept --filter "refund::*"  take a part over`;

const MOST_AT_ONCE = 1000;
const MOST_CONFIRM = 20;

interface Given extends SpendingGiven {
  filter?: string[];
  tag?: string[];
  concurrency?: number;
  confirm: number;
  maxIncomparable: number;
  threshold: Threshold;
  accept?: true;
  all?: true;
  reporter: 'terminal' | 'json';
  jsonOut?: string;
}

/** Reads a share such as `20%` or `0.2`; throws UserError. */
function shareOf(flag: string): (value: string) => number {
  return (value) => {
    const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(value);
    const share = percent
      ? Number(percent[1]) / 100
      : /^(?:0|1|0?\.\d+|1\.0+)$/.test(value)
        ? Number(value)
        : Number.NaN;
    if (share >= 0 && share <= 1) return share;
    throw userError('bad_argument', `${flag} does not take ${JSON.stringify(value)}`, {
      remedy: 'It takes a share, such as 20% or 0.2.',
    });
  };
}

/** Adds the command; `done` gets what its words ask for. */
export function addDrift(program: Command, globals: () => GlobalArgs, done: (args: DriftArgs) => void): void {
  program
    .command('drift')
    .description('ask every case live again and show what the models do differently')
    .argument('[globs...]', 'suite files to take (default: `suites:` of retake.yaml)')
    .option('--filter <pattern>', 'only cases that match `suite::case`; * is any text; repeatable', collect('--filter'))
    .option('--tag <tag>', 'only cases with this tag; repeatable', collect('--tag'))
    .option('--concurrency <number>', 'cases at once', wholeNumber('--concurrency', MOST_AT_ONCE))
    .addOption(budgetOption())
    .addOption(
      new Option('--confirm <number>', 'how often a changed case is asked again')
        .argParser((value: string) => (value === '0' ? 0 : wholeNumber('--confirm', MOST_CONFIRM)(value)))
        .default(2),
    )
    .addOption(
      new Option('--max-incomparable <share>', 'cases that may stay without an answer before nothing can be told')
        .argParser(shareOf('--max-incomparable'))
        .default(0.2, '20%'),
    )
    .addOption(
      new Option('--threshold <kind>', `the least change that counts: ${THRESHOLDS.join(', ')}`)
        .argParser(oneOf('--threshold', Object.fromEntries(THRESHOLDS.map((kind) => [kind, kind]))))
        .default('rerouted'),
    )
    .option('--accept', 'ask nobody; move the fresh recordings that changed into the cassettes')
    .option('--all', 'show rewordings too, or accept them')
    .option('--json-out <file>', 'also write the report as JSON to this file', text('--json-out'))
    .addOption(
      new Option('--reporter <name>', 'what goes to stdout: terminal or json')
        .argParser(oneOf('--reporter', { terminal: 'terminal', json: 'json' } as const))
        .default('terminal'),
    )
    .addHelpText('after', EXAMPLES)
    .action((globs: string[], given: Given) =>
      done({
        command: 'drift',
        ...globals(),
        ...budgetOf(given),
        globs,
        filter: given.filter ?? [],
        tags: given.tag ?? [],
        ...(given.concurrency !== undefined && { concurrency: given.concurrency }),
        confirm: given.confirm,
        maxIncomparable: given.maxIncomparable,
        threshold: given.threshold,
        accept: given.accept ?? false,
        all: given.all ?? false,
        reporter: given.reporter,
        ...(given.jsonOut !== undefined && { jsonOut: given.jsonOut }),
      }),
    );
}

/** What a shell lends. */
interface Around extends Pick<RunOptions, 'cwd' | 'env' | 'signal' | 'onProgress'> {
  color: boolean;
}

/** What goes to stdout, the exit code, and the document. */
export interface DriftSaid {
  text: string;
  exitCode: number;
  document: object;
}

async function acceptWaiting(args: DriftArgs, { cwd, env, signal }: Around): Promise<DriftSaid> {
  const { accept } = await import('../commands/accept.ts');
  const { PENDING_DIR } = await import('../commands/drift.ts');
  const { renderAccepted } = await import('../render/drift.ts');
  const { globs, filter, tags, all } = args;
  const moved = await accept({ cwd, env, globs, filter, tags, all, into: PENDING_DIR, ...(signal && { signal }) });
  return { text: renderAccepted(moved), exitCode: 0, document: { accepted: moved } };
}

/** Runs the command. Throws UserError. */
export async function driftCommand(args: DriftArgs, around: Around): Promise<DriftSaid> {
  if (args.accept) return acceptWaiting(args, around);
  const { drift, PENDING_DIR } = await import('../commands/drift.ts');
  const { renderDrift } = await import('../render/drift.ts');
  const { globs, filter, tags, concurrency, maxCostUsd, confirm, maxIncomparable, threshold, all, reporter } = args;
  const { color, ...rest } = around;
  const report: DriftReport = await drift({
    ...rest,
    globs,
    filter,
    tags,
    ...(concurrency !== undefined && { concurrency }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    confirm,
    maxIncomparable,
    threshold,
    into: PENDING_DIR,
  });
  const shown = reporter === 'json' ? jsonText(report) : renderDrift(report, { color, all });
  return { text: shown, exitCode: report.exitCode, document: report };
}
