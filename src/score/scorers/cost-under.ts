// cost_under: what the take cost at list prices, as recorded.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { dollars, fail, pass } from '../verdict.ts';

const schema = z.number().positive();

/** Passes when the take cost less. A turn without a known price fails it: what is not known is not cheap. */
export const costUnder: Scorer<number> = {
  title: 'costs less than so many USD',
  schema: schema.describe('Passes when the take cost less than so many USD at list prices.'),
  tools: () => [],
  score(limit, { cost, trajectory }) {
    if (trajectory.turns.some(({ source }) => source === 'code')) return fail('what a command spends is not known');
    const unknown = cost?.unknown ?? ['nothing was priced'];
    if (!cost || unknown.length > 0) {
      return fail(`the cost is unknown: ${unknown.join('; ')}. Prices go under \`prices:\` in retake.yaml`);
    }
    if (cost.usd < limit) return pass(`cost ${dollars(cost.usd)}`);
    return fail(`cost ${dollars(cost.usd)}, less than ${dollars(limit)} expected`);
  },
};
