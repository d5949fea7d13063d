// One HTTP request: a time limit, a size limit, and errors as data.

import { writeLossless } from '../request/numbers.ts';
import { fetchFor, type Proxies } from './proxy.ts';

/** What to send. */
export interface HttpPost {
  url: string;
  /** `POST` unless set. */
  method?: string;
  headers: Record<string, string>;
  /** Sent as JSON, a string as it is; absent where nothing is sent. */
  body?: unknown;
  /** For the whole attempt, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Absent where every server is asked directly. */
  proxies?: Proxies | undefined;
}

/** What came back: an HTTP answer, or why there was none. */
export type HttpResult =
  | { ok: true; status: number; headers: Headers; text: string; latencyMs: number }
  | { ok: false; reason: 'aborted' | 'timeout' | 'too_large' | 'transport' | 'unsendable'; message: string };

/** An answer may have so many bytes; more is refused before it fills the memory. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** The platform's timers take no more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

async function readText(response: globalThis.Response): Promise<string | undefined> {
  const declared = Number(response.headers.get('content-length') ?? 0);
  if (declared > MAX_RESPONSE_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > MAX_RESPONSE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function transportMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = (cause as NodeJS.ErrnoException).code;
  const said = cause.message || error.message;
  return code && !said.includes(code) ? `${said} (${code})` : said;
}

/** Address and headers; or what is wrong with them, which no further attempt mends. */
function targetOf({ url, headers, body }: HttpPost): { url: URL; headers: Headers } | { message: string } {
  try {
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    const own = { ...(body !== undefined && { 'content-type': type }), accept: 'application/json' };
    return { url: new URL(url), headers: new Headers({ ...own, ...headers }) };
  } catch (error) {
    return { message: transportMessage(error) };
  }
}

/** Sends a request and reads the whole answer. Redirects are not followed: the key is for this address alone. Never rejects. */
export async function sendRequest(post: HttpPost): Promise<HttpResult> {
  const { method = 'POST', body, timeoutMs, signal, proxies } = post;
  const timeout = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), LONGEST_TIMEOUT_MS));
  const target = targetOf(post);
  if ('message' in target) return { ok: false, reason: 'unsendable', ...target };
  let send: typeof fetch;
  try {
    send = (await fetchFor(target.url, proxies)) as typeof fetch;
  } catch (error) {
    return { ok: false, reason: 'unsendable', message: `the proxy cannot be used: ${transportMessage(error)}` };
  }
  const begun = performance.now();
  try {
    const response = await send(target.url, {
      method,
      headers: target.headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : writeLossless(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'manual',
    });
    const text = await readText(response);
    if (text === undefined) {
      const message = `the answer is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`;
      return { ok: false, reason: 'too_large', message };
    }
    const latencyMs = Math.round(performance.now() - begun);
    return { ok: true, status: response.status, headers: response.headers, text, latencyMs };
  } catch (error) {
    if (signal?.aborted) return { ok: false, reason: 'aborted', message: 'interrupted' };
    if (timeout.aborted) return { ok: false, reason: 'timeout', message: `no answer within ${timeoutMs / 1000} s` };
    return { ok: false, reason: 'transport', message: transportMessage(error) };
  }
}
