// Runs the built action as a runner does: a process with INPUT_*, GITHUB_* and files for outputs and summary.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ACTION = fileURLToPath(new URL('../../dist/action.js', import.meta.url));
const PROJECTS = fileURLToPath(new URL('projects', import.meta.url));

/** Node finds these by the process' own environment on every system. */
const KEPT = ['PATH', 'Path', 'SystemRoot', 'TEMP', 'TMP', 'HOME', 'USERPROFILE'];

/** What a job sees of a step. */
export interface StepRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  outputs: Record<string, string>;
  summary: string;
  /** Absolute; removed when the test ends. */
  workspace: string;
}

/** How a step is run. */
export interface StepSettings {
  /** A folder of test/action/projects, copied into the workspace; absent for an empty one. */
  project?: string;
  inputs?: Record<string, string>;
  env?: Record<string, string>;
  node?: string;
  /** Prepares the workspace before the step. */
  prepare?: (workspace: string) => void;
}

/** Reads a file of outputs: `name<<delimiter`, lines, delimiter. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name = '', , value = ''] of text.matchAll(/^([^\n<]+)<<(\S+)\r?\n([\s\S]*?)\r?\n\2\r?$/gm))
    outputs[name] = value;
  return outputs;
}

interface Prepared {
  workspace: string;
  options: { cwd: string; env: NodeJS.ProcessEnv };
  read(ran: { exitCode: number | null; stdout: string; stderr: string }): StepRun;
}

function prepareStep({ project, inputs = {}, env = {}, prepare }: StepSettings): Prepared {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'retake-action-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [workspace, output, summary] = ['workspace', 'output', 'summary'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  if (project === undefined) mkdirSync(workspace);
  else cpSync(join(PROJECTS, project), workspace, { recursive: true });
  for (const file of [output, summary]) writeFileSync(file, '');
  prepare?.(workspace);
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    workspace,
    options: {
      cwd: workspace,
      env: {
        ...Object.fromEntries([...kept, ...given]),
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        ...env,
      },
    },
    read: (ran) => ({
      ...ran,
      outputs: readOutputs(readFileSync(output, 'utf8')),
      summary: readFileSync(summary, 'utf8'),
      workspace,
    }),
  };
}

/** Runs one step to its end. */
export function runStep(settings: StepSettings): StepRun {
  const { options, read } = prepareStep(settings);
  const child = spawnSync(settings.node ?? process.execPath, [ACTION], {
    ...options,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return read({ exitCode: child.status, stdout: child.stdout, stderr: child.stderr });
}

/** Runs one step while this process goes on, so that a server of the test's can answer it. */
export async function awaitStep(settings: StepSettings): Promise<StepRun> {
  const { options, read } = prepareStep(settings);
  const child = spawn(settings.node ?? process.execPath, [ACTION], { ...options, timeout: 60_000 });
  const ran = { exitCode: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.stderr += text;
  });
  ran.exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return read(ran);
}

/** Every input's default, as the runner passes what the workflow does not set. */
export function defaultsOf(actionYml: { inputs: Record<string, { default?: string }> }): Record<string, string> {
  return Object.fromEntries(Object.entries(actionYml.inputs).map(([name, { default: value = '' }]) => [name, value]));
}
