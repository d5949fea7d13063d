// The one comment on a pull request: made once, edited after, healed, never somebody else's.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/github/client.ts';
import { type CommentText, comment, markerOf } from '../../src/github/comment.ts';
import { type GitHubServer, startGitHub } from '../helpers/github-server.ts';

let github: GitHubServer;
beforeEach(async () => {
  github = await startGitHub();
  github.addPull({ number: 7 });
});
afterEach(async () => {
  expect(github.faults).toEqual([]);
  await github[Symbol.asyncDispose]();
});

const SHA = 'a'.repeat(40);
function write(text: string, more: Partial<CommentText> = {}) {
  const connection = connect({ token: 't0ken', apiUrl: github.apiUrl, repository: 'acme/shop' });
  return comment(connection, {
    number: 7,
    key: '.',
    run: { sha: SHA, run: 100, attempt: 1 },
    body: (marker) => `${marker}\n${text}`,
    isWanted: true,
    ...more,
  });
}
const bodies = () => github.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));
const writes = () =>
  github.journal.filter(({ method, path }) => method !== 'GET' && path !== '/graphql').map(({ method }) => method);

test('the first makes one, the next ten edit it', async () => {
  expect(await write('one')).toEqual({
    status: 'created',
    url: 'https://github.example/acme/shop/pull/7#issuecomment-1000',
  });
  for (let at = 2; at <= 11; at++)
    expect((await write(`run ${at}`, { run: { sha: SHA, run: 100 + at, attempt: 1 } })).status).toBe('updated');
  expect(bodies()).toEqual(['run 11']);
  expect(writes()).toEqual(['POST', ...Array(10).fill('PATCH')]);
});

test('the same again writes nothing', async () => {
  await write('one');
  expect((await write('one')).status).toBe('unchanged');
  expect(writes()).toEqual(['POST']);
});

test('two jobs at once end with one comment', async () => {
  const done = await Promise.all([write('one'), write('two', { run: { sha: SHA, run: 101, attempt: 1 } })]);
  await write('two', { run: { sha: SHA, run: 101, attempt: 1 } });
  expect(bodies()).toEqual(['two']);
  expect(done.map(({ status }) => status).sort()).not.toContain('failed');
});

test('a race that left two is healed: the oldest stays, with the newest text', async () => {
  github.addComment(7, `${markerOf('.', { sha: SHA, run: 98, attempt: 1 })}\nfirst`, 'github-actions[bot]');
  github.addComment(7, `${markerOf('.', { sha: SHA, run: 99, attempt: 1 })}\nsecond`, 'github-actions[bot]');
  await write('now');
  expect(github.comments.map(({ id }) => id)).toEqual([1000]);
  expect(bodies()).toEqual(['now']);
});

test('our marker in somebody else’s comment is only text', async () => {
  const marker = markerOf('.', { sha: SHA, run: 100, attempt: 1 });
  github.addComment(7, `${marker}\nforged`, 'mallory');
  github.addComment(7, `> quoted\n${marker}`, 'github-actions[bot]');
  await write('ours');
  expect(github.comments.map(({ author }) => author)).toEqual([
    'mallory',
    'github-actions[bot]',
    'github-actions[bot]',
  ]);
  expect(github.comments[0]?.body).toContain('forged');
});

test('250 comments do not hide ours', async () => {
  await write('one');
  for (let at = 0; at < 250; at++) github.addComment(7, `comment ${at}`);
  expect((await write('two', { run: { sha: SHA, run: 101, attempt: 1 } })).status).toBe('updated');
  expect(github.comments).toHaveLength(251);
});

test('an older run never writes over a newer, nor an older attempt', async () => {
  await write('new', { run: { sha: SHA, run: 100, attempt: 2 } });
  expect((await write('old', { run: { sha: SHA, run: 99, attempt: 9 } })).status).toBe('stale');
  expect((await write('old', { run: { sha: SHA, run: 100, attempt: 1 } })).status).toBe('stale');
  expect(bodies()).toEqual(['new']);
});

test('keys part comments, whatever is in them', async () => {
  await write('a', { key: 'packages/a' });
  await write('b', { key: 'packages/a -->' });
  await write('b2', { key: 'packages/a -->', run: { sha: SHA, run: 101, attempt: 1 } });
  expect(bodies()).toEqual(['a', 'b2']);
  expect(github.comments.every(({ body }) => /^<!-- retake key=\S+ sha=\w+ run=\d+ attempt=\d+ -->\n/.test(body))).toBe(
    true,
  );
});

test('what is not wanted is not made, but edited where it stands', async () => {
  expect((await write('all well', { isWanted: false })).status).toBe('skipped');
  expect(github.comments).toEqual([]);
  await write('failed');
  expect((await write('all well', { isWanted: false, run: { sha: SHA, run: 101, attempt: 1 } })).status).toBe(
    'updated',
  );
});

test('a token that may only read', async () => {
  github.rights.pullRequests = false;
  const done = await write('one');
  expect(done).toMatchObject({ status: 'forbidden', message: expect.stringContaining('Resource not accessible') });
  expect(JSON.stringify(done)).not.toContain('t0ken');
  expect(writes()).toEqual(['POST']);
});

test('a server that fails is asked again, then given up', async () => {
  let left = 2;
  github.fault = ({ path }) =>
    path !== '/graphql' && left-- > 0 ? { status: 502, body: { message: 'Bad gateway' } } : undefined;
  expect((await write('one')).status).toBe('created');
  github.fault = () => ({ status: 503, body: { message: 'Unavailable' } });
  expect(await write('two', { run: { sha: SHA, run: 101, attempt: 1 } })).toMatchObject({ status: 'failed' });
});

test('a cut connection and a limit are waited out', async () => {
  let asked = 0;
  github.fault = () => {
    asked++;
    if (asked === 1) return 'cut';
    return asked === 2 ? { status: 429, body: { message: 'secondary rate limit' } } : undefined;
  };
  expect((await write('one')).status).toMatch(/created|failed/);
});
