// The tools of a suite, here or in files of their own.

import type { JsonObject, ToolDefinition } from '../request/request.ts';
import { lineAt, quoted } from './faults.ts';
import { complain, type Reading, readPiece } from './issues.ts';
import { expandSchema, followRef, type Located, type Refs } from './refs.ts';
import { toolSchema } from './schema.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

interface ReadTools {
  /** Absent where the suite has none. */
  tools?: ToolDefinition[];
  /** Whether every name is known, so that an undeclared one can be told. */
  names: boolean;
}

function readTool(reading: Reading, refs: Refs, { source, node }: Located): ToolDefinition | undefined {
  const inFile: Reading = source === reading.source ? reading : { source, code: reading.code, faults: reading.faults };
  const tool = readPiece(inFile, 'tool', toolSchema, node);
  if (!tool) return undefined;
  const schemaNode = node.entries?.get('input_schema')?.node;
  const inputSchema = schemaNode && expandSchema(refs, { source, node: schemaNode });
  if (
    inputSchema !== undefined &&
    (typeof inputSchema !== 'object' || inputSchema === null || Array.isArray(inputSchema))
  ) {
    complain(inFile, schemaNode?.start ?? node.start, '`input_schema` must be a mapping');
  }
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(inputSchema !== undefined && { inputSchema: inputSchema as JsonObject }),
  };
}

/** Reads `tools:`. */
export function readTools(reading: Reading, refs: Refs, node: YamlNode | undefined): ReadTools {
  if (!node) return { names: true };
  if (!node.items) {
    complain(reading, node.start, `\`tools\` must be a list, not ${describeValue(node)}`);
    return { names: false };
  }
  const tools: ToolDefinition[] = [];
  const lines = new Map<string, number>();
  let names = true;
  for (const item of node.items) {
    const located = followRef(refs, { source: reading.source, node: item });
    const tool = located && readTool(reading, refs, located);
    if (!tool) {
      names = false;
      continue;
    }
    const first = lines.get(tool.name);
    if (first === undefined) lines.set(tool.name, lineAt(reading.source, item.start));
    else complain(reading, item.start, `duplicate tool ${quoted(tool.name)}, first on line ${first}`);
    tools.push(tool);
  }
  return { ...(tools.length > 0 && { tools }), names };
}
