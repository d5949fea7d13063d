// How each mode answers the takes of one case, and what of it is written.

import path from 'node:path';
import {
  type Cassette,
  type Interaction,
  type OpenPrompt,
  type Prompt,
  promptDigestsOf,
  rebuildRequests,
  type Take,
} from '../cassette/cassette.ts';
import { keepUnchanged } from '../cassette/keep.ts';
import { openPending, type Store, today } from '../cassette/store.ts';
import { UserError } from '../errors.ts';
import { identify } from '../request/fingerprint.ts';
import type { ChatRequest } from '../request/request.ts';
import type { SecretValues } from '../request/secret.ts';
import type { ProviderChoice } from '../responder/choice.ts';
import { endpoint as httpEndpoint } from '../responder/endpoint.ts';
import { type Graders, graders, type Question } from '../responder/graders.ts';
import { allDifferences, explainMiss } from '../responder/miss.ts';
import { emptyPlayer, player } from '../responder/player.ts';
import { provider } from '../responder/providers/index.ts';
import { proxiesOf } from '../responder/proxy.ts';
import { recorder } from '../responder/recorder.ts';
import { askReal, redactAnswers } from '../responder/redacting.ts';
import type { Miss, Responder } from '../responder/responder.ts';
import { scripted } from '../responder/scripted.ts';
import type { OpenSessions, Session } from '../run/case.ts';
import type { RunMode } from '../run/result.ts';
import { gradersOf } from '../suite/graders.ts';
import type { ImageFiles } from '../suite/images.ts';
import { isRecorded } from '../suite/live-code.ts';
import type { PlannedCase } from '../suite/plan.ts';
import { askedOf, guarded, type Spending } from './spending.ts';

