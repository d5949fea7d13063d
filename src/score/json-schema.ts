// JSON Schema 2020-12 for answers. Loaded only where a suite has a schema.

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { Json } from '../request/request.ts';
import { show } from './verdict.ts';

/** A pattern of RE2: no answer can make it run for ever. Ajv tells patterns apart by their text. */
function expression(pattern: string) {
  const compiled = RE2JS.compile(pattern);
  return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/u` };
}

const ajv = new Ajv2020({
  // A misspelt keyword would pass for ever; how schemas are laid out is the author's own.
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  logger: false,
  // Errors then hold the value they are of.
  verbose: true,
  code: { regExp: Object.assign(expression, { code: 'expression' }) },
});
ajvFormats.default(ajv);

/** Says what is wrong with a value; undefined where it fits. */
type Validate = (value: Json) => string | undefined;

const compiled = new Map<string, Validate | { problem: string }>();

/** `items[0].price` for `/items/0/price`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}${path === '' ? '' : '.'}${step}`), '');
}

function wordsOf({ instancePath, message = 'does not fit', keyword, params, data }: ErrorObject): string {
  const subject = pathOf(instancePath) || 'the answer';
  if (keyword === 'additionalProperties')
    return `${subject} has ${show(params['additionalProperty'])}, which the schema does not allow`;
  if (keyword === 'required') return `${subject} has no ${show(params['missingProperty'])}`;
  if (keyword === 'enum') return `${subject} is ${show(data as Json)}, not one of ${show(params['allowedValues'])}`;
  if (keyword === 'const') return `${subject} is ${show(data as Json)}, not ${show(params['allowedValue'])}`;
  return `${subject} ${message}: ${show(data as Json)}`;
}

function compile(schema: Json): Validate | { problem: string } {
  try {
    const validate = ajv.compile(schema as object);
    return (value) => {
      try {
        return validate(value) ? undefined : wordsOf(validate.errors?.[0] as ErrorObject);
      } catch (error) {
        if (error instanceof RangeError) return 'the answer is nested too deep for its schema';
        throw error;
      }
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    // Two schemas may have one `$id`.
    ajv.removeSchema();
  }
}

/** What tells whether a value fits a schema, or what is wrong with the schema. No reference leads out of it. */
export function validatorOf(schema: Json): Validate | { problem: string } {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? compile(schema);
  compiled.set(text, known);
  return known;
}
