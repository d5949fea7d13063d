// `$ref` to files: what comes out, and every way it can fail.

import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../src/suite/load.ts';
import { faultLine, faultLines, faultsOf, onlyCase, writeProject } from './project.ts';

const HEAD = 'name: s\nmodel: openai/m\n';
const CASES = 'cases:\n  - {name: c, input: Hi}\n';
const tools = (list: string) => `${HEAD}tools: ${list}\n${CASES}`;

describe('what is referred to is put in', () => {
  test('a tool, a list’s item, a schema, a part of a schema, rules', () => {
    const text = `${HEAD}tools:
  - $ref: ./schemas/a.json
  - $ref: schemas/tools.yaml#/list/1
  - name: c
    input_schema: {$ref: "schemas/c.json#/definitions/Order~1x"}
  - name: d
    input_schema: {$ref: schemas/d.json}
  - name: e
    input_schema: {type: object, properties: {p: {$ref: schemas/c.json}, q: {$ref: "#/properties/p"}}}
mocks:
  a: {$ref: mocks/a.yaml}
${CASES}`;
    const { tools: found, mocks } = onlyCase(text, {
      'schemas/a.json':
        '{"name": "a",\n\t"description": "\\u00e9\\/", "input_schema": {"$ref": "#/$defs/X", "$defs": {"X": {}}}}',
      'schemas/tools.yaml': 'list:\n  - name: no\n  - $ref: b.yaml\n',
      'schemas/b.yaml': 'name: b\ndescription: ${NOT_A_VARIABLE}\n',
      'schemas/c.json':
        '{"definitions": {"Order/x": {"properties": {"item": {"$ref": "#/definitions/Item"}}}, "Item": {"type": "string"}}}',
      'schemas/d.json': '{"$defs": {"T": {"type": "number"}}, "items": {"$ref": "#/$defs/T"}}',
      'mocks/a.yaml': '- return: 1\n',
    });
    const definitions = { 'Order/x': { properties: { item: { type: 'string' } } }, Item: { type: 'string' } };
    expect(found).toEqual([
      { name: 'a', description: 'é/', inputSchema: { $ref: '#/$defs/X', $defs: { X: {} } } },
      { name: 'b', description: '${NOT_A_VARIABLE}' },
      { name: 'c', inputSchema: definitions['Order/x'] },
      { name: 'd', inputSchema: { $defs: { T: { type: 'number' } }, items: { $ref: '#/$defs/T' } } },
      { name: 'e', inputSchema: { type: 'object', properties: { p: { definitions }, q: { $ref: '#/properties/p' } } } },
    ]);
    expect(mocks).toEqual({ a: [{ outcomes: [{ return: 1 }] }] });
  });

  test('a property that is called $ref, and data that looks like a reference, stay', () => {
    const text = `${HEAD}tools:\n  - {name: t, input_schema: {properties: {$ref: {type: string}}}}\nmocks: {t: [{return: {$ref: x.json}}]}\n${CASES}`;
    const { tools: found, mocks } = onlyCase(text);
    expect(found?.[0]?.inputSchema).toEqual({ properties: { $ref: { type: 'string' } } });
    expect(mocks.t).toEqual([{ outcomes: [{ return: { $ref: 'x.json' } }] }]);
  });
});

