// What every expectation has that asks a model.

import { z } from 'zod';
import type { Json } from '../../request/request.ts';

/** The keys that say who is asked; `model` in words of the kind. */
export function grading(model: string) {
  return {
    model: z.string().min(1).optional().describe(model),
    params: z
      .record(z.string(), z.json() as z.ZodType<Json>)
      .optional()
      .describe('Sent to the model verbatim; `null` removes what is sent by itself.'),
  };
}
