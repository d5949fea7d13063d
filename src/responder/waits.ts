// How long a provider asks us to wait before the next request.

import type { Json, JsonObject } from '../request/request.ts';
import type { HttpResult } from './http.ts';

type Answered = HttpResult & { ok: true };

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as `1m2.5s`, `6ms` or plain seconds, in whole milliseconds; undefined for what is none. */
function durationMs(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    sum += Number(number) * (UNITS_MS[unit as string] as number);
  }
  return Math.ceil(sum);
}

/** A duration or a moment from now on, in milliseconds; what is past is 0. */
function untilMs(text: string, now: number): number | undefined {
  const ms = durationMs(text.trim()) ?? Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/**
 * The limits a provider tells of, as pairs of headers: what remains, and when it is whole again.
 * https://platform.openai.com/docs/guides/rate-limits · https://docs.anthropic.com/en/api/rate-limits
 */
const LIMITS = [
  ...['requests', 'tokens'].map((what) => [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`]),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((what) => [
    `anthropic-ratelimit-${what}-remaining`,
    `anthropic-ratelimit-${what}-reset`,
  ]),
] as [remaining: string, reset: string][];

/** The longest reset among the limits that are used up; the shortest of all where none is said to be. */
function resetMs({ headers }: Answered, now: number): number | undefined {
  const usedUp: number[] = [];
  const all: number[] = [];
  for (const [remaining, reset] of LIMITS) {
    const wait = untilMs(headers.get(reset) ?? '', now);
    if (wait === undefined) continue;
    all.push(wait);
    if (Number(headers.get(remaining) ?? 0) <= 0) usedUp.push(wait);
  }
  if (usedUp.length > 0) return Math.max(...usedUp);
  return all.length > 0 ? Math.min(...all) : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error of an answer, whatever wire it speaks; undefined where there is none. */
function errorOf(text: string): JsonObject | undefined {
  try {
    const body: Json = JSON.parse(text);
    const first = Array.isArray(body) ? body[0] : body;
    return isObject(first) && isObject(first.error) ? first.error : undefined;
  } catch {
    return undefined;
  }
}

/** The `retryDelay` of `google.rpc.RetryInfo` among an error's details, as Gemini sends it. */
function retryDelayMs(text: string): number | undefined {
  const details = errorOf(text)?.details;
  for (const detail of Array.isArray(details) ? details : []) {
    if (isObject(detail) && typeof detail.retryDelay === 'string') return durationMs(detail.retryDelay);
  }
  return undefined;
}

/**
 * How long the server asks us to wait, in milliseconds from `now` on; undefined where it does not say.
 * `Retry-After` in seconds or as a date (RFC 9110, 10.2.3) comes first; of an answer of status 429 the provider's own
 * words count too.
 */
export function askedWaitMs(result: HttpResult, now: number): number | undefined {
  if (!result.ok) return undefined;
  const exact = result.headers.get('retry-after-ms');
  const after = result.headers.get('retry-after');
  const asked = durationMs(`${exact}ms`) ?? untilMs(after ?? '', now);
  if (asked !== undefined || result.status !== 429) return asked;
  return retryDelayMs(result.text) ?? resetMs(result, now);
}

/** Whether an answer says that the account's money or allowance is used up, which no waiting mends. */
export function isOutOfCredit(result: HttpResult): boolean {
  if (!result.ok || result.status !== 429) return false;
  const error = errorOf(result.text);
  return error?.code === 'insufficient_quota' || error?.type === 'insufficient_quota';
}
