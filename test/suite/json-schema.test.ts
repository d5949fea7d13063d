// The JSON Schemas in docs/schemas are those of the code. To write them anew: npx vitest run test/suite/json-schema.test.ts -u

import { expect, test } from 'vitest';
import { configJsonSchema, suiteJsonSchema } from '../../src/suite/json-schema.ts';

test.each([
  ['suite.schema.json', suiteJsonSchema],
  ['retake.schema.json', configJsonSchema],
])('docs/schemas/%s is fresh', async (file, generate) => {
  await expect(generate()).toMatchFileSnapshot(`../../docs/schemas/${file}`);
});

test.each([
  ['suite', suiteJsonSchema],
  ['retake.yaml', configJsonSchema],
])('every property of the %s schema says what it is for', (_name, generate) => {
  const silent: string[] = [];
  const root = JSON.parse(generate());
  const described = (value: { description?: string; $ref?: string }): boolean =>
    value.description !== undefined ||
    (value.$ref !== undefined && described(root.$defs[value.$ref.split('/').at(-1) as string]));
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === 'properties') {
        for (const [name, property] of Object.entries(child as Record<string, object>)) {
          if (!described(property)) silent.push(`${path}.${name}`);
        }
      }
      walk(child, `${path}.${key}`);
    }
  };
  walk(root, '');
  expect(silent).toEqual([]);
});
