// The JSON Schemas of a project's expectations, checked before a case runs: what checks them loads only where there is one.

import { type Fault, UserError } from '../errors.ts';
import type { Json } from '../request/request.ts';
import type { PlannedSuite } from '../suite/plan.ts';

/** Throws UserError with every schema that is none, at the lines of the suites that hold it. */
export async function checkSchemas(suites: readonly PlannedSuite[]): Promise<void> {
  const faults = new Map<string, Fault>();
  for (const { path, cases } of suites) {
    for (const { kind, args, line } of cases.flatMap(({ expect }) => expect)) {
      const schema = kind === 'final_json' && (args as { schema?: Json } | null)?.schema;
      if (!schema) continue;
      const { validatorOf } = await import('../score/json-schema.ts');
      const validate = validatorOf(schema);
      if (!('problem' in validate)) continue;
      faults.set(`${path}:${line}`, {
        code: 'suite_invalid',
        message: `\`schema\` is no JSON Schema 2020-12 that can be checked: ${validate.problem}`,
        place: { file: path, line },
        remedy: 'Patterns are RE2: without lookaround and back references.',
      });
    }
  }
  if (faults.size > 0) throw new UserError([...faults.values()]);
}
