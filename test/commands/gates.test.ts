// Gates over many cases, shares of takes, datasets: what a command line says of them and how it ends.

import { expect, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { classify } from '../../src/run/classify.ts';
import { retake } from '../cli/shell.ts';
import { newProject, type ProjectFolder } from '../helpers/project.ts';
import { caseOf, take, turn } from '../render/terminal-samples.ts';

/** A scripted suite: what each case says, beside what is expected of it. */
function suite(head: string, cases: Record<string, [says: string, expected: string]>): string {
  const listed = Object.entries(cases).map(
    ([name, [says, expected]]) => `  - {name: ${name}, input: Hi, expected: ${expected}, script: [{text: ${says}}]}\n`,
  );
  return `name: sentiment\nprovider: script\nexpect: [{final_equals: null}]\n${head}cases:\n${listed.join('')}`;
}

const THREE_OF_FOUR = { a: ['good', 'good'], b: ['bad', 'bad'], c: ['good', 'bad'], d: ['bad', 'bad'] } as Record<
  string,
  [string, string]
>;

async function ran(files: Record<string, string>, ...more: string[]) {
  using project: ProjectFolder = newProject(files);
  const options = { globs: [], filter: [], tags: [], failFast: false, resume: false };
  return retake(['run', ...more], {
    cwd: project.folder,
    run: () => run({ ...options, cwd: project.folder, env: {}, mode: 'replay' }),
  });
}

test.each<[string, string, number, string]>([
  ['no gate: one failing case fails the run', '', 1, 'exit 1   a case failed'],
  [
    'a pass rate that holds tolerates it',
    'gates: {pass_rate: 0.75}\n',
    0,
    'sentiment: 1 failed case tolerated by pass_rate 0.75',
  ],
  [
    'a pass rate that does not hold',
    'gates: {pass_rate: 0.76}\n',
    1,
    '✗ sentiment › pass_rate   0.75 ≥ 0.76 does not hold   3 of 4 cases passed',
  ],
  ['tolerance of 1e-9', 'gates: {pass_rate: 0.7500000001}\n', 0, 'tolerated'],
  ['accuracy alone tolerates nothing', 'gates: {accuracy: 0.5}\n', 1, '✓ sentiment › accuracy   0.75 ≥ 0.5'],
  ['macro F1', 'gates: {pass_rate: 0.5, macro_f1: 0.8}\n', 1, '✗ sentiment › macro_f1   0.7333 ≥ 0.8 does not hold'],
  [
    'a mean score',
    'gates: {pass_rate: 0.5, mean_score: {final_equals: 0.7}}\n',
    0,
    '✓ sentiment › mean_score.final_equals   0.75 ≥ 0.7',
  ],
  [
    'a kind that nothing is judged by',
    'gates: {pass_rate: 0.5, mean_score: {max_turns: 0.7}}\n',
    1,
    'no expectation `max_turns` was judged',
  ],
  ['latency', 'gates: {pass_rate: 0.5, latency_ms: 5}\n', 0, '✓ sentiment › latency_ms   0 ≤ 5'],
])('%s', async (_, gates, exitCode, line) => {
  const { stdout, exitCode: code } = await ran({ 'a.eval.yaml': suite(gates, THREE_OF_FOUR) });
  expect(stdout).toContain(line);
  expect(code).toBe(exitCode);
});

test('gates of the project hold over all suites', async () => {
  const files = {
    'retake.yaml': 'version: 1\ngates: {pass_rate: 0.8}\n',
    'a.eval.yaml': suite('', THREE_OF_FOUR),
    'b.eval.yaml': suite('', { a: ['good', 'good'] }).replace('name: sentiment', 'name: other'),
  };
  const { stdout, exitCode } = await ran(files);
  expect(stdout).toContain('✓ pass_rate   0.8 ≥ 0.8   4 of 5 cases passed');
  expect(exitCode).toBe(0);
});

test('without a labelled case a gate on classes fails', async () => {
  const text =
    'name: s\nprovider: script\ngates: {accuracy: 0.5}\ncases: [{name: a, input: Hi, script: [{text: x}], expect: [{final_contains: x}]}]\n';
  const { stdout, exitCode } = await ran({ 'a.eval.yaml': text });
  expect(stdout).toContain('✗ s › accuracy   unknown ≥ 0.5   no case that ran has an `expected` answer');
  expect(exitCode).toBe(1);
});

// scikit-learn's documentation of f1_score and precision_recall_fscore_support gives these for the same answers.
test('precision, recall, F1 and support agree with published values', () => {
  const truth = ['0', '1', '2', '0', '1', '2'];
  const answers = ['0', '2', '1', '0', '0', '1'];
  const labelled = truth.map((expected, at) => ({
    expected,
    result: caseOf(`c${at}`, 'passed', {
      takes: [
        take({
          trajectory: { input: [], stopped: 'end_turn', turns: [turn([{ type: 'text', text: ` ${answers[at]}\n` }])] },
        }),
      ],
    }),
  }));
  const { accuracy, macroF1, classes } = classify(labelled);
  expect(Math.abs(accuracy - 1 / 3)).toBeLessThan(1e-9);
  expect(Math.abs(macroF1 - 4 / 15)).toBeLessThan(1e-9);
  expect(classes.map(({ label, precision, recall, support }) => [label, precision, recall, support])).toEqual([
    ['0', 2 / 3, 1, 2],
    ['1', 0, 0, 2],
    ['2', 0, 0, 2],
  ]);
});

test('a share of takes that must pass, and how sure that is', async () => {
  using project = newProject({
    'a.eval.yaml':
      'name: s\nprovider: script\ncases:\n  - {name: a, input: Hi, repeat: 3, require: any, script: [{text: x}], expect: [{final_contains: x}]}\n  - {name: b, input: Hi, repeat: 3, require_pass_rate: 0.5, script: [{text: x}], expect: [{final_contains: y}]}\n',
  });
  const result = await run({
    cwd: project.folder,
    env: {},
    globs: [],
    filter: [],
    tags: [],
    failFast: false,
    resume: false,
  });
  expect(
    result.suites[0]?.cases.map(({ outcome, passRate }) => [outcome, passRate?.passed, passRate?.required]),
  ).toEqual([
    ['passed', 3, 1 / 3],
    ['failed', 0, 0.5],
  ]);
  expect(result.notes).toEqual([
    's › b: `require_pass_rate` is below 1 and `repeat` below 5; so few takes say little of a rate.',
  ]);
});

test('a dataset: rows are cases, their columns variables, their places lines of the file', async () => {
  const rows = [
    { name: 'one', input: 'Ada', expected: 'Hello Ada', city: 'Rome' },
    { input: 'Bob', expected: 'Hello', city: 'Oslo' },
  ];
  using project = newProject({
    'a.eval.yaml':
      'name: greet\nmodel: openai/gpt-4.1-mini\nsystem: Greet people of {{city}}.\ndataset: rows.jsonl\nexpect: [{final_equals: null}]\n',
    'rows.jsonl': `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`,
  });
  const result = await run({
    cwd: project.folder,
    env: {},
    globs: [],
    filter: [],
    tags: [],
    failFast: false,
    resume: false,
    mode: 'replay',
  });
  expect(result.suites[0]?.cases.map(({ case: name, path, line }) => [name, path, line])).toEqual([
    ['one', 'rows.jsonl', 1],
    [expect.stringMatching(/^row-[0-9a-f]{8}$/), 'rows.jsonl', 2],
  ]);
});
