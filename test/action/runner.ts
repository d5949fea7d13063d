// Runs the built action as a runner does: a process with INPUT_*, GITHUB_* and files for outputs and summary.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  /** A folder of test/action/projects, copied into the workspace. */
  project: string;
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

/** Runs one step to its end. */
export function runStep({ project, inputs = {}, env = {}, node = process.execPath, prepare }: StepSettings): StepRun {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'retake-action-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [workspace, output, summary] = ['workspace', 'output', 'summary'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  cpSync(join(PROJECTS, project), workspace, { recursive: true });
  for (const file of [output, summary]) writeFileSync(file, '');
  prepare?.(workspace);
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const child = spawnSync(node, [ACTION], {
    cwd: workspace,
    encoding: 'utf8',
    timeout: 30_000,
    env: {
      ...Object.fromEntries([...kept, ...given]),
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      ...env,
    },
  });
  return {
    exitCode: child.status,
    stdout: child.stdout,
    stderr: child.stderr,
    outputs: readOutputs(readFileSync(output, 'utf8')),
    summary: readFileSync(summary, 'utf8'),
    workspace,
  };
}

/** Every input's default, as the runner passes what the workflow does not set. */
export function defaultsOf(actionYml: { inputs: Record<string, { default?: string }> }): Record<string, string> {
  return Object.fromEntries(Object.entries(actionYml.inputs).map(([name, { default: value = '' }]) => [name, value]));
}
