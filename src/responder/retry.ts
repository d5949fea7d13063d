// Asks again what may work the next time: rate limits, server errors, broken connections.

import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpPost, type HttpResult, postJson } from './http.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

function mayWorkLater(result: HttpResult): boolean {
  if (result.ok) return result.status === 408 || result.status === 429 || result.status >= 500;
  return result.reason === 'timeout' || result.reason === 'transport';
}

/** How long the server asks us to wait, in milliseconds: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(result: HttpResult): number | undefined {
  const value = result.ok ? result.headers.get('retry-after') : null;
  if (!value) return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_WAIT_MS) : undefined;
}

/** Posts, and again up to `maxRetries` times: exponential with jitter, or as long as the server asks, one minute at most. */
export async function postWithRetries(post: HttpPost, maxRetries: number): Promise<HttpResult> {
  for (let attempt = 0; ; attempt++) {
    const result = await postJson(post);
    if (attempt >= maxRetries || !mayWorkLater(result)) return result;
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
    try {
      await sleep(retryAfterMs(result) ?? backoff, undefined, { signal: post.signal });
    } catch {
      return { ok: false, reason: 'aborted', message: 'interrupted' };
    }
  }
}
