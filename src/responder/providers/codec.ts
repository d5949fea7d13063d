// A wire family: a neutral request into what is sent, and what comes back into a neutral response.

import type { ChatRequest, ChatResponse, Json, JsonObject } from '../../request/request.ts';

/** A response but for its latency, which the transport measures; or why it is none. */
export type Decoded = Omit<ChatResponse, 'latencyMs'> | { problem: string };

/** One wire family. Pure. */
export interface Codec {
  /** The provider's own base URL, without trailing slash. */
  baseUrl: string;
  path(request: ChatRequest): string;
  /** The headers that carry the key. */
  headers(key: string): Record<string, string>;
  encode(request: ChatRequest): JsonObject;
  /** Reads an answer of status 2xx. */
  decode(body: Json): Decoded;
  /** The provider's own words in an answer that is an error. */
  errorMessage(body: Json): string | undefined;
}