describe('what fails is one fault, at the reference', () => {
  const table: [title: string, list: string, files: Record<string, string>, faults: string[]][] = [
    ['missing', '[{$ref: x.json}]', {}, ['a.eval.yaml:3:16 `x.json` does not exist']],
    ['a directory', '[{$ref: x}]', { 'x/y': '' }, ['a.eval.yaml:3:16 `x` is a directory']],
    ['outside', '[{$ref: ../x.json}]', {}, ['a.eval.yaml:3:16 `../x.json` leaves the project']],
    ['absolute', '[{$ref: /etc/passwd}]', {}, ['a.eval.yaml:3:16 `/etc/passwd` leaves the project']],
    ['on another drive', '[{$ref: "C:/x.json"}]', {}, ['a.eval.yaml:3:16 `C:/x.json` leaves the project']],
    ['with backslashes', '[{$ref: x\\y.json}]', {}, ['a.eval.yaml:3:16 `x\\y.json` must be written with `/`']],
    [
      'remote',
      '[{$ref: "https://a.b/x.json"}]',
      {},
      ['a.eval.yaml:3:16 `https://a.b/x.json` is remote; only files of the project are read'],
    ],
    ['not text', '[{$ref: 1}]', {}, ['a.eval.yaml:3:16 `$ref` must be the path of a file']],
    [
      'with others beside it',
      '[{$ref: x.json, name: t}]',
      { 'x.json': '{}' },
      ['a.eval.yaml:3:16 `$ref` must stand alone, without other keys beside it'],
    ],
    [
      'a pointer to nothing',
      '[{$ref: "x.json#/a/0"}]',
      { 'x.json': '{"a": []}' },
      ['a.eval.yaml:3:16 `x.json` holds nothing at `#/a/0`'],
    ],
    [
      'a pointer to what objects have by nature',
      '[{$ref: "x.json#/toString"}]',
      { 'x.json': '{}' },
      ['a.eval.yaml:3:16 `x.json` holds nothing at `#/toString`'],
    ],
    [
      'itself',
      '[{$ref: x.yaml}]',
      { 'x.yaml': '$ref: y.yaml', 'y.yaml': '$ref: x.yaml' },
      ['a.eval.yaml:3:16 `$ref` leads back to itself, by `x.yaml#`'],
    ],
    [
      'a schema that holds itself',
      '[{name: t, input_schema: {$ref: "x.json#/a"}}]',
      { 'x.json': '{"a": {"items": {"$ref": "#/a"}}}' },
      ['x.json:1:26 `$ref` leads back to itself, by `x.json#/a`'],
    ],
    [
      'a file that is faulty, wherever it is used',
      '[{$ref: x.yaml}, {$ref: x.yaml}]',
      { 'x.yaml': 'name: t\nname: u' },
      ['x.yaml:2:1 duplicate key `name`, first on line 1'],
    ],
    [
      'a file whose content is wrong',
      '[{$ref: x.yaml}]',
      { 'x.yaml': 'name: t\ndescripton: u' },
      ['x.yaml:2:1 unknown key `descripton`, did you mean `description`?'],
    ],
    [
      'a schema that is a list',
      '[{name: t, input_schema: {$ref: x.json}}]',
      { 'x.json': '[]' },
      ['a.eval.yaml:3:33 `input_schema` must be a mapping'],
    ],
  ];
  test.each(table)('%s', (_title, list, files, faults) => {
    expect(faultLines({ 'a.eval.yaml': tools(list), ...files })).toEqual(faults);
  });

  test('what hangs on it is silent', () => {
    const text = `${HEAD}tools: [{$ref: gone.json}]\nmocks: {t: [{return: 1}]}\nexpect: [{calls_tool: t}]\n${CASES}`;
    expect(faultLines({ 'a.eval.yaml': text })).toEqual(['a.eval.yaml:3:16 `gone.json` does not exist']);
  });

  test('a link that leads out of the project', () => {
    const root = writeProject({ 'in/a.eval.yaml': tools('[{$ref: link.json}]'), 'secret.json': '{"name": "t"}' });
    symlinkSync(path.join(root, 'secret.json'), path.join(root, 'in/link.json'));
    expect(faultsOf(() => loadProject({ cwd: path.join(root, 'in'), globs: [], env: {} })).map(faultLine)).toEqual([
      'a.eval.yaml:3:16 `link.json` leaves the project',
    ]);
  });

  test('references that double at every level end', () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `x${at}.json`,
        JSON.stringify(at === 39 ? {} : { a: { $ref: `x${at + 1}.json` }, b: { $ref: `x${at + 1}.json` } }),
      ]),
    );
    const faults = faultLines({ 'a.eval.yaml': tools('[{name: t, input_schema: {$ref: x0.json}}]'), ...files });
    expect(faults).toEqual([expect.stringMatching(/`\$ref` expands more than 10000 times$/)]);
  });
});
