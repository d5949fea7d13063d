// `retake explain`: replays one case up to its first miss and gives both requests, whole; prints nothing.

import { everyInteraction, rebuildRequests } from '../cassette/cassette.ts';
import { openStore, type Store } from '../cassette/store.ts';
import type { Explanation, Unanswered } from '../render/explain.ts';
import type { ChatRequest } from '../request/request.ts';
import { allDifferences } from '../responder/miss.ts';
import type { Miss } from '../responder/responder.ts';
import { requestOf } from '../run/case.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject, type Project } from '../suite/load.ts';
import { findCase } from '../suite/names.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { agentTarget } from '../target/agent.ts';
import { lookForRenames } from './renames.ts';
import { openCase } from './sessions.ts';

/** Which case to explain. */
export interface ExplainOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** `suite::case` */
  name: string;
}

/** The first request that has no answer, with the miss. */
interface FirstMiss {
  miss: Miss;
  now: ChatRequest;
}

/** Replays a case's takes in order, until one has a miss. */
async function firstMiss(planned: PlannedCase, project: Project, store: Store): Promise<FirstMiss | undefined> {
  const target = agentTarget({ ...planned, request: requestOf(planned) });
  const { open } = openCase(planned, {
    root: project.root,
    store,
    mode: 'replay',
    resume: false,
    env: {},
    secrets: new Map(),
  });
  for (let take = 1; take <= planned.repeat; take++) {
    for (const way of open(take)) {
      const { responder } = way();
      let now: ChatRequest | undefined;
      const { failure } = await target.run({
        respond(request, signal) {
          now = request;
          return responder.respond(request, signal);
        },
      });
      if (failure?.kind === 'unrecorded' && now) return { miss: failure.miss, now };
    }
  }
  return undefined;
}

/** The recorded request that a miss is to be compared with. */
function counterpart(recorded: readonly ChatRequest[], { reason, turn }: Miss): ChatRequest | undefined {
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
  const first = await firstMiss(planned, project, store);
  if (!first) return about;
  const { miss, now } = first;
  const take = cassette?.takes[miss.take - 1];
  const recorded = take && counterpart(rebuildRequests(everyInteraction(take), store.openPrompt(suite.name)), miss);
  const renames = miss.reason === 'no_cassette' ? await lookForRenames(store, suites, { partial: false }) : [];
  const rename = renames.find(({ to }) => to.suite === suite.name && to.case === planned.name);
  const unanswered: Unanswered = {
    miss: { ...miss, ...(rename && { renamed: `${rename.from.suite}::${rename.from.case}` }) },
    now,
    ...(recorded && { recorded }),
    differences: recorded && miss.reason === 'differs' ? allDifferences(recorded, now) : [],
    remedy: rename?.command ?? `retake record ${suite.path}`,
  };
  return { ...about, unanswered };
}
