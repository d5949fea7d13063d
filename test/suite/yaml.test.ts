// YAML as suites read it: the values of the `yaml` package, places, and what is refused.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Json } from '../../src/request/request.ts';
import { lineAt, makeSource } from '../../src/suite/faults.ts';
import { parseYaml } from '../../src/suite/yaml.ts';
import type { YamlNode } from '../../src/suite/yaml-node.ts';

function read(text: string, env?: Record<string, string>) {
  const source = makeSource('a.yaml', text);
  return { source, ...parseYaml(source, { code: 'suite_invalid', ...(env && { env }) }) };
}

function soundValue(text: string): Json | undefined {
  const { root, faults } = read(text);
  expect(faults).toEqual([]);
  return root?.value;
}

function faultsOf(text: string, env?: Record<string, string>): string[] {
  return read(text, env).faults.map(({ place, message }) => `${place?.line}:${place?.column} ${message}`);
}

const TRICKY = [
  'a: 1\nb: -1\nc: +12\nd: 0o17\ne: 0x1F\nf: 017\ng: 1_000\nh: 0b11',
  '- 1.5\n- .5\n- 5.\n- -.5e3\n- 1e3\n- 1E-3\n- +1.0\n- 1.2.3\n- 12e03\n- e3\n- .\n- -\n- "-"',
  '- ~\n- null\n- Null\n- NULL\n- nULL\n-\n- true\n- True\n- TRUE\n- tRUE\n- yes\n- no\n- on\n- off\n- y\n- n',
  '- 2024-01-01\n- 2024-01-01T00:00:00Z\n- 12:30:45\n- 0o8\n- 0xG\n- 1,000',
  '<<: {a: 1}\nb: 2',
  '{a: 1, b: [2, {c: 3}], "d": \'e\', f: , g}',
  '[a, [b, [c]], {d: e}, f: g]',
  '{"a":1,"b":"\\u00e9\\ud83d\\ude00\\n\\t\\/","c":[]}',
  'a: |\n  one\n   two\n\n  three\nb: >\n  folded\n  text\n\n  more\n\nc: |-\n  strip\n\nd: |+\n  keep\n\ne: >-\n  x\n  y\n',
  'a: |2\n   indented\n  less\nb: |1-\n x\n',
  "a: plain text\n  that goes on\n  for lines\nb: \"double\n  folded \\\n  escaped\"\nc: 'it''s\n\n  two'",
  'a: b # comment\n# whole line\nc: d#not\ne: "f" # x\n',
  'a: &x {b: 1}\nc: *x\nd: [*x, *x]',
  'a: &x one\nb: *x\n&k key: v\n',
  '? a\n: b\n? c\n',
  '1: a\ntrue: b\nnull: c\n1.0e3: d\n0x10: e',
  '"quoted key": 1\n\'single\': 2\n"": 3',
  '- - a\n  - b\n-\n  - c\n- x: 1\n  y: 2\n-   z: 3',
  '---\na: 1\n...\n',
  '%YAML 1.2\n---\na: 1',
  '\uFEFFa: 1',
  'a:\r\n  b: |\r\n    one\r\n    two\r\n  c: "x\r\n    y"\r\n',
  'a: !!str 12\nb: !!int "3"\nc: !!float 1.5\nd: ! 12\ne: !!map {x: 1}\nf: !!seq [1]\ng: !!null ~\nh: !!bool "true"',
  'a: -0\nb: 00\nc: 0.0\nd: 9007199254740991',
  'a: http://x.y/z?q=1#frag\nb: a:b\nc: "- x"\nd: -x\ne: ?x\nf: :x',
  '__proto__: 1\nconstructor: 2\ntoString: {__proto__: {a: 1}}',
  'plain',
  '"just text"',
  '- a\n-  b\n- "c"   \n',
  'a: [\n  b,\n  c # d\n]\ne: {\n  f: "g\n   h",\n}\ni:\n  - j: {\n      k: l\n    }\n    m:\n    n: |\n      o\n    p: >-\n      q\n      r\n    s: \'t\'\n    "u": ~\n',
  'a: {b: !!str 1}\nc: [\n  1\n  ]',
  'k: "tab\tinside"\nl: \'tab\tinside\'\nm: tab\tinside',
  'emoji: 😀 text\n日本: 語',
  'a: "x: y, [z] {w}"\nb: x, y\nc: x [y]',
  'key with spaces: value with spaces  \n',
  'a:\n- b\n- c\nd:\n  - e',
];

