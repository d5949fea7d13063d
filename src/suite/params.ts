// `params:` and its short form `temperature:`.

import type { Json, JsonObject } from '../request/request.ts';
import { quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import type { YamlNode } from './yaml-node.ts';

const REFUSED: Record<string, string> = {
  model: 'write it as `model:` beside `params:`',
  messages: 'a case’s `input:` makes the messages',
  input: 'a case’s `input:` makes it',
  contents: 'a case’s `input:` makes them',
  system: 'write it as `system:` beside `params:`',
  instructions: 'write them as `system:` beside `params:`',
  systemInstruction: 'write it as `system:` beside `params:`',
  tools: 'declare them under `tools:`',
  stream: 'answers are read whole',
  candidateCount: 'a turn has one answer; `repeat:` takes a case several times',
  n: 'a turn has one answer; `repeat:` takes a case several times',
};

/** The parameters of one level; absent where it sets none. A null stays: it removes what a level below it sets. */
export function readParams(
  reading: Reading,
  node: YamlNode,
  { params, temperature }: { params?: Record<string, unknown> | undefined; temperature?: number | null | undefined },
): JsonObject | undefined {
  if (params === undefined && temperature === undefined) return undefined;
  const places = node.entries?.get('params')?.node.entries;
  for (const [name, why] of Object.entries(REFUSED)) {
    const entry = params && Object.hasOwn(params, name) ? places?.get(name) : undefined;
    if (entry) complain(reading, entry.keyStart, `${quoted(name)} may not stand in \`params\`: ${why}`);
  }
  const short = node.entries?.get('temperature');
  if (short && params && Object.hasOwn(params, 'temperature')) {
    complain(reading, short.keyStart, '`temperature` and `params.temperature` say the same thing twice; keep one');
  }
  return {
    ...(params as JsonObject | undefined),
    ...(temperature !== undefined && { temperature: temperature as Json }),
  };
}

/**
 * Merges levels, least specific first: per key, null removes; names in code-unit order. Absent where nothing is left.
 */
export function mergeParams(levels: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const merged = new Map<string, Json>();
  for (const level of levels) {
    for (const [name, value] of Object.entries(level ?? {})) {
      if (value === null) merged.delete(name);
      else merged.set(name, value);
    }
  }
  if (merged.size === 0) return undefined;
  return Object.fromEntries([...merged].sort(([one], [other]) => (one < other ? -1 : 1)));
}
