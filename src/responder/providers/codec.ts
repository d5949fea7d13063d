// A wire family: a neutral request into what is sent, and what comes back into a neutral response.

import type { ChatRequest, ChatResponse, Json, JsonObject } from '../../request/request.ts';

/** A response but for its latency, which the transport measures; or why it is none. */
export type Decoded = Omit<ChatResponse, 'latencyMs'> | { problem: string };

/** One wire family. Pure. */
export interface Codec {
  /** What is appended to the base URL. */
  path(request: ChatRequest): string;
  /** The headers that carry the key, where there is one, and what else the wire wants. */
  headers(key: string | undefined, request: ChatRequest): Record<string, string>;
  /** Parameters a case has unless it says otherwise. They are part of its request, so the fingerprint sees them. */
  defaults?(model: string): JsonObject;
  encode(request: ChatRequest): JsonObject;
  /** Reads an answer of status 2xx. */
  decode(body: Json): Decoded;
  /** How to ask for an embedding; absent where the wire has none. */
  embedding?: Pick<Codec, 'path' | 'encode' | 'decode'>;
  /** How to talk to a server that only streams; absent where none is known. */
  stream?: {
    /** The path of the same question as a stream, where it is another. */
    path?(path: string): string;
    /** The same question, asking for a stream. */
    ask(body: JsonObject): JsonObject;
    /** The answer that the events bring in pieces; of a broken stream an answer that is an error. */
    assemble(events: readonly Json[]): Json;
  };
  /** The provider's own words in an answer that is an error. */
  errorMessage(body: Json): string | undefined;
}
