// final_equals: the answer is this text.

import { z } from 'zod';
import { finalText } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { fail, pass, show } from '../verdict.ts';

const schema = z.string().nullable();

/** Passes when the answer equals the text; without a text, the case's `expected`. */
export const finalEquals: Scorer<string | null> = {
  title: 'the answer equals',
  schema: schema.describe("Passes when the answer equals the text; without a text, the case's `expected`."),
  tools: () => [],
  score(text, { trajectory, expected }) {
    const wanted = text ?? expected ?? '';
    const answer = finalText(trajectory);
    if (answer === wanted) return pass('the answer is equal');
    const turn = trajectory.turns.length || undefined;
    if (answer.trim() === wanted.trim()) {
      return fail(`the answer differs in white space at its ends: ${show(answer)}, not ${show(wanted)}`, turn);
    }
    return fail(`the answer is ${show(answer)}, not ${show(wanted)}`, turn);
  },
};
