// calls_tool: the tool was called at least once.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { callsOfTool, fail, pass } from '../verdict.ts';

/** Reads `calls_tool: name` and `{tool: name}` alike. */
export const toolArgs = z
  .union([
    z.string().min(1),
    z.strictObject({
      tool: z.string().min(1).describe('The name of the tool.'),
      undeclared: z.boolean().optional().describe('Allows a tool that the suite does not declare.'),
    }),
  ])
  .transform((args) => (typeof args === 'string' ? { tool: args } : args));

/** The arguments of `calls_tool` and `not_calls_tool`. */
export type ToolArgs = z.output<typeof toolArgs>;

/** Passes when the tool was called. */
export const callsTool: Scorer<ToolArgs> = {
  title: 'calls a tool',
  schema: toolArgs.describe('Passes when the tool was called.'),
  tools: ({ tool }) => [tool],
  score({ tool }, { trajectory }) {
    const first = callsOfTool(trajectory, tool)[0];
    return first ? pass(`${tool} was called in turn ${first.turn}`) : fail(`${tool} was never called`);
  },
};
