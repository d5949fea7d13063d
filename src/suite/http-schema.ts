// An HTTP service as what is under test: `target: {http: …}`.

import { z } from 'zod';
import type { Json, JsonObject } from '../request/request.ts';
import type { ProviderChoice } from '../responder/choice.ts';
import { INPUT_PLACE, takesInput } from '../responder/endpoint.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const WITHOUT_BODY: readonly string[] = ['GET'];
/** Where the path, the query or the fragment begins. */
const ORIGIN = /^https?:\/\/[^/?#\s{}]+/i;

/** Names of headers, RFC 9110, section 5.1. */
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { message: 'must be the name of a header: `X-Shop`' });
const headerValue = z.string().regex(/^[^\r\n\0]*$/, { message: 'must be one line' });

const url = z.string().superRefine((value, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message });
  const filled = value.replaceAll(INPUT_PLACE, 'x');
  const parsed = URL.canParse(filled) ? new URL(filled) : undefined;
  if (!parsed || !/^https?:\/\//i.test(value)) complain('must be an http or https URL: `https://shop.example/ask`');
  else if (!ORIGIN.test(value)) complain(`may hold ${INPUT_PLACE} in its path or query only`);
  else if (parsed.username !== '' || parsed.password !== '')
    complain('must hold no user name or password; name the key’s variable in `api_key_env`');
  else if (/\s/.test(value)) complain('must hold no white space');
});

/** What a `target` says under `http`. */
export const httpTarget = z
  .strictObject({
    url: url.describe(`Where it is asked; \`${INPUT_PLACE}\` in it is the case’s input, percent-encoded.`),
    method: z.enum(METHODS).describe('`POST` where there is a body, `GET` where there is none, unless set.').optional(),
    headers: z.record(headerName, headerValue).describe('Headers besides that of the key.').optional(),
    body: (z.json() as z.ZodType<Json>)
      .describe(`Sent as JSON, a string as it is; \`${INPUT_PLACE}\` in its strings is the case’s input.`)
      .optional(),
    response: z
      .string()
      .regex(/^(?:\/(?:[^~]|~[01])*)?$/, { message: 'must be a JSON pointer: `/choices/0/text`' })
      .describe('A JSON pointer (RFC 6901) to the answer in what comes back; all of it unless set.')
      .optional(),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'must be the name of an environment variable, not the key itself' })
      .describe('The environment variable that holds the key; leave it out where none is needed.')
      .optional(),
    auth_header: headerName.describe('The header that carries the key; `Authorization` unless set.').optional(),
    auth_prefix: z
      .string()
      .describe('What stands before the key; `Bearer ` in `Authorization`, else nothing, unless set.')
      .optional(),
  })
  .superRefine(({ url: where, method, headers = {}, body, api_key_env: env, ...auth }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (!takesInput(where) && !takesInput(body) && context.issues.length === 0)
      complain([], `sends the input nowhere: write \`${INPUT_PLACE}\` into \`url\` or \`body\``);
    if (body !== undefined && method !== undefined && WITHOUT_BODY.includes(method))
      complain(['body'], `cannot be sent with ${method}`);
    const names = Object.keys(headers);
    const twin = names.find((name, at) => names.findIndex((one) => isSameHeader(one, name)) !== at);
    if (twin !== undefined) complain(['headers', twin], 'stands there twice');
    if (env === undefined) {
      for (const key of ['auth_header', 'auth_prefix'] as const)
        if (auth[key] !== undefined) complain([key], 'needs `api_key_env`, which names the key’s variable');
      return;
    }
    const keyHeader = auth.auth_header ?? AUTHORIZATION;
    const own = names.find((name) => isSameHeader(name, keyHeader));
    if (own !== undefined) complain(['headers', own], 'is the header of the key, which `api_key_env` fills');
  })
  .describe('An HTTP service under test. What it answers is recorded.');

const AUTHORIZATION = 'Authorization';

function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** How a service is asked, as a case plans it. */
export interface ServicePlan {
  provider: ProviderChoice;
  /** The method. */
  model: string;
  /** URL, headers, body and pointer, as they stand in the suite; names in code-unit order. */
  params: JsonObject;
}

/** A service under test, in the words of a request. */
export function serviceOf(
  { url: where, method, headers, body, response, ...key }: z.output<typeof httpTarget>,
  { timeoutS, maxRetries }: Pick<ProviderChoice, 'timeoutS' | 'maxRetries'>,
): ServicePlan {
  const header = key.auth_header ?? AUTHORIZATION;
  const prefix = key.auth_prefix ?? (isSameHeader(header, AUTHORIZATION) ? 'Bearer ' : '');
  const lower = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  lower.sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    provider: {
      name: 'http',
      wire: 'http',
      ...(key.api_key_env !== undefined && { apiKeyEnv: key.api_key_env, auth: { header, prefix } }),
      timeoutS,
      maxRetries,
    },
    model: method ?? (body === undefined ? 'GET' : 'POST'),
    params: {
      ...(body !== undefined && { body }),
      ...(lower.length > 0 && { headers: Object.fromEntries(lower) }),
      ...(response !== undefined && { response }),
      url: where,
    },
  };
}
