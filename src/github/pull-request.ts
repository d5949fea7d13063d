// Pull requests that a workflow opens, keeps up to date and closes.

import type { Api, Repository } from './branch.ts';

/** A pull request as far as we look at it. */
export interface PullRequest {
  number: number;
  url: string;
  /** GraphQL's id. */
  nodeId: string;
  title: string;
  body: string;
  state: 'open' | 'closed';
  merged: boolean;
  draft: boolean;
  /** The account that opened it. */
  author: string;
  headSha: string;
  baseBranch: string;
  labels: string[];
}

/** What one shall look like. */
export interface PullRequestText {
  title: string;
  body: string;
  draft: boolean;
}

/** What is hung onto it; what GitHub refuses of it is a warning, not a failure. */
export interface Trimmings {
  labels: readonly string[];
  assignees: readonly string[];
  reviewers: readonly string[];
  teamReviewers: readonly string[];
}

/** What opening came to. `blocked`: the repository or its organisation forbids pull requests by workflows. */
export type Opened = { ok: true; pullRequest: PullRequest } | { ok: false; blocked: string };

interface Listed {
  number: number;
  html_url: string;
  node_id: string;
  title: string;
  body: string | null;
  state: string;
  merged_at: string | null;
  draft?: boolean | undefined;
  user: { login: string } | null;
  head: { sha: string; repo: { full_name: string } | null };
  base: { ref: string };
  labels: { name?: string | undefined }[];
}

function pullRequestOf(listed: Listed): PullRequest {
  return {
    number: listed.number,
    url: listed.html_url,
    nodeId: listed.node_id,
    title: listed.title,
    body: listed.body ?? '',
    state: listed.state === 'open' ? 'open' : 'closed',
    merged: listed.merged_at !== null,
    draft: listed.draft ?? false,
    author: listed.user?.login ?? '',
    headSha: listed.head.sha,
    baseBranch: listed.base.ref,
    labels: listed.labels.flatMap(({ name }) => name ?? []),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function statusOf(error: unknown): number | undefined {
  return (error as { status?: number } | undefined)?.status;
}

/** The account the token speaks for. */
export async function viewerLogin(api: Api): Promise<string> {
  const { viewer } = await api.graphql<{ viewer: { login: string } }>('query { viewer { login } }');
  return viewer.login;
}

/**
 * All pull requests of a branch of this repository into `base`, newest first. A fork's branch of the same name is none
 * of them.
 */
export async function pullRequestsOf(
  api: Api,
  where: Repository,
  { branch, base }: { branch: string; base: string },
): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  for (let page = 1; ; page++) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/pulls', {
      ...where,
      head: `${where.owner}:${branch}`,
      base,
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: 100,
      page,
    });
    const full = `${where.owner}/${where.repo}`.toLowerCase();
    for (const listed of data)
      if (listed.head.repo?.full_name.toLowerCase() === full) found.push(pullRequestOf(listed));
    if (data.length < 100) return found;
  }
}

/** The words GitHub refuses a workflow's pull request with. */
const FORBIDDEN = /not permitted to create or approve pull requests/i;

/** Opens a pull request. */
export async function openPullRequest(
  api: Api,
  where: Repository,
  { branch, base, text }: { branch: string; base: string; text: PullRequestText },
): Promise<Opened> {
  try {
    const { data } = await api.request('POST /repos/{owner}/{repo}/pulls', {
      ...where,
      head: branch,
      base,
      title: text.title,
      body: text.body,
      draft: text.draft,
      maintainer_can_modify: true,
    });
    return { ok: true, pullRequest: pullRequestOf(data) };
  } catch (error) {
    if (statusOf(error) === 403 || FORBIDDEN.test(messageOf(error))) return { ok: false, blocked: messageOf(error) };
    // A plan without draft pull requests says so: better a ready one than none.
    if (text.draft && statusOf(error) === 422 && /draft/i.test(messageOf(error)))
      return openPullRequest(api, where, { branch, base, text: { ...text, draft: false } });
    throw error;
  }
}

/** Rewrites title and body, where they differ; whether anything was written. */
export async function updatePullRequest(
  api: Api,
  where: Repository,
  { pullRequest, text }: { pullRequest: PullRequest; text: Pick<PullRequestText, 'title' | 'body'> },
): Promise<boolean> {
  // GitHub stores what it is given with line feeds of its own.
  const plain = (body: string) => body.replaceAll('\r\n', '\n').trimEnd();
  if (pullRequest.title === text.title && plain(pullRequest.body) === plain(text.body)) return false;
  await api.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...where,
    pull_number: pullRequest.number,
    ...text,
  });
  return true;
}

/** Closes a pull request without merging it. */
export async function closePullRequest(api: Api, where: Repository, number: number): Promise<void> {
  await api.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...where,
    pull_number: number,
    state: 'closed',
  });
}

/** The account that closed a pull request; undefined where GitHub does not say. */
export async function closedBy(api: Api, where: Repository, number: number): Promise<string | undefined> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    ...where,
    issue_number: number,
  });
  return data.closed_by?.login;
}

const EVENTUALLY = /could not resolve to a node/i;
const TRIES = 3;

/** A pull request just made may not be known everywhere yet: asked again after `wait`, in milliseconds. */
async function settled(work: () => Promise<unknown>, wait: (ms: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === TRIES || !EVENTUALLY.test(messageOf(error))) throw error;
      await wait(attempt * 1000);
    }
  }
}

/** Adds labels, assignees and reviewers; gives a warning for each that GitHub refuses. */
export async function trim(
  api: Api,
  where: Repository,
  { number, trimmings, wait }: { number: number; trimmings: Trimmings; wait: (ms: number) => Promise<void> },
): Promise<string[]> {
  const warnings: string[] = [];
  const { labels, assignees, reviewers, teamReviewers } = trimmings;
  async function each(what: string, names: readonly string[], add: (name: string) => Promise<unknown>): Promise<void> {
    // One by one: a name that does not exist must not cost the others.
    for (const name of names) {
      try {
        await settled(() => add(name), wait);
      } catch (error) {
        warnings.push(`The ${what} ${name} was not added to #${number}: ${messageOf(error)}`);
      }
    }
  }
  await each('label', labels, (label) =>
    api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
      ...where,
      issue_number: number,
      labels: [label],
    }),
  );
  await each('assignee', assignees, async (assignee) => {
    const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/assignees', {
      ...where,
      issue_number: number,
      assignees: [assignee],
    });
    // GitHub drops whom it cannot assign without a word.
    const assigned = data.assignees?.some(({ login }) => login.toLowerCase() === assignee.toLowerCase());
    if (!assigned) throw new Error('GitHub does not let this account be assigned here.');
  });
  const review = (asked: { reviewers?: string[]; team_reviewers?: string[] }) =>
    api.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
      ...where,
      pull_number: number,
      ...asked,
    });
  await each('reviewer', reviewers, (name) => review({ reviewers: [name] }));
  await each('team reviewer', teamReviewers, (name) => review({ team_reviewers: [name] }));
  return warnings;
}

/** A commit status. `description` is cut at GitHub's 140 characters. */
export async function setStatus(
  api: Api,
  where: Repository,
  status: { sha: string; state: 'success' | 'failure' | 'error'; context: string; description: string; url?: string },
): Promise<void> {
  const { sha, state, context, description, url } = status;
  await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...where,
    sha,
    state,
    context,
    description: description.length > 140 ? `${description.slice(0, 139)}…` : description,
    ...(url !== undefined && { target_url: url }),
  });
}
