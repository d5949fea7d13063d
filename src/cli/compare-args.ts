// The command line's words for `retake compare`, and what it prints.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ColumnAsked, ColumnsResult } from '../commands/columns.ts';
import { userError } from '../errors.ts';
import type { GlobalArgs } from './args.ts';
import { budgetOf, budgetOption, type SpendingGiven } from './spending.ts';
import { collect, oneOf, text, wholeNumber } from './values.ts';

type Format = 'terminal' | 'json' | 'markdown' | 'html';

/** `retake compare`. */
export interface CompareArgs extends GlobalArgs {
  command: 'compare';
  globs: string[];
  /** Models, or files of system prompts, as given. */
  columns: { kind: 'models' | 'prompts'; names: string[] };
  yes: boolean;
  filter: string[];
  tags: string[];
  concurrency?: number;
  /** USD. */
  maxCostUsd?: number;
  reporter: Format;
  jsonOut?: string;
}

const EXAMPLES = `
Each column has cassettes of its own, in a folder beside the project's; commit it
or leave it out, the gate does not look at it. Without --yes nobody is asked:
what has no recording is counted, and what it would cost is said. ≠ marks a case
the columns judge differently, ~ one with the same verdict by other tool calls.
Exit code 0 where every column is whole, 3 where something is not recorded.

Examples:
  retake compare --models openai/gpt-4.1-mini,anthropic/claude-sonnet-4-5
  retake compare --models openai/gpt-4.1,openai/gpt-4.1-mini --yes --max-cost-usd 2
  retake compare evals/refund.eval.yaml --prompts prompts/a.md,prompts/b.md --yes
  retake compare --models a/x,b/y --reporter markdown > compare.md`;

const FORMATS: Record<Format, Format> = { terminal: 'terminal', json: 'json', markdown: 'markdown', html: 'html' };
const MOST_AT_ONCE = 1000;

interface Given extends SpendingGiven {
  models?: string;
  prompts?: string;
  yes?: true;
  filter?: string[];
  tag?: string[];
  concurrency?: number;
  reporter: Format;
  jsonOut?: string;
}

function columnsOf({ models, prompts }: Given): CompareArgs['columns'] {
  if ((models === undefined) === (prompts === undefined)) {
    throw userError(
      'bad_argument',
      models === undefined ? 'nothing to compare is given' : '--models and --prompts exclude each other',
      {
        remedy: 'Give --models a,b or --prompts a.md,b.md.',
      },
    );
  }
  const kind = models === undefined ? 'prompts' : 'models';
  const names = (models ?? prompts ?? '').split(',').map((name) => name.trim());
  if (names.length < 2 || names.includes('')) {
    throw userError('bad_argument', `--${kind} takes two or more, separated by commas`, {
      remedy: kind === 'models' ? 'For one model use retake run.' : 'For one prompt use retake run.',
    });
  }
  return { kind, names };
}

/** Adds the command; `done` gets what its words ask for. */
export function addCompare(program: Command, globals: () => GlobalArgs, done: (args: CompareArgs) => void): void {
  program
    .command('compare')
    .description('run the same cases with several models or prompts, side by side')
    .argument('[globs...]', 'suite files to take (default: `suites:` of retake.yaml)')
    .option('--models <models>', 'models, separated by commas: `provider/model`', text('--models'))
    .option('--prompts <files>', 'files with system prompts, separated by commas', text('--prompts'))
    .option('--yes', 'ask the providers for what has no recording')
    .option('--filter <pattern>', 'only cases that match `suite::case`; * is any text; repeatable', collect('--filter'))
    .option('--tag <tag>', 'only cases with this tag; repeatable', collect('--tag'))
    .option('--concurrency <number>', 'cases at once', wholeNumber('--concurrency', MOST_AT_ONCE))
    .addOption(budgetOption())
    .option('--json-out <file>', 'also write the result as JSON to this file', text('--json-out'))
    .addOption(
      new Option('--reporter <name>', 'what goes to stdout: terminal, json, markdown or html')
        .argParser(oneOf('--reporter', FORMATS))
        .default('terminal'),
    )
    .addHelpText('after', EXAMPLES)
    .action((globs: string[], given: Given) =>
      done({
        command: 'compare',
        ...globals(),
        ...budgetOf(given),
        globs,
        columns: columnsOf(given),
        yes: given.yes ?? false,
        filter: given.filter ?? [],
        tags: given.tag ?? [],
        ...(given.concurrency !== undefined && { concurrency: given.concurrency }),
        reporter: given.reporter,
        ...(given.jsonOut !== undefined && { jsonOut: given.jsonOut }),
      }),
    );
}

function readPrompt(cwd: string, file: string): string {
  try {
    const words = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(resolve(cwd, file)));
    return words.replace(/\r\n?/g, '\n');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read as UTF-8 text';
    throw userError('bad_argument', `--prompts: ${file} ${why}`, {
      remedy: 'Name text files, relative to the current folder.',
    });
  }
}

/** The columns that are asked for; reads the prompts. Throws UserError. */
export function columnsAsked({ kind, names }: CompareArgs['columns'], cwd: string): ColumnAsked[] {
  return names.map((name) => (kind === 'models' ? { name, model: name } : { name, system: readPrompt(cwd, name) }));
}

/** 3 where a column is not whole. */
export function exitOf({ columns }: ColumnsResult): number {
  return columns.some(({ result }) => result.exitCode === 3) ? 3 : 0;
}
