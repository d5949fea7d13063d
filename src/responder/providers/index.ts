// A Responder that asks a provider live.

import { parseLossless } from '../../request/numbers.ts';
import type { ChatRequest, Json } from '../../request/request.ts';
import type { HttpResult } from '../http.ts';
import type { Proxies } from '../proxy.ts';
import type { Answer, Failure, Responder } from '../responder.ts';
import { type Clock, LONGEST_WAIT_MS, postWithRetries } from '../retry.ts';
import { askedWaitMs, isOutOfCredit } from '../waits.ts';
import type { Codec } from './codec.ts';
import { readEvents } from './event-stream.ts';
import { withImages } from './image-files.ts';
import { builtIn, WIRES, type Wire } from './table.ts';

/** A live provider. */
export interface ProviderSpec {
  /** As the project names it, for messages. */
  name: string;
  wire: Wire;
  /** The base URL where it is not the built-in provider's own. */
  endpoint?: string | undefined;
  /** The variable that holds the key; absent where none is needed. */
  apiKeyEnv?: string | undefined;
  apiKey?: string | undefined;
  /** Per attempt, in seconds. */
  timeoutS: number;
  maxRetries: number;
  /** Absolute paths of the images that requests hold, by digest. */
  images?: ReadonlyMap<string, string> | undefined;
  /** Absent where the provider is asked directly. */
  proxies?: Proxies | undefined;
  /** Called for each attempt after the first. */
  onRetry?: (() => void) | undefined;
  /** The machine's own unless given. */
  clock?: Clock | undefined;
}

const QUOTED_CHARACTERS = 400;

