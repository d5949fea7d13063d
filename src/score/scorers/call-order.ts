// call_order: the tools were called in this order.

import { z } from 'zod';
import { callsOf } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { fail, pass } from '../verdict.ts';

const schema = z
  .union([
    z.array(z.string().min(1)).min(1),
    z.strictObject({
      tools: z.array(z.string().min(1)).min(1).describe('The names of the tools, in order.'),
      undeclared: z.boolean().optional().describe('Allows tools that the suite does not declare.'),
    }),
  ])
  .transform((args) => (Array.isArray(args) ? { tools: args } : args));

/** Passes when the names appear in this order, not necessarily adjacent. */
export const callOrder: Scorer<z.output<typeof schema>> = {
  title: 'calls tools in order',
  schema: schema.describe('Passes when the names appear in this order, not necessarily adjacent.'),
  tools: ({ tools }) => tools,
  score({ tools }, { trajectory }) {
    const calls = callsOf(trajectory);
    let at = 0;
    for (const [position, tool] of tools.entries()) {
      while (at < calls.length && calls[at]?.call.name !== tool) at++;
      if (at === calls.length) {
        const before = calls.find(({ call }) => call.name === tool);
        if (!before) return fail(`${tool} was never called`);
        return fail(`${tool} was not called after ${tools[position - 1]}`, before.turn);
      }
      at++;
    }
    return pass(`called in order: ${tools.join(' → ')}`);
  },
};
