// tool_args: the arguments of a call deeply contain what is given.

import { z } from 'zod';
import type { Json } from '../../request/request.ts';
import { findMismatch } from '../../target/match.ts';
import type { Scorer } from '../scorer.ts';
import { callsOfTool, count, fail, pass, show } from '../verdict.ts';

const schema = z.strictObject({
  tool: z.string().min(1).describe('The name of the tool.'),
  match: z.record(z.string(), z.json()).describe('A deep subset of the arguments.'),
  index: z.int().min(0).optional().describe('Which call of the tool, counted from 0; the first unless given.'),
  undeclared: z.boolean().optional().describe('Allows a tool that the suite does not declare.'),
});

/** Passes when the call's arguments deeply contain `match`. */
export const toolArgs: Scorer<z.output<typeof schema>> = {
  title: 'calls a tool with arguments',
  schema: schema.describe("Passes when the call's arguments deeply contain `match`."),
  tools: ({ tool }) => [tool],
  score({ tool, match, index = 0 }, { trajectory }) {
    const calls = callsOfTool(trajectory, tool);
    const placed = calls[index];
    if (!placed) {
      if (calls.length === 0) return fail(`${tool} was never called`);
      return fail(`${tool} was called ${count(calls.length, 'time')}, so there is no call with index ${index}`);
    }
    const { call, turn } = placed;
    if (call.malformedArguments !== undefined) {
      return fail(`${tool} was called with arguments that are not JSON: ${show(call.malformedArguments)}`, turn);
    }
    const mismatch = findMismatch(match, call.arguments as Json);
    if (!mismatch) return pass(`${tool} was called in turn ${turn} with matching arguments`);
    const where = mismatch.path === '' ? 'the arguments' : mismatch.path;
    return fail(`${where} of ${tool} is ${show(mismatch.actual)}, not ${show(mismatch.expected)}`, turn);
  },
};
