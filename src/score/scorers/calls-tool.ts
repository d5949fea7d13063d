// calls_tool: the tool was called; so often, with these arguments, after another tool.

import { z } from 'zod';
import type { Json } from '../../request/request.ts';
import { findMismatch } from '../../target/match.ts';
import type { PlacedCall } from '../../target/trajectory.ts';
import type { Scorer, Verdict } from '../scorer.ts';
import { callsOfTool, count as counted, fail, pass, show } from '../verdict.ts';

const schema = z
  .union([
    z.string().min(1),
    z.strictObject({
      tool: z.string().min(1).describe('The name of the tool.'),
      count: z.int().min(0).optional().describe('Exactly how many calls; at least one unless given.'),
      with: z
        .record(z.string(), z.json())
        .optional()
        .describe('A deep subset of the arguments; other calls do not count.'),
      after: z.string().min(1).optional().describe('Another tool; only calls after the first call of that one count.'),
      undeclared: z.boolean().optional().describe('Allows tools that the suite does not declare.'),
    }),
  ])
  .transform((args) => (typeof args === 'string' ? { tool: args } : args));

type Args = z.output<typeof schema>;

/** Why a call's arguments do not match, as the end of a sentence. */
function mismatchOf({ call }: PlacedCall, pattern: Json): string | undefined {
  if (call.malformedArguments !== undefined) return `arguments that are not JSON: ${show(call.malformedArguments)}`;
  const mismatch = findMismatch(pattern, call.arguments);
  if (!mismatch) return undefined;
  const where = mismatch.path === '' ? 'arguments' : mismatch.path;
  return `${where} ${show(mismatch.actual)}, not ${show(mismatch.expected)}`;
}

/** What the calls must be besides of this tool, as the end of a sentence. */
function conditionOf({ with: pattern, after }: Args): string {
  return `${pattern === undefined ? '' : ` with ${show(pattern)}`}${after === undefined ? '' : ` after ${after}`}`;
}

function noneFits(args: Args, calls: readonly PlacedCall[], late: readonly PlacedCall[]): Verdict {
  const { tool, with: pattern, after } = args;
  const first = calls[0];
  if (!first) return fail(`${tool} was never called`);
  const near = late[0];
  if (!near) return fail(`${tool} was not called after ${after}, only in turn ${first.turn}`, first.turn);
  const why = mismatchOf(near, pattern ?? {});
  return fail(`${tool} was called in turn ${near.turn} with ${why}`, near.turn);
}

/** Passes when the tool was called: `count` times if given, counting only calls `with` these arguments and `after` that tool. */
export const callsTool: Scorer<Args> = {
  title: 'calls a tool',
  schema: schema.describe('Passes when the tool was called, so often, with such arguments, after another.'),
  tools: ({ tool, after }) => (after === undefined ? [tool] : [tool, after]),
  score(args, { trajectory }) {
    const { tool, count, with: pattern, after } = args;
    const calls = callsOfTool(trajectory, tool);
    const begin = after === undefined ? 0 : callsOfTool(trajectory, after)[0]?.index;
    if (begin === undefined && count !== 0) return fail(`${after} was never called, so ${tool} not after it`);
    const late = begin === undefined ? [] : calls.filter(({ index }) => index > begin);
    const fitting = pattern === undefined ? late : late.filter((placed) => mismatchOf(placed, pattern) === undefined);
    const first = fitting[0];
    if (count !== undefined) {
      const said = `${tool} was called ${counted(fitting.length, 'time')}${conditionOf(args)}`;
      if (fitting.length === count) return pass(said);
      return fail(`${said}, ${count} expected`, fitting[count]?.turn);
    }
    if (!first) return noneFits(args, calls, late);
    return pass(`${tool} was called in turn ${first.turn}${conditionOf(args)}`);
  },
};
