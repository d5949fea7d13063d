// The zod schemas of what retake.yaml says about money.

import { z } from 'zod';

const perMillion = z.number().min(0).max(1_000_000);

/** An entry of `prices:`: USD per million tokens. */
export const priceSchema = z.strictObject({
  input: perMillion.describe('USD per million input tokens.'),
  output: perMillion.describe('USD per million output tokens, reasoning included.'),
  cache_read: perMillion
    .describe('USD per million input tokens read from the provider’s cache; as `input` unless set.')
    .optional(),
  cache_write: perMillion
    .describe('USD per million input tokens written to the provider’s cache; as `input` unless set.')
    .optional(),
});

/** Keys of retake.yaml. */
export const spending = {
  prices: z
    .record(
      z.string().regex(/^[^/\s]+\/\S+$/, { message: 'must be `provider/model`, such as my-llm/my-model' }),
      priceSchema,
    )
    .describe('What models cost, by `provider/model`; wins over the price list that is built in.')
    .optional(),
  budget_usd: z
    .number()
    .min(0)
    .describe('USD a run may spend on live answers; it stops before the request that would pass it.')
    .optional(),
};
