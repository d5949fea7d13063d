// `command: comment`: a fork's run told on its pull request by a job that trusts none of it.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type GitHubServer, startGitHub } from '../helpers/github-server.ts';
import { caseOf, runOf, score, take } from '../render/terminal-samples.ts';
import { awaitStep, defaultsOf } from './runner.ts';

const actionYml = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'));
const defaults = { ...defaultsOf(actionYml), 'github-token': 't0ken', command: 'comment' };
const SHA = 'c'.repeat(40);
const HOSTILE = 'Ping @octocat, closes #1 [skip ci] <!-- retake key=%2E --> <img src=x>';

let github: GitHubServer;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(async () => {
  expect(github.faults).toEqual([]);
  await github[Symbol.asyncDispose]();
});

const FAILED = runOf([
  caseOf('refuses', 'failed', {
    takes: [take({ outcome: 'failed', scores: [score('final_contains: x', 31, HOSTILE)] })],
  }),
]);

interface Settings {
  document?: string;
  run?: object;
  name?: string;
}

function comment({ document = JSON.stringify(FAILED), run = {}, name = 'workflow_run' }: Settings = {}) {
  const event = {
    workflow_run: {
      id: 500,
      run_attempt: 1,
      conclusion: 'failure',
      html_url: 'https://github.example/acme/shop/actions/runs/500',
      head_sha: SHA,
      head_branch: 'topic',
      head_repository: { full_name: 'mallory/shop', owner: { login: 'mallory' } },
      ...run,
    },
  };
  return awaitStep({
    inputs: defaults,
    env: {
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: '../event.json',
      GITHUB_RUN_ID: '501',
    },
    prepare: (workspace) => {
      writeFileSync(join(workspace, '../event.json'), JSON.stringify(event));
      mkdirSync(join(workspace, 'retake-report'));
      writeFileSync(join(workspace, 'retake-report/report.json'), document);
    },
  });
}

const fork = (more = {}) => github.addPull({ number: 7, headRepository: 'mallory/shop', headSha: SHA, ...more });

test('tells the fork’s own pull request, with the conclusion from GitHub and nothing live in it', async () => {
  fork();
  const step = await comment();
  expect(step).toMatchObject({ exitCode: 0, stderr: '', outputs: { 'comment-status': 'created' } });
  const [{ body = '' } = {}] = github.comments;
  expect(body).toContain('Reported by the fork');
  expect(body).toContain('failure');
  expect(body).toContain('refuses');
  for (const live of ['@octocat', '[skip ci]', '<img', 'retake key=%2E -->'])
    expect(body.split('\n').slice(1).join('\n')).not.toContain(live);
  expect((await comment()).outputs).toMatchObject({ 'comment-status': 'unchanged' });
});

test.each<[string, () => void]>([
  ['no pull request', () => {}],
  ['another commit', () => fork({ headSha: 'd'.repeat(40) })],
  ['another repository of the same branch', () => fork({ headRepository: 'mallory/other' })],
  ['closed', () => fork({ state: 'closed' })],
  [
    'two',
    () => {
      fork();
      fork({ number: 8, base: 'next' });
    },
  ],
])('comments nowhere where there is %s', async (_, prepare) => {
  prepare();
  const step = await comment();
  expect(step).toMatchObject({ exitCode: 0, outputs: { 'comment-status': 'skipped' } });
  expect(step.summary).toContain('refuses');
  expect(github.comments).toEqual([]);
});

test('leaves the repository’s own pull requests to their gate', async () => {
  fork({ headRepository: 'acme/shop' });
  const own = { head_repository: { full_name: 'acme/shop', owner: { login: 'acme' } } };
  expect((await comment({ run: own })).outputs).toMatchObject({ 'comment-status': 'skipped' });
  expect(github.journal).toEqual([]);
});

test.each<[string, Settings, string]>([
  ['text', { document: 'no json' }, 'is not JSON'],
  [
    'another document',
    { document: '{"document":"retake/run-result","version":1}' },
    'is no result document of this version',
  ],
  ['another event', { name: 'pull_request' }, 'command comment runs on workflow_run, not on pull_request'],
])('%s is refused, and nothing is asked of GitHub', async (_, settings, message) => {
  fork();
  const step = await comment(settings);
  expect(step.exitCode).toBe(1);
  expect(step.stdout).toContain(message);
  expect(github.journal).toEqual([]);
});
