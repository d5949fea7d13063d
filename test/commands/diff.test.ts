// `retake diff`: a branch against its base, both replayed; folders of cassettes against each other.

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { retake } from '../cli/shell.ts';
import { configOf, KEY, newProject, type ProjectFolder, refundSuite } from '../helpers/project.ts';
import { type Asked, type Decide, startProvider } from '../helpers/provider-server.ts';

const SUITE = 'evals/refunds.eval.yaml';
const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false };
const ENV = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd, env: ENV, encoding: 'utf8' }).trim();
}

function commit(project: ProjectFolder, message: string): string {
  git(project.folder, 'add', '-A');
  git(project.folder, 'commit', '--quiet', '-m', message);
  return git(project.folder, 'rev-parse', 'HEAD');
}

/** Looks up and answers; with `refunds` it refunds in between. */
const agent =
  ({ refunds = false, word = 'done' } = {}): Decide =>
  ({ turn, input }: Asked) => {
    if (turn === 1) return { calls: [{ name: 'lookup_order', arguments: { order_id: 'A-1' } }] };
    if (turn === 2 && refunds && input.includes('late'))
      return { calls: [{ name: 'issue_refund', arguments: { order_id: 'A-1' } }] };
    return { text: `It is ${word}.` };
  };

interface Repository extends AsyncDisposable {
  project: ProjectFolder;
  record(decide: Decide): Promise<void>;
  diff(...more: string[]): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

/** A repository whose main branch has recordings of an agent that does not refund. */
async function repository(): Promise<Repository> {
  const provider = await startProvider(agent());
  const project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    [SUITE]: refundSuite({ late: '    expect: [{not_calls_tool: issue_refund}]\n', small: '' }),
    '.gitignore': '.retake/\n',
  });
  const record = async (decide: Decide) => {
    provider.decide = decide;
    await run({ cwd: project.folder, mode: 'record', env: KEY, ...EVERYTHING });
  };
  await record(agent());
  git(project.folder, 'init', '--quiet');
  commit(project, 'Record');
  return {
    project,
    record,
    diff: (...more) => retake(['diff', ...more], { cwd: project.folder, env: ENV }),
    async [Symbol.asyncDispose]() {
      project[Symbol.dispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`retake-base-${process.pid}-`));

test('nothing differs: nothing is told, nothing is left behind', async () => {
  await using here = await repository();
  const before = git(here.project.folder, 'status', '--porcelain');
  const { stdout, exitCode } = await here.diff('--exit-code');
  expect(stdout).toMatch(/^No change in behaviour over 2 cases\nmain \([0-9a-f]{9}\) → working tree\n$/);
  expect(exitCode).toBe(0);
  expect(git(here.project.folder, 'status', '--porcelain')).toBe(before);
  expect(leftovers()).toEqual([]);
});

test('a branch that makes the agent refund', async () => {
  await using here = await repository();
  git(here.project.folder, 'switch', '--quiet', '-c', 'topic');
  await here.record(agent({ refunds: true }));
  const { stdout, exitCode } = await here.diff('main', '--exit-code');
  expect(exitCode).toBe(4);
  expect(stdout).toContain('1 of 2 cases behaves differently');
  expect(stdout).toContain('1 regressed');
  expect(stdout).toContain('✗ regressed  refunds › late  passed → failed');
  expect(stdout).toContain('- lookup_order → (end_turn)');
  expect(stdout).toContain('+ lookup_order → issue_refund → (end_turn)');
  expect(stdout).toContain('not_calls_tool: issue_refund');
  expect((await here.diff('main')).exitCode).toBe(0);
  const { stdout: json } = await here.diff('main', '--reporter', 'json');
  expect(JSON.parse(json)).toMatchObject({ document: 'retake/comparison', counts: { regressed: 1, same: 1 } });
});

test('without a ref it is where the branch left the default branch', async () => {
  await using here = await repository();
  git(here.project.folder, 'switch', '--quiet', '-c', 'topic');
  await here.record(agent({ refunds: true }));
  commit(here.project, 'Refund');
  git(here.project.folder, 'switch', '--quiet', 'main');
  here.project.edit(SUITE, 'system: You are a support agent.', 'system: You are an agent.');
  commit(here.project, 'Edit the prompt');
  git(here.project.folder, 'switch', '--quiet', 'topic');
  const { stdout } = await here.diff();
  expect(stdout).toContain('1 of 2 cases behaves differently');
});

test('rewordings are counted, and shown when asked for', async () => {
  await using here = await repository();
  await here.record(agent({ word: 'all done' }));
  const { stdout } = await here.diff('main', '--exit-code');
  expect(stdout).toContain('No change in behaviour over 2 cases');
  expect(stdout).toContain('2 cases only reworded; --all shows them.');
  const { stdout: all } = await here.diff('main', '--all');
  expect(all).toContain('It is {+all +}done.');
});

test('an edited prompt without a new recording cannot be compared, and says so', async () => {
  await using here = await repository();
  here.project.edit(SUITE, 'system: You are a support agent.', 'system: You are an agent.');
  const { stdout, exitCode } = await here.diff('main', '--exit-code');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('! incomparable  refunds › late');
  expect(stdout).toContain('now it has no recording: system differs from the recording');
});

test('suites that are new, and a base from before there were any', async () => {
  await using here = await repository();
  const first = git(here.project.folder, 'commit-tree', '-m', 'Empty', git(here.project.folder, 'mktree', '--missing'));
  const { stdout } = await here.diff(first);
  expect(stdout).toContain('2 added');
});

test('a damaged base is told as the base’s', async () => {
  await using here = await repository();
  const [file = ''] = here.project.files('cassettes').filter((name) => name.endsWith('late.yaml'));
  const whole = here.project.read(file);
  here.project.write(file, whole.replace('It is done.', 'It is gone.'));
  commit(here.project, 'Damage');
  here.project.write(file, whole);
  const { stderr, exitCode } = await here.diff('main');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/main \([0-9a-f]{9}\):cassettes\/refunds\/late\.yaml/);
});

