// The port to whatever judges an expectation.

import type { z } from 'zod';
import type { GraderKind } from '../cassette/cassette.ts';
import type { ChatRequest, Json } from '../request/request.ts';
import type { ProviderChoice } from '../responder/choice.ts';
import type { Answer } from '../responder/responder.ts';
import type { RunCode } from '../target/command-line.ts';
import type { Trajectory } from '../target/trajectory.ts';

/** The score from which a grader passes, unless the suite says otherwise. */
export const THRESHOLD = 0.7;

/** What a take cost at list prices. */
export interface TakeCost {
  /** USD of the turns whose price is known. */
  usd: number;
  /** Why the others' is not, a reason each; empty where all is known. */
  unknown: string[];
}

/** What a scorer looks at. */
export interface Evidence {
  trajectory: Trajectory;
  /** The case's `expected` answer. */
  expected?: string;
  /** The case's `context`: text or any JSON. */
  context?: Json;
  /** Absent where nothing was priced. */
  cost?: TakeCost;
  /** Runs commands of the suite's; absent where live code may not run. */
  code?: RunCode;
  /** Asks a model, by the recording where there is one; absent where no kind that asks is judged. */
  ask?: (request: ChatRequest, by: ProviderChoice) => Promise<Answer>;
  signal?: AbortSignal;
}

/** The model behind a verdict. */
export interface Judged {
  /** `provider/model` that was asked. */
  model: string;
  /** The model the provider says it served. */
  servedModel?: string;
  /** First 16 hex digits of the SHA-256 of the rubric; absent where there is none. */
  rubric?: string;
}

/** What a scorer says of one take. */
export interface Verdict {
  passed: boolean;
  /** 0..1; 1 and 0 for structural expectations. */
  value: number;
  /** Why, in one sentence that names what was expected and what was there. */
  reason: string;
  /** The 1-based turn that broke the expectation. */
  turn?: number;
  /** Why there is no verdict; neither passed nor a 0. */
  error?: string;
  /** Who judged, where a model did. */
  judged?: Judged;
}

/** One kind of expectation. `Args` is what its `schema` gives. */
export interface Scorer<Args> {
  title: string;
  /** Reads what stands under the kind's name in a suite. */
  schema: z.ZodType<Args>;
  /** The tools that the arguments name; each must be declared in the suite. */
  tools(args: Args): string[];
  /** What its questions are recorded as; absent where it asks nobody. The suite's plan adds `by`, whom it asks, to its arguments. */
  asks?: GraderKind;
  score(args: Args, evidence: Evidence): Verdict | Promise<Verdict>;
}

/** An expectation, read and checked. */
export interface Expectation {
  kind: string;
  args: unknown;
  /** The arguments as they stand in the suite, one line. */
  text: string;
  /** Identity across runs: kind, digest of the arguments and ordinal among equals. */
  key: string;
  /** The file of `line` where that is not the case's own. Relative to the project's root, POSIX separators. */
  path?: string;
  /** 1-based line in its file. */
  line: number;
}
