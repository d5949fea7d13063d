// The comparison of two runs: a public, versioned document that every report of changes is a function of.

import type { Json } from '../request/request.ts';
import type { Outcome, PassRate, Tally } from '../run/result.ts';
import type { TrajectoryStop } from '../target/trajectory.ts';
import type { ChangeKind } from './kinds.ts';

/** The document's version; raised when a reader of the old one would misread the new one. */
export const COMPARISON_VERSION = 1;

/** How a case did on one side. */
export interface ChangeSide {
  outcome: Outcome;
  /** Takes that passed, and all. */
  passed: number;
  takes: number;
  passRate?: PassRate;
  /** The calls and the stop in one line, of the take that is shown. */
  path: string;
  stopped: TrajectoryStop;
  /** The models the provider says it served, in order of appearance. */
  servedModels: string[];
  tally: Tally;
}

/** One value that differs. */
export interface ValueChange {
  /** `order.items[1].id`; empty at the root. */
  path: string;
  /** Absent where nothing stood there. */
  before?: Json;
  /** Absent where nothing stands there. */
  after?: Json;
  /** True where the suite says that this counts as wording. */
  loose?: true;
}

/** One tool call of both trajectories, aligned. */
export interface CallChange {
  status: 'kept' | 'changed' | 'added' | 'removed';
  tool: string;
  /** 1-based turns. */
  turnBefore?: number;
  turnAfter?: number;
  /** The arguments as JSON text, or as the model wrote them where they are malformed. */
  argumentsBefore?: string;
  argumentsAfter?: string;
  /** What differs in the arguments, where the call is on both sides. */
  changes?: ValueChange[];
}

/** One piece of a word diff. */
export interface TextPart {
  op: 'same' | 'removed' | 'added';
  text: string;
}

/** How the final answer differs: word by word, or by path where both sides are JSON. */
export type AnswerChange = { kind: 'words'; parts: TextPart[] } | { kind: 'json'; changes: ValueChange[] };

/** One expectation whose score differs. */
export interface ScoreChange {
  kind: string;
  key: string;
  expectation: string;
  /** Absent where the expectation is new. */
  before?: { passed: boolean; value: number; reason: string };
  /** Absent where it is gone. */
  after?: { passed: boolean; value: number; reason: string };
}

/** How one case differs. */
export interface CaseChange {
  suite: string;
  case: string;
  kind: ChangeKind;
  /** The suite's file and the case's first line, of the newer side where there is one. */
  path: string;
  line: number;
  /** Why it is of this kind, in one sentence, where the kind does not say it all. */
  why?: string;
  before?: ChangeSide;
  after?: ChangeSide;
  /** Absent where one side has no trajectory. */
  calls?: CallChange[];
  /** Absent where the answers are equal. */
  answer?: AnswerChange;
  /** Only what differs; in the order of the expectations. */
  scores: ScoreChange[];
  /** The two-sided p of Fisher's exact test, where it was asked. */
  p?: number;
}

/** Two runs compared. */
export interface Comparison {
  /** Always `retake/comparison`. */
  document: 'retake/comparison';
  version: typeof COMPARISON_VERSION;
  /** The version of Retake that wrote it. */
  retake: string;
  /** Cases by kind; every kind is there. */
  counts: Record<ChangeKind, number>;
  before: { cases: number; tally: Tally };
  after: { cases: number; tally: Tally };
  /** Models that are served under a name that stayed, where what is served differs. */
  servedModels: { model: string; before: string[]; after: string[] }[];
  /** Every case that is not `same`: the gravest kind first, then by suite and case in code-unit order. */
  changes: CaseChange[];
}