/** What the sessions of a run share. */
export interface SessionFacts {
  root: string;
  store: Store;
  mode: RunMode;
  resume: boolean;
  /** Ask all graders again, though conversations are replayed. */
  rejudge?: boolean | undefined;
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
    explainMiss(request, rebuildRequests(take.interactions, openPrompt), {
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

/** Asks a provider live; `files` are the images that requests may hold. */
function liveResponder(
  choice: ProviderChoice,
  { root, env, secrets }: SessionFacts,
  { onRetry, files }: { onRetry: () => void; files?: ImageFiles | undefined },
): Responder {
  if (choice.wire === 'script') throw new Error('a script is not live');
  const { name, wire, endpoint, apiKeyEnv, timeoutS, maxRetries } = choice;
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  const proxies = proxiesOf(env);
  const ask = (live: Responder) => redactAnswers(askReal(live, secrets), secrets);
  if (wire === 'http') return ask(httpEndpoint({ ...choice, apiKey, proxies, onRetry }));
  const images = files && new Map([...files].map(([digest, file]) => [digest, path.join(root, file)]));
  const live = provider({ name, wire, endpoint, apiKeyEnv, apiKey, timeoutS, maxRetries, images, proxies, onRetry });
  return ask(live);
}

/** The miss of an expectation's question: compared with what the same kind asked at its place, else last. */
function questionMiss(
  { for: kind, request }: Question,
  at: number,
  { take, recorded, openPrompt }: { take: number; recorded: Take | undefined; openPrompt: OpenPrompt },
): Miss {
  const gradings = recorded?.graders ?? [];
  const { fingerprint } = identify(request);
  const place = { take, turn: (recorded?.interactions.length ?? 0) + at + 1, for: kind, fingerprint };
  const nearest = gradings[at]?.for === kind ? gradings[at] : gradings.findLast((one) => one.for === kind);
  if (!nearest) return { reason: recorded ? 'longer' : 'no_cassette', ...place };
  const [old] = rebuildRequests([nearest], openPrompt);
  const [difference] = old ? allDifferences(old, request) : [];
  // An equal question that was served already is one more than was recorded.
  return difference ? { reason: 'differs', ...place, difference } : { reason: 'exhausted', ...place };
}

/** Who is asked live, with the images of what is asked. */
interface Asked {
  provider: ProviderChoice;
  model: string;
  files?: ImageFiles | undefined;
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
  const { store, mode, root, spending } = facts;
  const { suite, name, script, command, repeat } = planned;
  const isGraded = gradersOf(planned.expect).length > 0;
  const old = isRecorded(planned) ? readOld(planned, facts) : undefined;
  const openPrompt = store.openPrompt(suite);
  const fresh = new Map<number, Take>();
  const prompts = new Map<string, Prompt>();
  let unlock: (() => void) | undefined;
  const lock = () => {
    if (mode !== 'off') unlock ??= store.lock(suite, name);
  };

  /** Who is asked live, within the budget; `recorded` are the tokens of what was asked before. */
  function live(choice: Asked, recorded: readonly Interaction[], onRetry: () => void): Responder {
    const asked = liveResponder(choice.provider, facts, { onRetry, files: choice.files });
    const usages = recorded.map(({ response }) => response.usage);
    // What a service spends is not known, so no budget bounds it.
    return spending && choice.provider.wire !== 'http'
      ? guarded(asked, spending, { asked: askedOf(choice, spending.day), usages })
      : asked;
  }

  /** Answers what the expectations of a take ask, from `recorded` and, where the mode says so, live. */
  function gradersOn(take: number, recorded: Take | undefined, onRetry: () => void = NOTHING): Graders | undefined {
    if (!isGraded) return undefined;
    const isAsked = mode !== 'replay' || facts.rejudge === true;
    const isKept = mode === 'replay' ? !isAsked : mode === 'auto' || recorded !== old?.takes[take - 1];
    const models = new Map(gradersOf(planned.expect).map((by) => [by.provider, by.model]));
    return graders({
      recorded: (isKept && recorded?.graders) || [],
      ...(isAsked && {
        live: (by: ProviderChoice) => {
          lock();
          return live({ provider: by, model: models.get(by) ?? '' }, [], onRetry);
        },
      }),
      explain: (question, at) => questionMiss(question, at, { take, recorded, openPrompt }),
    });
  }

  /** Keeps a take that is to be written. What could not be graded waits for `--resume`, without what its graders said. */
  function keep(take: number, { recorded, interactions }: Take, graded?: { by: Graders | undefined; whole: boolean }) {
    const gradings = graded?.whole ? (graded.by?.gradings() ?? []) : [];
    const taken: Take = { recorded, interactions, ...(gradings.length > 0 && { graders: gradings }) };
    for (const [digest, prompt] of graded?.by?.prompts() ?? []) prompts.set(digest, prompt);
    fresh.set(take, taken);
    const isWaiting = repeat > 1 || !(graded?.whole ?? true);
    if (isWaiting && taken.interactions.length > 0) {
      openPending(root, take).write({ suite, case: name, takes: [taken] }, prompts);
    }
  }

  const replay = (take: number) => (): Session => {
    const recorded = old?.takes[take - 1];
    const by = gradersOn(take, recorded);
    const session = recorded ? play(recorded, take, openPrompt) : missing(old ? 'no_take' : 'no_cassette', take);
    const finish = (whole: boolean) => {
      // What the conversation asked stands; only the answers of graders are new.
      if (recorded && whole && by?.isFresh()) keep(take, recorded, { by, whole });
    };
    return { ...session, today: today(), ...(by && { graders: by, finish }) };
  };

  const record = (take: number) => (): Session => {
    lock();
    let retries = 0;
    const before = old?.takes[take - 1];
    const onRetry = () => retries++;
    const asked = live({ ...planned, files: planned.images }, before?.interactions ?? [], onRetry);
    const responder = recorder(asked, { ownPrompt: planned.ownPrompt === true });
    const by = gradersOn(take, before, onRetry);
    const finish = (whole: boolean) => {
      for (const [digest, prompt] of responder.prompts()) prompts.set(digest, prompt);
      keep(take, { recorded: today(), interactions: responder.interactions() }, { by, whole });
    };
    return {
      responder,
      unused: () => 0,
      retries: () => retries,
      today: today(),
      ...(by && { graders: by }),
      ...(mode !== 'off' && { finish }),
    };
  };

  /** A command or a script answers; what its expectations ask is recorded. */
  const own = (take: number) => (): Session => {
    const responder = script ? redactAnswers(scripted(script), facts.secrets) : emptyPlayer(noQuestion);
    const recorded = old?.takes[take - 1];
    const by = gradersOn(take, recorded);
    const finish = (whole: boolean) => {
      const day = by?.gradings().every((one) => recorded?.graders?.includes(one)) ? recorded?.recorded : undefined;
      if (whole && mode !== 'off' && by?.isFresh())
        keep(take, { recorded: day ?? today(), interactions: [] }, { by, whole });
    };
    const day = by && recorded && { recorded: recorded.recorded };
    return { responder, unused: () => 0, today: today(), ...day, ...(by && { graders: by, finish }) };
  };

  const resumed = (take: number): (() => Session)[] => {
    const pending = openPending(root, take);
    const waiting = facts.resume ? pending.read(suite, name)?.takes[0] : undefined;
    if (!waiting) return [];
    const openWaiting = pending.openPrompt(suite);
    return [
      () => {
        const by = gradersOn(take, waiting);
        const finish = (whole: boolean) => {
          for (const digest of promptDigestsOf({ takes: [waiting] })) prompts.set(digest, openWaiting(digest));
          keep(take, waiting, { by, whole });
        };
        return { ...play(waiting, take, openWaiting), today: today(), ...(by && { graders: by }), finish };
      },
    ];
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
    if (repeat > 1 || facts.resume) {
      for (let take = 1; take <= repeat; take++) openPending(root, take).remove(suite, name);
    }
  }

  const open: OpenSessions = script || command ? (take) => [own(take)] : WAYS[mode];
  return { open, save, close: () => unlock?.() };
}
