// One case: its takes, their scores, and what became of it.

import type { ChatRequest } from '../request/request.ts';
import type { SecretValues } from '../request/secret.ts';
import { identityOf } from '../responder/choice.ts';
import type { Graders } from '../responder/graders.ts';
import { questionOf } from '../responder/miss.ts';
import type { Failure, Responder } from '../responder/responder.ts';
import { scorerOf } from '../score/index.ts';
import type { TakeCost } from '../score/scorer.ts';
import { usesLiveCode } from '../suite/live-code.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { agentTarget } from '../target/agent.ts';
import type { RunCode } from '../target/command-line.ts';
import { commandTarget } from '../target/command-target.ts';
import type { Target } from '../target/target.ts';
import type { Trajectory } from '../target/trajectory.ts';
import { costOfTurns, type Prices } from './cost.ts';
import { type Asking, asking } from './graders.ts';
import { passesNeeded, passRateOf } from './require.ts';
import type { CaseResult, Outcome, Problem, Score, TakeResult } from './result.ts';
import { emptyTally, sumTallies, tallyOf } from './tally.ts';

/** One way to have a take's requests answered. */
export interface Session {
  responder: Responder;
  /** Recorded interactions not asked for, once the take is over. */
  unused(): number;
  /** Attempts a provider made necessary beyond the first, once the take is over; absent where none is asked. */
  retries?(): number;
  /** The UTC day of the recording, where it plays one. */
  recorded?: string;
  /** The UTC day of its live answers, for their price; no report tells it. */
  today?: string;
  /** Answers what expectations ask; absent where none asks. */
  graders?: Graders;
  /** Called when the conversation came to an end of its own; what it recorded is whole where it could be `graded`. */
  finish?(graded: boolean): void;
}

/** The ways to answer take `take` (1-based), each tried when the one before has a request unrecorded; a take is always one of them alone. */
export type OpenSessions = (take: number) => (() => Session)[];

/** The first request of a case. */
export function requestOf(planned: PlannedCase): ChatRequest {
  const { provider, model, params, system, tools, input } = planned;
  return {
    kind: 'chat',
    ...identityOf(provider),
    model,
    ...(params && { params }),
    ...(system !== undefined && { system }),
    ...(tools && tools.length > 0 && { tools }),
    messages: input,
  };
}

async function scoresOf(
  { planned, code, signal }: CaseRun,
  { trajectory, cost, asks }: { trajectory: Trajectory; cost: TakeCost; asks: Asking | undefined },
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const { kind, key, text, path, line, args } of planned.expect) {
    const scorer = scorerOf(kind);
    if (!scorer) throw new Error(`no scorer of kind ${kind}`);
    const judging = scorer.score(args, {
      trajectory,
      cost,
      ...(code && { code }),
      ...(asks && scorer.asks && { ask: asks.as(scorer.asks) }),
      ...(signal && { signal }),
      ...(planned.expected !== undefined && { expected: planned.expected }),
      ...(planned.context !== undefined && { context: planned.context }),
    });
    const { passed, value, reason, turn, error, judged } = judging instanceof Promise ? await judging : judging;
    scores.push({
      kind,
      key,
      expectation: text,
      ...(path !== undefined && { path }),
      line,
      passed,
      value,
      reason,
      ...(turn !== undefined && { turn }),
      ...(error !== undefined && { error }),
      ...(judged && { judged }),
    });
  }
  return scores;
}

function takeOutcome({ stopped }: Trajectory, failure: Failure | undefined, scores: readonly Score[]): Outcome {
  if (failure?.kind === 'aborted') return 'skipped';
  if (failure?.kind === 'provider') return 'errored';
  if (failure) return 'unrecorded';
  if (scores.some(({ error }) => error !== undefined)) return 'errored';
  return stopped !== 'unmocked_tool' && stopped !== 'code_failed' && scores.every(({ passed }) => passed)
    ? 'passed'
    : 'failed';
}

const NO_SECRETS: SecretValues = new Map();

/** What is under test in a case. */
function targetOf({ planned, code, secrets = NO_SECRETS }: CaseRun): Target {
  const { command, input, redact } = planned;
  if (command) {
    if (!code) throw new Error(`nothing runs the command of ${planned.name}`);
    return commandTarget({ line: command, input, code, secrets, ...(redact && { redact }) });
  }
  return agentTarget({
    request: requestOf(planned),
    mocks: planned.mocks,
    maxTurns: planned.maxTurns,
    onUnmocked: planned.onUnmocked,
    ...(redact && { redact }),
    ...(code && { code }),
  });
}

/** A take, and why it has no verdict, where it has none. */
interface Taken {
  result: TakeResult;
  failure: Failure | undefined;
}

/** The failure of a question, with what is not lost by it. */
function ofGrader(failure: Failure | undefined, session: Session): Failure | undefined {
  if (failure?.kind !== 'provider' || !session.finish) return failure;
  const kept = 'The conversation is kept: `retake record --resume` asks only what is missing.';
  return { ...failure, remedy: failure.remedy === undefined ? kept : `${failure.remedy} ${kept}` };
}

