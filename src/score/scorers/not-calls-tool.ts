// not_calls_tool: the tool was never called.

import type { Scorer } from '../scorer.ts';
import { callsOfTool, fail, pass, show } from '../verdict.ts';
import { type ToolArgs, toolArgs } from './calls-tool.ts';

/** Passes when the tool was never called. */
export const notCallsTool: Scorer<ToolArgs> = {
  title: 'does not call a tool',
  schema: toolArgs.describe('Passes when the tool was never called.'),
  tools: ({ tool }) => [tool],
  score({ tool }, { trajectory }) {
    const first = callsOfTool(trajectory, tool)[0];
    if (!first) return pass(`${tool} was never called`);
    const asked = show(first.call.malformedArguments ?? first.call.arguments);
    return fail(`${tool} was called in turn ${first.turn} with ${asked}`, first.turn);
  },
};
