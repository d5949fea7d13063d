// `script:`, the model's side of a case in words of the suite's own.

import type { JsonObject } from '../request/request.ts';
import { mapTexts, wordsForMarks } from '../request/secret.ts';
import type { ScriptStep } from '../responder/scripted.ts';
import { complain, type Reading, readPiece } from './issues.ts';
import { scriptStepSchema } from './schema.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

function readStep(reading: Reading, node: YamlNode): ScriptStep | undefined {
  const step = readPiece(reading, 'script step', scriptStepSchema, node);
  if (!step) return undefined;
  const { text, tool_call: call, parallel, fails } = step;
  const said = ['text', 'tool_call', 'parallel', 'fails'].filter((key) => node.entries?.has(key));
  const clash = said.length === 0 || (said.includes('fails') && said.length > 1) || (call && parallel);
  if (clash) {
    complain(
      reading,
      node.start,
      'a step of a script holds `text`, `tool_call` or `parallel` (with or without `text`), or `fails`',
    );
    return undefined;
  }
  if (fails !== undefined) return { fails };
  const calls = parallel ?? (call ? [call] : undefined);
  if (!calls) return { text: text ?? '' };
  return {
    calls: calls.map(({ name, arguments: args = {} }) => ({ name, arguments: args as JsonObject })),
    ...(text !== undefined && { text }),
  };
}

/** Reads `script:`; undefined where there is none. Steps that are wrong are left out and their faults added. */
export function readScript(reading: Reading, node: YamlNode | undefined): ScriptStep[] | undefined {
  if (!node) return undefined;
  if (!node.items) {
    complain(reading, node.start, `\`script\` must be a list, not ${describeValue(node)}`);
    return [];
  }
  if (node.items.length === 0) complain(reading, node.start, '`script` must not be empty');
  const steps = node.items.flatMap((item) => readStep(reading, item) ?? []);
  return reading.interpolated ? mapTexts(steps, wordsForMarks) : steps;
}
