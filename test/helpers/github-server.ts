// A GitHub on this machine: issues, comments, pull requests, labels, statuses and a git repository, with permissions and faults; whatever is asked and answered is held against GitHub's own descriptions.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { schema as schemaText } from '@octokit/graphql-schema';
import { buildSchema, type GraphQLSchema, graphqlSync } from 'graphql';
import type { Actor, ApiAnswer, GitRemote, RefUpdate } from './git-remote.ts';
import { apiFault, exampleOf } from './openapi.ts';

/** A token's rights. */
export interface Rights {
  contents: boolean;
  pullRequests: boolean;
  issues: boolean;
  statuses: boolean;
}

/** A comment. */
export interface StoredComment {
  id: number;
  number: number;
  body: string;
  author: string;
}

/** A pull request. */
export interface StoredPull {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  merged: boolean;
  draft: boolean;
  author: string;
  closedBy?: string;
  /** `owner/name` of the head; null where the fork is gone. */
  headRepository: string | null;
  headBranch: string;
  headSha: string;
  base: string;
  labels: string[];
  assignees: string[];
  reviewers: string[];
}

/** One request. */
export interface Journaled {
  method: string;
  path: string;
  body: unknown;
  status: number;
}

/** The server. */
export interface GitHubServer extends AsyncDisposable {
  apiUrl: string;
  journal: Journaled[];
  comments: StoredComment[];
  pulls: StoredPull[];
  statuses: { sha: string; state: string; context: string; description: string }[];
  issues: { number: number; title: string; body: string }[];
  /** Who the token speaks for, and what it may do. */
  actor: Actor;
  rights: Rights;
  /** Logins that can be assigned and asked to review. */
  people: string[];
  /** Whether the repository lets workflows open pull requests. */
  allowsPullRequests: boolean;
  /** Answers in place of the server; undefined lets it answer. `cut` closes the socket. */
  fault: ((asked: Journaled) => ApiAnswer | 'cut' | undefined) | undefined;
  /** Called before a request is answered, for races. */
  before: ((asked: Journaled) => void) | undefined;
  /** Where requests or answers are not as GitHub describes them. */
  faults: string[];
  addPull(pull: Partial<StoredPull>): StoredPull;
  addComment(number: number, body: string, author?: string): StoredComment;
}

const OWNER = 'acme';
const NAME = 'shop';
const FULL = `${OWNER}/${NAME}`;
const WEB = `https://github.example/${FULL}`;
const DATE = '2026-11-30T03:00:00Z';

let schema: GraphQLSchema | undefined;
const graphqlSchema = () => {
  schema ??= buildSchema(schemaText.idl, { assumeValidSDL: true });
  return schema;
};

