// The table of expectation kinds.

import type { Scorer } from './scorer.ts';
import { callOrder } from './scorers/call-order.ts';
import { callsTool } from './scorers/calls-tool.ts';
import { costUnder } from './scorers/cost-under.ts';
import { finalContains } from './scorers/final-contains.ts';
import { finalEquals } from './scorers/final-equals.ts';
import { finalJson } from './scorers/final-json.ts';
import { finalMatches } from './scorers/final-matches.ts';
import { judge } from './scorers/judge.ts';
import { latencyUnderMs } from './scorers/latency-under-ms.ts';
import { maxToolCalls } from './scorers/max-tool-calls.ts';
import { maxTurns } from './scorers/max-turns.ts';
import { minToolCalls } from './scorers/min-tool-calls.ts';
import { notCallsTool } from './scorers/not-calls-tool.ts';
import { script } from './scorers/script.ts';
import { similar } from './scorers/similar.ts';
import { tokensUnder } from './scorers/tokens-under.ts';
import { toolArgs } from './scorers/tool-args.ts';

// Each row's arguments have a type of their own; the table is read by kind at run time, after the row's schema has read the arguments.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyScorer = Scorer<any>;

/** Every kind of expectation by its name in a suite. */
export const SCORERS = {
  calls_tool: callsTool,
  not_calls_tool: notCallsTool,
  tool_args: toolArgs,
  call_order: callOrder,
  min_tool_calls: minToolCalls,
  max_tool_calls: maxToolCalls,
  max_turns: maxTurns,
  final_contains: finalContains,
  final_equals: finalEquals,
  final_matches: finalMatches,
  final_json: finalJson,
  script,
  judge,
  similar,
  cost_under: costUnder,
  latency_under_ms: latencyUnderMs,
  tokens_under: tokensUnder,
} satisfies Record<string, AnyScorer>;

/** The name of a kind. */
export type ExpectationKind = keyof typeof SCORERS;

/** Other words for kinds. */
export const KIND_ALIASES = { llm_judge: 'judge' } as const satisfies Record<string, ExpectationKind>;

/** The scorer of a kind; undefined for a name that is none. */
export function scorerOf(kind: string): AnyScorer | undefined {
  return Object.hasOwn(SCORERS, kind) ? SCORERS[kind as ExpectationKind] : undefined;
}
