// `command: gate`: replays every suite, compares with the base, reports, decides.

import { setOutput } from '@actions/core';
import { type RunOptions, run } from '../commands/run.ts';
import { UserError } from '../errors.ts';
import { changeBlocks } from '../render/changes-markdown.ts';
import type { ReportContext } from '../render/verdict.ts';
import type { RunResult } from '../run/result.ts';
import { projectRoot } from '../suite/load.ts';
import { againstBase } from './base.ts';
import { type Event, readEvent } from './event.ts';
import type { Inputs } from './inputs.ts';
import { outputsOf } from './outputs.ts';
import { annotate, finish, fromWorkspace, runPage, thisRun, writeComment, writeReports, writeSummary } from './step.ts';

/** The variables that the inputs let suites read. */
function suitesEnv(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

const REFUSED: Record<string, string> = {
  pull_request_target:
    'Use `on: pull_request`: this event would run a stranger’s suites beside the repository’s secrets.',
  workflow_run: 'Use `on: pull_request` for the gate, and `command: comment` here.',
};

function refuseEvent({ name }: Event): void {
  const remedy = REFUSED[name];
  if (remedy !== undefined)
    throw new UserError([{ code: 'bad_argument', message: `the gate does not run on ${name}`, remedy }]);
}

function optionsOf(
  { cwd, suites, filter, tags, concurrency, env: names, allowLiveCode }: Inputs,
  env: NodeJS.ProcessEnv,
): RunOptions {
  return {
    cwd,
    globs: suites,
    mode: 'replay',
    filter,
    tags,
    ...(concurrency !== undefined && { concurrency }),
    failFast: false,
    resume: false,
    env: suitesEnv(names, env),
    liveCode: allowLiveCode ? 'keyless' : 'refuse',
  };
}

function contextOf(inputs: Inputs, env: NodeJS.ProcessEnv, sha: string): ReportContext {
  const page = runPage(env);
  return {
    ...(sha !== '' && { commit: sha }),
    ...(page !== undefined && { runUrl: page, reportUrl: page }),
    failOn: inputs.failOn,
    ...(inputs.templates !== undefined && { templates: inputs.templates }),
  };
}

interface Judged {
  result: RunResult | undefined;
  context: ReportContext;
  changed: Record<string, number | string>;
}

const NOT_COMPARED = { regressed: '', unsettled: '' };

async function judge(
  inputs: Inputs,
  event: Event,
  { env, context }: { env: NodeJS.ProcessEnv; context: ReportContext },
): Promise<Judged> {
  const options = optionsOf(inputs, env);
  let result: RunResult;
  try {
    refuseEvent(event);
    result = await run(options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { result: undefined, context: { ...context, invalid: error.faults }, changed: NOT_COMPARED };
  }
  const against = await againstBase(result, options, { event, ref: inputs.baseRef, env });
  const { base } = against;
  if (!('comparison' in against))
    return { result, context: { ...context, ...(base && { base }) }, changed: NOT_COMPARED };
  const { regressed, unsettled } = against.comparison.counts;
  const { line, blocks } = changeBlocks(against.comparison);
  return {
    result,
    context: { ...context, base: against.base, changes: { line, blocks } },
    changed: { regressed, unsettled },
  };
}

/** Runs the gate. */
export async function gate(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<void> {
  const event = readEvent(env);
  const sha = event.pullRequest?.headSha || env['GITHUB_SHA'] || '';
  const told = await judge(inputs, event, { env, context: contextOf(inputs, env, sha) });
  const { result, context, changed } = told;
  const outputs = result ? outputsOf(result) : { outcome: 'invalid', 'exit-code': 2 };
  for (const [name, value] of Object.entries({ ...outputs, ...changed })) setOutput(name, value);
  if (result) {
    const files = writeReports(result, context, { reportDir: inputs.reportDir, env });
    for (const [name, path] of Object.entries(files)) setOutput(name, path);
  }
  await writeSummary(told, env);
  annotate(told, fromWorkspace(projectRoot(inputs.cwd), env));
  await writeComment(told, { inputs, env, number: event.pullRequest?.number, run: thisRun(env, sha) });
  finish(told);
}
