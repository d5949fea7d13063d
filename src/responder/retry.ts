// Asks again what may work the next time: rate limits, server errors, broken connections, garbage.

import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpPost, type HttpResult, sendRequest } from './http.ts';
import { askedWaitMs, isOutOfCredit } from './waits.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;

/** Who asks for a longer wait than this, in milliseconds, is not waited for: a day's allowance is used up. */
export const LONGEST_WAIT_MS = 5 * 60_000;

/** Time and chance, which a test puts its own in the place of. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** 0..1 */
  random(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** How to ask again. */
export interface Retrying {
  /** Attempts after the first. */
  maxRetries: number;
  /** Whose requests wait together when it says 429: the base URL. */
  endpoint: string;
  /** Whether an answer of status 2xx is one; what is none is asked again. */
  isAnswer?(result: HttpResult & { ok: true }): boolean;
  /** Called before each attempt after the first. */
  onRetry?(): void;
  clock?: Clock | undefined;
}

const CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** By endpoint, until when nothing is asked of it, in milliseconds since 1970. */
const pauses = new Map<string, number>();

async function waitForPause(endpoint: string, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    // Another request may have made it longer in the meantime.
    const left = (pauses.get(endpoint) ?? 0) - clock.now();
    if (left <= 0) break;
    await clock.sleep(left, signal);
  }
  pauses.delete(endpoint);
}

function mayWorkLater(result: HttpResult, isAnswer: Retrying['isAnswer']): boolean {
  if (!result.ok) return result.reason === 'timeout' || result.reason === 'transport';
  if (result.status >= 200 && result.status <= 299) return isAnswer?.(result) === false;
  if (result.status === 429) return !isOutOfCredit(result);
  return result.status === 408 || result.status >= 500;
}

/**
 * Sends, and again up to `maxRetries` times: exponential with jitter, or as long as the server asks. After a 429 every
 * request to the endpoint waits, not this one alone. Never rejects.
 */
export async function postWithRetries(post: HttpPost, retrying: Retrying): Promise<HttpResult> {
  const { maxRetries, endpoint, isAnswer, onRetry, clock = CLOCK } = retrying;
  try {
    for (let attempt = 0; ; attempt++) {
      await waitForPause(endpoint, clock, post.signal);
      if (attempt > 0) onRetry?.();
      const result = await sendRequest(post);
      if (!mayWorkLater(result, isAnswer)) return result;
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_BACKOFF_MS) * (0.5 + clock.random() / 2);
      const wait = askedWaitMs(result, clock.now()) ?? backoff;
      if (wait > LONGEST_WAIT_MS) return result;
      const isLimited = result.ok && result.status === 429;
      if (isLimited) pauses.set(endpoint, Math.max(pauses.get(endpoint) ?? 0, clock.now() + wait));
      if (attempt >= maxRetries) return result;
      if (!isLimited) await clock.sleep(wait, post.signal);
    }
  } catch (error) {
    if (!post.signal?.aborted) throw error;
    return { ok: false, reason: 'aborted', message: 'interrupted' };
  }
}
