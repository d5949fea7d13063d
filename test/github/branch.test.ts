// Branches through the Git Data API, held against a real git repository.

import { getOctokit } from '@actions/github';
import { expect, test } from 'vitest';
import {
  type Api,
  blobId,
  blobText,
  branchHead,
  commitsAhead,
  filesAt,
  moveBranches,
  writeCommits,
} from '../../src/github/branch.ts';
import { type Actor, type GitRemote, gitRemote, type RefUpdate } from '../helpers/git-remote.ts';

const WHERE = { owner: 'acme', repo: 'shop' };
const BOT: Actor = { login: 'github-actions[bot]', type: 'Bot', id: 41898282 };

interface Journal {
  asked: string[];
  /** What to do instead of answering: give a response, or fail. */
  fault?: (asked: string) => Response | undefined;
}

/** An octokit that asks the repository instead of GitHub. */
function apiOf(remote: GitRemote, journal: Journal = { asked: [] }): Api {
  async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = new URL(String(input));
    const method = init?.method ?? 'GET';
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body));
    const asked = `${method} ${url.pathname.replace('/repos/acme/shop/', '')}`;
    journal.asked.push(asked);
    if (url.pathname.endsWith('/graphql')) {
      if (!String(body.query).includes('updateRefs')) return Response.json({ data: { repository: { id: 'R_1' } } });
      const why = remote.updateRefs(body.variables.input.refUpdates as RefUpdate[]);
      const faulty = journal.fault?.('updateRefs');
      if (faulty) return faulty;
      return Response.json(
        why === undefined ? { data: { updateRefs: { clientMutationId: null } } } : { errors: [{ message: why }] },
      );
    }
    const path = url.pathname.replace('/repos/acme/shop/', '');
    const found = remote.answer({ method, path, query: url.searchParams, body, actor: BOT });
    return Response.json(found?.body ?? { message: 'Not Found' }, { status: found?.status ?? 404 });
  }
  return getOctokit('token', { baseUrl: 'http://127.0.0.1:9', request: { fetch: answer } });
}

test('writes one commit after the other and moves the branch to the last', async () => {
  await using remote = gitRemote();
  const base = remote.commit('main', {
    'README.md': 'Shop\n',
    'cassettes/a/one.yaml': 'old\n',
    'cassettes/a/two.yaml': 'two\n',
  });
  const api = apiOf(remote);
  const tip = await writeCommits(api, WHERE, {
    parent: base,
    commits: [
      {
        message: 'Retake a',
        files: [
          { path: 'cassettes/a/one.yaml', text: 'new ☕\n' },
          { path: 'cassettes/a/two.yaml', text: null },
        ],
      },
      { message: 'Retake b', files: [{ path: 'cassettes/b/one.yaml', text: 'b\n' }] },
    ],
  });
  expect(await branchHead(api, WHERE, 'retake/drift/main')).toBeUndefined();
  expect(await moveBranches(api, WHERE, [{ branch: 'retake/drift/main', before: undefined, after: tip }])).toBe(true);
  expect(await branchHead(api, WHERE, 'retake/drift/main')).toBe(tip);
  expect(remote.git('log', '--format=%s %an', 'retake/drift/main')).toBe(
    'Retake b github-actions[bot]\nRetake a github-actions[bot]\nChange files octocat',
  );
  expect(remote.git('ls-tree', '-r', '--name-only', tip)).toBe('README.md\ncassettes/a/one.yaml\ncassettes/b/one.yaml');
  expect(remote.read(tip, 'cassettes/a/one.yaml')).toBe('new ☕\n');
  expect(remote.git('fsck', '--strict')).toBe('');
});

test('tells what a branch has that its base has not, and who wrote it', async () => {
  await using remote = gitRemote();
  remote.commit('main', { a: '1\n' });
  remote.git('branch', 'topic', 'main');
  const own = remote.commit('topic', { a: '2\n' }, { message: 'Retake a', actor: BOT });
  const theirs = remote.commit('topic', { b: '1\n' }, { message: 'Fix by hand' });
  remote.commit('main', { c: '1\n' });
  const ahead = await commitsAhead(apiOf(remote), WHERE, { base: 'main', head: 'topic' });
  expect(ahead.behind).toBe(1);
  expect(ahead.mergeBase).toBe(remote.git('merge-base', 'main', 'topic'));
  expect(ahead.commits.map(({ sha, message, author }) => [sha, message, author])).toEqual([
    [own, 'Retake a', 'github-actions[bot]'],
    [theirs, 'Fix by hand', 'octocat'],
  ]);
});

