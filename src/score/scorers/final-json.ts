// final_json: the answer is JSON of the given shape.

import { z } from 'zod';
import type { Json } from '../../request/request.ts';
import { finalText } from '../../target/trajectory.ts';
import type { Scorer } from '../scorer.ts';
import { fail, pass, show } from '../verdict.ts';

const TYPES = {
  str: (value) => typeof value === 'string',
  int: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number',
  number: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  any: () => true,
} satisfies Record<string, (value: Json) => boolean>;

type TypeName = keyof typeof TYPES;
const typeName = z.enum(Object.keys(TYPES) as [TypeName, ...TypeName[]]);

const schema = z
  .strictObject({
    required: z.array(z.string().min(1)).optional().describe('Names that must be there.'),
    fields: z.record(z.string(), typeName).optional().describe('Types of names, where they are there.'),
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.json())])
      .optional()
      .describe('JSON Schema 2020-12, here or the path of a file relative to the suite.'),
  })
  .nullable();

async function misfitOf(schema: Json, value: Json): Promise<string | undefined> {
  const { validatorOf } = await import('../json-schema.ts');
  const validate = validatorOf(schema);
  return 'problem' in validate ? `the schema is no JSON Schema: ${validate.problem}` : validate(value);
}

/** Passes when the answer parses and fits. */
export const finalJson: Scorer<z.output<typeof schema>> = {
  title: 'the answer is JSON',
  schema: schema.describe(
    'Passes when the answer is JSON, holds the required names, fields have these types, and it fits the schema.',
  ),
  tools: () => [],
  async score(args, { trajectory }) {
    const answer = finalText(trajectory);
    const turn = trajectory.turns.length || undefined;
    let value: Json;
    try {
      value = JSON.parse(answer);
    } catch {
      const fenced = /^\s*```/.test(answer) ? ' (it stands in a code fence)' : '';
      return fail(`the answer is not JSON${fenced}: ${show(answer)}`, turn);
    }
    const { required = [], fields = {}, schema: wanted } = args ?? {};
    const misfit = wanted === undefined ? undefined : await misfitOf(wanted, value);
    if (misfit !== undefined) return fail(misfit, turn);
    if (required.length === 0 && Object.keys(fields).length === 0)
      return pass(wanted === undefined ? 'the answer is JSON' : 'the answer fits the schema');
    if (!TYPES.object(value)) return fail(`the answer is not a JSON object: ${show(value)}`, turn);
    const object = value as Record<string, Json>;
    for (const name of required) {
      if (!Object.hasOwn(object, name)) return fail(`${name} is missing: ${show(value)}`, turn);
    }
    for (const [name, type] of Object.entries(fields)) {
      if (Object.hasOwn(object, name) && !TYPES[type](object[name] as Json)) {
        return fail(`${name} is ${show(object[name])}, not of type ${type}`, turn);
      }
    }
    return pass('the answer is JSON of this shape');
  },
};
