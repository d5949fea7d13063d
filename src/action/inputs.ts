// The action's inputs, read and checked once; the runner enforces nothing of action.yml.

import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { getInput } from '@actions/core';
import { type Fault, UserError } from '../errors.ts';

/** When the job fails. */
export type FailOn = 'any' | 'never';

/** What the workflow asks for. */
export interface Inputs {
  command: 'gate';
  /** Globs relative to `cwd`; empty for the project's own. */
  suites: string[];
  /** Absolute. */
  cwd: string;
  filter: string[];
  tags: string[];
  concurrency?: number;
  /** Absolute. */
  reportDir: string;
  failOn: FailOn;
  /** Whether suites may run the repository's own code. */
  allowLiveCode: boolean;
}

const NAMES = [
  'command',
  'suites',
  'working-directory',
  'filter',
  'tags',
  'concurrency',
  'report-dir',
  'fail-on',
  'allow-live-code',
] as const;

type InputName = (typeof NAMES)[number];

const COMMANDS = ['gate'] as const;
const FAIL_ON = ['any', 'never'] as const;
const ALLOW = ['auto', 'true', 'false'] as const;
const MOST_AT_ONCE = 1000;
const SHOWN = 80;

function quoted(value: string): string {
  return `"${value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}"`;
}

/** Collects the faults of all inputs, so that one run tells them all. */
interface Reading {
  faults: Fault[];
  workspace: string;
}

function complain(reading: Reading, name: InputName, message: string, allowed: string): void {
  reading.faults.push({ code: 'bad_argument', message: `input ${name}: ${message}`, remedy: allowed });
}

function oneOf<T extends string>(reading: Reading, name: InputName, allowed: readonly [T, ...T[]]): T {
  const value = getInput(name);
  if (value === '') return allowed[0];
  const known = allowed.find((one) => one === value);
  if (known === undefined) complain(reading, name, `${quoted(value)} is not known`, `Allowed: ${allowed.join(', ')}.`);
  return known ?? allowed[0];
}

function list(name: InputName, separator: RegExp): string[] {
  return getInput(name)
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function concurrency(reading: Reading): number | undefined {
  const value = getInput('concurrency');
  if (value === '') return undefined;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= MOST_AT_ONCE) return number;
  complain(reading, 'concurrency', `${quoted(value)} is not a number of cases`, `Allowed: 1 to ${MOST_AT_ONCE}.`);
  return undefined;
}

/** A path within the workspace, absolute; the workspace itself where the input leads out of it. */
function within(reading: Reading, name: InputName, base: string, otherwise: string): string {
  const value = getInput(name) || otherwise;
  const path = resolve(base, value);
  const from = relative(reading.workspace, path);
  if (value.includes('\0') || from === '..' || /^\.\.[/\\]/.test(from) || isAbsolute(from)) {
    complain(reading, name, `${quoted(value)} leads out of the workspace`, 'Allowed: a path within the workspace.');
    return reading.workspace;
  }
  return path;
}

function workingDirectory(reading: Reading): string {
  const known = reading.faults.length;
  const path = within(reading, 'working-directory', reading.workspace, '.');
  if (reading.faults.length === known && !statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const value = quoted(getInput('working-directory'));
    complain(
      reading,
      'working-directory',
      `there is no folder ${value}`,
      'Allowed: a folder of the repository. Is actions/checkout run before?',
    );
  }
  return path;
}

/** Whether a pull request comes from another repository: then its author need not be one of those who may push here. */
function isFromFork(env: NodeJS.ProcessEnv): boolean {
  try {
    const event = JSON.parse(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8'));
    const { head, base } = event.pull_request ?? {};
    return event.pull_request !== undefined && head?.repo?.full_name !== base?.repo?.full_name;
  } catch {
    return false;
  }
}

function allowLiveCode(reading: Reading, env: NodeJS.ProcessEnv): boolean {
  const said = oneOf(reading, 'allow-live-code', ALLOW);
  return said === 'auto' ? !isFromFork(env) : said === 'true';
}

/** Inputs arrive as `INPUT_<NAME>`; a misspelt one arrives too. */
function refuseUnknown(reading: Reading, env: NodeJS.ProcessEnv): void {
  for (const key of Object.keys(env).sort()) {
    if (!/^INPUT_/i.test(key)) continue;
    const name = key.slice('INPUT_'.length).toLowerCase();
    if (NAMES.some((known) => known === name)) continue;
    reading.faults.push({
      code: 'bad_argument',
      message: `input ${name.slice(0, SHOWN)}: there is no such input`,
      remedy: `Inputs are ${NAMES.join(', ')}.`,
    });
  }
}

/** Reads the inputs of this process. Throws a UserError with every fault. */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const reading: Reading = { faults: [], workspace: resolve(env['GITHUB_WORKSPACE'] || '.') };
  refuseUnknown(reading, env);
  const cwd = workingDirectory(reading);
  const atOnce = concurrency(reading);
  const inputs: Inputs = {
    command: oneOf(reading, 'command', COMMANDS),
    suites: list('suites', /\r?\n/),
    cwd,
    filter: list('filter', /\r?\n/),
    tags: list('tags', /[\r\n,]/),
    ...(atOnce !== undefined && { concurrency: atOnce }),
    reportDir: within(reading, 'report-dir', cwd, 'retake-report'),
    failOn: oneOf(reading, 'fail-on', FAIL_ON),
    allowLiveCode: allowLiveCode(reading, env),
  };
  if (reading.faults.length > 0) throw new UserError(reading.faults);
  return inputs;
}
