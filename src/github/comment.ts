// One comment on a pull request, edited in place: found by its first line and its author, healed where two jobs raced.

import { type GitHub, isForbidden, wordsOf } from './client.ts';

/** Which run a comment tells of. */
export interface CommentRun {
  sha: string;
  /** `GITHUB_RUN_ID`; a later run's is higher. */
  run: number;
  /** `GITHUB_RUN_ATTEMPT` */
  attempt: number;
}

/** What became of it. `stale`: a newer run has spoken · `forbidden`: the token may not write. */
export type CommentStatus = 'created' | 'updated' | 'unchanged' | 'skipped' | 'stale' | 'forbidden' | 'failed';

/** The outcome of commenting; never an exception. */
export interface Commented {
  status: CommentStatus;
  url?: string;
  /** Why not, where it is `forbidden` or `failed`. */
  message?: string;
}

/** What to write. */
export interface CommentText {
  /** The pull request's number. */
  number: number;
  /** Parts comments of several jobs on one pull request. */
  key: string;
  run: CommentRun;
  /** Makes the body, which begins with the marker. */
  body: (marker: string) => string;
  /** Whether to write where there is no comment yet. */
  isWanted: boolean;
}

interface Found extends CommentRun {
  id: number;
  url: string;
  body: string;
}

/** A key where an HTML comment holds it: nothing that would end one. */
function safeKey(key: string): string {
  return encodeURIComponent(key).replaceAll('-', '%2D');
}

/** The first line of a comment. */
export function markerOf(key: string, { sha, run, attempt }: CommentRun): string {
  return `<!-- retake key=${safeKey(key)} sha=${sha} run=${run} attempt=${attempt} -->`;
}

const MARKER = /^<!-- retake key=(\S*) sha=([0-9a-f]*) run=(\d+) attempt=(\d+) -->/;

const COMMENTS = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { databaseId body url viewerDidAuthor }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

interface Page {
  repository: {
    pullRequest: {
      comments: {
        nodes: ({ databaseId: number | null; body: string; url: string; viewerDidAuthor: boolean } | null)[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    } | null;
  } | null;
}

/** Our own comments with this key, the oldest first. A marker in somebody else's is only text. */
async function findOwn({ api, where }: GitHub, number: number, key: string): Promise<Found[]> {
  const found: Found[] = [];
  let after: string | null = null;
  do {
    const page: Page = await api.graphql<Page>(COMMENTS, { ...where, number, after });
    const comments = page.repository?.pullRequest?.comments;
    if (!comments) return found;
    for (const node of comments.nodes) {
      if (!node?.viewerDidAuthor || node.databaseId === null) continue;
      const [, theirs, sha = '', run, attempt] = MARKER.exec(node.body) ?? [];
      if (theirs !== safeKey(key)) continue;
      found.push({
        id: node.databaseId,
        url: node.url,
        body: node.body,
        sha,
        run: Number(run),
        attempt: Number(attempt),
      });
    }
    after = comments.pageInfo.hasNextPage ? comments.pageInfo.endCursor : null;
  } while (after !== null);
  return found.sort((one, other) => one.id - other.id);
}

function isNewer(one: CommentRun, other: CommentRun): boolean {
  return one.run > other.run || (one.run === other.run && one.attempt > other.attempt);
}

/** GitHub stores what it is given with line ends of its own. */
const plain = (body: string) => body.replaceAll('\r\n', '\n').trimEnd();

async function remove({ api, where }: GitHub, comments: readonly Found[]): Promise<void> {
  for (const { id } of comments)
    await api.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...where, comment_id: id });
}

async function edit({ api, where }: GitHub, comment: Found, body: string): Promise<Commented> {
  if (plain(comment.body) === plain(body)) return { status: 'unchanged', url: comment.url };
  await api.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    ...where,
    comment_id: comment.id,
    body,
  });
  return { status: 'updated', url: comment.url };
}

async function write(github: GitHub, { number, key, run, body, isWanted }: CommentText): Promise<Commented> {
  const { api, where } = github;
  const text = body(markerOf(key, run));
  const [oldest, ...others] = await findOwn(github, number, key);
  if (oldest) {
    const newest = [oldest, ...others].reduce((one, other) => (isNewer(other, one) ? other : one));
    if (isNewer(newest, run)) return { status: 'stale', url: oldest.url };
    const edited = await edit(github, oldest, text);
    await remove(github, others);
    return edited;
  }
  if (!isWanted) return { status: 'skipped' };
  const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...where,
    issue_number: number,
    body: text,
  });
  // Another job may have made one at the same moment: the oldest stays, and tells of the newest run.
  const [first, ...rest] = await findOwn(github, number, key);
  if (!first || rest.length === 0) return { status: 'created', url: data.html_url };
  if (first.id !== data.id && !isNewer(first, run)) await edit(github, first, text);
  await remove(github, rest);
  return { status: 'created', url: first.url };
}

/** Writes the comment, or says why not. A comment must never decide a job. */
export async function comment(github: GitHub, text: CommentText): Promise<Commented> {
  try {
    return await write(github, text);
  } catch (error) {
    return { status: isForbidden(error) ? 'forbidden' : 'failed', message: wordsOf(error) };
  }
}
