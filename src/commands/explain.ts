// `retake explain`: replays one case up to its first miss and gives both requests, whole; prints nothing.

import { type Grading, type OpenPrompt, rebuildRequests, type Take } from '../cassette/cassette.ts';
import { openStore, type Store } from '../cassette/store.ts';
import type { Explanation, Unanswered } from '../render/explain.ts';
import type { ChatRequest } from '../request/request.ts';
import { allDifferences } from '../responder/miss.ts';
import type { Answer, Miss } from '../responder/responder.ts';
import { type OpenSessions, runCase } from '../run/case.ts';
import { scorerOf } from '../score/index.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject, type Project } from '../suite/load.ts';
import { findCase } from '../suite/names.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { codeRunner } from './live-code.ts';
import { lookForRenames } from './renames.ts';
import { secretValues } from './secrets.ts';
import { openCase } from './sessions.ts';
import { projectPrices } from './spending.ts';

/** Which case to explain. */
export interface ExplainOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** `suite::case` */
  name: string;
}

/** What a case is explained by. */
interface ExplainFacts {
  project: Project;
  store: Store;
  env: ExplainOptions['env'];
}

/** The first request that has no answer, with the miss. */
interface FirstMiss {
  miss: Miss;
  now: ChatRequest;
}

/** The sessions of a case, with what stands first among the requests that have no answer. */
function watched(open: OpenSessions): { open: OpenSessions; first: () => FirstMiss | undefined } {
  let first: FirstMiss | undefined;
  const seen = (now: ChatRequest, answer: Answer) => {
    if (!answer.ok && answer.failure.kind === 'unrecorded') first ??= { miss: answer.failure.miss, now };
    return answer;
  };
  const watchedOpen: OpenSessions = (take) =>
    open(take).map((way) => () => {
      const session = way();
      const { responder, graders: by } = session;
      return {
        ...session,
        responder: { respond: async (now, signal) => seen(now, await responder.respond(now, signal)) },
        ...(by && {
          graders: { ...by, ask: async (question, signal) => seen(question.request, await by.ask(question, signal)) },
        }),
      };
    });
  return { open: watchedOpen, first: () => first };
}

/** Replays a case's takes in order, with what its expectations ask, until one has a miss. */
async function firstMiss(
  suite: PlannedSuite,
  planned: PlannedCase,
  facts: ExplainFacts,
): Promise<FirstMiss | undefined> {
  const { project, store, env } = facts;
  const secrets = secretValues(project, env);
  const sessions = openCase(planned, { root: project.root, store, mode: 'replay', resume: false, env, secrets });
  const { open, first } = watched(sessions.open);
  // What asks nobody says nothing of recordings.
  const expect = planned.expect.filter(({ kind }) => scorerOf(kind)?.asks !== undefined);
  await runCase({
    suite,
    planned: { ...planned, expect },
    open,
    recordCommand: `retake record ${suite.path}`,
    code: codeRunner(project, suite, env),
    secrets,
    prices: projectPrices(project.config),
  });
  return first();
}

/** The recorded question that a grader's miss is to be compared with: that at its place, else the last of its kind. */
function questionBefore({ interactions, graders = [] }: Take, { turn, for: kind }: Miss): Grading | undefined {
  const same = graders[turn - interactions.length - 1];
  return same?.for === kind ? same : graders.findLast((one) => one.for === kind);
}

/** The recorded request that a miss is to be compared with. */
function counterpart(take: Take, miss: Miss, openPrompt: OpenPrompt): ChatRequest | undefined {
  const { reason, turn } = miss;
  if (miss.for) {
    const question = questionBefore(take, miss);
    return question && rebuildRequests([question], openPrompt)[0];
  }
  const recorded = rebuildRequests(take.interactions, openPrompt);
  if (reason === 'differs') return recorded[turn - 1];
  return reason === 'longer' ? recorded.at(-1) : undefined;
}

/** Explains one case. Throws UserError. */
export async function explain({ cwd, env, name }: ExplainOptions): Promise<Explanation> {
  const project = loadProject({ cwd, globs: [], env });
  const { suites } = project;
  const planned = findCase(suites, name);
  const suite = suites.find((one) => one.name === planned.suite) as PlannedSuite;
  const store = openStore(project.root, project.config.cassettesDir);
  const cassette = isRecorded(planned) ? store.read(suite.name, planned.name) : undefined;
  const about = {
    suite: suite.name,
    case: planned.name,
    path: planned.path ?? suite.path,
    line: planned.line,
    repeat: planned.repeat,
    takes: cassette?.takes.length ?? 0,
    ...(isRecorded(planned) && { cassette: store.path(suite.name, planned.name) }),
  };
  // Nothing of it is recorded, and nobody is asked here.
  if (!isRecorded(planned) && !planned.script) return about;
  const first = await firstMiss(suite, planned, { project, store, env });
  if (!first) return about;
  const { miss, now } = first;
  const take = cassette?.takes[miss.take - 1];
  const recorded = take && counterpart(take, miss, store.openPrompt(suite.name));
  const renames = miss.reason === 'no_cassette' ? await lookForRenames(store, suites, { partial: false }) : [];
  const rename = renames.find(({ to }) => to.suite === suite.name && to.case === planned.name);
  const unanswered: Unanswered = {
    miss: { ...miss, ...(rename && { renamed: `${rename.from.suite}::${rename.from.case}` }) },
    now,
    ...(recorded && { recorded }),
    differences: recorded && miss.reason === 'differs' ? allDifferences(recorded, now) : [],
    remedy: rename?.command ?? `retake record ${suite.path}${miss.for ? ' --missing' : ''}`,
  };
  return { ...about, unanswered };
}