function user(login: string): Record<string, unknown> {
  const { user: example } = exampleOf('issue-comment') as { user: Record<string, unknown> };
  return { ...example, login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
}

/** Starts a GitHub that knows one repository, `acme/shop`. `remote` is its git side. */
export async function startGitHub(remote?: GitRemote): Promise<GitHubServer> {
  let nextId = 1000;
  const server: Omit<GitHubServer, keyof AsyncDisposable | 'apiUrl'> = {
    journal: [],
    comments: [],
    pulls: [],
    statuses: [],
    issues: [],
    actor: { login: 'github-actions[bot]', type: 'Bot', id: 41898282 },
    rights: { contents: true, pullRequests: true, issues: true, statuses: true },
    people: ['octocat'],
    allowsPullRequests: true,
    fault: undefined,
    before: undefined,
    faults: [],
    addPull(pull) {
      const added: StoredPull = {
        number: server.pulls.length + server.issues.length + 7,
        title: 'Change a prompt',
        body: '',
        state: 'open',
        merged: false,
        draft: false,
        author: 'octocat',
        headRepository: FULL,
        headBranch: 'topic',
        headSha: 'a'.repeat(40),
        base: 'main',
        labels: [],
        assignees: [],
        reviewers: [],
        ...pull,
      };
      server.pulls.push(added);
      return added;
    },
    addComment(number, body, author = 'octocat') {
      const added = { id: nextId++, number, body, author };
      server.comments.push(added);
      return added;
    },
  };

  const commentUrl = ({ number, id }: StoredComment) => `${WEB}/pull/${number}#issuecomment-${id}`;

  function commentBody(comment: StoredComment): Record<string, unknown> {
    return exampleOf('issue-comment', {
      id: comment.id,
      body: comment.body,
      html_url: commentUrl(comment),
      user: user(comment.author),
      created_at: DATE,
      updated_at: DATE,
    });
  }

  /** A branch moves its pull request along. */
  function headSha(pull: StoredPull): string {
    if (pull.state === 'open' && pull.headRepository === FULL) return remote?.head(pull.headBranch) ?? pull.headSha;
    return pull.headSha;
  }

  function pullBody(pull: StoredPull): Record<string, unknown> {
    const example = exampleOf('pull-request') as Record<string, Record<string, unknown>>;
    const repo = (full: string) => ({
      ...(example['base']?.['repo'] as object),
      name: full.split('/')[1],
      full_name: full,
    });
    const [owner = OWNER] = (pull.headRepository ?? FULL).split('/');
    return {
      ...example,
      number: pull.number,
      node_id: `PR_${pull.number}`,
      html_url: `${WEB}/pull/${pull.number}`,
      title: pull.title,
      body: pull.body === '' ? null : pull.body,
      state: pull.state,
      draft: pull.draft,
      merged: pull.merged,
      merged_at: pull.merged ? DATE : null,
      closed_at: pull.state === 'closed' ? DATE : null,
      user: user(pull.author),
      labels: pull.labels.map((name) => ({ ...(example['labels'] as unknown as object[])[0], name })),
      assignees: pull.assignees.map(user),
      assignee: null,
      mergeable: true,
      requested_teams: [],
      requested_reviewers: [],
      head: {
        ...example['head'],
        label: `${owner}:${pull.headBranch}`,
        ref: pull.headBranch,
        sha: headSha(pull),
        repo: pull.headRepository === null ? null : repo(pull.headRepository),
      },
      base: { ...example['base'], label: `${OWNER}:${pull.base}`, ref: pull.base, repo: repo(FULL) },
    };
  }

  function issueBody(pull: StoredPull): Record<string, unknown> {
    return exampleOf('issue', {
      number: pull.number,
      state: pull.state,
      closed_by: pull.closedBy ? user(pull.closedBy) : null,
      labels: pull.labels.map((name) => ({ name })),
      assignees: pull.assignees.map(user),
    });
  }

  const denied: ApiAnswer = {
    status: 403,
    body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' },
  };
  const notFound: ApiAnswer = {
    status: 404,
    body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
  };
  const refused = (message: string): ApiAnswer => ({
    status: 422,
    body: { message, documentation_url: 'https://docs.github.com/rest' },
  });

  function listPulls(query: URLSearchParams): ApiAnswer {
    const state = query.get('state') ?? 'open';
    const head = query.get('head');
    const base = query.get('base');
    const size = Number(query.get('per_page') ?? '30');
    const page = Number(query.get('page') ?? '1');
    const found = server.pulls
      .filter((pull) => state === 'all' || pull.state === state)
      .filter((pull) => base === null || pull.base === base)
      .filter((pull) => head === null || `${(pull.headRepository ?? '').split('/')[0]}:${pull.headBranch}` === head)
      .toReversed();
    const simple = (pull: StoredPull) => {
      const body = pullBody(pull);
      for (const key of [
        'additions',
        'changed_files',
        'comments',
        'commits',
        'deletions',
        'mergeable',
        'mergeable_state',
        'merged',
        'maintainer_can_modify',
        'merged_by',
        'review_comments',
        'rebaseable',
      ])
        delete body[key];
      return body;
    };
    return { status: 200, body: found.slice((page - 1) * size, page * size).map(simple) };
  }

  function createPull(body: Record<string, unknown>): ApiAnswer {
    if (!server.rights.pullRequests) return denied;
    if (!server.allowsPullRequests)
      return { status: 403, body: { message: 'GitHub Actions is not permitted to create or approve pull requests.' } };
    const {
      head = '',
      base = '',
      title = '',
      body: text = '',
      draft = false,
    } = body as Record<string, string> & { draft?: boolean };
    if (server.pulls.some((pull) => pull.state === 'open' && pull.headBranch === head && pull.base === base))
      return refused(`A pull request already exists for ${OWNER}:${head}.`);
    const tip = remote?.head(head);
    if (remote && tip === undefined) return refused('Validation Failed');
    const pull = server.addPull({
      title,
      body: text,
      draft,
      headBranch: head,
      headSha: tip ?? 'b'.repeat(40),
      base,
      author: server.actor.login,
    });
    return { status: 201, body: pullBody(pull) };
  }

  function changeIssue(pull: StoredPull, what: string, body: Record<string, string[]>): ApiAnswer {
    if (what === 'labels') {
      pull.labels.push(...(body['labels'] ?? []));
      return { status: 200, body: pull.labels.map((name) => exampleOf('label', { name })) };
    }
    const known = (body['assignees'] ?? []).filter((login) => server.people.includes(login));
    pull.assignees.push(...known);
    return { status: 201, body: issueBody(pull) };
  }

  function answer(asked: { method: string; path: string; query: URLSearchParams; body: unknown }): ApiAnswer {
    const { method, query } = asked;
    const path = asked.path.replace(`/repos/${FULL}/`, '');
    const body = (asked.body ?? {}) as Record<string, unknown>;
    const isWrite = method !== 'GET';
    if (/^(?:git\/|compare\/)/.test(path)) {
      if (isWrite && !server.rights.contents) return denied;
      return remote?.answer({ method, path, query, body: asked.body, actor: server.actor }) ?? notFound;
    }
    const at = (pattern: RegExp) => pattern.exec(path)?.slice(1);
    if (path === 'pulls') return isWrite ? createPull(body) : listPulls(query);
    let found = at(/^issues\/(\d+)\/comments$/);
    if (found && method === 'POST') {
      if (!server.rights.pullRequests) return denied;
      const added = server.addComment(Number(found[0]), String(body['body']), server.actor.login);
      return { status: 201, body: commentBody(added) };
    }
    found = at(/^issues\/comments\/(\d+)$/);
    if (found) {
      const comment = server.comments.find(({ id }) => id === Number(found?.[0]));
      if (!comment) return notFound;
      if (!server.rights.pullRequests) return denied;
      if (method === 'DELETE') {
        server.comments.splice(server.comments.indexOf(comment), 1);
        return { status: 204 };
      }
      comment.body = String(body['body']);
      return { status: 200, body: commentBody(comment) };
    }
    found = at(/^pulls\/(\d+)$/);
    const pull = server.pulls.find(({ number }) => number === Number(/^(?:pulls|issues)\/(\d+)/.exec(path)?.[1]));
    if (found && pull) {
      if (!isWrite) return { status: 200, body: pullBody(pull) };
      if (!server.rights.pullRequests) return denied;
      if (typeof body['title'] === 'string') pull.title = body['title'];
      if (typeof body['body'] === 'string') pull.body = body['body'];
      if (body['state'] === 'closed') {
        pull.headSha = headSha(pull);
        Object.assign(pull, { state: 'closed', closedBy: server.actor.login });
      }
      return { status: 200, body: pullBody(pull) };
    }
    found = at(/^pulls\/(\d+)\/requested_reviewers$/);
    if (found && pull) {
      const asks = [...((body['reviewers'] as string[]) ?? []), ...((body['team_reviewers'] as string[]) ?? [])];
      const unknown = asks.find((login) => !server.people.includes(login));
      if (unknown !== undefined)
        return refused(`Reviews may only be requested from collaborators. ${unknown} is none.`);
      pull.reviewers.push(...asks);
      return { status: 201, body: simplePull(pull) };
    }
    found = at(/^issues\/(\d+)\/(labels|assignees)$/);
    if (found && pull)
      return server.rights.pullRequests ? changeIssue(pull, found[1] ?? '', body as Record<string, string[]>) : denied;
    if (/^issues\/\d+$/.test(path) && pull && !isWrite) return { status: 200, body: issueBody(pull) };
    if (path === 'issues' && isWrite) {
      if (!server.rights.issues) return denied;
      server.issues.push({
        number: server.pulls.length + server.issues.length + 7,
        title: String(body['title']),
        body: String(body['body']),
      });
      return { status: 201, body: exampleOf('issue', { title: body['title'], body: body['body'] }) };
    }
    found = at(/^statuses\/([0-9a-f]+)$/);
    if (found && isWrite) {
      if (!server.rights.statuses) return denied;
      const { state = '', context = '', description = '' } = body as Record<string, string>;
      server.statuses.push({ sha: found[0] ?? '', state, context, description });
      return { status: 201, body: exampleOf('status', { state, context, description }) };
    }
    return notFound;
  }

  function simplePull(pull: StoredPull): unknown {
    return (listPulls(new URLSearchParams({ state: 'all', per_page: '100' })).body as { number: number }[]).find(
      ({ number }) => number === pull.number,
    );
  }

  /** The few things asked by GraphQL; the schema checks question and answer. */
  function graphql({ query, variables }: { query: string; variables?: Record<string, unknown> }): ApiAnswer {
    const pullOf = ({ number }: { number: number }) => {
      const pull = server.pulls.find((one) => one.number === number);
      if (!pull) return null;
      return {
        comments: ({ first, after }: { first: number; after?: string | null }) => {
          const all = server.comments.filter((one) => one.number === number);
          const start = after ? Number(after) : 0;
          const nodes = all.slice(start, start + first).map((one) => ({
            databaseId: one.id,
            body: one.body,
            url: commentUrl(one),
            viewerDidAuthor: one.author === server.actor.login,
          }));
          const end = start + nodes.length;
          return {
            nodes,
            pageInfo: { hasNextPage: end < all.length, endCursor: nodes.length > 0 ? String(end) : null },
          };
        },
      };
    };
    const rootValue = {
      viewer: { login: server.actor.login },
      repository: ({ owner, name }: { owner: string; name: string }) =>
        owner === OWNER && name === NAME ? { id: 'R_1', pullRequest: pullOf } : null,
      updateRefs: ({ input }: { input: { refUpdates: RefUpdate[] } }) => {
        if (!server.rights.contents) throw new Error('Resource not accessible by integration');
        const why = remote ? remote.updateRefs(input.refUpdates) : 'there is no repository';
        if (why !== undefined) throw new Error(why);
        return { clientMutationId: null };
      },
    };
    const result = graphqlSync({ schema: graphqlSchema(), source: query, rootValue, variableValues: variables ?? {} });
    const invalid = result.data === undefined || result.data === null ? result.errors?.[0] : undefined;
    if (invalid && !invalid.originalError) server.faults.push(`GraphQL: ${invalid.message}`);
    return { status: 200, body: JSON.parse(JSON.stringify(result)) };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asked: Journaled = {
      method: request.method ?? 'GET',
      path: decodeURI(url.pathname),
      body: text === '' ? undefined : JSON.parse(text),
      status: 0,
    };
    server.journal.push(asked);
    server.before?.(asked);
    const fault = server.fault?.(asked);
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    const isGraphql = asked.path === '/graphql';
    const given =
      fault ?? (isGraphql ? graphql(asked.body as { query: string }) : answer({ ...asked, query: url.searchParams }));
    asked.status = given.status;
    if (!isGraphql && !fault) {
      const wrong = apiFault(asked, given);
      if (wrong !== undefined) server.faults.push(wrong);
    }
    response.writeHead(given.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(given.body === undefined ? undefined : JSON.stringify(given.body));
  }

  const listener = http.createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      server.faults.push(String(error));
      if (!response.headersSent) response.writeHead(599);
      response.end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, {
    apiUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => listener.close(resolve));
      listener.closeAllConnections();
      await closed;
    },
  });
}
