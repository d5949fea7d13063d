// The JSON Schemas that editors read, generated from the zod schemas.

import { z } from 'zod';
import { configSchema, suiteSchema } from './schema.ts';

function textOf(schema: z.ZodType, title: string): string {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ ...generated, title }, null, 2)}\n`;
}

/** JSON Schema 2020-12 of a suite file, as text. */
export function suiteJsonSchema(): string {
  return textOf(suiteSchema, 'Retake suite');
}

/** JSON Schema 2020-12 of retake.yaml, as text. */
export function configJsonSchema(): string {
  return textOf(configSchema, 'retake.yaml');
}
