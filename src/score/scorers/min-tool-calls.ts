// min_tool_calls: the tool was called at least so often.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { callsOfTool, count, fail, pass } from '../verdict.ts';

const schema = z.strictObject({
  tool: z.string().min(1).describe('The name of the tool.'),
  count: z.int().min(1).describe('The least number of calls.'),
  undeclared: z.boolean().optional().describe('Allows a tool that the suite does not declare.'),
});

/** Passes when the tool was called at least `count` times. */
export const minToolCalls: Scorer<z.output<typeof schema>> = {
  title: 'calls a tool at least so often',
  schema: schema.describe('Passes when the tool was called at least `count` times.'),
  tools: ({ tool }) => [tool],
  score({ tool, count: least }, { trajectory }) {
    const calls = callsOfTool(trajectory, tool).length;
    const said = `${tool} was called ${count(calls, 'time')}`;
    return calls >= least ? pass(said) : fail(`${said}, at least ${least} expected`);
  },
};
