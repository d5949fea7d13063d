// An HTTP service under test: what the suite says is sent with the input put in, and what comes back is the answer.

import { isObject } from '../request/json.ts';
import { markedValue, writeLossless } from '../request/numbers.ts';
import { type ChatRequest, inputText, type Json, type JsonObject } from '../request/request.ts';
import { mapTexts } from '../request/secret.ts';
import type { ProviderChoice } from './choice.ts';
import type { HttpResult } from './http.ts';
import type { Proxies } from './proxy.ts';
import type { Answer, Failure, Responder } from './responder.ts';
import { type Clock, postWithRetries } from './retry.ts';

/** Where the input goes. */
export const INPUT_PLACE = '{{input}}';

/** Whether the input goes anywhere in a value's strings. */
export function takesInput(value: Json | undefined): boolean {
  let found = false;
  mapTexts(value, (text) => {
    found ||= text.includes(INPUT_PLACE);
    return text;
  });
  return found;
}

/** A service and how it is asked; the rest stands in the request. */
export interface EndpointSpec extends Pick<ProviderChoice, 'apiKeyEnv' | 'auth' | 'timeoutS' | 'maxRetries'> {
  apiKey?: string | undefined;
  proxies?: Proxies | undefined;
  onRetry?: (() => void) | undefined;
  /** The machine's own unless given. */
  clock?: Clock | undefined;
}

const QUOTED_CHARACTERS = 400;

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line;
}

/** What stands at a JSON pointer, RFC 6901; undefined where nothing does. */
function pointedTo(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(name) ? at[Number(name)] : undefined;
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/** The answer in a body: a string as it is, other JSON on a line, what is no JSON as it is. */
function answerIn(body: string, pointer: string | undefined): { text: string } | { problem: string } {
  let value: Json | undefined;
  try {
    value = markedValue(body);
  } catch {
    if (pointer !== undefined) return { problem: `answered no JSON, so nothing at ${pointer}: ${quoted(body)}` };
    return { text: body };
  }
  const found = pointer === undefined ? value : pointedTo(value, pointer);
  if (found === undefined) return { problem: `answered nothing at ${pointer}: ${quoted(body)}` };
  return { text: typeof found === 'string' ? found : writeLossless(found) };
}

const REMEDIES: Record<number, string> = {
  401: 'Check the key: `api_key_env` names its variable.',
  403: 'Check what the key may do.',
  404: 'Check `url`.',
  405: 'Check `method`.',
};

/** A Responder that asks the service of each request. Without its key every answer says which variable is missing. */
export function endpoint(spec: EndpointSpec): Responder {
  // A header carries no white space at the ends, and a variable often has a line end.
  const key = spec.apiKey?.trim() || undefined;
  // A service may quote the key it refuses; it must reach no report.
  const withoutKey = (text: string) => (key ? text.replaceAll(key, '[key]') : text);
  const failed = (message: string, remedy?: string): Answer => {
    const failure: Failure = {
      kind: 'provider',
      message: withoutKey(message),
      ...(remedy !== undefined && { remedy }),
    };
    return { ok: false, failure };
  };

  function read(result: HttpResult, { url, pointer }: { url: string; pointer: string | undefined }): Answer {
    const { host } = new URL(url);
    if (!result.ok) {
      if (result.reason === 'aborted') return { ok: false, failure: { kind: 'aborted', message: 'interrupted' } };
      return failed(quoted(`${host}: ${result.message}`));
    }
    const { status, headers, text, latencyMs } = result;
    const location = headers.get('location');
    if (status >= 300 && status <= 399 && location !== null) {
      const remedy = 'Redirects are not followed. Set `url` to where it leads.';
      return failed(quoted(`${host} answered ${status}, a redirect to ${location}`), remedy);
    }
    if (status < 200 || status > 299) {
      const said = quoted(text);
      return failed(`${host} answered ${status}${said === '' ? '' : `: ${said}`}`, REMEDIES[status]);
    }
    const answer = answerIn(text, pointer);
    if ('problem' in answer) return failed(`${host} ${answer.problem}`, 'Check `response`.');
    const content = [{ type: 'text' as const, text: answer.text }];
    return { ok: true, response: { content, stop: 'end_turn', latencyMs }, source: 'live' };
  }

  return {
    async respond({ model: method, params = {}, messages }: ChatRequest, signal) {
      if (signal?.aborted) return { ok: false, failure: { kind: 'aborted', message: 'interrupted' } };
      const { apiKeyEnv, auth } = spec;
      if (apiKeyEnv !== undefined && !key) {
        const message = `the service needs a key, and ${apiKeyEnv} is not set`;
        return { ok: false, failure: { kind: 'no_key', message, remedy: `Set ${apiKeyEnv} and record again.` } };
      }
      const { url: where, headers, body, response } = params as ServiceParams;
      const input = inputText(messages);
      const url = where.replaceAll(INPUT_PLACE, () => encodeURIComponent(Buffer.from(input).toString()));
      const filled = mapTexts(body, (text) => text.replaceAll(INPUT_PLACE, () => input));
      const result = await postWithRetries(
        {
          url,
          method,
          headers: { accept: '*/*', ...headers, ...(key && auth && { [auth.header]: `${auth.prefix}${key}` }) },
          ...(filled !== undefined && { body: filled }),
          timeoutMs: spec.timeoutS * 1000,
          signal,
          proxies: spec.proxies,
        },
        {
          maxRetries: spec.maxRetries,
          endpoint: new URL(url).origin,
          onRetry: () => spec.onRetry?.(),
          clock: spec.clock,
        },
      );
      return read(result, { url, pointer: response });
    },
  };
}

/** The parameters of a request to a service. */
interface ServiceParams extends JsonObject {
  url: string;
  headers: Record<string, string>;
  body: Json;
  response: string;
}
