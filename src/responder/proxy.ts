// Proxies as the environment names them, for live requests alone.

/** Addresses of proxies; empty where there is none. */
export interface Proxies {
  /** For `http:` and, where `https` is empty, for `https:` too. */
  http: string;
  https: string;
  /** Hosts that are asked directly, as in NO_PROXY. */
  no: string;
}

function withScheme(address: string): string {
  return address === '' || address.includes('://') ? address : `http://${address}`;
}

/** What HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, lower case first as with other tools; undefined where no proxy is named. */
export function proxiesOf(env: Record<string, string | undefined>): Proxies | undefined {
  const read = (name: string) => (env[name.toLowerCase()] || env[name] || '').trim();
  const proxies = {
    http: withScheme(read('HTTP_PROXY')),
    https: withScheme(read('HTTPS_PROXY')),
    no: read('NO_PROXY'),
  };
  return proxies.http === '' && proxies.https === '' ? undefined : proxies;
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Fetch = (url: URL, init: RequestInit) => Promise<globalThis.Response>;

const fetches = new Map<string, Promise<Fetch>>();

async function load({ http, https, no }: Proxies): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import('undici');
  const { emitWarning } = process;
  // It warns that it may change in a later version, which is no news to a user.
  process.emitWarning = () => {};
  try {
    const dispatcher = new EnvHttpProxyAgent({ httpProxy: http, httpsProxy: https, noProxy: no });
    const send = fetchThrough as unknown as (url: URL, init: object) => Promise<globalThis.Response>;
    return (url, init) => send(url, { ...init, dispatcher });
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** What sends a request to `url`: the platform's own `fetch`, or one through a proxy. This machine needs none. Rejects where a proxy's address is none. */
export async function fetchFor(url: URL, proxies: Proxies | undefined): Promise<Fetch> {
  if (!proxies || LOOPBACK.test(url.hostname)) return fetch;
  const key = JSON.stringify(proxies);
  const known = fetches.get(key) ?? load(proxies);
  fetches.set(key, known);
  return known;
}
