// GitHub as a job's token reaches it: bounded retries, bounded waits, no token in any message.

import { setTimeout as sleep } from 'node:timers/promises';
import { getOctokit } from '@actions/github';
import type { Api, Repository } from './branch.ts';

/** A connection. */
export interface GitHub {
  api: Api;
  where: Repository;
}

/** What a runner says of where it is. */
export interface ConnectOptions {
  token: string;
  /** `GITHUB_API_URL`: other than github.com's on GitHub Enterprise Server. */
  apiUrl: string | undefined;
  /** `GITHUB_REPOSITORY`: `owner/name`. */
  repository: string;
}

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 250;
/** Longer than this, in milliseconds, no limit is waited for. */
const LONGEST_WAIT_MS = 60_000;
const TIMEOUT_MS = 30_000;

interface Refused {
  status?: number;
  response?: { headers?: Record<string, string | number | undefined> };
}

/** Milliseconds that GitHub asks to wait; undefined where it asks for nothing. https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function askedWait({ status, response }: Refused, now: number): number | undefined {
  const headers = response?.headers ?? {};
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after)) return after * 1000;
  if (String(headers['x-ratelimit-remaining']) !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - now) : undefined;
}

/** How long to wait before attempt `next` (2 is the second); undefined where asking again is of no use. */
function waitBefore(next: number, error: unknown): number | undefined {
  const refused = error as Refused;
  const asked = askedWait(refused, Date.now());
  if (asked !== undefined) return asked <= LONGEST_WAIT_MS ? asked : undefined;
  const { status } = refused;
  // Octokit gives 500 to what never reached GitHub.
  if (status !== undefined && status < 500) return undefined;
  return FIRST_WAIT_MS * 2 ** (next - 2);
}

/** Connects; nothing is asked yet. */
export function connect({ token, apiUrl, repository }: ConnectOptions): GitHub {
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = getOctokit(token, { ...(apiUrl && { baseUrl: apiUrl }) });
  octokit.hook.wrap('request', async (ask, options) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask({ ...options, request: { ...options.request, signal: AbortSignal.timeout(TIMEOUT_MS) } });
      } catch (error) {
        const wait = attempt < ATTEMPTS ? waitBefore(attempt + 1, error) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait);
      }
    }
  });
  return { api: octokit, where: { owner, repo } };
}

/** Whether GitHub refuses for lack of permission, or because what is asked for is not shown to this token. */
export function isForbidden(error: unknown): boolean {
  const { status } = error as Refused;
  if (status === 403 || status === 404) return true;
  // GraphQL says it within an answer.
  const { errors } = error as { errors?: { type?: string }[] };
  return errors?.some(({ type }) => type === 'FORBIDDEN' || type === 'NOT_FOUND') ?? false;
}

/** What GitHub said, on one line, without headers or body. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').slice(0, 300);
}
