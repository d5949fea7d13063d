// A real bare git repository behind GitHub's Git Data API: trees, commits, refs, comparisons, the answers as GitHub words them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What GitHub would say. */
export interface ApiAnswer {
  status: number;
  body?: unknown;
}

/** Who asks; commits without an author are this one's, signed. */
export interface Actor {
  login: string;
  /** `Bot` for the workflow's own token. */
  type: 'Bot' | 'User';
  id: number;
}

/** One ref to move, as GraphQL's `RefUpdate` has it. */
export interface RefUpdate {
  name: string;
  beforeOid?: string | null;
  afterOid: string;
  force?: boolean | null;
}

/** A bare repository with what GitHub keeps beside it. */
export interface GitRemote extends AsyncDisposable {
  /** The bare repository, to clone from. */
  dir: string;
  /** Runs git in it; the output without its last line break. */
  git(...args: string[]): string;
  /** Commits files (path to text; null removes) onto a branch, which is made where it is missing; gives the SHA. */
  commit(branch: string, files: Record<string, string | null>, how?: { message?: string; actor?: Actor }): string;
  /** The SHA of a branch; undefined where there is none. */
  head(branch: string): string | undefined;
  /** The text of a file; undefined where there is none. */
  read(ref: string, path: string): string | undefined;
  /** Answers a request below `/repos/{owner}/{repo}/`; undefined where it is none of git's. */
  answer(request: {
    method: string;
    path: string;
    query: URLSearchParams;
    body: unknown;
    actor: Actor;
  }): ApiAnswer | undefined;
  /** GraphQL's `updateRefs`: all or none; gives the error's message where it is refused. */
  updateRefs(updates: readonly RefUpdate[]): string | undefined;
  /** Who made a commit: GitHub knows by account, git by words only. */
  actorOf(sha: string): Actor | undefined;
}

const OCTOCAT: Actor = { login: 'octocat', type: 'User', id: 1 };
const ZERO = '0'.repeat(40);
const DATE = '2026-11-30T03:00:00Z';
const API = 'https://api.github.example/repos/acme/shop';
const WEB = 'https://github.example/acme/shop';

