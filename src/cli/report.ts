// `retake report`: reports from a stored result.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { userError } from '../errors.ts';
import type { RunResult } from '../run/result.ts';
import type { GlobalArgs } from './args.ts';
import { addReportFiles, filesOf, REPORTERS, type ReporterName, type ReportFiles } from './reports.ts';
import { oneOf, text } from './values.ts';

/** `retake report`. */
export interface ReportArgs extends GlobalArgs, ReportFiles {
  command: 'report';
  /** The document, as given. */
  file: string;
  reporter: ReporterName;
  verbose: boolean;
}

const EXAMPLES = `
It renders what \`retake run --json-out\` or the action wrote; nothing is run. The
exit code is 0 where the document could be read.

Examples:
  retake report result.json
  retake report result.json --html-out report.html --junit-out junit.xml
  retake report result.json --reporter junit > junit.xml`;

/** Adds the command; `done` gets what its words ask for. */
export function addReport(program: Command, globals: () => GlobalArgs, done: (args: ReportArgs) => void): void {
  addReportFiles(
    program
      .command('report')
      .description('render a stored result')
      .argument('<file>', 'a result document', text('file'))
      .option(
        '--reporter <name>',
        'what goes to stdout: terminal, json, junit or html',
        oneOf('--reporter', REPORTERS),
        'terminal',
      )
      .option('-v, --verbose', 'show every turn of every case'),
  )
    .addHelpText('after', EXAMPLES)
    .action((file: string, given: ReportFiles & { reporter: ReporterName; verbose?: true }) => {
      const { reporter, verbose = false } = given;
      done({ command: 'report', ...globals(), file, reporter, verbose, ...filesOf(given) });
    });
}

/** The result in the file. Throws UserError. */
export async function loadResult(cwd: string, file: string): Promise<RunResult> {
  const { readResult, RESULT_BYTES } = await import('../commands/report.ts');
  let content: string;
  try {
    const path = resolve(cwd, file);
    const { size } = statSync(path);
    if (size > RESULT_BYTES) {
      throw userError('file_unreadable', `${file} is larger than ${RESULT_BYTES / 1024 / 1024} MiB`, {
        remedy: 'Give a result document of Retake.',
      });
    }
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code;
    throw userError('file_unreadable', `${file} cannot be read: ${why}`, {
      remedy: 'Give the file that `retake run --json-out` or the action wrote.',
    });
  }
  return readResult(content, file);
}