function parse(text: string): Json | undefined {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

/** The body of an answer: JSON, or a stream of events put together. */
function bodyOf(result: HttpResult & { ok: true }, codec: Codec): Json | undefined {
  if (!isStream(result) || !codec.stream || result.status > 299) return parse(result.text);
  const events = readEvents(result.text);
  return events && codec.stream.assemble(events);
}

function isStream({ headers }: HttpResult & { ok: true }): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Whether an answer came in full: garbage and a stream that broke off did not. */
function isWhole(result: HttpResult & { ok: true }, codec: Codec): boolean {
  const body = bodyOf(result, codec);
  return body !== undefined && !(isStream(result) && 'problem' in codec.decode(body));
}

/** Whether a server refuses to answer but in a stream; there is no code for it, only words. */
function wantsStream(result: HttpResult): boolean {
  if (!result.ok || result.status !== 400) return false;
  return /\bstream(?:ing)?\b/i.test(result.text) && /\b(?:only|must|required?|requires|enable)\b/i.test(result.text);
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line;
}

function limitRemedy(result: HttpResult, now: number): string {
  if (isOutOfCredit(result)) return 'The account has no credit left: add some at the provider. What is recorded stays.';
  const wait = askedWaitMs(result, now) ?? 0;
  if (wait > LONGEST_WAIT_MS) {
    return `The provider asks to wait ${Math.ceil(wait / 60_000)} minutes: record again then. What is recorded stays.`;
  }
  return 'Wait, lower `--concurrency`, or raise the limit at the provider. What is recorded stays.';
}

/** What a refusal means and how to mend it. */
function refusal(spec: ProviderSpec, model: string, result: HttpResult & { ok: true }, said: string): Failure {
  const { status } = result;
  const message = `${spec.name} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const key = spec.apiKeyEnv ?? 'api_key_env';
  const remedies: Record<number, () => string> = {
    400: () => 'The provider refuses the request as it is: mend `params`, `tools` or the messages by what it says.',
    401: () => `Check the key in ${key}.`,
    403: () => `Check what the key in ${key} may use; it may not be allowed the model ${model}.`,
    404: () => `The model ${model} does not exist there or is retired: choose another. Else check the base URL.`,
    429: () => limitRemedy(result, Date.now()),
  };
  const remedy = remedies[status]?.();
  return { kind: 'provider', message, ...(remedy !== undefined && { remedy }) };
}

/** A Responder that asks the provider. Without its key every answer says which variable is missing. */
export function provider(spec: ProviderSpec): Responder {
  const wire: Codec = WIRES[spec.wire];
  // What is asked for a vector never streams.
  const { stream: _, ...vectors } = { ...wire, ...wire.embedding };
  const codecOf = ({ kind }: ChatRequest): Codec => (kind === 'embedding' ? vectors : wire);
  const own = builtIn(spec.name);
  const baseUrl = spec.endpoint ?? own?.baseUrl;
  if (baseUrl === undefined) throw new Error(`no base URL for ${spec.name}`);
  // A header carries no white space at the ends, and a variable often has a line end.
  const key = spec.apiKey?.trim() || undefined;
  const headersOf = (request: ChatRequest): Record<string, string> =>
    own?.keyHeader && key ? { [own.keyHeader]: key } : wire.headers(key, request);
  const retryingOf = (codec: Codec) => ({
    maxRetries: spec.maxRetries,
    endpoint: baseUrl,
    isAnswer: (result: HttpResult & { ok: true }) => isWhole(result, codec),
    onRetry: () => spec.onRetry?.(),
    clock: spec.clock,
  });
  let streams = false;
  // A provider may quote the key it refuses; it must reach no report.
  const withoutKey = (text: string) => (key ? text.replaceAll(key, '[key]') : text);
  const quote = (text: string) => quoted(withoutKey(text));

  function read(request: ChatRequest, result: HttpResult): Answer {
    if (!result.ok) {
      if (result.reason === 'aborted') return { ok: false, failure: { kind: 'aborted', message: 'interrupted' } };
      return { ok: false, failure: { kind: 'provider', message: quote(`${spec.name}: ${result.message}`) } };
    }
    const codec = codecOf(request);
    const body = bodyOf(result, codec);
    const location = result.headers.get('location');
    if (result.status >= 300 && result.status <= 399 && location !== null) {
      const message = `${spec.name} answered ${result.status}, a redirect to ${quote(location)}`;
      const remedy = 'Redirects are not followed. Set the base URL to where it leads.';
      return { ok: false, failure: { kind: 'provider', message, remedy } };
    }
    if (result.status < 200 || result.status > 299) {
      const said = (body !== undefined && codec.errorMessage(body)) || result.text;
      return { ok: false, failure: refusal(spec, request.model, result, quote(said)) };
    }
    if (body === undefined) {
      const message = `${spec.name} answered ${result.status}, but not with JSON: ${quote(result.text) || 'nothing'}`;
      return { ok: false, failure: { kind: 'provider', message, remedy: 'Check the base URL.' } };
    }
    const decoded = codec.decode(body);
    if ('problem' in decoded) {
      return {
        ok: false,
        failure: { kind: 'provider', message: quote(`${spec.name}: ${decoded.problem}`) },
      };
    }
    return { ok: true, response: { ...decoded, latencyMs: result.latencyMs }, source: 'live' };
  }

  return {
    async respond(request, signal) {
      if (signal?.aborted) return { ok: false, failure: { kind: 'aborted', message: 'interrupted' } };
      if (spec.apiKeyEnv !== undefined && !key) {
        const message = `${spec.name} needs a key, and ${spec.apiKeyEnv} is not set`;
        return { ok: false, failure: { kind: 'no_key', message, remedy: `Set ${spec.apiKeyEnv} and record again.` } };
      }
      const filled = withImages(request, spec.images);
      if ('problem' in filled) return { ok: false, failure: { kind: 'provider', message: filled.problem } };
      const codec = codecOf(request);
      if (request.kind === 'embedding' && !wire.embedding) throw new Error(`${spec.wire} has no embeddings`);
      const retrying = retryingOf(codec);
      const post = {
        url: `${baseUrl}${codec.path(request)}`,
        headers: headersOf(request),
        body: codec.encode(filled),
        timeoutMs: spec.timeoutS * 1000,
        signal,
        proxies: spec.proxies,
      };
      if (!streams) {
        const result = await postWithRetries(post, retrying);
        if (!codec.stream || !wantsStream(result)) return read(request, result);
        streams = true;
      }
      const path = codec.path(request);
      const streamed = {
        ...post,
        url: `${baseUrl}${codec.stream?.path?.(path) ?? path}`,
        headers: { ...post.headers, accept: 'text/event-stream' },
        body: codec.stream?.ask(post.body),
      };
      return read(request, await postWithRetries(streamed, retrying));
    },
  };
}
