// max_tool_calls: no more tool calls than that.

import { z } from 'zod';
import { callsOf } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { count, fail, pass } from '../verdict.ts';

const schema = z.int().min(0);

/** Passes when there were at most so many tool calls in all. */
export const maxToolCalls: Scorer<number> = {
  title: 'calls tools at most so often',
  schema: schema.describe('Passes when there were at most so many tool calls in all.'),
  tools: () => [],
  score(most, { trajectory }) {
    const calls = callsOf(trajectory);
    const said = count(calls.length, 'tool call');
    return calls.length <= most ? pass(said) : fail(`${said}, at most ${most} expected`, calls[most]?.turn);
  },
};