/** What the API takes in one request before it gives up. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 2_500_000;

interface TreeEntry {
  path: string;
  mode: string;
  type: string;
  sha?: string | null;
  content?: string;
}

function userOf({ login, type, id }: Actor): object {
  const url = `https://api.github.example/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.github.example/u/${id}`,
    gravatar_id: '',
    url,
    html_url: `https://github.example/${encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  };
}

const notFound: ApiAnswer = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
};

function invalid(message: string): ApiAnswer {
  return { status: 422, body: { message, documentation_url: 'https://docs.github.com/rest' } };
}

/** Makes an empty repository in a temporary folder. Comparisons give at most `pageSize` commits a page. */
export function gitRemote({ pageSize = 100 }: { pageSize?: number } = {}): GitRemote {
  const dir = mkdtempSync(join(tmpdir(), 'retake-remote-'));
  const actors = new Map<string, Actor>();
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: DATE,
    GIT_COMMITTER_DATE: DATE,
  };

  function run(args: readonly string[], input?: string, extra?: Record<string, string>): string {
    const text = execFileSync('git', args, {
      cwd: dir,
      encoding: 'utf8',
      env: { ...env, ...extra },
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
    return text.replace(/\n$/, '');
  }
  const git = (...args: string[]) => run(args);

  function attempt(...args: string[]): string | undefined {
    try {
      return run(args);
    } catch {
      return undefined;
    }
  }

  run(['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  run(['config', 'uploadpack.allowAnySHA1InWant', 'true']);

  const head = (branch: string) => attempt('rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`);

  /** Stores texts as blobs; their ids in order. */
  function writeBlobs(texts: readonly string[]): string[] {
    if (texts.length === 0) return [];
    const folder = mkdtempSync(join(tmpdir(), 'retake-blobs-'));
    try {
      const paths = texts.map((text, at) => {
        const path = join(folder, String(at));
        writeFileSync(path, text);
        return path;
      });
      return run(['hash-object', '-w', '--no-filters', '--stdin-paths'], `${paths.join('\n')}\n`).split('\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** A tree from a base and entries, the way `POST /git/trees` puts them together. */
  function writeTree(base: string | undefined, entries: readonly TreeEntry[]): string {
    const index = { GIT_INDEX_FILE: join(dir, `index-${process.hrtime.bigint()}`) };
    const blobs = writeBlobs(entries.flatMap(({ content }) => content ?? []));
    try {
      run(['read-tree', ...(base === undefined ? ['--empty'] : [base])], undefined, index);
      const lines = entries.map(({ path, mode, sha, content }) => {
        const blob = content === undefined ? sha : blobs.shift();
        return blob === null || blob === undefined ? `0 ${ZERO}\t${path}` : `${mode} ${blob}\t${path}`;
      });
      run(['update-index', '--index-info'], `${lines.join('\n')}\n`, index);
      return run(['write-tree'], undefined, index);
    } finally {
      rmSync(index.GIT_INDEX_FILE, { force: true });
    }
  }

  function writeCommit(tree: string, parents: readonly string[], how: { message: string; actor: Actor }): string {
    const who = { name: how.actor.login, email: `${how.actor.id}+${how.actor.login}@users.noreply.github.example` };
    const sha = run(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], how.message, {
      GIT_AUTHOR_NAME: who.name,
      GIT_AUTHOR_EMAIL: who.email,
      GIT_COMMITTER_NAME: who.name,
      GIT_COMMITTER_EMAIL: who.email,
    });
    actors.set(sha, how.actor);
    return sha;
  }

  interface Facts {
    name: string;
    email: string;
    parents: string[];
    tree: string;
    message: string;
  }
  // A commit never changes.
  const facts = new Map<string, Facts>();
  function factsOf(sha: string): Facts {
    const known = facts.get(sha);
    if (known) return known;
    const told = git('show', '-s', '--format=%an%n%ae%n%P%n%T%n%B', sha);
    const [name = '', email = '', parents = '', tree = '', ...message] = told.split('\n');
    const made = {
      name,
      email,
      parents: parents.split(' ').filter(Boolean),
      tree,
      message: message.join('\n').trimEnd(),
    };
    facts.set(sha, made);
    return made;
  }
  const parentsOf = (sha: string) => factsOf(sha).parents;

  function gitCommit(sha: string): object {
    const { name, email, tree, message } = factsOf(sha);
    const who = { date: DATE, name, email };
    return {
      sha,
      node_id: `C_${sha}`,
      url: `${API}/git/commits/${sha}`,
      html_url: `${WEB}/commit/${sha}`,
      author: who,
      committer: who,
      tree: { sha: tree, url: `${API}/git/trees/${tree}` },
      message,
      parents: parentsOf(sha).map((parent) => ({
        sha: parent,
        url: `${API}/git/commits/${parent}`,
        html_url: `${WEB}/commit/${parent}`,
      })),
      verification: { verified: true, reason: 'valid', signature: null, payload: null, verified_at: DATE },
    };
  }

  function commitOf(sha: string): object {
    const { message, author, committer, tree, verification } = gitCommit(sha) as Record<string, unknown>;
    const actor = actors.get(sha);
    const url = `${API}/commits/${sha}`;
    return {
      sha,
      node_id: `C_${sha}`,
      url,
      html_url: `${WEB}/commit/${sha}`,
      comments_url: `${url}/comments`,
      commit: { url: `${API}/git/commits/${sha}`, author, committer, message, tree, comment_count: 0, verification },
      author: actor ? userOf(actor) : null,
      committer: actor ? userOf(actor) : null,
      parents: parentsOf(sha).map((parent) => ({
        sha: parent,
        url: `${API}/commits/${parent}`,
        html_url: `${WEB}/commit/${parent}`,
      })),
    };
  }

  function refOf(branch: string, sha: string): object {
    const ref = `refs/heads/${branch}`;
    return {
      ref,
      node_id: `R_${branch}`,
      url: `${API}/git/${ref}`,
      object: { type: 'commit', sha, url: `${API}/git/commits/${sha}` },
    };
  }

  function treeAnswer(ref: string, recursive: boolean): ApiAnswer {
    const sha = attempt('rev-parse', '--verify', '--quiet', `${ref}^{tree}`);
    if (sha === undefined) return notFound;
    const listed = git('ls-tree', '-l', ...(recursive ? ['-r', '-t'] : []), '-z', sha);
    const tree = listed
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const [facts = '', path] = line.split('\t');
        const [mode, type, blob, size] = facts.split(/ +/);
        const at = { path, mode, type, sha: blob, url: `${API}/git/${type}s/${blob}` };
        return size === '-' ? at : { ...at, size: Number(size) };
      });
    return { status: 200, body: { sha, url: `${API}/git/trees/${sha}`, tree, truncated: false } };
  }

  function blobAnswer(sha: string): ApiAnswer {
    if (attempt('cat-file', '-t', sha) !== 'blob') return notFound;
    const bytes = execFileSync('git', ['cat-file', 'blob', sha], { cwd: dir, env });
    return {
      status: 200,
      body: {
        content: bytes.toString('base64'),
        encoding: 'base64',
        url: `${API}/git/blobs/${sha}`,
        sha,
        size: bytes.length,
        node_id: `B_${sha}`,
      },
    };
  }

  function createTree(body: unknown): ApiAnswer {
    const { base_tree: base, tree } = body as { base_tree?: string; tree: TreeEntry[] };
    if (JSON.stringify(body).length > MOST_BYTES) return { status: 502, body: { message: 'Server Error' } };
    if (tree.length > MOST_ENTRIES) return { status: 502, body: { message: 'Server Error' } };
    const known = base === undefined ? undefined : attempt('rev-parse', '--verify', '--quiet', `${base}^{tree}`);
    if (base !== undefined && known === undefined) return invalid('base_tree is not a valid tree oid');
    for (const { path, sha, content } of tree) {
      if (/^\/|(^|\/)\.{1,2}(\/|$)|(^|\/)\.git(\/|$)/.test(path))
        return invalid(`tree.path contains a malformed path component`);
      const isThere = () => known !== undefined && attempt('cat-file', '-t', `${known}:${path}`) !== undefined;
      if (sha === null && content === undefined && !isThere()) return invalid('GitRPC::BadObjectState');
    }
    const made = treeAnswer(writeTree(known, tree), false);
    return { ...made, status: 201 };
  }

  function createCommit(body: unknown, actor: Actor): ApiAnswer {
    const { message, tree, parents = [], author, committer } = body as Record<string, string> & { parents?: string[] };
    if (author !== undefined || committer !== undefined) return invalid('an author leaves the commit unsigned');
    if (attempt('cat-file', '-t', tree as string) !== 'tree') return invalid('Tree SHA does not exist');
    if (parents.some((sha) => attempt('cat-file', '-t', sha) !== 'commit'))
      return invalid('Parent SHA does not exist or is not a commit object');
    return {
      status: 201,
      body: gitCommit(writeCommit(tree as string, parents, { message: message as string, actor })),
    };
  }

  /** `GET /compare/{base}...{head}`, 250 commits at most, as many a page as asked for. */
  function compareAnswer(basehead: string, query: URLSearchParams): ApiAnswer {
    const [base, tip] = basehead
      .split('...')
      .map((name) => attempt('rev-parse', '--verify', '--quiet', `${decodeURIComponent(name)}^{commit}`));
    if (base === undefined || tip === undefined) return notFound;
    const fork = attempt('merge-base', base, tip);
    if (fork === undefined) return { status: 404, body: { message: 'No common ancestor between them.' } };
    const between = (from: string, to: string) =>
      git('rev-list', '--reverse', '--topo-order', `${from}..${to}`).split('\n').filter(Boolean);
    const ahead = between(base, tip);
    const behind = between(tip, base);
    const size = Math.min(pageSize, Number(query.get('per_page') ?? '100'));
    const page = Number(query.get('page') ?? '1');
    const files = git('diff', '--name-status', '--no-renames', '-z', fork, tip).split('\0').filter(Boolean);
    const words: Record<string, string> = { A: 'added', D: 'removed', M: 'modified' };
    const status =
      ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : behind.length === 0 ? 'ahead' : 'diverged';
    const link = `${WEB}/compare/${basehead}`;
    return {
      status: 200,
      body: {
        url: `${API}/compare/${basehead}`,
        html_url: link,
        permalink_url: link,
        diff_url: `${link}.diff`,
        patch_url: `${link}.patch`,
        base_commit: commitOf(base),
        merge_base_commit: commitOf(fork),
        status,
        ahead_by: ahead.length,
        behind_by: behind.length,
        total_commits: ahead.length,
        commits: ahead.slice((page - 1) * size, page * size).map(commitOf),
        files: files.flatMap((path, at) =>
          at % 2 === 0
            ? []
            : {
                sha: attempt('rev-parse', `${tip}:${path}`) ?? ZERO,
                filename: path,
                status: words[files[at - 1] as string] ?? 'changed',
                additions: 0,
                deletions: 0,
                changes: 0,
                blob_url: `${WEB}/blob/${tip}/${path}`,
                raw_url: `${WEB}/raw/${tip}/${path}`,
                contents_url: `${API}/contents/${path}?ref=${tip}`,
              },
        ),
      },
    };
  }

  const answer: GitRemote['answer'] = ({ method, path, query, body, actor }) => {
    const [, what, rest = ''] = /^\/?(git\/\w+|compare|commits)(?:\/(.*))?$/.exec(path) ?? [];
    const name = decodeURIComponent(rest);
    if (method === 'GET') {
      if (what === 'git/ref' && name.startsWith('heads/')) {
        const sha = head(name.slice(6));
        return sha === undefined ? notFound : { status: 200, body: refOf(name.slice(6), sha) };
      }
      if (what === 'git/commits')
        return attempt('cat-file', '-t', name) === 'commit' ? { status: 200, body: gitCommit(name) } : notFound;
      if (what === 'git/trees') return treeAnswer(name, query.has('recursive'));
      if (what === 'git/blobs') return blobAnswer(name);
      if (what === 'compare') return compareAnswer(rest, query);
      return undefined;
    }
    if (method !== 'POST') return undefined;
    if (what === 'git/trees') return createTree(body);
    if (what === 'git/commits') return createCommit(body, actor);
    return undefined;
  };

  function refusal({ name, beforeOid, afterOid, force }: RefUpdate): string | undefined {
    const now = attempt('rev-parse', '--verify', '--quiet', name) ?? ZERO;
    if (beforeOid !== undefined && beforeOid !== null && beforeOid !== now)
      return `Reference "${name}" cannot be updated: expected ${beforeOid}, it is at ${now}`;
    if (afterOid === ZERO) return now === ZERO ? `Reference "${name}" does not exist` : undefined;
    if (attempt('cat-file', '-t', afterOid) !== 'commit') return `Object ${afterOid} does not exist`;
    const isForward = now === ZERO || attempt('merge-base', '--is-ancestor', now, afterOid) !== undefined;
    return isForward || force ? undefined : `Update is not a fast forward`;
  }

  return {
    dir,
    git,
    head,
    answer,
    commit(branch, files, { message = 'Change files', actor = OCTOCAT } = {}) {
      const tip = head(branch);
      const entries = Object.entries(files).map(([path, content]) => ({
        path,
        mode: '100644',
        type: 'blob',
        ...(content === null ? { sha: null } : { content }),
      }));
      const sha = writeCommit(writeTree(tip, entries), tip === undefined ? [] : [tip], { message, actor });
      git('update-ref', `refs/heads/${branch}`, sha);
      return sha;
    },
    read: (ref, path) => {
      try {
        return execFileSync('git', ['cat-file', 'blob', `${ref}:${path}`], {
          cwd: dir,
          env,
          encoding: 'utf8',
          stdio: 'pipe',
        });
      } catch {
        return undefined;
      }
    },
    updateRefs(updates) {
      for (const update of updates) {
        const why = refusal(update);
        if (why !== undefined) return why;
      }
      for (const { name, afterOid } of updates) {
        if (afterOid === ZERO) git('update-ref', '-d', name);
        else git('update-ref', name, afterOid);
      }
      return undefined;
    },
    actorOf: (sha) => actors.get(sha),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
