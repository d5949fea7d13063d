// The built action as a step of a job: outputs, report, summary, verdict; on the Node of the tests and on Node 24.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { defaultsOf, runStep } from './runner.ts';

const actionYml = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'));
const defaults = defaultsOf(actionYml);
const reportOf = (workspace: string, path = 'retake-report/report.json') =>
  JSON.parse(readFileSync(join(workspace, path), 'utf8'));
/** Lines that a runner would take for a command, but the ones of the action itself. */
const commands = (text: string) =>
  text
    .split('\n')
    .filter(
      (line) =>
        (/^\s*::/.test(line) && !/^::(?:error|warning|notice)(?: title=[^:]*)?::(?!injected)/.test(line)) ||
        line.includes('##['),
    );

it('has a Node 24 to run with', () => {
  expect(inject('node24'), 'Node 24 could not be installed; see the start of this run').not.toBe('');
});

describe.each([
  ['the Node of the tests', () => process.execPath],
  ['Node 24', () => inject('node24')],
])('on %s', (_, node) => {
  it('passes, with every output, report and summary', () => {
    const step = runStep({ project: 'passing', inputs: defaults, node: node() });
    expect(step).toMatchObject({ exitCode: 0, stderr: '' });
    const ofDrift = /^(?:drift|changed|incomparable|operation|pull-request)/;
    expect(Object.keys(step.outputs)).toEqual(Object.keys(actionYml.outputs).filter((name) => !ofDrift.test(name)));
    expect(step.outputs).toMatchObject({
      outcome: 'passed',
      'exit-code': '0',
      total: '2',
      passed: '2',
      failed: '0',
      unrecorded: '0',
      errored: '0',
      skipped: '0',
      served: '0',
      live: '0',
      unused: '0',
      'report-json': 'retake-report/report.json',
    });
    expect(reportOf(step.workspace)).toMatchObject({ document: 'retake/run-result', mode: 'replay', exitCode: 0 });
    expect(step.summary).toMatch(/^## ✅ 2 of 2 cases passed\n/);
  });

  it('fails where a case fails, after outputs, report and summary', () => {
    const step = runStep({ project: 'failing', inputs: defaults, node: node() });
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toMatchObject({ outcome: 'failed', 'exit-code': '1', total: '2', passed: '1', failed: '1' });
    expect(reportOf(step.workspace)).toMatchObject({ outcome: 'failed' });
    expect(step.summary).toMatch(/^## ❌ 1 failed, 1 passed, of 2 cases\n/);
    expect(step.summary).toContain('<code>says_it_right</code>');
    expect(step.stdout).toContain('::error::❌ 1 failed, 1 passed, of 2 cases.');
  });
});

describe('live code', () => {
  const suite =
    'name: c\ntarget: {command: "node -p 1+1"}\ncases: [{name: sums, input: x, expect: [{final_equals: "2"}]}]\n';
  const pullRequest = (from: string) =>
    JSON.stringify({ pull_request: { head: { repo: { full_name: from } }, base: { repo: { full_name: 'a/b' } } } });
  const step = (allow: string, event = '{}') =>
    runStep({
      project: 'empty',
      inputs: { ...defaults, 'allow-live-code': allow },
      env: { GITHUB_EVENT_PATH: 'event.json' },
      prepare: (workspace) => {
        writeFileSync(join(workspace, 'c.eval.yaml'), suite);
        writeFileSync(join(workspace, 'event.json'), event);
      },
    });

  it.each([
    ['auto', '{}'],
    ['auto', pullRequest('a/b')],
    ['true', pullRequest('fork/b')],
  ])('%s runs it for %s', (allow, event) => {
    expect(step(allow, event).outputs).toMatchObject({ passed: '1', skipped: '0' });
  });

  it.each([
    ['auto', pullRequest('fork/b')],
    ['false', '{}'],
  ])('%s refuses it for %s', (allow, event) => {
    const { outputs, summary } = step(allow, event);
    expect(outputs).toMatchObject({ passed: '0', skipped: '1' });
    expect(summary).toContain('live code: it may not run here');
  });

  it('takes no other word', () => {
    expect(step('no').stdout).toContain('input allow-live-code: "no" is not known');
  });
});

describe('what a model says', () => {
  it('never reaches the log', () => {
    for (const project of ['failing', 'provider-error', 'broken']) {
      const step = runStep({ project, inputs: defaults });
      expect(step.exitCode).toBe(1);
      expect(step.outputs).toHaveProperty('outcome');
      expect(commands(step.stdout + step.stderr)).toEqual([]);
    }
  });
});

it('fails where a provider fails', () => {
  const step = runStep({ project: 'provider-error', inputs: defaults });
  expect(step.outputs).toMatchObject({ outcome: 'incomplete', 'exit-code': '3', errored: '1' });
  expect(step.summary).toContain('### Provider errors (1)');
});

it('goes on where fail-on is never, and says so', () => {
  const step = runStep({ project: 'failing', inputs: { ...defaults, 'fail-on': 'never' } });
  expect(step).toMatchObject({ exitCode: 0, outputs: { outcome: 'failed', 'exit-code': '1' } });
  expect(step.stdout).toContain('::notice::⚠️ 1 failed, 1 passed, of 2 cases.');
});

it('takes suites, filter, tags and report-dir', () => {
  const inputs = {
    suites: 'evals/*.eval.yaml',
    filter: '*::looks_up\n*::nothing',
    tags: 'smoke, other',
    'report-dir': 'out/a',
  };
  const step = runStep({ project: 'passing', inputs: { ...defaults, ...inputs } });
  expect(step).toMatchObject({ exitCode: 0, outputs: { total: '1', 'report-json': 'out/a/report.json' } });
  expect(reportOf(step.workspace, 'out/a/report.json')).toMatchObject({ counts: { total: 1 } });
});

it('works in a folder of the workspace', () => {
  const step = runStep({
    project: 'passing',
    inputs: { ...defaults, 'working-directory': 'evals' },
    prepare: (workspace) => writeFileSync(join(workspace, 'other.eval.yaml'), 'name: broken'),
  });
  expect(step).toMatchObject({
    exitCode: 0,
    outputs: { total: '2', 'report-json': 'evals/retake-report/report.json' },
  });
});

it('gives equal bytes twice', () => {
  const [first, second] = [1, 16].map((concurrency) => {
    const step = runStep({ project: 'failing', inputs: { ...defaults, concurrency: String(concurrency) } });
    return [step.summary, readFileSync(join(step.workspace, 'retake-report/report.json'), 'utf8')];
  });
  expect(second).toEqual(first);
});

describe("the user's mistake is red, with the reason in log and summary, without a stack", () => {
  it.each([
    ['command', 'guess', 'input command: "guess" is not known', 'Allowed: gate, comment, record, propose, drift.'],
    ['fail-on', 'some', 'input fail-on: "some" is not known', 'Allowed: any, regressions, never.'],
    ['concurrency', '0', 'input concurrency: "0" is not a number of cases', 'Allowed: 1 to 1000.'],
    ['concurrency', '4.5', 'input concurrency: "4.5" is not a number of cases', 'Allowed: 1 to 1000.'],
    ['working-directory', 'nowhere', 'input working-directory: there is no folder "nowhere"', 'actions/checkout'],
    [
      'working-directory',
      '../..',
      'input working-directory: "../.." leads out of the workspace',
      'within the workspace',
    ],
    ['report-dir', '/', 'input report-dir: "/" leads out of the workspace', 'within the workspace'],
    ['sutes', 'a', 'input sutes: there is no such input', 'Inputs are command, suites,'],
  ])('%s: %s', (name, value, message, allowed) => {
    const step = runStep({ project: 'passing', inputs: { ...defaults, [name]: value } });
    expect(step).toMatchObject({ exitCode: 1, outputs: { outcome: 'invalid', 'exit-code': '2' } });
    expect(step.stdout).toContain(message);
    expect(step.stdout).toContain(allowed);
    expect(step.stdout + step.stderr).not.toMatch(/\bat .*\.js:\d/);
    expect(step.summary).toMatch(/^## ❌ Nothing was run: 1 mistake to mend\n/);
    expect(step.summary).toContain(message);
  });

  it('tells all wrong inputs at once', () => {
    const step = runStep({ project: 'passing', inputs: { ...defaults, command: 'x', 'fail-on': 'y' } });
    expect(step.summary).toContain('2 mistakes to mend');
  });

  it('a broken suite, with its place', () => {
    const step = runStep({ project: 'broken', inputs: defaults });
    expect(step.outputs).toMatchObject({ outcome: 'invalid', 'exit-code': '2' });
    expect(step.stdout).toContain('evals/refund.eval.yaml');
    expect(step.summary).toContain('`evals/refund.eval.yaml:');
  });

  it('no suites', () => {
    const step = runStep({ project: 'empty', inputs: defaults });
    expect(step).toMatchObject({ exitCode: 1, outputs: { outcome: 'invalid', 'exit-code': '2' } });
  });

  it('a report folder that cannot be made', () => {
    const step = runStep({
      project: 'passing',
      inputs: defaults,
      prepare: (workspace) => writeFileSync(join(workspace, 'retake-report'), ''),
    });
    expect(step).toMatchObject({ exitCode: 1, outputs: { outcome: 'invalid', 'exit-code': '2' } });
    expect(step.stdout).toContain('input report-dir: the reports cannot be written there');
  });
});

it.each([
  // A secret is not needed in a replay, so its variable may be unset.
  ['GITHUB_TOKEN', 'passed'],
  ['ACTIONS_RUNTIME_TOKEN', 'passed'],
  ['RUNNER_TEMP', 'invalid'],
  ['INPUT_SUITES', 'invalid'],
])('hides %s from suites', (name, outcome) => {
  const step = runStep({
    project: 'empty',
    inputs: defaults,
    env: { GITHUB_TOKEN: 'hunter2', ACTIONS_RUNTIME_TOKEN: 'hunter2', RUNNER_TEMP: 'hunter2' },
    prepare: (workspace) => {
      const text = `name: a\nprovider: script\ncases:\n  - {name: b, input: "\${${name}}", script: [{text: c}]}\n`;
      writeFileSync(join(workspace, 'evals/a.eval.yaml'), text);
    },
  });
  expect(step.outputs).toMatchObject({ outcome });
  if (outcome === 'invalid') expect(step.stdout).toContain(name);
  expect(JSON.stringify(step)).not.toContain('hunter2');
});

it('works where there is no file for a summary', () => {
  const step = runStep({ project: 'passing', inputs: defaults, env: { GITHUB_STEP_SUMMARY: '' } });
  expect(step).toMatchObject({ exitCode: 0, summary: '' });
});

it('finds suites of another place by glob only', () => {
  const step = runStep({
    project: 'passing',
    inputs: { ...defaults, suites: 'more/*.eval.yaml' },
    prepare: (workspace) => {
      mkdirSync(join(workspace, 'more'));
      writeFileSync(
        join(workspace, 'more/a.eval.yaml'),
        'name: a\nprovider: script\ncases:\n  - {name: b, input: c, script: [{text: d}], expect: [{final_equals: d}]}\n',
      );
    },
  });
  expect(step).toMatchObject({ exitCode: 0, outputs: { total: '1' } });
});