describe('values', () => {
  test.each(TRICKY)('%j reads as the yaml package reads it', (text) => {
    expect(JSON.stringify(soundValue(text))).toBe(
      JSON.stringify(parse(text.replace(/^\uFEFF/, ''), { maxAliasCount: -1 })),
    );
  });

  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      ...'1_0 0x1F 0o7 1e3 .5 5. ~ null yes no - ? : # a#b a: {} [] | > & * ! % @ ` \' " \n \r\n \t <<'.split(' '),
    ),
    fc.stringMatching(/^[-+.0-9eExo~:# ]{1,8}$/),
    fc.stringMatching(/^[ \n\ta-c]{1,20}$/),
  );
  const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      text,
      fc.constantFrom(null, true, false),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => Math.abs(number) < 1e15),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    ),
  })) as { value: fc.Arbitrary<Json> };

  test('whatever the yaml package writes in any style reads the same here', () => {
    const styles = fc.record({
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
      defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
      collectionStyle: fc.constantFrom('any', 'flow', 'block'),
      lineWidth: fc.constantFrom(0, 20, 80),
      indent: fc.integer({ min: 1, max: 5 }),
      indentSeq: fc.boolean(),
    } as const);
    fc.assert(
      fc.property(values, styles, (value, style) => {
        // A bare block scalar at the root is the one thing the two indent differently; no suite is one.
        const written = stringify({ value }, style);
        // An escaped line break before an empty line: the two differ, and both from the standard.
        fc.pre(!/\\\n[ \t]*\n/.test(written));
        let other: unknown;
        try {
          other = parse(written);
        } catch {
          return; // the writer's own mistake in an odd style
        }
        expect(JSON.stringify(read(written).root?.value)).toBe(JSON.stringify(other));
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });

  test('a document that both read is read alike, whatever it is', () => {
    const piece = fc.constantFrom(
      ...'a b 1 - : ? # , [ ] { } | > & * ! " \' ~ 0x1'.split(' '),
      ' ',
      '  ',
      '\n',
      '\n  ',
      '- ',
      ': ',
      'a: ',
      '\n- ',
      '&a ',
      '*a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const written = `r: ${pieces.join('')}`;
        // A block scalar of nothing but white space with its indentation told: the two count the spaces differently.
        fc.pre(!/[|>][-+]?1[-+]?[ \t]*\n\s*(?:$|\n)/.test(written));
        let other: unknown;
        try {
          other = parse(written, { logLevel: 'error' });
        } catch {
          return;
        }
        const { root, faults } = read(written);
        if (faults.length === 0) expect(JSON.stringify(root?.value)).toBe(JSON.stringify(other));
      }),
      { numRuns: Number(process.env.RUNS ?? 2000) },
    );
  });

  test('JSON is YAML', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.stringify(value, null, 1);
        const { root, faults } = read(json);
        if (faults.length === 0) expect(JSON.stringify(root?.value)).toBe(JSON.stringify(JSON.parse(json)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('places', () => {
  function placesOf(text: string): Record<string, string> {
    const { root, source } = read(text);
    const places: Record<string, string> = {};
    const show = (offset: number) => {
      const line = lineAt(source, offset);
      return `${line}:${offset - (source.lineStarts[line - 1] as number) + 1}`;
    };
    const walk = (node: YamlNode, path: string) => {
      places[path] = `${show(node.start)}-${lineAt(source, Math.max(node.start, node.end - 1))}`;
      for (const [key, entry] of node.entries ?? []) walk(entry.node, `${path}.${key}`);
      for (const [at, item] of (node.items ?? []).entries()) walk(item, `${path}[${at}]`);
    };
    walk(root as YamlNode, '');
    return places;
  }

  test('every value has its first character and its last line', () => {
    const text =
      'a: 1\nb:\n  - x: "q"\n    y: |\n      one\n      two\n\n  - {k: v,\n     l: w\n    } # end\nc:\nd: >-\n  folded\ne: [\n  1 # ]\n]\n';
    expect(placesOf(text)).toEqual({
      '': '1:1-16',
      '.a': '1:4-1',
      '.b': '3:3-10',
      '.b[0]': '3:5-6',
      '.b[0].x': '3:8-3',
      '.b[0].y': '4:8-6',
      '.b[1]': '8:5-10',
      '.b[1].k': '8:9-8',
      '.b[1].l': '9:9-9',
      '.c': '11:3-11',
      '.d': '12:4-13',
      '.e': '14:4-16',
      '.e[0]': '15:3-15',
    });
  });
});

describe('refused', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[at]}`).join(', ')}]`),
  ].join('\n');
  const table: [string, string[]][] = [
    ['a: 1\na: 2', ['2:1 duplicate key `a`, first on line 1']],
    ['a: {b: 1, "b": 2}', ['1:11 duplicate key `b`, first on line 1']],
    ['a: [1', ['1:6 invalid YAML: unexpected end of the stream within a flow collection']],
    ['a: b: c', ['1:5 invalid YAML: bad indentation of a mapping entry']],
    ['a: *b', ['1:4 no anchor `b` stands before this alias']],
    ['a: &b [*b]', ['1:8 the alias `b` stands within what it refers to']],
    ['[a]: 1', ['1:1 a key must be text, not a mapping or a list']],
    ['a: !!binary aGk=', ['1:4 the YAML tag `!!binary` is not supported here']],
    ['a: !own {b: 1}', ['1:4 the YAML tag `!own` is not supported here']],
    ['a: !!int x', ['1:4 `x` is no int']],
    [
      'a: .nan\nb: -.inf',
      ['1:4 `.nan` is no number that JSON can hold', '2:4 `-.inf` is no number that JSON can hold'],
    ],
    ['a: 1e999', ['1:4 `1e999` is no number that JSON can hold']],
    ['a: 12345678901234567890', ['1:4 `12345678901234567890` has more digits than a number can hold']],
    ['%YAML 1.1\n---\na: yes', ['1:1 the YAML directive `%YAML` is not supported']],
    ['a: 1\n---\nb: 2', ['2:1 a file holds one YAML document, a second begins here']],
    ['', ['1:1 the file is empty']],
    ['# only a comment\n', ['1:1 the file is empty']],
    ['a: \u0000', ['1:4 invalid YAML: null byte is not allowed in input']],
    ['a:\n\t- b', ['2:1 invalid YAML: tab characters must not be used in indentation']],
    [bomb, expect.arrayContaining([expect.stringContaining('aliases expand to more than 100,000 values')])],
    ['a: [\n 1\n]\nb: 1\nb: 2', ['5:1 duplicate key `b`, first on line 4']],
    ['a: &x [\n 1\n]\nb: *x', ['3:1 invalid YAML: deficient indentation']],
    ['['.repeat(500), [expect.stringContaining('invalid YAML: nesting exceeded')]],
  ];
  test.each(table.map(([text, faults]) => ({ name: JSON.stringify(text).slice(0, 60), text, faults })))(
    '$name',
    ({ text, faults }) => {
      expect(faultsOf(text)).toEqual(faults);
    },
  );
});

describe('variables', () => {
  test('stand in strings, not in keys; what they hold is never read as YAML', () => {
    const text = 'a: ${ONE}\n${ONE}: x\nb: ["${TWO}-${ONE}", 3]\nc: $${ONE} costs $5\nd: |\n  ${TWO}\n';
    expect(read(text, { ONE: '1', TWO: 'x: [${ONE}' }).root?.value).toEqual({
      a: '1',
      '${ONE}': 'x',
      b: ['x: [${ONE}-1', 3],
      c: '${ONE} costs $5',
      d: 'x: [${ONE}\n',
    });
  });

  test.each([
    ['a: x ${NONE}', '1:6 the environment variable NONE is not set'],
    ['a: ${toString}', '1:4 the environment variable toString is not set'],
    ['a: "${b.c}"', '1:5 `${b.c}` is no environment variable'],
    ['a: "${"', '1:5 `${` is no environment variable'],
    ['a:\n  - ok\n  - |\n    text\n    ${mine}', '5:5 the environment variable mine is not set'],
  ])('%j', (text, fault) => {
    expect(faultsOf(text, {})).toEqual([fault]);
  });
});
