// The nightly story with the built action: a model, a git repository and a GitHub on this machine, night after night.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../src/commands/run.ts';
import { type GitRemote, gitRemote } from '../helpers/git-remote.ts';
import { type GitHubServer, type Journaled, startGitHub } from '../helpers/github-server.ts';
import { configOf, KEY, newProject, refundSuite } from '../helpers/project.ts';
import { type Asked, type Decide, type ProviderServer, startProvider } from '../helpers/provider-server.ts';
import { awaitStep, defaultsOf, type StepRun } from './runner.ts';

const actionYml = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'));
const defaults = { ...defaultsOf(actionYml), 'github-token': 't0ken', env: 'LOCAL_KEY' };
const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false };
const BRANCH = 'retake/drift/main';

const look = { calls: [{ name: 'lookup_order', arguments: { order_id: 'A-1' } }] };
const give = { calls: [{ name: 'issue_refund', arguments: { order_id: 'A-1' } }] };
const steady: Decide = ({ turn }) => (turn === 1 ? look : { text: 'It is done.' });
const refunds =
  (which: RegExp): Decide =>
  (asked: Asked) =>
    asked.turn === 2 && which.test(asked.input) ? give : steady(asked);

let remote: GitRemote;
let github: GitHubServer;
let provider: ProviderServer;

beforeEach(async () => {
  remote = gitRemote();
  github = await startGitHub(remote);
  provider = await startProvider(steady);
  using project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    'evals/refunds.eval.yaml': refundSuite({
      late: '    expect: [{not_calls_tool: issue_refund}]\n',
      small: '',
      other: '',
    }),
  });
  await run({ cwd: project.folder, mode: 'record', env: KEY, ...EVERYTHING });
  remote.commit('main', project.contents());
});
afterEach(async () => {
  expect(github.faults).toEqual([]);
  await provider[Symbol.asyncDispose]();
  await github[Symbol.asyncDispose]();
  await remote[Symbol.asyncDispose]();
});

let runs = 100;

/** One night: the default branch checked out, the action run. */
async function night(
  decide: Decide,
  more: { command?: string; inputs?: Record<string, string>; keep?: string; env?: Record<string, string> } = {},
): Promise<StepRun> {
  provider.decide = decide;
  github.journal.length = 0;
  const sha = remote.head('main') ?? '';
  return awaitStep({
    inputs: { ...defaults, command: more.command ?? 'drift', ...more.inputs },
    env: {
      ...KEY,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: 'schedule',
      GITHUB_EVENT_PATH: '../event.json',
      GITHUB_REF_NAME: 'main',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_RUN_ID: String(runs++),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_SHA: sha,
      ...more.env,
    },
    prepare: (workspace) => {
      writeFileSync(join(workspace, '../event.json'), JSON.stringify({ repository: { default_branch: 'main' } }));
      const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
      git('clone', '--quiet', '--depth=1', `file://${remote.dir}`, '.');
      if (more.keep) cpSync(more.keep, join(workspace, 'retake-drift'), { recursive: true });
    },
  });
}

const writes = () =>
  github.journal.filter(({ method, path, body }: Journaled) =>
    path === '/graphql' ? JSON.stringify(body).includes('updateRefs') : method !== 'GET',
  );

