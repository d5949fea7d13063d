// The built action on a pull request: base, comment, annotations, verdict, against a GitHub and a git repository on this machine.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { markerOf } from '../../src/github/comment.ts';
import { type GitRemote, gitRemote } from '../helpers/git-remote.ts';
import { type GitHubServer, startGitHub } from '../helpers/github-server.ts';
import { awaitStep, defaultsOf, type StepRun } from './runner.ts';

const actionYml = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'));
const defaults = { ...defaultsOf(actionYml), 'github-token': 't0ken' };

let remote: GitRemote;
let github: GitHubServer;
beforeEach(async () => {
  remote = gitRemote();
  github = await startGitHub(remote);
});
afterEach(async () => {
  expect(github.faults).toEqual([]);
  await github[Symbol.asyncDispose]();
  await remote[Symbol.asyncDispose]();
});

/** A suite whose model is scripted: what it says, and what is expected of it. */
function suite(cases: Record<string, { says: string; expects: string }>): string {
  const listed = Object.entries(cases).map(
    ([name, { says, expects }]) =>
      `  - name: ${name}\n    input: Hello\n    script: [{text: ${JSON.stringify(says)}}]\n    expect: [{final_contains: ${JSON.stringify(expects)}}]\n`,
  );
  return `name: greeting\nprovider: script\ncases:\n${listed.join('')}`;
}
const GOOD = suite({ greets: { says: 'Hello there', expects: 'hello' }, leaves: { says: 'Goodbye', expects: 'bye' } });
const BAD = suite({ greets: { says: 'Go away', expects: 'hello' }, leaves: { says: 'Goodbye', expects: 'bye' } });

interface PullOptions {
  base?: string;
  head: string;
  inputs?: Record<string, string>;
  run?: number;
  node?: string;
  event?: object;
  name?: string;
}

/** Runs the gate as a pull request's job does: on GitHub's merge of both, cloned shallowly. */
async function gate({
  base = GOOD,
  head,
  inputs = {},
  run = 100,
  node,
  event,
  name = 'pull_request',
}: PullOptions): Promise<StepRun> {
  const path = 'evals/greeting.eval.yaml';
  if (remote.head('main') === undefined || remote.read('main', path) !== base) remote.commit('main', { [path]: base });
  if (remote.head('topic') === undefined) remote.git('branch', 'topic', 'main');
  remote.commit('topic', { [path]: head });
  const [baseSha, headSha] = ['main', 'topic'].map((branch) => remote.head(branch)) as [string, string];
  const tree = remote.git('rev-parse', `${headSha}^{tree}`);
  const merge = remote.git(
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@example.com',
    'commit-tree',
    tree,
    '-p',
    baseSha,
    '-p',
    headSha,
    '-m',
    'Merge',
  );
  remote.git('update-ref', 'refs/pull/7/merge', merge);
  if (github.pulls.length === 0) github.addPull({ number: 7 });
  const payload = event ?? { pull_request: { number: 7, head: { sha: headSha }, base: { sha: baseSha, ref: 'main' } } };
  return awaitStep({
    ...(node !== undefined && { node }),
    inputs: { ...defaults, ...inputs },
    env: {
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: '../event.json',
      GITHUB_RUN_ID: String(run),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_SHA: merge,
    },
    prepare: (workspace) => {
      writeFileSync(join(workspace, '../event.json'), JSON.stringify(payload));
      const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
      git('init', '--quiet');
      git('remote', 'add', 'origin', `file://${remote.dir}`);
      git('fetch', '--quiet', '--depth=1', 'origin', merge);
      git('checkout', '--quiet', 'FETCH_HEAD');
    },
  });
}

const said = () => github.comments.map(({ body }) => body);

test.each([
  ['the Node of the tests', () => process.execPath],
  ['Node 24', () => inject('node24')],
])('on %s: a regression is red, with one comment, outputs, files and an annotation', async (_, node) => {
  const step = await gate({ head: BAD, node: node() });
  expect(step.stderr).toBe('');
  expect(step.exitCode).toBe(1);
  expect(step.outputs).toMatchObject({
    outcome: 'failed',
    regressed: '1',
    unsettled: '0',
    'report-html': 'retake-report/report.html',
    junit: 'retake-report/junit.xml',
    'comment-status': 'created',
    'comment-url': 'https://github.example/acme/shop/pull/7#issuecomment-1000',
  });
  const ofDrift = /^(?:drift|changed|incomparable|operation|pull-request)/;
  expect(Object.keys(step.outputs).sort()).toEqual(
    Object.keys(actionYml.outputs)
      .filter((name) => !ofDrift.test(name))
      .sort(),
  );
  const [comment = ''] = said();
  expect(comment).toMatch(/^<!-- retake key=\S+ sha=[0-9a-f]{40} run=100 attempt=1 -->\n/);
  expect(comment).toContain('1 new failure');
  expect(comment).toContain('greets');
  expect(Buffer.byteLength(comment)).toBeLessThan(60_000);
  expect(step.stdout).toContain('::error title=greeting › greets failed,file=evals/greeting.eval.yaml,line=7');
  expect(step.summary).toContain('1 new failure');
  expect(readFileSync(join(step.workspace, 'retake-report/report.html'), 'utf8')).toContain('<!doctype html>');
});

