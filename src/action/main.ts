// The action: inputs in; outputs, report, summary and verdict out. Runs when imported.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { info, notice, setFailed, setOutput, summary } from '@actions/core';
import { run } from '../commands/run.ts';
import { UserError, userError } from '../errors.ts';
import { renderFaultSummary } from '../render/fault-summary.ts';
import { renderFaults } from '../render/faults.ts';
import { countsText, renderSummary } from '../render/summary.ts';
import { defuse, safeLines } from '../render/terminal-text.ts';
import type { RunResult } from '../run/result.ts';
import { VERSION } from '../version.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { outputsOf } from './outputs.ts';

/** What a runner keeps of one annotation is 4,096 characters. */
const ANNOTATION = 4000;

/** Writes `report.json` into the report folder. */
function writeReport(result: RunResult, { reportDir }: Inputs): void {
  try {
    mkdirSync(reportDir, { recursive: true });
    writeFileSync(join(reportDir, 'report.json'), `${JSON.stringify(result, null, 2)}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw userError('file_unwritable', `input report-dir: report.json cannot be written there (${code})`, {
      remedy: 'Name a folder of the workspace that the job may write to.',
    });
  }
}

/** Relative to the workspace, POSIX separators. */
function reportPath({ reportDir }: Inputs, env: NodeJS.ProcessEnv): string {
  const workspace = resolve(env['GITHUB_WORKSPACE'] || '.');
  return relative(workspace, join(reportDir, 'report.json')).replaceAll('\\', '/');
}

async function writeSummary(markdown: string, env: NodeJS.ProcessEnv): Promise<void> {
  // Old servers and local runners have none.
  if (env['GITHUB_STEP_SUMMARY']) await summary.addRaw(markdown, true).write();
}

/** What suites may see: never the inputs, nor the runner's own variables, some of which are tokens. */
function suitesEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:INPUT|GITHUB|ACTIONS|RUNNER)_/i.test(name)));
}

async function gate(env: NodeJS.ProcessEnv): Promise<void> {
  const inputs = readInputs(env);
  const { cwd, suites, filter, tags, concurrency } = inputs;
  const result = await run({
    cwd,
    globs: suites,
    mode: 'replay',
    filter,
    tags,
    ...(concurrency !== undefined && { concurrency }),
    failFast: false,
    liveCode: inputs.allowLiveCode ? 'keyless' : 'refuse',
    resume: false,
    env: suitesEnv(env),
  });
  for (const [name, value] of Object.entries(outputsOf(result, reportPath(inputs, env)))) setOutput(name, value);
  writeReport(result, inputs);
  await writeSummary(renderSummary(result), env);
  // Counts only: what a model said never reaches the log, where a runner would look for commands in it.
  const counts = countsText(result.counts);
  info(`Retake ${VERSION}: ${counts}`);
  if (result.exitCode === 0) return;
  if (inputs.failOn === 'never') notice(`${counts}. The job goes on: fail-on is never.`);
  else setFailed(`${counts}. The job summary tells them one by one.`);
}

/** The user's mistake: told in full in log and summary, without a stack. */
async function tellMistake(error: UserError, env: NodeJS.ProcessEnv): Promise<void> {
  setOutput('outcome', 'invalid');
  setOutput('exit-code', 2);
  await writeSummary(renderFaultSummary(error), env);
  const text = renderFaults(error, { color: false, width: 120 }).trimEnd();
  setFailed(text.length > ANNOTATION ? `${text.slice(0, ANNOTATION)}…` : text);
}

function tellBug(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const lines = safeLines(stack, 40, ANNOTATION).join('\n');
  setFailed(defuse(`${lines}\n\nThis is a bug in Retake ${VERSION}, not in your suites.`));
}

try {
  await gate(process.env);
} catch (error) {
  if (error instanceof UserError) await tellMistake(error, process.env);
  else tellBug(error);
}
