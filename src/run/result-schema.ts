// The zod schema of the result document: for whoever reads one from a file, and for the JSON Schema in docs/schemas.

import { z } from 'zod';
import type { Usage } from '../request/request.ts';
import { type GraderTally, RESULT_VERSION, type RunResult, type Tally } from './result.ts';

const natural = z.int().min(0);
const line = z.int().min(1);

const usage: z.ZodType<Usage> = z
  .strictObject({
    inputTokens: natural,
    outputTokens: natural,
    cachedInputTokens: natural.exactOptional(),
    cacheWriteTokens: natural.exactOptional(),
    reasoningTokens: natural.exactOptional(),
  })
  .describe('Tokens as the provider counts and bills them.');

const graders: z.ZodType<GraderTally> = z
  .strictObject({
    requests: natural,
    usage,
    costUsd: z.number().nullable(),
    costKnownUsd: z.number().min(0),
    liveCostUsd: z.number().nullable(),
    liveCostKnownUsd: z.number().min(0),
    served: natural,
    live: natural,
  })
  .describe('What judges and embeddings came to; no part of the figures of the model under test.');

const tally: z.ZodType<Tally> = z
  .strictObject({
    turns: natural,
    usage,
    turnsWithoutUsage: natural.describe('Turns whose provider reported no usage.'),
    costUsd: z
      .number()
      .nullable()
      .describe('USD at the prices of the day each turn was recorded; null where a price is unknown.'),
    costKnownUsd: z.number().min(0).describe('The part of costUsd that is known; the whole is no less.'),
    unpricedTurns: natural.describe('Turns whose cost is unknown: no price, or no tokens reported.'),
    liveCostUsd: z
      .number()
      .nullable()
      .describe('The part of costUsd that this run spent on live answers; null where a price is unknown.'),
    liveCostKnownUsd: z.number().min(0).describe('The part of liveCostUsd that is known.'),
    latencyMs: natural.describe('Sum of the recorded latencies.'),
    served: natural.describe('Turns answered from the cassette.'),
    live: natural.describe('Turns answered by a provider in this run.'),
    scripted: natural.describe('Turns answered by a script.'),
    unused: natural.describe('Recorded interactions that were never asked for.'),
    retries: natural.exactOptional().describe('Attempts a provider made necessary beyond the first.'),
    graders: graders.exactOptional(),
  })
  .describe('Sums over turns.');

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const block = z.discriminatedUnion('type', [
  text,
  z.strictObject({ type: z.literal('reasoning'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool_call'),
    id: z.string(),
    name: z.string(),
    arguments: z.json().exactOptional(),
    argumentsJson: z.string().exactOptional(),
    malformedArguments: z.string().exactOptional(),
  }),
  z.strictObject({ type: z.literal('opaque'), data: z.json() }),
]);

const toolMessage = z.strictObject({
  role: z.literal('tool'),
  name: z.string(),
  callId: z.string(),
  result: z.json(),
  isError: z.literal(true).exactOptional(),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.array(text) }),
  z.strictObject({ role: z.literal('assistant'), content: z.array(block) }),
  toolMessage,
]);

const miss = z.strictObject({
  reason: z.enum(['no_cassette', 'no_take', 'differs', 'exhausted', 'longer']),
  take: line,
  turn: line,
  for: z.enum(['judge', 'similar']).exactOptional().describe('The kind of expectation whose question it is.'),
  fingerprint: z.string(),
  difference: z
    .strictObject({
      path: z.string(),
      recorded: z.string().exactOptional(),
      now: z.string().exactOptional(),
    })
    .exactOptional(),
  renamed: z.string().exactOptional().describe('`suite::case` of a recording of no case that answers this one.'),
});

const failure = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('unrecorded'), miss }),
  z.strictObject({ kind: z.literal('no_key'), message: z.string(), remedy: z.string() }),
  z.strictObject({ kind: z.literal('provider'), message: z.string(), remedy: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('aborted'), message: z.string() }),
]);

const turn = z.strictObject({
  fingerprint: z.string(),
  head: z.string().describe('Digest of all that stands before the messages.'),
  source: z.enum(['cassette', 'live', 'script', 'code']),
  content: z.array(block),
  stop: z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'error']),
  stopDetail: z.string().exactOptional(),
  usage: usage.exactOptional(),
  latencyMs: natural,
  servedModel: z.string().exactOptional(),
  results: z.array(toolMessage),
});