/** Replays a commit of the repository, checked out with plain git. */
async function replay(ref: string) {
  const folder = mkdtempSync(join(tmpdir(), 'retake-checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['clone', '--quiet', '--branch', ref, `file://${remote.dir}`, folder], { stdio: 'pipe' });
  return run({ cwd: folder, env: {}, ...EVERYTHING });
}

test('no drift: nothing is written', async () => {
  const step = await night(steady);
  expect(step.stderr).toBe('');
  expect(step).toMatchObject({
    exitCode: 0,
    outputs: { drift: 'none', changed: '0', operation: 'none', 'pull-request-number': '' },
  });
  expect(step.summary).toContain('✅ No drift in 3 cases');
  expect(writes()).toEqual([]);
});

test('only rewordings: no pull request, and the summary says how many', async () => {
  const step = await night((asked) => (asked.turn === 1 ? look : { text: 'All is done.' }));
  expect(step).toMatchObject({ exitCode: 0, outputs: { drift: 'none', operation: 'none' } });
  expect(step.summary).toContain('3 cases only reworded, in no pull request');
  expect(writes()).toEqual([]);
});

test('drift: a pull request opens, stays, grows, and closes when the drift is gone', async () => {
  const first = await night(refunds(/other/), { inputs: { labels: 'drift' } });
  expect(first.outputs).toMatchObject({
    drift: 'drift',
    changed: '1',
    operation: 'opened',
    'pull-request-number': '7',
  });
  expect(first.exitCode).toBe(0);
  const [pull] = github.pulls;
  expect(pull).toMatchObject({
    title: 'Retake: 1 case behaves differently',
    draft: false,
    headBranch: BRANCH,
    labels: ['drift'],
  });
  expect(pull?.body).toContain('**1 case of 3 behaves differently: 1 rerouted**');
  expect(pull?.body).toContain('3 of 3 fresh takes agree');
  expect(pull?.body).toContain('lookup_order → **issue_refund** → (end_turn)');
  expect(remote.git('diff', '--name-only', 'main', BRANCH)).toBe('cassettes/refunds/other.yaml');
  expect(github.statuses).toMatchObject([{ sha: remote.head(BRANCH), state: 'success', context: 'retake/drift/main' }]);
  expect((await replay(BRANCH)).counts).toMatchObject({ passed: 3, failed: 0, unrecorded: 0 });
  expect(remote.git('fsck', '--strict')).toBe('');

  const same = await night(refunds(/other/));
  expect(same.outputs).toMatchObject({
    operation: 'unchanged',
    'pull-request-number': '7',
    'drift-digest': first.outputs['drift-digest'],
  });
  expect(writes()).toEqual([]);

  const more = await night(refunds(/other|small/));
  expect(more.outputs).toMatchObject({ operation: 'updated', changed: '2' });
  expect(github.pulls).toHaveLength(1);
  expect(github.pulls[0]?.title).toBe('Retake: 2 cases behave differently');
  expect(remote.git('diff', '--name-only', 'main', BRANCH)).toBe(
    'cassettes/refunds/other.yaml\ncassettes/refunds/small.yaml',
  );

  const gone = await night(steady);
  expect(gone.outputs).toMatchObject({ operation: 'closed' });
  expect(github.pulls[0]?.state).toBe('closed');
  expect(github.comments[0]?.body).toContain('The models behave as recorded again');
  expect(remote.head(BRANCH)).toBeUndefined();
});

test('cases that fail now go into a draft of their own, with a red status', async () => {
  const step = await night(refunds(/late|other/));
  expect(step.outputs).toMatchObject({ changed: '2', operation: 'opened' });
  expect(github.pulls.map(({ title, draft, headBranch }) => [title, draft, headBranch])).toEqual([
    ['Retake: 1 case behaves differently', false, BRANCH],
    ['Retake: 1 case fails with what the model does now', true, `${BRANCH}-fix`],
  ]);
  expect(github.statuses.map(({ state }) => state)).toEqual(['success', 'failure']);
  expect((await replay(`${BRANCH}-fix`)).counts).toMatchObject({ passed: 2, failed: 1 });
});

test('somebody’s commit on the branch stops it; the label lets it go on', async () => {
  await night(refunds(/other/));
  const theirs = remote.commit(BRANCH, { 'evals/notes.md': 'Looks right.\n' });
  const stopped = await night(refunds(/other|small/));
  expect(stopped.outputs).toMatchObject({ operation: 'stopped' });
  expect(remote.head(BRANCH)).toBe(theirs);
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('retake:overwrite');
  await night(refunds(/other|small/));
  expect(github.comments).toHaveLength(1);
  github.pulls[0]?.labels.push('retake:overwrite');
  expect((await night(refunds(/other|small/))).outputs).toMatchObject({ operation: 'updated' });
  expect(remote.read(BRANCH, 'evals/notes.md')).toBeUndefined();
});

test('a case restored on the branch is rejected: it stays out', async () => {
  await night(refunds(/other|small/));
  remote.commit(BRANCH, { 'cassettes/refunds/small.yaml': remote.read('main', 'cassettes/refunds/small.yaml') ?? '' });
  const step = await night(refunds(/other|small/));
  expect(step.outputs['operation']).not.toBe('stopped');
  expect(remote.git('diff', '--name-only', 'main', BRANCH)).toBe('cassettes/refunds/other.yaml');
  expect(github.pulls[0]?.body).toContain('1 case rejected before, left out');
});

test('closed by a person: silent until the drift differs', async () => {
  await night(refunds(/other/));
  Object.assign(github.pulls[0] ?? {}, { headSha: remote.head(BRANCH), state: 'closed', closedBy: 'octocat' });
  const silent = await night(refunds(/other/));
  expect(silent.outputs).toMatchObject({ operation: 'none', changed: '1' });
  expect(github.pulls).toHaveLength(1);
  const other = await night(refunds(/other|small/));
  expect(other.outputs).toMatchObject({ operation: 'opened' });
  expect(github.pulls[1]?.body).toContain('1 case rejected before, left out');
});

test('a prompt that was merged meanwhile rebuilds the branch on it', async () => {
  await night(refunds(/other/));
  remote.commit('main', { 'README.md': 'Shop\n' });
  expect((await night(refunds(/other/))).outputs).toMatchObject({ operation: 'unchanged' });
  const suite = remote.read('main', 'evals/refunds.eval.yaml') ?? '';
  remote.commit('main', { 'evals/refunds.eval.yaml': suite.replace('Refunds of small orders', 'Refunds') });
  expect((await night(refunds(/other/))).outputs).toMatchObject({ operation: 'updated' });
  expect(remote.git('merge-base', 'main', BRANCH)).toBe(remote.head('main'));
});

test('workflows may not open pull requests: the branch stands, the job says what to allow', async () => {
  github.allowsPullRequests = false;
  const step = await night(refunds(/other/));
  expect(step).toMatchObject({ exitCode: 1, outputs: { operation: 'blocked' } });
  expect(remote.head(BRANCH)).toBeDefined();
  github.allowsPullRequests = true;
  expect((await night(refunds(/other/))).outputs).toMatchObject({ operation: 'opened' });
  expect(github.pulls).toHaveLength(1);
});

test('a branch that moves under its hands is left alone', async () => {
  await night(refunds(/other/));
  github.before = ({ path, body }) => {
    if (path !== '/graphql' || !JSON.stringify(body).includes('updateRefs')) return;
    github.before = undefined;
    remote.commit(BRANCH, { 'evals/notes.md': 'Just now.\n' });
  };
  const step = await night(refunds(/other|small/));
  expect(step.outputs).toMatchObject({ operation: 'none' });
  expect(remote.read(BRANCH, 'evals/notes.md')).toBe('Just now.\n');
});

test('an outage: red, nothing touched', async () => {
  await night(refunds(/other/));
  const before = remote.head(BRANCH);
  const step = await night(() => ({ status: 503, body: 'down' }));
  expect(step).toMatchObject({ exitCode: 1, outputs: { drift: 'unknown', 'exit-code': '5', operation: 'none' } });
  expect(step.summary).toContain('❌ Could not tell');
  expect(remote.head(BRANCH)).toBe(before);
  expect(github.pulls[0]?.state).toBe('open');
  expect(writes()).toEqual([]);
});

test('labels and reviewers that do not exist are warnings', async () => {
  const step = await night(refunds(/other/), { inputs: { reviewers: 'nobody,octocat', assignees: 'ghost' } });
  expect(step).toMatchObject({ exitCode: 0, outputs: { operation: 'opened' } });
  expect(step.stdout).toContain('::warning::The reviewer nobody was not added');
  expect(step.stdout).toContain('::warning::The assignee ghost was not added');
  expect(github.pulls[0]?.reviewers).toEqual(['octocat']);
});

test('in two jobs: the second has no key, trusts no word, and refuses what was changed on the way', async () => {
  const record = await night(refunds(/other/), { command: 'record' });
  expect(record.outputs).toMatchObject({ drift: 'drift', operation: 'none' });
  expect(github.journal).toEqual([]);
  const kept = mkdtempSync(join(tmpdir(), 'retake-artifact-'));
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  cpSync(join(record.workspace, 'retake-drift'), kept, { recursive: true });
  const asked = provider.journal.length;
  const propose = await night(steady, { command: 'propose', keep: kept, env: { LOCAL_KEY: '' } });
  expect(propose.outputs).toMatchObject({ operation: 'opened', changed: '1' });
  expect(provider.journal).toHaveLength(asked);

  const file = join(kept, 'cassettes/refunds/other.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}# more\n`);
  const changed = await night(steady, { command: 'propose', keep: kept });
  expect(changed.exitCode).toBe(1);
  expect(changed.stdout).toContain('the files beside retake-drift/manifest.json are not those it names');
  const missing = await night(steady, { command: 'propose' });
  expect(missing.stdout).toContain('retake-drift/manifest.json is missing or not whole');
  expect(writes()).toEqual([]);
});

test('anywhere but on the default branch it refuses, before a key is used', async () => {
  const asked = provider.journal.length;
  const step = await night(refunds(/other/), { env: { GITHUB_REF_NAME: 'topic' } });
  expect(step.exitCode).toBe(1);
  expect(step.stdout).toContain('drift runs on the default branch, not on topic');
  expect(provider.journal).toHaveLength(asked);
});