test('reads all pages of a long branch', async () => {
  await using remote = gitRemote({ pageSize: 2 });
  remote.commit('main', { a: '0\n' });
  remote.git('branch', 'topic', 'main');
  for (let at = 1; at <= 5; at++) remote.commit('topic', { a: `${at}\n` });
  const { commits } = await commitsAhead(apiOf(remote), WHERE, { base: 'main', head: 'topic' });
  expect(commits).toHaveLength(5);
});

test('six hundred files go in parts that GitHub takes', async () => {
  await using remote = gitRemote();
  const base = remote.commit('main', { a: '1\n' });
  const journal: Journal = { asked: [] };
  const files = Array.from({ length: 600 }, (_, at) => ({
    path: `cassettes/s/case-${at}.yaml`,
    text: `${at} ${'x'.repeat(at < 3 ? 900_000 : 100)}\n`,
  }));
  const tip = await writeCommits(apiOf(remote, journal), WHERE, {
    parent: base,
    commits: [{ message: 'Retake', files }],
  });
  expect(remote.git('ls-tree', '-r', '--name-only', tip).split('\n')).toHaveLength(601);
  expect(journal.asked.filter((asked) => asked === 'POST git/trees').length).toBeGreaterThanOrEqual(7);
  expect(remote.git('rev-list', '--count', tip)).toBe('2');
});

test('a branch that moved meanwhile is left where it is', async () => {
  await using remote = gitRemote();
  const base = remote.commit('main', { a: '1\n' });
  remote.git('branch', 'topic', 'main');
  const api = apiOf(remote);
  const tip = await writeCommits(api, WHERE, {
    parent: base,
    commits: [{ message: 'x', files: [{ path: 'a', text: '2\n' }] }],
  });
  const theirs = remote.commit('topic', { b: 'by hand\n' });
  expect(await moveBranches(api, WHERE, [{ branch: 'topic', before: base, after: tip }])).toBe(false);
  expect(remote.head('topic')).toBe(theirs);
  expect(await moveBranches(api, WHERE, [{ branch: 'topic', before: undefined, after: tip }])).toBe(false);
  expect(remote.head('topic')).toBe(theirs);
});

test('moves all branches or none, and deletes', async () => {
  await using remote = gitRemote();
  const base = remote.commit('main', { a: '1\n' });
  remote.git('branch', 'one', 'main');
  remote.git('branch', 'two', 'main');
  const theirs = remote.commit('two', { b: 'by hand\n' });
  const api = apiOf(remote);
  const moves = (two: string) => [
    { branch: 'one', before: base, after: undefined },
    { branch: 'two', before: two, after: undefined },
  ];
  expect(await moveBranches(api, WHERE, moves(base))).toBe(false);
  expect(remote.head('one')).toBe(base);
  expect(await moveBranches(api, WHERE, moves(theirs))).toBe(true);
  expect([remote.head('one'), remote.head('two')]).toEqual([undefined, undefined]);
});

test('a move whose answer was lost has happened', async () => {
  await using remote = gitRemote();
  const base = remote.commit('main', { a: '1\n' });
  const journal: Journal = { asked: [], fault: () => Response.json({ message: 'Bad gateway' }, { status: 502 }) };
  const moved = await moveBranches(apiOf(remote, journal), WHERE, [
    { branch: 'topic', before: undefined, after: base },
  ]);
  expect(moved).toBe(true);
  expect(remote.head('topic')).toBe(base);
});

test('knows the files of a commit by the ids git gives them', async () => {
  await using remote = gitRemote();
  const tip = remote.commit('main', { 'a.txt': 'ä\n', 'cassettes/s/one.yaml': 'one\n', empty: '' });
  const api = apiOf(remote);
  const files = await filesAt(api, WHERE, tip);
  expect([...files]).toEqual([
    ['a.txt', blobId('ä\n')],
    ['cassettes/s/one.yaml', blobId('one\n')],
    ['empty', blobId('')],
  ]);
  expect(await blobText(api, WHERE, blobId('ä\n'))).toBe('ä\n');
});
