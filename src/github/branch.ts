// Branches written through the Git Data API: no checkout, commits that GitHub signs, refs that move by compare-and-swap.

import { createHash } from 'node:crypto';
import type { getOctokit } from '@actions/github';

/** What asks GitHub. */
export type Api = Pick<ReturnType<typeof getOctokit>, 'request' | 'graphql'>;

/** Where a repository is. */
export interface Repository {
  owner: string;
  repo: string;
}

/** One file as a commit leaves it: its text, or null where it is removed. */
export interface FileChange {
  /** From the repository's root, POSIX separators. */
  path: string;
  text: string | null;
}

/** One commit to write. */
export interface NewCommit {
  message: string;
  files: readonly FileChange[];
}

/** One commit of a branch. */
export interface BranchCommit {
  sha: string;
  message: string;
  /** The account GitHub knows as its author; undefined where it knows none. */
  author?: string;
  committer?: string;
  parents: string[];
}

/** How a branch stands to its base. */
export interface Ahead {
  /** Where they part. */
  mergeBase: string;
  /** Commits of the base that the branch lacks. */
  behind: number;
  /** The branch's own commits, oldest first. */
  commits: BranchCommit[];
}

/** GitHub gives up on trees with more entries or bytes in one request. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 2_000_000;
const ZERO_OID = '0'.repeat(40);

function isStatus(error: unknown, ...statuses: number[]): boolean {
  return statuses.includes((error as { status?: number } | undefined)?.status ?? 0);
}

/** The id git gives a file's text. */
export function blobId(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The commit a branch points to; undefined where there is no such branch. */
export async function branchHead(api: Api, where: Repository, branch: string): Promise<string | undefined> {
  try {
    const { data } = await api.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...where, ref: `heads/${branch}` });
    return data.object.sha;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** What `head` has that `base` has not. */
export async function commitsAhead(api: Api, where: Repository, range: { base: string; head: string }): Promise<Ahead> {
  const commits: BranchCommit[] = [];
  for (let page = 1; ; page++) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...where,
      basehead: `${range.base}...${range.head}`,
      per_page: 100,
      page,
    });
    for (const { sha, commit, author, committer, parents } of data.commits) {
      commits.push({
        sha,
        message: commit.message,
        ...(author?.login !== undefined && { author: author.login }),
        ...(committer?.login !== undefined && { committer: committer.login }),
        parents: parents.map((parent) => parent.sha),
      });
    }
    if (commits.length >= data.total_commits || data.commits.length === 0)
      return { mergeBase: data.merge_base_commit.sha, behind: data.behind_by, commits };
  }
}

/** The ids of all files at a commit, by path. */
export async function filesAt(api: Api, where: Repository, commit: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  async function walk(tree: string, prefix: string): Promise<void> {
    const { data } = await api.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
      ...where,
      tree_sha: tree,
      recursive: '1',
    });
    if (!data.truncated) {
      for (const { path, type, sha } of data.tree) if (type === 'blob') files.set(`${prefix}${path}`, sha);
      return;
    }
    // Too large for one answer: one level, then each folder by itself.
    const level = await api.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', { ...where, tree_sha: tree });
    for (const { path, type, sha } of level.data.tree) {
      if (type === 'blob') files.set(`${prefix}${path}`, sha);
      else if (type === 'tree') await walk(sha, `${prefix}${path}/`);
    }
  }
  await walk(commit, '');
  return files;
}

/** The text of a file by its id. */
export async function blobText(api: Api, where: Repository, id: string): Promise<string> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', { ...where, file_sha: id });
  return Buffer.from(data.content, 'base64').toString('utf8');
}

/** Files in parts that one request holds. */
function partsOf(files: readonly FileChange[]): FileChange[][] {
  const parts: FileChange[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    // As JSON, which is what is sent.
    const size = Buffer.byteLength(JSON.stringify(file.text)) + Buffer.byteLength(file.path) + 80;
    const last = parts.at(-1);
    if (last === undefined || last.length === MOST_ENTRIES || bytes + size > MOST_BYTES) {
      parts.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return parts;
}

/**
 * Writes commits onto `parent`, one after the other, and gives the last one's SHA; no ref moves. They carry no author,
 * so that GitHub signs them in the token's name. What is removed must exist.
 * https://docs.github.com/rest/git/trees#create-a-tree
 */
export async function writeCommits(
  api: Api,
  where: Repository,
  { parent, commits }: { parent: string; commits: readonly NewCommit[] },
): Promise<string> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
    ...where,
    commit_sha: parent,
  });
  let tree = data.tree.sha;
  let head = parent;
  for (const { message, files } of commits) {
    for (const part of partsOf(files)) {
      const made = await api.request('POST /repos/{owner}/{repo}/git/trees', {
        ...where,
        base_tree: tree,
        tree: part.map(({ path, text }) => ({
          path,
          mode: '100644' as const,
          type: 'blob' as const,
          ...(text === null ? { sha: null } : { content: text }),
        })),
      });
      tree = made.data.sha;
    }
    const made = await api.request('POST /repos/{owner}/{repo}/git/commits', {
      ...where,
      message,
      tree,
      parents: [head],
    });
    head = made.data.sha;
  }
  return head;
}

const UPDATE_REFS = `mutation ($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`;
const REPOSITORY_ID = `query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { id } }`;

/** A move of a branch: from where it was seen to where it shall be; undefined stands for "no such branch". */
export interface Move {
  branch: string;
  before: string | undefined;
  after: string | undefined;
}

/**
 * Moves branches, all or none, each only if it still is where it was seen; false where one is not.
 * https://docs.github.com/graphql/reference/mutations#updaterefs
 */
export async function moveBranches(api: Api, where: Repository, moves: readonly Move[]): Promise<boolean> {
  const { repository } = await api.graphql<{ repository: { id: string } }>(REPOSITORY_ID, { ...where });
  const refUpdates = moves.map(({ branch, before, after }) => ({
    name: `refs/heads/${branch}`,
    beforeOid: before ?? ZERO_OID,
    afterOid: after ?? ZERO_OID,
    force: true,
  }));
  try {
    await api.graphql(UPDATE_REFS, { input: { repositoryId: repository.id, refUpdates } });
    return true;
  } catch (error) {
    // GitHub words a lost swap in several ways, and an answer can be lost on its way: where the branches are now tells.
    const heads = await Promise.all(moves.map(({ branch }) => branchHead(api, where, branch)));
    if (moves.every(({ after }, at) => heads[at] === after)) return true;
    if (moves.some(({ before }, at) => heads[at] !== before)) return false;
    throw error;
  }
}
