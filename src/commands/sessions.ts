// How each mode answers the takes of one case, and what of it is written.

import path from 'node:path';
import { type Cassette, type Prompt, rebuildRequests, type Take } from '../cassette/cassette.ts';
import { keepUnchanged } from '../cassette/keep.ts';
import { openPending, type Store, today } from '../cassette/store.ts';
import { UserError } from '../errors.ts';
import { identify } from '../request/fingerprint.ts';
import type { ChatRequest } from '../request/request.ts';
import type { SecretValues } from '../request/secret.ts';
import { explainMiss } from '../responder/miss.ts';
import { emptyPlayer, player } from '../responder/player.ts';
import { provider } from '../responder/providers/index.ts';
import { proxiesOf } from '../responder/proxy.ts';
import { recorder } from '../responder/recorder.ts';
import { askReal, redactAnswers } from '../responder/redacting.ts';
import type { Responder } from '../responder/responder.ts';
import { scripted } from '../responder/scripted.ts';
import type { OpenSessions, Session } from '../run/case.ts';
import type { RunMode } from '../run/result.ts';
import { isRecorded } from '../suite/live-code.ts';
import type { PlannedCase } from '../suite/plan.ts';
import { guarded, type Spending } from './spending.ts';

/** What the sessions of a run share. */
export interface SessionFacts {
  root: string;
  store: Store;
  mode: RunMode;
  resume: boolean;
  /** Absent where live answers may cost what they will. */
  spending?: Spending;
  env: Record<string, string | undefined>;
  /** Values of the secret variables that are set, keys of providers among them. */
  secrets: SecretValues;
}

/** The sessions of one case, and what happens when it is over. */
export interface CaseSessions {
  open: OpenSessions;
  /** Writes the cassette, where something was recorded and all takes are in. */
  save(): void;
  /** Gives back what the case holds. */
  close(): void;
}

function play(take: Take, at: number, openPrompt: (digest: string) => Prompt): Session {
  const responder = player(take, (request, place) =>
    explainMiss(request, rebuildRequests(take, openPrompt), {
      take: at,
      fingerprint: identify(request).fingerprint,
      ...place,
    }),
  );
  return { responder, unused: responder.unused, recorded: take.recorded };
}

function missing(reason: 'no_cassette' | 'no_take', take: number): Session {
  const responder = emptyPlayer((request: ChatRequest) => ({
    reason,
    take,
    turn: 1,
    fingerprint: identify(request).fingerprint,
  }));
  return { responder, unused: responder.unused };
}

function liveResponder(
  { provider: choice, images: files }: PlannedCase,
  { root, env, secrets }: SessionFacts,
  onRetry: () => void,
): Responder {
  if (choice.wire === 'script') throw new Error('a script is not live');
  const { name, wire, endpoint, apiKeyEnv, timeoutS, maxRetries } = choice;
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  const proxies = proxiesOf(env);
  const images = files && new Map([...files].map(([digest, file]) => [digest, path.join(root, file)]));
  const live = provider({ name, wire, endpoint, apiKeyEnv, apiKey, timeoutS, maxRetries, images, proxies, onRetry });
  return redactAnswers(askReal(live, secrets), secrets);
}

const NOTHING = () => {};

function noQuestion(): never {
  throw new Error('a command asks no model');
}

/** The cassette as it stands. A full record replaces it, so there damage is mended, not told. */
function readOld({ suite, name }: PlannedCase, { mode, store }: SessionFacts): Cassette | undefined {
  if (mode === 'off') return undefined;
  try {
    return store.read(suite, name);
  } catch (error) {
    if (mode === 'record' && error instanceof UserError) return undefined;
    throw error;
  }
}

/** How the takes of `planned` are answered in this run's mode. Throws UserError where its cassette is damaged. */
export function openCase(planned: PlannedCase, given: SessionFacts): CaseSessions {
  // What is never recorded is neither read nor written.
  const facts: SessionFacts = isRecorded(planned) ? given : { ...given, mode: 'off' };
  const { store, mode, root } = facts;
  const { suite, name, script, repeat } = planned;
  if (planned.command) {
    const open: OpenSessions = () => [() => ({ responder: emptyPlayer(noQuestion), unused: () => 0 })];
    return { open, save: NOTHING, close: NOTHING };
  }
  if (script) {
    const answers = () => redactAnswers(scripted(script), facts.secrets);
    const open: OpenSessions = () => [() => ({ responder: answers(), unused: () => 0 })];
    return { open, save: NOTHING, close: NOTHING };
  }
  const old = readOld(planned, facts);
  const openPrompt = store.openPrompt(suite);
  const fresh = new Map<number, Take>();
  const prompts = new Map<string, Prompt>();
  let unlock: (() => void) | undefined;

  const replay = (take: number) => () => {
    const recorded = old?.takes[take - 1];
    return recorded ? play(recorded, take, openPrompt) : missing(old ? 'no_take' : 'no_cassette', take);
  };

  const record = (take: number) => (): Session => {
    if (mode !== 'off') unlock ??= store.lock(suite, name);
    let retries = 0;
    const live = liveResponder(planned, facts, () => retries++);
    const { spending } = facts;
    const asked = spending ? guarded(live, spending, { planned, take: old?.takes[take - 1] }) : live;
    const responder = recorder(asked, { ownPrompt: planned.ownPrompt === true });
    const finish = () => {
      const taken = { recorded: today(), interactions: responder.interactions() };
      fresh.set(take, taken);
      for (const [digest, prompt] of responder.prompts()) prompts.set(digest, prompt);
      // A case of one take is written at once; of several, the paid ones wait for the rest.
      if (repeat > 1) openPending(root, take).write({ suite, case: name, takes: [taken] }, responder.prompts());
    };
    return { responder, unused: () => 0, retries: () => retries, today: today(), ...(mode !== 'off' && { finish }) };
  };

  const resumed = (take: number): (() => Session)[] => {
    const pending = openPending(root, take);
    const waiting = facts.resume ? pending.read(suite, name)?.takes[0] : undefined;
    if (!waiting) return [];
    const openWaiting = pending.openPrompt(suite);
    const finish = () => {
      fresh.set(take, waiting);
      for (const { start } of waiting.interactions) {
        if (start?.prompt !== undefined) prompts.set(start.prompt, openWaiting(start.prompt));
      }
    };
    return [() => ({ ...play(waiting, take, openWaiting), finish })];
  };

  const WAYS: Record<RunMode, OpenSessions> = {
    replay: (take) => [replay(take)],
    record: (take) => [...resumed(take), record(take)],
    auto: (take) => [replay(take), ...resumed(take), record(take)],
    off: (take) => [record(take)],
  };

  function save(): void {
    if (fresh.size === 0) return;
    const takes: Take[] = [];
    for (let take = 1; take <= repeat; take++) {
      const before = old?.takes[take - 1];
      const taken = fresh.get(take);
      const kept = taken ? keepUnchanged(taken, before) : before;
      // A take is still missing: what there is waits among the pending.
      if (!kept) return;
      takes.push(kept);
    }
    if (mode === 'record' && fresh.size < repeat) return;
    store.write({ suite, case: name, takes }, prompts);
    if (repeat > 1) for (let take = 1; take <= repeat; take++) openPending(root, take).remove(suite, name);
  }

  return { open: WAYS[mode], save, close: () => unlock?.() };
}
