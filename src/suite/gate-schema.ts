// The zod schema of `gates:`, and what reading them comes to.

import { z } from 'zod';
import { SCORERS } from '../score/index.ts';

const share = z.number().min(0).max(1);
const amount = z.number().min(0);
const kinds = Object.fromEntries(
  Object.keys(SCORERS).map((kind) => [
    kind,
    share.describe('The least mean of the scores of this kind.').exactOptional(),
  ]),
);

/** What stands under `gates:` in a suite or in retake.yaml. */
export const gatesSchema = z
  .strictObject({
    pass_rate: share
      .describe('The share of cases that must pass; single failing cases are then tolerated.')
      .exactOptional(),
    mean_score: z
      .strictObject(kinds)
      .describe('By kind of expectation, what its scores must reach on average.')
      .exactOptional(),
    accuracy: share.describe('The share of answers that must equal `expected`.').exactOptional(),
    macro_f1: share.describe('What the F1 of the expected labels must reach on average.').exactOptional(),
    cost_usd: amount.describe('USD that the recorded answers may cost, without judges.').exactOptional(),
    latency_ms: amount.describe('Milliseconds that a take may take on average.').exactOptional(),
  })
  .describe('What must hold of all cases together.');

/** Floors and ceilings over many cases. */
export type Gates = z.output<typeof gatesSchema>;
