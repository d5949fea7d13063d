// What a step does at its end: outputs, files, summary, annotations, comment, verdict, in this order.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { error as errorAt, info, notice, setFailed, setOutput, summary, warning } from '@actions/core';
import { userError } from '../errors.ts';
import { connect } from '../github/client.ts';
import { type Commented, comment } from '../github/comment.ts';
import { annotationsOf } from '../render/annotations.ts';
import { renderComment } from '../render/comment.ts';
import { renderHtml } from '../render/html.ts';
import { renderJunit } from '../render/junit.ts';
import { renderSummary } from '../render/summary.ts';
import { defuse } from '../render/terminal-text.ts';
import { isRed, type ReportContext, verdictLine } from '../render/verdict.ts';
import type { RunResult } from '../run/result.ts';
import type { CommentMode, Inputs } from './inputs.ts';

/** What a report is about. */
export interface Told {
  /** Absent where a mistake left nothing to run. */
  result: RunResult | undefined;
  context: ReportContext;
}

/** A path relative to the workspace, POSIX separators. */
export function fromWorkspace(path: string, env: NodeJS.ProcessEnv): string {
  return relative(resolve(env['GITHUB_WORKSPACE'] || '.'), path).replaceAll('\\', '/');
}

/** Writes a report's files into the folder; gives their paths relative to the workspace by output. Throws UserError. */
export function writeReports(
  result: RunResult,
  context: ReportContext,
  facts: { reportDir: string; env: NodeJS.ProcessEnv },
) {
  const { reportDir, env } = facts;
  const files = {
    'report-json': ['report.json', `${JSON.stringify(result, null, 2)}\n`],
    'report-html': ['report.html', renderHtml(result, context)],
    junit: ['junit.xml', renderJunit(result)],
  } as const;
  try {
    mkdirSync(reportDir, { recursive: true });
    return Object.fromEntries(
      Object.entries(files).map(([output, [name, text]]) => {
        writeFileSync(join(reportDir, name), text);
        return [output, fromWorkspace(join(reportDir, name), env)];
      }),
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw userError('file_unwritable', `input report-dir: the reports cannot be written there (${code})`, {
      remedy: 'Name a folder of the workspace that the job may write to.',
    });
  }
}

/** Writes the job summary. Old servers and local runners have none. */
export async function writeSummary({ result, context }: Told, env: NodeJS.ProcessEnv): Promise<void> {
  if (env['GITHUB_STEP_SUMMARY']) await summary.addRaw(renderSummary(result, context), true).write();
}

const LEVELS = { error: errorAt, warning, notice };

/** Puts annotations on the suites' lines. */
export function annotate({ result, context }: Told, folder: string): void {
  for (const { level, path, line, endLine, title, message } of annotationsOf(result, { ...context, folder }))
    LEVELS[level](message, { file: path, startLine: line, endLine, title });
}

/** Whether there is something that a comment is wanted for. */
function isWanted(mode: CommentMode, { result, context }: Told): boolean {
  if (mode === 'always') return true;
  const isBad = isRed(result, context) || result?.exitCode !== 0;
  if (mode === 'failures') return isBad;
  return isBad || (context.changes?.blocks.length ?? 0) > 0;
}

/** Which run this is. */
export function thisRun(env: NodeJS.ProcessEnv, sha: string): { sha: string; run: number; attempt: number } {
  const number = (name: string) => (/^\d{1,15}$/.test(env[name] ?? '') ? Number(env[name]) : 0);
  return { sha, run: number('GITHUB_RUN_ID'), attempt: number('GITHUB_RUN_ATTEMPT') };
}

const WHY = {
  forbidden:
    'The token may not write to the pull request: `pull-requests: write` is missing, or this is a fork’s or Dependabot’s run. The summary has the report.',
  failed: 'GitHub did not take the comment. The summary has the report.',
  stale: 'A newer run has commented already.',
} as const;

/** Writes the comment; whatever becomes of it, the job goes on. */
export async function writeComment(
  told: Told,
  {
    inputs,
    env,
    number,
    run,
  }: {
    inputs: Pick<Inputs, 'token' | 'commentKey' | 'commentMode'>;
    env: NodeJS.ProcessEnv;
    number: number | undefined;
    run: ReturnType<typeof thisRun>;
  },
): Promise<void> {
  const { token, commentKey, commentMode } = inputs;
  const done = (commented: Commented): void => {
    setOutput('comment-url', commented.url ?? '');
    setOutput('comment-status', commented.status);
    const why = commented.status in WHY ? WHY[commented.status as keyof typeof WHY] : undefined;
    if (why) notice(defuse(commented.message === undefined ? why : `${why} (${commented.message})`));
  };
  if (number === undefined || commentMode === 'off' || token === '') return done({ status: 'skipped' });
  const github = connect({
    token,
    apiUrl: env['GITHUB_API_URL'],
    repository: env['GITHUB_REPOSITORY'] ?? '',
  });
  const body = (marker: string) => renderComment(told.result, { ...told.context, marker });
  done(await comment(github, { number, key: commentKey, run, body, isWanted: isWanted(commentMode, told) }));
}

/** The page of this run, for links. */
export function runPage(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env;
  return server && repository && id ? `${server}/${repository}/actions/runs/${id}` : undefined;
}

/** Ends the step: red where the check is. Counts only: what a model said never reaches the log. */
export function finish({ result, context }: Told): void {
  const line = verdictLine(result, context);
  info(line);
  if (isRed(result, context)) setFailed(`${line}. The job summary tells them one by one.`);
  else if (result && result.exitCode !== 0) notice(`${line}. The job goes on: fail-on is ${context.failOn}.`);
}