async function runTake(run: CaseRun, take: number): Promise<Taken> {
  const { planned, open, prices, signal } = run;
  const target = targetOf(run);
  const ways = open(take);
  for (const [at, way] of ways.entries()) {
    const session = way();
    const { recorded, today, graders } = session;
    const trajectory = await target.run(session.responder, signal);
    if (trajectory.stopped === 'unrecorded' && at < ways.length - 1) continue;
    const { provider, model } = planned;
    const asked = { provider: provider.name, ...(provider.endpoint !== undefined && { endpoint: provider.endpoint }) };
    const cost = await costOfTurns(trajectory.turns, { ...asked, model, recorded, today }, prices);
    const asks = graders && asking({ graders, prices, redact: planned.redact, recorded, today, signal });
    // A take that broke off has nothing to judge.
    const broke = trajectory.failure || trajectory.stopped === 'code_failed';
    const scores = broke ? [] : await scoresOf(run, { trajectory, cost: cost.take, asks });
    const isGraded = scores.every(({ error }) => error === undefined);
    if (!trajectory.failure) session.finish?.(isGraded);
    const failure = trajectory.failure ?? ofGrader(asks?.failure(), session);
    const retries = session.retries?.() ?? 0;
    const unused = session.unused() + (graders?.unused() ?? 0);
    const questions = asks?.tally();
    return {
      failure,
      result: {
        take,
        outcome: takeOutcome(trajectory, failure, scores),
        ...(recorded !== undefined && { recorded }),
        trajectory,
        scores,
        tally: {
          ...tallyOf(trajectory, failure ? 0 : unused, cost.each),
          ...(retries > 0 && { retries }),
          ...(questions && { graders: questions }),
        },
      },
    };
  }
  throw new Error('no way to answer was given');
}

// The gravest wins: without a verdict first, then failed.
const GRAVEST: Outcome[] = ['skipped', 'errored', 'unrecorded', 'failed', 'passed'];

/** What takes come to; those that have a verdict pass where enough of them do. */
function caseOutcome(planned: PlannedCase, takes: readonly TakeResult[]): Outcome {
  const gravest = GRAVEST.find((outcome) => takes.some((take) => take.outcome === outcome)) ?? 'skipped';
  if (gravest !== 'failed' || takes.length < 2) return gravest;
  const passed = takes.filter(({ outcome }) => outcome === 'passed').length;
  return passed >= passesNeeded(planned, takes.length) ? 'passed' : 'failed';
}

function hasVerdict(outcome: Outcome): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

const REASONS = {
  no_cassette: 'there is no recording of this case',
  no_take: 'the cassette has fewer takes than the case asks for',
  differs: 'the request differs from the recording',
  exhausted: 'the same request is made more often than it was recorded',
  longer: 'the conversation goes on after its recording ends',
} as const;

function problemOf(takes: readonly Taken[], outcome: Outcome, recordCommand: string): Problem | undefined {
  const taken = takes.find(({ result }) => result.outcome === outcome);
  if (!taken) return undefined;
  const { failure, result } = taken;
  const { stopped, detail } = result.trajectory;
  if (failure?.kind === 'unrecorded') {
    const { miss } = failure;
    // Only the question is asked again: the conversation is on the cassette.
    if (miss.for) {
      const state = miss.difference ? 'differs from the recording' : 'is not recorded';
      return { message: `${questionOf(miss.for)} ${state}`, remedy: `${recordCommand} --missing`, miss };
    }
    const message = miss.difference ? `${miss.difference.path} differs from the recording` : REASONS[miss.reason];
    return { message, remedy: recordCommand, miss };
  }
  if (failure) {
    const remedy = 'remedy' in failure ? failure.remedy : undefined;
    return { message: failure.message, ...(remedy !== undefined && { remedy }) };
  }
  const unjudged = result.scores.find(({ error }) => error !== undefined)?.error;
  if (unjudged !== undefined) return { message: unjudged };
  if (stopped === 'code_failed') return { message: detail ?? 'a command gave no answer' };
  if (stopped === 'unmocked_tool') {
    return {
      message: detail ?? 'a tool was called that no mock answers',
      remedy: 'Add a mock, or set `on_unmocked: null`.',
    };
  }
  return undefined;
}

/** What a case's result says before anything ran. */
export function unrun(suite: PlannedSuite, planned: PlannedCase): CaseResult {
  const { name, tags, line, endLine, provider, model } = planned;
  return {
    suite: suite.name,
    case: name,
    tags: [...new Set([...suite.tags, ...tags])],
    path: planned.path ?? suite.path,
    line,
    endLine,
    model: `${provider.name}/${model}`,
    outcome: 'skipped',
    ...(usesLiveCode(planned) && { liveCode: true }),
    takes: [],
    tally: emptyTally(),
  };
}

/** How to run one case. */
export interface CaseRun {
  suite: PlannedSuite;
  planned: PlannedCase;
  open: OpenSessions;
  prices: Prices;
  /** The cassette's path for the report; absent where the case has none. */
  cassette?: string;
  /** Runs the user's own code in the suite's folder; absent where none may run. */
  code?: RunCode;
  /** Values for `${VAR}` in what a command under test is given. */
  secrets?: SecretValues;
  /** The command that records what is missing. */
  recordCommand: string;
  signal?: AbortSignal;
}

/** Runs every take of a case, one after the other. */
export async function runCase(run: CaseRun): Promise<CaseResult> {
  const { suite, planned, cassette, recordCommand } = run;
  const taken: Taken[] = [];
  for (let take = 1; take <= planned.repeat; take++) {
    const one = await runTake(run, take);
    taken.push(one);
    // One missing recording or broken provider decides the case; asking on would only cost.
    if (!hasVerdict(one.result.outcome)) break;
  }
  const takes = taken.map(({ result }) => result);
  const outcome = caseOutcome(planned, takes);
  const isRate = takes.length > 1 && hasVerdict(outcome);
  const problem = problemOf(taken, outcome, recordCommand);
  return {
    ...unrun(suite, planned),
    outcome,
    ...(problem && { problem }),
    ...(cassette !== undefined && { cassette }),
    ...(isRate && {
      passRate: passRateOf(
        planned,
        takes.map((take) => take.outcome),
      ),
    }),
    takes,
    tally: sumTallies(takes.map(({ tally }) => tally)),
  };
}
