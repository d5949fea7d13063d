// Deterministic answers of tools: the first rule that matches a call.

import type { Json, ToolCallBlock } from '../request/request.ts';
import type { CommandLine } from './command-line.ts';
import { findMismatch } from './match.ts';

/** What a mock gives for one call; `run` is live code, which gets the arguments. */
export type MockOutcome = { return: Json } | { error: string } | { run: CommandLine };

/** One rule of a tool: `when` is a deep subset of the arguments, absent matches every call. */
export interface MockRule {
  when?: Json;
  /** One outcome for each matching call; the last repeats. Never empty. */
  outcomes: MockOutcome[];
}

/** The rules of each tool, in order. */
export type Mocks = Record<string, MockRule[]>;

/** Resolves the calls of one take; undefined where no rule matches. Each rule counts its own calls. */
export function mockResolver(mocks: Mocks): (call: ToolCallBlock) => MockOutcome | undefined {
  const served = new Map<MockRule, number>();
  return (call) => {
    // A model may ask for a tool named `toString`.
    const rules = Object.hasOwn(mocks, call.name) ? (mocks[call.name] ?? []) : [];
    const rule = rules.find(({ when }) => {
      if (when === undefined) return true;
      return call.malformedArguments === undefined && findMismatch(when, call.arguments) === undefined;
    });
    if (!rule) return undefined;
    const before = served.get(rule) ?? 0;
    served.set(rule, before + 1);
    return rule.outcomes[Math.min(before, rule.outcomes.length - 1)];
  };
}
