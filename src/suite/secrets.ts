// Where `${VAR}` of a secret may stand: only where it reaches the model, a mock or an expectation, and nothing names a file.

import { hasMark } from '../request/secret.ts';
import { complain, type Reading } from './issues.ts';
import type { YamlNode } from './yaml-node.ts';

/** The keys of a piece under which a secret may stand. */
const SECRETS_UNDER = {
  suite: ['system', 'vars', 'tools', 'mocks', 'params', 'expect', 'cases'],
  case: ['input', 'vars', 'params', 'mocks', 'expect', 'expected', 'context', 'script'],
  config: ['defaults'],
  defaults: ['params'],
} satisfies Record<string, readonly string[]>;

function refuseBelow(reading: Reading, node: YamlNode, key: string): void {
  if (typeof node.value === 'string' && !node.broken && hasMark(node.value)) {
    const message = `a secret may not stand under \`${key}\``;
    const remedy = 'Give the variable a name that does not end in KEY, TOKEN, SECRET or PASSWORD if it holds none.';
    complain(reading, node.start, message, { remedy });
    node.broken = true;
  }
  for (const child of node.items ?? node.entries?.values().map((entry) => entry.node) ?? []) {
    refuseBelow(reading, child, key);
    if (child.broken) node.broken = true;
  }
}

/** Refuses secrets under every key of a mapping but those of its row. What holds one counts as broken. */
export function refuseSecrets(reading: Reading, node: YamlNode, piece: keyof typeof SECRETS_UNDER): void {
  if (!node.entries || !reading.source.text.includes('${')) return;
  const allowed: readonly string[] = SECRETS_UNDER[piece];
  for (const [key, entry] of node.entries) if (!allowed.includes(key)) refuseBelow(reading, entry.node, key);
}
