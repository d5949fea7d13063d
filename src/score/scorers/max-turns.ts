// max_turns: the conversation ended within so many turns.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { count, fail, pass } from '../verdict.ts';

const schema = z.int().min(1);

/** Passes when the model was asked at most so often and ended by itself. */
export const maxTurns: Scorer<number> = {
  title: 'ends within so many turns',
  schema: schema.describe('Passes when the model was asked at most so often.'),
  tools: () => [],
  score(most, { trajectory }) {
    const turns = trajectory.turns.length;
    const said = count(turns, 'turn');
    if (turns > most) return fail(`${said}, at most ${most} expected`, most + 1);
    if (trajectory.stopped === 'max_turns') return fail(`stopped after ${said} with tool calls still open`, turns);
    return pass(said);
  },
};