test('all well says nothing, until something was said', async () => {
  const quiet = await gate({ head: GOOD });
  expect(quiet).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'skipped', regressed: '0' } });
  expect(said()).toEqual([]);
  await gate({ head: BAD, run: 101 });
  const mended = await gate({ head: GOOD, run: 102 });
  expect(mended).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'updated' } });
  expect(said()).toHaveLength(1);
  expect(said()[0]).toContain('✅ 2 of 2 cases passed');
});

test('cases that fail at base too are tolerated by fail-on: regressions, and told', async () => {
  const step = await gate({ base: BAD, head: BAD, inputs: { 'fail-on': 'regressions', 'comment-mode': 'always' } });
  expect(step).toMatchObject({ exitCode: 0, outputs: { outcome: 'failed', regressed: '0' } });
  expect(said()[0]).toContain('failing at base too');
  const worse = await gate({
    base: BAD,
    head: suite({ greets: { says: 'Go away', expects: 'hello' }, leaves: { says: 'No', expects: 'bye' } }),
    inputs: { 'fail-on': 'regressions' },
    run: 101,
  });
  expect(worse).toMatchObject({ exitCode: 1, outputs: { regressed: '1' } });
});

test('a changed answer that still passes is shown, and green', async () => {
  const step = await gate({
    head: suite({
      greets: { says: 'Hello there', expects: 'hello' },
      leaves: { says: 'Goodbye', expects: 'bye' },
      new: { says: 'Hi', expects: 'hi' },
    }),
    inputs: { 'comment-mode': 'always' },
  });
  expect(step.exitCode).toBe(0);
  expect(said()[0]).toContain('Added');
});

test('a token that may only read: red or green by the cases alone', async () => {
  github.rights.pullRequests = false;
  const red = await gate({ head: BAD });
  expect(red).toMatchObject({ exitCode: 1, outputs: { 'comment-status': 'forbidden', 'comment-url': '' } });
  const green = await gate({ head: GOOD, inputs: { 'comment-mode': 'always' }, run: 101 });
  expect(green).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'forbidden' } });
  expect(green.summary).toContain('✅ 2 of 2 cases passed');
  expect(green.stdout.match(/^::notice::/gm)).toHaveLength(1);
  expect(green.stdout + green.stderr + green.summary).not.toContain('t0ken');
});

test('a GitHub that is down: the same, by its own name', async () => {
  github.fault = () => ({ status: 503, body: { message: 'Unavailable' } });
  const step = await gate({ head: GOOD, inputs: { 'comment-mode': 'always' } });
  expect(step).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'failed' } });
  expect(github.journal.length).toBeGreaterThan(1);
});

test('a broken suite, no suites, a damaged base: told in the comment', async () => {
  const broken = await gate({ head: 'name: greeting\ncases: []\n' });
  expect(broken).toMatchObject({
    exitCode: 1,
    outputs: { outcome: 'invalid', 'exit-code': '2', 'comment-status': 'created' },
  });
  expect(said()[0]).toContain('Nothing was run');
  const none = await gate({ head: GOOD, inputs: { suites: 'nowhere/*.eval.yaml' }, run: 101 });
  expect(none).toMatchObject({ exitCode: 1, outputs: { outcome: 'invalid' } });
  const base = await gate({ base: 'name: greeting\ncases: []\n', head: GOOD, run: 102 });
  expect(base).toMatchObject({ exitCode: 0, outputs: { regressed: '' } });
  expect(said()[0]).toContain('base');
});

test('two gates of a monorepo have a comment each', async () => {
  await gate({ head: BAD, inputs: { 'comment-key': 'a' } });
  await gate({ head: BAD, inputs: { 'comment-key': 'b' }, run: 101 });
  expect(said()).toHaveLength(2);
});

test('the same inputs give the same comment', async () => {
  await gate({ head: BAD, inputs: { 'comment-key': 'x' } });
  github.comments.length = 0;
  const journal = github.journal.length;
  await gate({ head: BAD, inputs: { 'comment-key': 'x' } });
  expect(github.journal.length).toBeGreaterThan(journal);
  const [first] = said();
  github.comments.length = 0;
  await gate({ head: BAD, inputs: { 'comment-key': 'x', concurrency: '16' } });
  const plain = (text = '') => text.replace(/sha=[0-9a-f]+/, '').replace(/\b[0-9a-f]{7,40}\b/g, '');
  expect(plain(said()[0])).toBe(plain(first));
});

test('events without a pull request, and events that are refused', async () => {
  const queue = await gate({
    head: GOOD,
    event: { merge_group: { base_sha: remote.head('main') ?? 'f'.repeat(40) } },
    name: 'merge_group',
  });
  expect(queue).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'skipped' } });
  const target = await gate({ head: GOOD, name: 'pull_request_target', run: 101 });
  expect(target.exitCode).toBe(1);
  expect(target.summary).toContain('pull_request_target');
});

test('a fork whose repository is gone, a draft, an event that is malformed', async () => {
  const gone = await gate({
    head: GOOD,
    event: { pull_request: { number: 7, draft: true, head: { sha: null, repo: null }, base: {} } },
  });
  expect(gone.exitCode).toBe(0);
  const odd = await gate({ head: GOOD, event: { pull_request: 'x', before: 7 }, run: 101 });
  expect(odd.exitCode).toBe(0);
});

test('a forged marker is not taken for ours', async () => {
  github.addPull({ number: 7 });
  github.addComment(7, `${markerOf('.', { sha: 'a'.repeat(40), run: 1, attempt: 1 })}\nforged`, 'mallory');
  await gate({ head: BAD });
  expect(github.comments.map(({ author }) => author)).toEqual(['mallory', 'github-actions[bot]']);
});
