// tokens_under: tokens in and out of all turns, as recorded.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { count, fail, pass } from '../verdict.ts';

const schema = z.int().min(1);

/** Passes when the turns took fewer tokens. A turn whose provider reported none fails it; a script's takes none. */
export const tokensUnder: Scorer<number> = {
  title: 'takes fewer than so many tokens',
  schema: schema.describe('Passes when input and output tokens of all turns sum to fewer.'),
  tools: () => [],
  score(limit, { trajectory }) {
    let tokens = 0;
    for (const [at, { source, usage }] of trajectory.turns.entries()) {
      if (source === 'code') return fail('a command reports no tokens', at + 1);
      if (!usage && source !== 'script') return fail(`the provider reported no tokens for turn ${at + 1}`, at + 1);
      tokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    }
    if (tokens < limit) return pass(count(tokens, 'token'));
    return fail(`${count(tokens, 'token')}, fewer than ${limit} expected`);
  },
};
