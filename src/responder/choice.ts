// Who is asked: a provider as a case, or an expectation of it, uses it.

import type { JsonObject } from '../request/request.ts';
import { builtIn, type Wire } from './providers/table.ts';

/** A provider as a case uses it. */
export interface ProviderChoice {
  /** As the project names it: a built-in one, `script`, or an entry of `providers:`. */
  name: string;
  /** The wire spoken. */
  wire: Wire | 'script' | 'http';
  /** The base URL, only where the config sets one that is not the provider's own. Part of the fingerprint. */
  endpoint?: string;
  /** The environment variable with the key; absent where none is needed. */
  apiKeyEnv?: string;
  /** The header that carries the key of an HTTP service under test, and what stands before it. */
  auth?: { header: string; prefix: string };
  /** Per attempt, in seconds. */
  timeoutS: number;
  maxRetries: number;
}

/** What of a provider stands in a request: an entry of `providers:` counts by its wire and endpoint, not by its alias. */
export function identityOf({ name, wire, endpoint }: ProviderChoice): { provider: string; endpoint?: string } {
  return {
    provider: builtIn(name)?.wire === wire ? name : wire,
    ...(endpoint !== undefined && { endpoint }),
  };
}

/** Whom an expectation asks. */
export interface GraderChoice {
  provider: ProviderChoice;
  model: string;
  /** Names in code-unit order; absent where none is sent. */
  params?: JsonObject;
}
