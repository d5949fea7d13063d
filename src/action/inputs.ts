// The action's inputs, read and checked once; the runner enforces nothing of action.yml.

import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { getInput } from '@actions/core';
import type { Threshold } from '../compare/drift.ts';
import { type Fault, UserError } from '../errors.ts';
import type { FailOn } from '../render/verdict.ts';

/** When there is a comment: `changes` where there is something to say or one exists, `failures` where the check is red or one exists. */
export type CommentMode = 'always' | 'changes' | 'failures' | 'off';

/** What the workflow asks for. */
export interface Inputs {
  command: (typeof COMMANDS)[number];
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
  /** A branch, tag or commit; empty for what the event says. */
  baseRef: string;
  commentMode: CommentMode;
  /** Parts comments of several jobs on one pull request. */
  commentKey: string;
  /** Empty where nothing is to be written to GitHub. */
  token: string;
  /** Absolute; absent for the templates that come with Retake. */
  templates?: string;
  /** The variables that `${VAR}` in suites may read. */
  env: string[];
  /** Absolute: the result document of a fork's run, for `comment`. */
  result: string;
  drift: DriftInputs;
  /** Whether suites may run the repository's own code. */
  allowLiveCode: boolean;
}

/** What the drift commands take. */
export interface DriftInputs {
  /** USD. */
  maxCostUsd?: number;
  confirm: number;
  /** 0..1. */
  maxIncomparable: number;
  threshold: Threshold;
  /** Parts the drift pull requests of several jobs. */
  key: string;
  /** The folder of fresh recordings, relative to `working-directory`. */
  dir: string;
  failOnDrift: boolean;
  trimmings: { labels: string[]; assignees: string[]; reviewers: string[]; teamReviewers: string[] };
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
  'base-ref',
  'comment-mode',
  'comment-key',
  'github-token',
  'templates',
  'env',
  'result',
  'max-cost-usd',
  'confirm',
  'max-incomparable',
  'threshold',
  'drift-key',
  'drift-dir',
  'fail-on-drift',
  'labels',
  'assignees',
  'reviewers',
  'team-reviewers',
  'allow-live-code',
] as const;

type InputName = (typeof NAMES)[number];

const COMMANDS = ['gate', 'comment', 'record', 'propose', 'drift'] as const;
const FAIL_ON = ['any', 'regressions', 'never'] as const;
const ALLOW = ['auto', 'true', 'false'] as const;
const COMMENT_MODES = ['changes', 'always', 'failures', 'off'] as const;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What suites may never read: inputs and the runner's own, some of which are tokens. */
const NEVER = /^(?:INPUT|GITHUB|ACTIONS|RUNNER)_/i;
const LONGEST_KEY = 200;
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

function commentKey(reading: Reading): string {
  // Two gates of a monorepo differ in their folder.
  const key = getInput('comment-key') || getInput('working-directory') || '.';
  if (key.length <= LONGEST_KEY) return key;
  complain(reading, 'comment-key', `it has ${key.length} characters`, `Allowed: ${LONGEST_KEY} characters.`);
  return '.';
}

function variables(reading: Reading): string[] {
  const names = list('env', /[\s,]/);
  for (const name of names) {
    if (!VARIABLE.test(name))
      complain(reading, 'env', `${quoted(name)} is no name of a variable`, 'Allowed: names, one a line.');
    else if (NEVER.test(name))
      complain(
        reading,
        'env',
        `${quoted(name)} is the runner’s own`,
        'Set a variable of your own in the workflow’s `env:`.',
      );
  }
  return names;
}

function amount(reading: Reading, name: 'max-cost-usd'): number | undefined {
  const value = getInput(name);
  if (value === '') return undefined;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Number(value);
  complain(reading, name, `${quoted(value)} is no amount of USD`, 'Allowed: a number such as 2 or 0.50.');
  return undefined;
}

function share(reading: Reading, name: 'max-incomparable'): number {
  const value = getInput(name) || '20%';
  const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(value);
  const found = percent ? Number(percent[1]) / 100 : /^\d?\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (found >= 0 && found <= 1) return found;
  complain(reading, name, `${quoted(value)} is no share`, 'Allowed: a share such as 20% or 0.2.');
  return 0.2;
}

const MOST_CONFIRM = 20;

function confirmations(reading: Reading): number {
  const value = getInput('confirm') || '2';
  if (/^\d{1,2}$/.test(value) && Number(value) <= MOST_CONFIRM) return Number(value);
  complain(reading, 'confirm', `${quoted(value)} is not a number of takes`, `Allowed: 0 to ${MOST_CONFIRM}.`);
  return 2;
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

function driftKey(reading: Reading): string {
  const key = getInput('drift-key') || 'main';
  if (KEY.test(key) && !key.includes('..') && !key.endsWith('.lock')) return key;
  complain(
    reading,
    'drift-key',
    `${quoted(key)} cannot stand in a branch's name`,
    'Allowed: letters, digits, dots, hyphens.',
  );
  return 'main';
}

const DEFAULT_DIR = 'retake-drift';

function driftDir(reading: Reading, cwd: string): string {
  const path = within(reading, 'drift-dir', cwd, DEFAULT_DIR);
  const from = relative(cwd, path).replaceAll('\\', '/');
  if (from !== '' && !from.startsWith('..') && !/(?:^|\/)\.(?:git|github)(?:\/|$)/.test(from)) return from;
  complain(
    reading,
    'drift-dir',
    `${quoted(from)} is no folder of its own`,
    'Allowed: a folder below `working-directory`.',
  );
  return DEFAULT_DIR;
}

function driftInputs(reading: Reading, cwd: string): DriftInputs {
  const maxCostUsd = amount(reading, 'max-cost-usd');
  return {
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    confirm: confirmations(reading),
    maxIncomparable: share(reading, 'max-incomparable'),
    threshold: oneOf(reading, 'threshold', ['rerouted', 'regressed', 'fixed', 'rescored', 'reworded']),
    key: driftKey(reading),
    dir: driftDir(reading, cwd),
    failOnDrift: oneOf(reading, 'fail-on-drift', ['false', 'true']) === 'true',
    trimmings: {
      labels: list('labels', /[\r\n,]/),
      assignees: list('assignees', /[\s,]/),
      reviewers: list('reviewers', /[\s,]/),
      teamReviewers: list('team-reviewers', /[\s,]/),
    },
  };
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
    baseRef: getInput('base-ref'),
    commentMode: oneOf(reading, 'comment-mode', COMMENT_MODES),
    commentKey: commentKey(reading),
    token: getInput('github-token'),
    ...(getInput('templates') !== '' && { templates: within(reading, 'templates', cwd, '.') }),
    env: variables(reading),
    result: within(reading, 'result', reading.workspace, 'retake-report/report.json'),
    drift: driftInputs(reading, cwd),
    allowLiveCode: allowLiveCode(reading, env),
  };
  if (reading.faults.length > 0) throw new UserError(reading.faults);
  return inputs;
}
