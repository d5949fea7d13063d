// latency_under_ms: how long the model took, as recorded.

import { z } from 'zod';
import type { Scorer } from '../scorer.ts';
import { fail, pass } from '../verdict.ts';

const schema = z.int().min(1);

/** Passes when the latencies of all turns sum to less; tools are not counted. */
export const latencyUnderMs: Scorer<number> = {
  title: 'takes less than so many milliseconds',
  schema: schema.describe('Passes when the recorded latencies of the model sum to less, in milliseconds.'),
  tools: () => [],
  score(limit, { trajectory }) {
    if (trajectory.turns.some(({ source }) => source === 'code')) return fail('the time of a command is not recorded');
    const latencyMs = trajectory.turns.reduce((sum, turn) => sum + turn.latencyMs, 0);
    if (latencyMs < limit) return pass(`${latencyMs} ms`);
    return fail(`${latencyMs} ms, less than ${limit} ms expected`);
  },
};