const trajectory = z.strictObject({
  input: z.array(message),
  turns: z.array(turn),
  stopped: z.enum([
    'end_turn',
    'max_turns',
    'max_tokens',
    'refusal',
    'unmocked_tool',
    'code_failed',
    'provider_error',
    'unrecorded',
    'error',
  ]),
  detail: z.string().exactOptional(),
  failure: failure.exactOptional(),
});

const outcome = z.enum(['passed', 'failed', 'unrecorded', 'errored', 'skipped']);

const take = z.strictObject({
  take: line,
  outcome,
  recorded: z.string().exactOptional().describe('The UTC day of the recording, YYYY-MM-DD.'),
  trajectory,
  scores: z.array(
    z.strictObject({
      kind: z.string(),
      key: z.string().describe('Identity across runs: kind, digest of the arguments and ordinal.'),
      expectation: z.string(),
      path: z.string().exactOptional().describe("The file of `line` where that is not the case's."),
      line,
      passed: z.boolean(),
      value: z.number().min(0).max(1),
      reason: z.string(),
      turn: line.exactOptional(),
      error: z.string().exactOptional().describe('Why there is no verdict, where the scorer could not judge.'),
      judged: z
        .strictObject({
          model: z.string(),
          servedModel: z.string().exactOptional(),
          rubric: z.string().exactOptional().describe('First 16 hex digits of the SHA-256 of the rubric.'),
        })
        .exactOptional(),
    }),
  ),
  tally,
});

const caseResult = z.strictObject({
  suite: z.string(),
  case: z.string(),
  tags: z.array(z.string()),
  path: z.string().describe("The suite's or dataset's file relative to the project, POSIX separators."),
  line,
  endLine: line,
  model: z.string(),
  outcome,
  problem: z
    .strictObject({ message: z.string(), remedy: z.string().exactOptional(), miss: miss.exactOptional() })
    .exactOptional(),
  cassette: z.string().exactOptional(),
  liveCode: z.literal(true).exactOptional().describe("True where the user's own code answered: never recorded."),
  passRate: z
    .strictObject({
      passed: natural,
      takes: line,
      required: z.number().min(0).max(1),
      low: z.number().min(0).max(1).describe("Lower end of Wilson's 95 % interval."),
      high: z.number().min(0).max(1),
    })
    .exactOptional(),
  takes: z.array(take),
  tally,
});

const gates = z
  .array(
    z.strictObject({
      gate: z.string(),
      limit: z.number(),
      actual: z.number().nullable().describe('Null where it could not be told.'),
      passed: z.boolean(),
      reason: z.string(),
    }),
  )
  .exactOptional();

const share = z.number().min(0).max(1);
const classification = z
  .strictObject({
    labelled: natural,
    accuracy: share,
    macroF1: share,
    classes: z.array(
      z.strictObject({ label: z.string(), precision: share, recall: share, f1: share, support: natural }),
    ),
  })
  .exactOptional();

/** The schema of a RunResult. Strict: a document with more in it is of another version. */
export const runResultSchema: z.ZodType<RunResult> = z.strictObject({
  document: z.literal('retake/run-result'),
  version: z.literal(RESULT_VERSION),
  retake: z.string().describe('The version of Retake that wrote it.'),
  mode: z.enum(['replay', 'record', 'auto', 'off']),
  outcome: z.enum(['passed', 'failed', 'incomplete']),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3)]),
  counts: z.strictObject({
    total: natural,
    passed: natural,
    failed: natural,
    unrecorded: natural,
    errored: natural,
    skipped: natural,
  }),
  tally,
  priceList: z.string().exactOptional().describe('Name, version and date of the price list, where it gave a price.'),
  notes: z.array(z.string()),
  gates,
  suites: z.array(
    z.strictObject({
      suite: z.string(),
      description: z.string().exactOptional(),
      tags: z.array(z.string()),
      path: z.string(),
      cases: z.array(caseResult),
      tally,
      looseArgs: z
        .array(z.string())
        .exactOptional()
        .describe('`tool.path` of arguments whose strings count as wording.'),
      gates,
      classification,
    }),
  ),
});

/** JSON Schema 2020-12 of a RunResult, as text. */
export function runResultJsonSchema(): string {
  return `${JSON.stringify({ ...z.toJSONSchema(runResultSchema), title: 'Retake run result' }, null, 2)}\n`;
}
