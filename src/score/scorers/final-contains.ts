// final_contains: the answer holds these texts.

import { z } from 'zod';
import { finalText } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { fail, pass, show } from '../verdict.ts';

const texts = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const schema = z
  .union([
    texts,
    z.strictObject({
      value: texts.describe('The text or texts.'),
      case_sensitive: z.boolean().optional().describe('Whether case counts; it does not unless set.'),
    }),
  ])
  .transform((args) => {
    const { value, case_sensitive = false } = typeof args === 'string' || Array.isArray(args) ? { value: args } : args;
    return { texts: typeof value === 'string' ? [value] : value, caseSensitive: case_sensitive };
  });

/** Passes when the answer holds every text, case ignored unless `case_sensitive`. */
export const finalContains: Scorer<z.output<typeof schema>> = {
  title: 'the answer contains',
  schema: schema.describe('Passes when the answer holds every text; case is ignored unless `case_sensitive`.'),
  tools: () => [],
  score({ texts: wanted, caseSensitive }, { trajectory }) {
    const answer = finalText(trajectory);
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const folded = fold(answer);
    const missing = wanted.filter((text) => !folded.includes(fold(text)));
    if (missing.length === 0) return pass('the answer contains it');
    const list = missing.map((text) => show(text)).join(', ');
    return fail(`the answer does not contain ${list}: ${show(answer)}`, trajectory.turns.length || undefined);
  },
};
