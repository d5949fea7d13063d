// The result document fits its schema, and the JSON Schema in docs/schemas is that of the code (-u writes it anew).

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { runResultJsonSchema, runResultSchema } from '../../src/run/result-schema.ts';

const result = await run({
  cwd: fileURLToPath(new URL('../../examples/stories', import.meta.url)),
  globs: [],
  filter: [],
  tags: [],
  failFast: false,
  resume: false,
  env: {},
});

test('docs/schemas/run-result.schema.json is fresh', async () => {
  await expect(runResultJsonSchema()).toMatchFileSnapshot('../../docs/schemas/run-result.schema.json');
});

test('a run fits the schema, through JSON and back', () => {
  const document = JSON.parse(JSON.stringify(result));
  expect(runResultSchema.parse(document)).toEqual(document);
});

test.each([
  ['another version', { version: 2 }],
  ['a field it does not know', { extra: true }],
  ['counts that are no numbers', { counts: { total: '6' } }],
])('refuses %s', (_what, change) => {
  expect(runResultSchema.safeParse({ ...result, ...change }).success).toBe(false);
});
