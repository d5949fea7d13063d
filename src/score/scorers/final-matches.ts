// final_matches: a regular expression is found in the answer.

import { RE2JS } from 're2js';
import { z } from 'zod';
import { finalText } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { fail, pass, show } from '../verdict.ts';

const schema = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    try {
      RE2JS.compile(pattern);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      context.addIssue({ code: 'custom', message: `not a regular expression of RE2: ${why}` });
    }
  });

const compiled = new Map<string, RE2JS>();

/** Passes when the expression is found. RE2 syntax (https://github.com/google/re2/wiki/Syntax): no pattern can hang a run. */
export const finalMatches: Scorer<string> = {
  title: 'the answer matches',
  schema: schema.describe('Passes when the regular expression (RE2 syntax) is found in the answer.'),
  tools: () => [],
  score(pattern, { trajectory }) {
    let expression = compiled.get(pattern);
    if (!expression) {
      expression = RE2JS.compile(pattern);
      compiled.set(pattern, expression);
    }
    const answer = finalText(trajectory);
    if (expression.matcher(answer).find()) return pass('the answer matches');
    return fail(`the answer does not match ${pattern}: ${show(answer)}`, trajectory.turns.length || undefined);
  },
};
