// `final_json` with a schema: what fits, what is said of what does not, and that no answer hangs it.

import { expect, test } from 'vitest';
import { scorerOf } from '../../src/score/index.ts';
import { validatorOf } from '../../src/score/json-schema.ts';
import type { Verdict } from '../../src/score/scorer.ts';
import type { Trajectory } from '../../src/target/trajectory.ts';

function answered(text: string): Trajectory {
  const turn = { fingerprint: 'f', head: 'h', source: 'script', stop: 'end_turn', latencyMs: 0, results: [] } as const;
  return { input: [], turns: [{ ...turn, results: [], content: [{ type: 'text', text }] }], stopped: 'end_turn' };
}

async function judge(schema: object, answer: unknown): Promise<Verdict> {
  const scorer = scorerOf('final_json');
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return (await scorer?.score({ schema }, { trajectory: answered(text) })) as Verdict;
}

const ORDER = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'order',
  type: 'object',
  required: ['id', 'items'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^A-\\d+$' },
    status: { enum: ['open', 'late'] },
    kind: { const: 'order' },
    day: { type: 'string', format: 'date' },
    items: { type: 'array', prefixItems: [{ type: 'string' }], items: { $ref: '#/$defs/price' } },
  },
  $defs: { price: { type: 'number', exclusiveMinimum: 0 } },
};

test('what fits passes', async () => {
  const order = { id: 'A-1', status: 'late', kind: 'order', day: '2026-02-28', items: ['x', 1, 2.5] };
  expect(await judge(ORDER, order)).toEqual({ passed: true, value: 1, reason: 'the answer fits the schema' });
  // The same `$id` again.
  expect((await judge({ ...ORDER, title: 'another' }, order)).passed).toBe(true);
});

test.each<[unknown, string]>([
  [[], 'the answer must be object: []'],
  [{ items: [] }, 'the answer has no "id"'],
  [{ id: 'B-1', items: [] }, 'id must match pattern "^A-\\d+$": "B-1"'],
  [{ id: 'A-1', items: ['x', -1] }, 'items[1] must be > 0: -1'],
  [{ id: 'A-1', items: [5] }, 'items[0] must be string: 5'],
  [{ id: 'A-1', items: [], extra: 1 }, 'the answer has "extra", which the schema does not allow'],
  [{ id: 'A-1', items: [], status: 'lost' }, 'status is "lost", not one of ["open","late"]'],
  [{ id: 'A-1', items: [], kind: 'x' }, 'kind is "x", not "order"'],
  [{ id: 'A-1', items: [], day: '2026-02-30' }, 'day must match format "date": "2026-02-30"'],
  ['no json', 'the answer is not JSON: "no json"'],
])('%j fails: %s', async (answer, reason) => {
  expect(await judge(ORDER, answer)).toEqual({ passed: false, value: 0, reason, turn: 1 });
});

test.each<[string, object, string]>([
  ['an unknown keyword', { requried: ['a'] }, 'unknown keyword: "requried"'],
  ['a wrong type', { type: 'text' }, 'schema is invalid'],
  ['a pattern that is not RE2', { pattern: '(?=a)' }, 'invalid'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, "can't resolve reference"],
  ['another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft-04'],
])('%s is no schema', (_title, schema, problem) => {
  expect(validatorOf(schema as never)).toEqual({ problem: expect.stringContaining(problem) });
});

const HOSTILE = 'a'.repeat(100_000);

test.each<[string, object, string]>([
  ['a pattern', { pattern: '^(a+)+$' }, `${HOSTILE}!`],
  ['two patterns', { allOf: [{ pattern: '^(a|a)*b$' }, { pattern: '^(a|aa)+$' }] }, HOSTILE],
  ['patternProperties', { patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false }, ''],
  ...['email', 'uri', 'uri-reference', 'date-time', 'ipv6', 'hostname', 'uri-template', 'json-pointer', 'uuid'].map(
    (format): [string, object, string] => [format, { format }, `${HOSTILE}@!{`],
  ),
  ['regex', { format: 'regex' }, `${HOSTILE}(`],
])('a catastrophic %s against 100 kB comes back', async (_title, schema, answer) => {
  const verdict = await judge(schema, answer === '' ? { [`${HOSTILE}!`]: 1 } : JSON.stringify(answer));
  expect(verdict.passed).toBe(false);
});

test('final_matches against 100 kB comes back', async () => {
  const scorer = scorerOf('final_matches');
  expect(await scorer?.score('^(a+)+$', { trajectory: answered(`${HOSTILE}!`) })).toMatchObject({ passed: false });
  expect(await scorer?.score('(a|aa)+b', { trajectory: answered(HOSTILE) })).toMatchObject({ passed: false });
});

test('an answer nested deeper than the stack is told', async () => {
  const schema = { $id: 'nested', type: 'array', items: { $ref: '#' } };
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const { passed, reason } = await judge(schema, deep);
  expect(passed).toBe(false);
  expect(reason).toMatch(/nested too deep|not JSON/);
});
