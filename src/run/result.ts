// The result of a run: a public, versioned document that every report, gate and comparison is a function of.

import type { Usage } from '../request/request.ts';
import type { Miss } from '../responder/responder.ts';
import type { Judged } from '../score/scorer.ts';
import type { Trajectory } from '../target/trajectory.ts';

/** The document's version; raised when a reader of the old one would misread the new one. */
export const RESULT_VERSION = 1;

/** Where a run's answers came from. */
export type RunMode = 'replay' | 'record' | 'auto' | 'off';

/** What became of a case or take. `errored` is a provider's failure, `unrecorded` a missing recording, `skipped` was not asked for or not reached. */
export type Outcome = 'passed' | 'failed' | 'unrecorded' | 'errored' | 'skipped';

/** What one expectation came to in one take. */
export interface Score {
  kind: string;
  /** Identity across runs: kind, digest of the arguments and ordinal. */
  key: string;
  /** The expectation as it stands in the suite, on one line. */
  expectation: string;
  /** The file of `line` where that is not the case's: a row of a dataset has its suite's expectations too. */
  path?: string;
  /** 1-based line in its file. */
  line: number;
  passed: boolean;
  /** 0..1 */
  value: number;
  reason: string;
  /** The 1-based turn that broke it. */
  turn?: number;
  /** Why there is no verdict, where the scorer could not judge: neither passed nor a 0, the case is `errored`. */
  error?: string;
  /** Who judged, where a model did; its reasoning is the `reason`. */
  judged?: Judged;
}

/** What judges and embeddings of a take, case or run came to; no part of the figures of the model under test. */
export interface GraderTally {
  requests: number;
  usage: Usage;
  /** USD at the prices of the day of each recording; null where a price is unknown. */
  costUsd: number | null;
  /** The part of `costUsd` that is known. */
  costKnownUsd: number;
  /** The part of `costUsd` that this run spent; null where a price is unknown. */
  liveCostUsd: number | null;
  /** The part of `liveCostUsd` that is known. */
  liveCostKnownUsd: number;
  /** Requests answered from the cassette. */
  served: number;
  /** Requests answered by a provider in this run. */
  live: number;
}

/** Sums over turns. */
export interface Tally {
  turns: number;
  usage: Usage;
  /** Turns whose provider reported no usage. */
  turnsWithoutUsage: number;
  /** USD at the prices of the day each turn was recorded; null where a price is unknown. */
  costUsd: number | null;
  /** The part of `costUsd` that is known; the whole is no less. */
  costKnownUsd: number;
  /** Turns whose cost is unknown: no price, or no tokens reported. */
  unpricedTurns: number;
  /** The part of `costUsd` that this run spent on live answers; null where a price is unknown. */
  liveCostUsd: number | null;
  /** The part of `liveCostUsd` that is known. */
  liveCostKnownUsd: number;
  /** Sum of the recorded latencies. */
  latencyMs: number;
  /** Turns answered from the cassette. */
  served: number;
  /** Turns answered by a provider in this run. */
  live: number;
  /** Turns answered by a script. */
  scripted: number;
  /** Recorded interactions that were never asked for. */
  unused: number;
  /** Attempts a provider made necessary beyond the first; absent where there were none. */
  retries?: number;
  /** Judges and embeddings; absent where none was asked. */
  graders?: GraderTally;
}

/** One run of one case. */
export interface TakeResult {
  /** 1-based. */
  take: number;
  outcome: Outcome;
  /** The UTC day of the recording, where it was served from a cassette. */
  recorded?: string;
  trajectory: Trajectory;
  scores: Score[];
  tally: Tally;
}

/** Why a case has no verdict of its own. */
export interface Problem {
  message: string;
  remedy?: string;
  miss?: Miss;
}

/** One case. */
export interface CaseResult {
  suite: string;
  case: string;
  tags: string[];
  /** The file the case stands in, its suite's or its dataset's, relative to the project, POSIX separators. */
  path: string;
  /** 1-based; a row of a dataset is one line. */
  line: number;
  endLine: number;
  /** `provider/model`. */
  model: string;
  outcome: Outcome;
  /** Set where the outcome is `unrecorded`, `errored` or `skipped`, or the conversation itself failed. */
  problem?: Problem;
  /** The cassette's file relative to the project, where the case has or would have one. */
  cassette?: string;
  /** True where the user's own code answered (`run:`, `command`, `script`): never recorded. */
  liveCode?: true;
  /** How often it passed, where it has several takes. */
  passRate?: PassRate;
  takes: TakeResult[];
  tally: Tally;
}

/** How many takes of a case passed. */
export interface PassRate {
  passed: number;
  takes: number;
  /** 0..1: the share that must pass. */
  required: number;
  /** Wilson's 95 % interval of the true rate, 0..1. */
  low: number;
  high: number;
}

/** What one gate came to. */
export interface GateResult {
  /** As in `gates:`; a mean score names its kind: `mean_score.judge`. */
  gate: string;
  limit: number;
  /** Null where it could not be told: an unknown price, no labelled case. */
  actual: number | null;
  passed: boolean;
  reason: string;
}

/** How well final answers name the expected class. */
export interface Classification {
  labelled: number;
  accuracy: number;
  macroF1: number;
  /** In code-unit order of the labels. */
  classes: { label: string; precision: number; recall: number; f1: number; support: number }[];
}

/** One suite. */
export interface SuiteResult {
  suite: string;
  description?: string;
  tags: string[];
  path: string;
  cases: CaseResult[];
  tally: Tally;
  /** `tool.path` of arguments whose strings count as wording when two runs are compared; absent where there are none. */
  looseArgs?: string[];
  /** Absent where the suite has no gates. */
  gates?: GateResult[];
  /** Absent where no gate asks for it. */
  classification?: Classification;
}

/** Cases by outcome. */
export interface Counts {
  total: number;
  passed: number;
  failed: number;
  unrecorded: number;
  errored: number;
  skipped: number;
}

/** A whole run. Equal inputs give equal bytes: nothing in it is a date of today, a duration of this run, or a path of this machine. */
export interface RunResult {
  /** Always `retake/run-result`. */
  document: 'retake/run-result';
  version: typeof RESULT_VERSION;
  /** The version of Retake that wrote it. */
  retake: string;
  mode: RunMode;
  /** `passed` where all gates hold and every case that ran passed, or a gate on the pass rate covers it. */
  outcome: 'passed' | 'failed' | 'incomplete';
  /** 0 passed, 1 a case or gate failed, 3 a recording is missing, a provider failed or the budget ended. */
  exitCode: 0 | 1 | 3;
  counts: Counts;
  tally: Tally;
  /** Name, version and date of the price list, where it gave a price. */
  priceList?: string;
  /** Things worth knowing that change no outcome. */
  notes: string[];
  /** The project's own gates; absent where it has none. */
  gates?: GateResult[];
  suites: SuiteResult[];
}
