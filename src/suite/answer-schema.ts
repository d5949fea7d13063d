// `schema:` of `final_json`: in the suite, or in a file of the project.

import type { Json } from '../request/request.ts';
import type { Reading } from './issues.ts';
import { expandSchema } from './refs.ts';
import { Entries, type YamlNode } from './yaml-node.ts';

/** The arguments of `final_json` with its schema read and the files it refers to put in; undefined where that fails, which is then among the faults. */
export function withSchema(reading: Reading, node: YamlNode, args: unknown): unknown {
  const schema = node.entries?.get('schema');
  if (!schema || !reading.refs || typeof args !== 'object') return args;
  const { source } = reading;
  let root = schema.node;
  if (typeof root.value === 'string') {
    const entries = new Entries();
    entries.add('$ref', schema);
    root = { ...root, value: { $ref: root.value }, entries };
  }
  const expanded: Json | undefined = expandSchema(reading.refs, { source, node: root });
  return expanded === undefined ? undefined : { ...args, schema: expanded };
}