test('a shallow clone fetches the one commit it lacks', async () => {
  await using here = await repository();
  const base = git(here.project.folder, 'rev-parse', 'HEAD');
  await here.record(agent({ refunds: true }));
  commit(here.project, 'Refund');
  git(here.project.folder, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const clone = `${here.project.folder}-clone`;
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  git(tmpdir(), 'clone', '--quiet', '--depth=1', `file://${here.project.folder}`, clone);
  const { stdout, stderr } = await retake(['diff', base], { cwd: clone, env: ENV });
  expect(stderr).toBe('');
  expect(stdout).toContain('1 of 2 cases behaves differently');
  expect(stdout).toContain(`note  ${base} was fetched: this clone did not have it`);
});

test('hooks of the repository do not run', async () => {
  await using here = await repository();
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    here.project.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${join(here.project.folder, 'ran')}\n`);
    execFileSync('chmod', ['+x', join(here.project.folder, '.git/hooks', hook)]);
  }
  await here.diff('main');
  expect(here.project.files().includes('ran')).toBe(false);
});

test('two folders of cassettes', async () => {
  await using here = await repository();
  execFileSync('cp', ['-r', 'cassettes', 'before'], { cwd: here.project.folder });
  await here.record(agent({ refunds: true }));
  const { stdout } = await here.diff('--dirs', 'before', 'cassettes');
  expect(stdout).toContain('before → cassettes');
  expect(stdout).toContain('1 regressed');
});

test.each([
  [['diff', 'nowhere'], 'there is no branch, tag or commit "nowhere"'],
  [['diff', '--end-of-options'], 'unknown option'],
  [['diff', 'a', 'b'], 'retake diff takes one ref, not also "b"'],
  [['diff', '--dirs', 'a'], '--dirs takes two folders'],
])('%j is refused', async (argv, message) => {
  await using here = await repository();
  const { stderr, exitCode } = await retake(argv, { cwd: here.project.folder, env: ENV });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('outside of a repository it says so', async () => {
  using project = newProject({
    [SUITE]: `${refundSuite({ a: '    script: [{text: Hi}]\n' }).replace('name: refunds', 'name: refunds\nprovider: script')}`,
  });
  const { stderr, exitCode } = await retake(['diff'], { cwd: project.folder, env: ENV });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('this is no git repository that can be read');
  expect(stderr).toContain('retake diff --dirs');
});
