// not_calls_tool: the tool was never called, or not before another.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { callsOfTool, fail, pass, show } from '../verdict.ts';

const schema = z
  .union([
    z.string().min(1),
    z.strictObject({
      tool: z.string().min(1).describe('The name of the tool.'),
      before: z
        .string()
        .min(1)
        .optional()
        .describe('Another tool: calls after its first are allowed. Where it never ran, none is.'),
      undeclared: z.boolean().optional().describe('Allows tools that the suite does not declare.'),
    }),
  ])
  .transform((args) => (typeof args === 'string' ? { tool: args } : args));

/** Passes when the tool was never called; with `before`, when it was not called before the first call of that one. */
export const notCallsTool: Scorer<z.output<typeof schema>> = {
  title: 'does not call a tool',
  schema: schema.describe('Passes when the tool was never called, or not before another.'),
  tools: ({ tool, before }) => (before === undefined ? [tool] : [tool, before]),
  score({ tool, before }, { trajectory }) {
    const first = callsOfTool(trajectory, tool)[0];
    if (!first) return pass(`${tool} was never called`);
    const allowed = before === undefined ? undefined : callsOfTool(trajectory, before)[0];
    if (allowed && allowed.index < first.index)
      return pass(`${tool} was called in turn ${first.turn}, after ${before}`);
    const asked = show(first.call.malformedArguments ?? first.call.arguments);
    const said = `${tool} was called in turn ${first.turn} with ${asked}`;
    if (before === undefined) return fail(said, first.turn);
    return fail(`${said}, ${allowed ? `before ${before}` : `and ${before} never was`}`, first.turn);
  },
};
