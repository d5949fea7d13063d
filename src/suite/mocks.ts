// `mocks:`, the rules of each tool.

import type { Json } from '../request/request.ts';
import { mapTexts, wordsForMarks } from '../request/secret.ts';
import type { MockOutcome, MockRule, Mocks } from '../target/mocks.ts';
import { mockCommand } from './code-schema.ts';
import { quoted } from './faults.ts';
import { complain, type Reading, readPiece } from './issues.ts';
import { followRef, type Located, type Refs } from './refs.ts';
import { ruleSchema } from './schema.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

const ANSWERS = ['return', 'error', 'run', 'sequence'];

/** Exactly one answer must stand in a rule or an outcome. */
function refuseCount(reading: Reading, node: YamlNode, what: 'a rule' | 'an outcome'): boolean {
  const keys = what === 'a rule' ? ANSWERS : ANSWERS.slice(0, 3);
  const found = keys.filter((key) => node.entries?.has(key));
  const beside = ['timeout_s', 'env'].find((key) => node.entries?.has(key) && !node.entries.has('run'));
  if (found.length === 1 && beside === undefined) return false;
  if (found.length === 1) {
    complain(
      reading,
      node.entries?.get(beside as string)?.keyStart ?? node.start,
      `\`${beside}\` stands only beside \`run\``,
    );
    return true;
  }
  const list = keys.map((key) => `\`${key}\``).join(', ');
  const second = found[1] === undefined ? undefined : node.entries?.get(found[1])?.keyStart;
  const said = found.length === 0 ? 'none' : found.map((key) => `\`${key}\``).join(' and ');
  complain(reading, second ?? node.start, `${what} holds exactly one of ${list}, not ${said}`);
  return true;
}

interface Answered {
  return?: unknown;
  error?: string | undefined;
  run?: string | undefined;
  timeout_s?: number | undefined;
  env?: string[] | undefined;
}

function outcomeOf(value: Answered): MockOutcome {
  const { run } = value;
  if (run !== undefined) return { run: mockCommand({ ...value, run }) };
  return value.error === undefined ? { return: (value.return ?? null) as Json } : { error: value.error };
}

function readRule(reading: Reading, node: YamlNode): MockRule | undefined {
  const rule = readPiece(reading, 'rule', ruleSchema, node);
  if (!rule || refuseCount(reading, node, 'a rule')) return undefined;
  const steps = node.entries?.get('sequence')?.node.items ?? [];
  if (steps.some((step) => refuseCount(reading, step, 'an outcome'))) return undefined;
  return {
    ...(rule.when !== undefined && { when: mapTexts(rule.when as Json, wordsForMarks) }),
    outcomes: rule.sequence ? rule.sequence.map(outcomeOf) : [outcomeOf(rule)],
  };
}

function readRules(reading: Reading, tool: string, { source, node }: Located): MockRule[] {
  const inFile: Reading = source === reading.source ? reading : { source, code: reading.code, faults: reading.faults };
  if (!node.items) {
    complain(inFile, node.start, `the mock of ${quoted(tool)} must be a list of rules, not ${describeValue(node)}`, {
      remedy: 'Begin each rule with `-`.',
    });
    return [];
  }
  if (node.items.length === 0) complain(inFile, node.start, `the mock of ${quoted(tool)} has no rules`);
  return node.items.flatMap((item) => readRule(inFile, item) ?? []);
}

/** Reads `mocks:`; rules that are wrong are left out and their faults added. */
export function readMocks(reading: Reading, refs: Refs, node: YamlNode | undefined): Mocks {
  const mocks: [string, MockRule[]][] = [];
  const located = node && followRef(refs, { source: reading.source, node });
  if (!located) return {};
  if (!located.node.entries) {
    const inFile = { ...reading, source: located.source };
    complain(inFile, located.node.start, `\`mocks\` must be a mapping of tools, not ${describeValue(located.node)}`);
    return {};
  }
  for (const [tool, entry] of located.node.entries) {
    const rules = followRef(refs, { source: located.source, node: entry.node });
    mocks.push([tool, rules ? readRules(reading, tool, rules) : []]);
  }
  return Object.fromEntries(mocks);
}
