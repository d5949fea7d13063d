// The port to whatever answers a Request: a provider, a player, a recorder, a script.

import type { Request, Response } from '../request/request.ts';

/** Where an answer came from; `code` is a command of the project's. */
export type Source = 'cassette' | 'live' | 'script' | 'code';

/** One place where a request and its nearest recording differ. */
export interface Difference {
  /** Where, as a path into the request: `tools[1].description`, `messages[2].content`. */
  path: string;
  /** What was recorded; absent where nothing stood there. */
  recorded?: string;
  /** What is asked now; absent where nothing stands there. */
  now?: string;
}

/** Why a request has no answer on the cassette. */
export interface Miss {
  /** `no_cassette`: no file · `no_take`: fewer takes than asked · `differs`: the request changed · `exhausted`: all equal requests were served · `longer`: the recording ended before. */
  reason: 'no_cassette' | 'no_take' | 'differs' | 'exhausted' | 'longer';
  /** 1-based. */
  take: number;
  /** 1-based; of an expectation's question its place after the recorded conversation. */
  turn: number;
  /** The kind of expectation whose question it is; absent where the model under test is asked. */
  for?: 'judge' | 'similar';
  fingerprint: string;
  /** The first difference to the nearest recording. */
  difference?: Difference;
  /** `suite::case` of a recording that no case owns and that answers this one in full: the case was renamed. */
  renamed?: string;
}

/** Why there is no answer. */
export type Failure =
  | { kind: 'unrecorded'; miss: Miss }
  | { kind: 'no_key'; message: string; remedy: string }
  | { kind: 'provider'; message: string; remedy?: string }
  | { kind: 'aborted'; message: string };

/** A Response, or why there is none. */
export type Answer = { ok: true; response: Response; source: Source } | { ok: false; failure: Failure };

/** Anything that answers a Request. Never rejects for what a provider or a cassette does: that is a Failure. */
export interface Responder {
  respond(request: Request, signal?: AbortSignal): Promise<Answer>;
}
