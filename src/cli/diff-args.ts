// The command line's words for `retake diff`, and what it prints.

import { type Command, Option } from 'commander';
import type { DiffResult } from '../commands/diff.ts';
import { behaviourChanges } from '../compare/kinds.ts';
import { userError } from '../errors.ts';
import type { GlobalArgs } from './args.ts';
import { jsonText } from './json-out.ts';
import { collect, oneOf, text } from './values.ts';

type Format = 'terminal' | 'json' | 'markdown' | 'html';

/** `retake diff`. */
export interface DiffArgs extends GlobalArgs {
  command: 'diff';
  ref?: string;
  dirs?: [string, string];
  filter: string[];
  tags: string[];
  /** Show rewordings too. */
  all: boolean;
  /** End with 4 where behaviour changed. */
  exitCode: boolean;
  reporter: Format;
  jsonOut?: string;
}

const EXAMPLES = `
Both sides are replayed from their cassettes: the commit with its own suites, the
working tree with what stands there now. Nobody is asked and nothing is written.
Without a ref it is the commit where this branch left the default branch.

Examples:
  retake diff                        what this branch does to behaviour
  retake diff origin/main --exit-code
  retake diff HEAD~3 --reporter markdown > diff.md
  retake diff --dirs cassettes .retake/drift`;

const FORMATS: Record<Format, Format> = { terminal: 'terminal', json: 'json', markdown: 'markdown', html: 'html' };

interface Given {
  dirs?: true;
  filter?: string[];
  tag?: string[];
  all?: true;
  exitCode?: true;
  reporter: Format;
  jsonOut?: string;
}

/** Throws UserError where the words do not name sides. */
function sidesOf([first, second]: readonly (string | undefined)[], dirs: boolean): Pick<DiffArgs, 'ref' | 'dirs'> {
  if (!dirs) {
    if (second === undefined) return first === undefined ? {} : { ref: first };
    throw userError('bad_argument', `retake diff takes one ref, not also ${JSON.stringify(second)}`, {
      remedy: 'It is compared with the working tree. For two folders of cassettes add --dirs.',
    });
  }
  if (first !== undefined && second !== undefined) return { dirs: [first, second] };
  throw userError('bad_argument', '--dirs takes two folders', {
    remedy: 'Give both: `retake diff --dirs before after`.',
  });
}

/** Adds the command; `done` gets what its words ask for. */
export function addDiff(program: Command, globals: () => GlobalArgs, done: (args: DiffArgs) => void): void {
  program
    .command('diff')
    .description('show what behaves differently against a base')
    .argument('[ref]', 'a branch, tag or commit (default: where this branch left the default branch)', text('ref'))
    .argument('[after]', 'with --dirs: the second folder', text('after'))
    .option('--dirs', 'compare two folders of cassettes under the suites of today')
    .option('--filter <pattern>', 'only cases that match `suite::case`; * is any text; repeatable', collect('--filter'))
    .option('--tag <tag>', 'only cases with this tag; repeatable', collect('--tag'))
    .option('--all', 'show rewordings too')
    .option('--exit-code', 'end with 4 where behaviour changed')
    .option('--json-out <file>', 'also write the comparison as JSON to this file', text('--json-out'))
    .addOption(
      new Option('--reporter <name>', 'what goes to stdout: terminal, json, markdown or html')
        .argParser(oneOf('--reporter', FORMATS))
        .default('terminal'),
    )
    .addHelpText('after', EXAMPLES)
    .action((first: string | undefined, second: string | undefined, given: Given) =>
      done({
        command: 'diff',
        ...globals(),
        ...sidesOf([first, second], given.dirs ?? false),
        filter: given.filter ?? [],
        tags: given.tag ?? [],
        all: given.all ?? false,
        exitCode: given.exitCode ?? false,
        reporter: given.reporter,
        ...(given.jsonOut !== undefined && { jsonOut: given.jsonOut }),
      }),
    );
}

/** What goes to stdout. */
export async function diffText(found: DiffResult, { reporter, all }: DiffArgs, color: boolean): Promise<string> {
  const { comparison, labels, notes } = found;
  if (reporter === 'json') return jsonText(comparison);
  if (reporter === 'markdown')
    return (await import('../render/changes-markdown.ts')).renderChangesMarkdown(comparison, { all, labels });
  if (reporter === 'html')
    return (await import('../render/changes-html.ts')).renderChangesHtml(comparison, { all, labels });
  const shown = (await import('../render/changes.ts')).renderChanges(comparison, { all, labels, color });
  return `${shown}${notes.map((note) => `\nnote  ${note}\n`).join('')}`;
}

/** 3 where a side has no verdict on a case, 4 where behaviour changed and the code is asked to say so. */
export function diffExit({ comparison: { counts } }: DiffResult, { exitCode }: DiffArgs): number {
  if (!exitCode) return 0;
  if (counts.incomparable > 0) return 3;
  return behaviourChanges(counts) > 0 ? 4 : 0;
}
