// Reports beside the one on the terminal: JUnit XML and an HTML page, in files or on stdout.

import type { Command } from 'commander';
import { userError } from '../errors.ts';
import type { RunResult } from '../run/result.ts';
import { jsonText, type OutFile, prepareOut, writeOut } from './json-out.ts';
import { text } from './values.ts';

/** What goes to stdout. */
export type ReporterName = 'terminal' | 'json' | 'junit' | 'html';

/** The reporters by their names. */
export const REPORTERS: Record<ReporterName, ReporterName> = {
  terminal: 'terminal',
  json: 'json',
  junit: 'junit',
  html: 'html',
};

/** Files for reports, as given; also as commander gives them. */
export interface ReportFiles {
  junitOut?: string;
  htmlOut?: string;
}

// Written out, not computed: a bundler follows these imports, and a run without reports loads none.
const RENDERERS: { [Name in Exclude<ReporterName, 'terminal'>]: (result: RunResult) => Promise<string> } = {
  json: async (result) => jsonText(result),
  junit: async (result) => (await import('../render/junit.ts')).renderJunit(result),
  html: async (result) => (await import('../render/html.ts')).renderHtml(result),
};

/** The options of these files. */
export function addReportFiles(command: Command): Command {
  return command
    .option('--junit-out <file>', 'also write JUnit XML to this file', text('--junit-out'))
    .option('--html-out <file>', 'also write an HTML page to this file', text('--html-out'));
}

/** Those of the files that are given. */
export function filesOf({ junitOut, htmlOut }: ReportFiles): ReportFiles {
  return { ...(junitOut !== undefined && { junitOut }), ...(htmlOut !== undefined && { htmlOut }) };
}

function outsOf({ junitOut, htmlOut }: ReportFiles): (OutFile & { name: 'junit' | 'html' })[] {
  const out = (name: 'junit' | 'html', flag: string, file: string | undefined) =>
    file === undefined ? [] : [{ name, flag, file, instead: `For ${name} on stdout use --reporter ${name}.` }];
  return [...out('junit', '--junit-out', junitOut), ...out('html', '--html-out', htmlOut)];
}

/** Sees that the files can be written, before a run has cost anything. Throws UserError. */
export function prepareReports(cwd: string, files: ReportFiles): void {
  for (const out of outsOf(files)) prepareOut(cwd, out);
}

/** Writes the files. Throws UserError. */
export async function writeReports(cwd: string, files: ReportFiles, result: RunResult): Promise<void> {
  for (const out of outsOf(files)) writeOut(cwd, out, await RENDERERS[out.name](result));
}

/** A report as text for stdout. */
export function reportText(name: Exclude<ReporterName, 'terminal'>, result: RunResult): Promise<string> {
  return RENDERERS[name](result);
}

/** Refuses reports of a run where none runs. Throws UserError. */
export function refuseReports(flag: string, reporter: ReporterName, files: ReportFiles): void {
  const given = reporter === 'junit' || reporter === 'html' ? `--reporter ${reporter}` : outsOf(files)[0]?.flag;
  if (given === undefined) return;
  throw userError('bad_argument', `${flag} does not go with ${given}`, {
    remedy: `Nothing is run. Leave out ${given}.`,
  });
}
