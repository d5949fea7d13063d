// `dataset:`: rows become cases, and every mistake in one is told where it stands.

import { symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProject } from '../../src/suite/load.ts';
import { faultLine, faultLines, faultsOf, load, writeProject } from './project.ts';

const SUITE = 'name: s\nmodel: openai/m\nsystem: Be kind.\ndataset: rows.jsonl\n';

function casesOf(rows: string | Uint8Array, suite = SUITE) {
  return load({ 'evals/a.eval.yaml': suite, 'evals/rows.jsonl': rows }).suites[0]?.cases ?? [];
}

function rowFaults(rows: string | Uint8Array, suite = SUITE): string[] {
  return faultLines({ 'a.eval.yaml': suite, 'rows.jsonl': rows }).map((line) => line.replace(/^rows\.jsonl:/, ''));
}

describe('rows', () => {
  test('a row is a case with the suite’s settings, its own answer, context, tags and expectations', () => {
    const suite = `${SUITE}params: {temperature: 0}\nexpect: [{max_turns: 2}]\nrequire: any\nrepeat: 3\n`;
    const row = {
      name: 'one',
      input: 'Hi',
      expected: 'Hello',
      context: { page: 7 },
      tags: ['x'],
      expect: [{ final_contains: 'lo' }, { max_turns: 2 }],
    };
    const [planned] = casesOf(`\n${JSON.stringify(row)}\n`, suite);
    expect(planned).toMatchObject({
      suite: 's',
      name: 'one',
      tags: ['x'],
      path: 'evals/rows.jsonl',
      line: 2,
      endLine: 2,
      model: 'm',
      params: { temperature: 0 },
      system: 'Be kind.',
      input: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      expected: 'Hello',
      context: { page: 7 },
      repeat: 3,
      required: 'any',
    });
    expect(planned?.expect.map(({ text, path: file, line, key }) => [text, file, line, key.split(':').at(-1)])).toEqual(
      [
        ['max_turns: 2', 'evals/a.eval.yaml', 6, '1'],
        ['final_contains: lo', undefined, 2, '1'],
        ['max_turns: 2', undefined, 2, '2'],
      ],
    );
  });

  test('come after the cases of the suite; a byte order mark, CRLF, blank lines and a last line without end do no harm', () => {
    const rows = '\ufeff{"name":"b","input":"x"}\r\n\r\n   \r\n{"name":"a","input":[{"role":"user","content":"y"}]}';
    const cases = casesOf(rows, `${SUITE}cases: [{name: z, input: x}]\n`);
    expect(cases.map(({ name, line, path: file }) => [name, line, file])).toEqual([
      ['z', 5, undefined],
      ['b', 1, 'evals/rows.jsonl'],
      ['a', 4, 'evals/rows.jsonl'],
    ]);
  });

  test('are named by `name`, else `id`, else after their input', () => {
    const rows = '{"name":"n","id":"i","input":"x"}\n{"id":12,"input":"x"}\n{"id":"k","input":"x"}\n{"input":"x"}\n';
    // The first 8 hexadecimal digits of the SHA-256 of `x`.
    expect(casesOf(rows).map(({ name }) => name)).toEqual(['n', '12', 'k', 'row-2d711642']);
  });

  test('`expected` that is no text is compared as JSON; null is none', () => {
    const rows = '{"name":"a","input":"x","expected":4}\n{"name":"b","input":"x","expected":null,"context":null}\n';
    expect(casesOf(rows).map(({ expected, context }) => [expected, context])).toEqual([
      ['4', undefined],
      [undefined, undefined],
    ]);
  });

  test('a variable of the environment in a row is text: a dataset is data', () => {
    expect(casesOf(`{"name":"a","input":"\${HOME} {x}"}\n`)[0]?.input).toMatchObject([
      { content: [{ text: `\${HOME} {x}` }] },
    ]);
  });

  test('lines are whole wherever they are cut on the way', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 262_100, max: 262_200 }),
        (texts, pad) => {
          const inputs = ['p'.repeat(pad), ...texts.map((text) => text.replaceAll('{{', ''))];
          const rows = inputs.map((input, at) => JSON.stringify({ name: `n${at}`, input })).join('\n');
          const said = casesOf(rows).map(
            ({ input: [first] }) =>
              first?.role === 'user' && first.content[0]?.type === 'text' && first.content[0].text,
          );
          expect(said).toEqual(inputs);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('mistakes in rows', () => {
  const ok = '{"name":"ok","input":"x"}\n';
  const table: [title: string, rows: string | Uint8Array, faults: string[]][] = [
    ['an empty file', '', ['a.eval.yaml:4:10 the dataset `rows.jsonl` has no rows']],
    ['blank lines only', '\n \n', ['a.eval.yaml:4:10 the dataset `rows.jsonl` has no rows']],
    ['broken JSON', `${ok}{"name":"a","input":tru}\n`, ['2:24 invalid JSON']],
    ['JSON cut short', `${ok}{"name":"a","input":"x"\n`, ['2:24 the JSON ends too early']],
    ['two values on a line', `${ok}{"name":"a","input":"x"} 7\n`, ['2:26 invalid JSON']],
    ['a list', `${ok}[1]\n`, ['2:1 a row must be a JSON object, not a list']],
    ['no input', `${ok}{"name":"a"}\n`, ['2:1 `input` is missing']],
    ['a wrong input', `${ok}{"name":"a","input":7}\n`, ['2:21 `input` must be text or a list, not `7`']],
    [
      'an input that ends with the assistant',
      `${ok}{"name":"a","input":[{"role":"assistant","content":"x"}]}\n`,
      ['2:22 `input` must end with a message of the user'],
    ],
    ['a key twice', `${ok}{"name":"a","input":"x","n":1,"n":2}\n`, ['2:31 the key "n" stands twice']],
    [
      'digits that a number loses',
      `${ok}{"name":"a","input":"x","n":12345678901234567890}\n`,
      ['2:29 the number has more digits than a number can hold; quote it if it is an id'],
    ],
    [
      'half a character, of which marks of secrets are made',
      `${ok}{"name":"a","input":"\\udfff\\udffeA_KEY\\udffe\\udfff"}\n`,
      ['2:21 the text holds half of a surrogate pair, which is no character'],
    ],
    [
      'values nested without end',
      `${ok}{"name":"a","input":"x","n":${'['.repeat(5000)}${']'.repeat(5000)}}\n`,
      ['2:128 the values are nested more than 100 levels deep'],
    ],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d, 0x0a]), ['1:1 the line is not UTF-8']],
    ['a name twice', `${ok}\n{"name":"ok","input":"y"}\n`, ['3:9 duplicate case name `ok`, first on line 1']],
    [
      'two rows without a name and with one input',
      '{"input":"x"}\n{"input":"x"}\n',
      ['2:1 the row has no name and the same input as the one on line 1'],
    ],
    [
      'a misspelt kind, an undeclared tool and a wrong argument',
      `${ok}{"name":"a","input":"x","expect":[{"final_contans":"x"},{"calls_tool":"t"},{"max_turns":"x"}]}\n`,
      [
        '2:36 unknown kind of expectation `final_contans`, did you mean `final_contains`?',
        '2:71 the suite declares no tool `t`: it declares none',
        '2:89 `max_turns` must be a number, not the text `x`',
      ],
    ],
    [
      '`final_equals` of nothing',
      `${ok}{"name":"a","input":"x","expect":[{"final_equals":null}]}\n`,
      ['2:51 `final_equals` has no text, and the case no `expected`'],
    ],
  ];
  test.each(table)('%s', (_title, rows, faults) => {
    expect(rowFaults(rows)).toEqual(faults);
  });

  test('a name that a case of the suite has tells both places', () => {
    const suite = `${SUITE}cases:\n  - {name: ok, input: x}\n`;
    expect(rowFaults(ok, suite)).toEqual(['1:9 duplicate case name `ok`, first in a.eval.yaml:6']);
  });

  test('of a file that is wrong throughout the first fifty are told', () => {
    const faults = rowFaults('nonsense\n'.repeat(10_000));
    expect(faults).toHaveLength(51);
    expect(faults[0]).toBe('a.eval.yaml:4:10 `rows.jsonl` has too many mistakes: it was read to line 50');
  });

  test('what is not set for a suite is told once, not for every row', () => {
    const suite = 'name: s\nsystem: x\ndataset: rows.jsonl\n';
    expect(rowFaults(`${ok}{"name":"b","input":"x"}\n`, suite)).toEqual(['a.eval.yaml:1:1 no model is set']);
  });

  test('a script cannot answer rows', () => {
    const suite = 'name: s\nprovider: script\ndataset: rows.jsonl\n';
    expect(rowFaults(ok, suite)).toEqual([
      'a.eval.yaml:3:10 `provider: script` needs a `script` in each case, which no row can have',
    ]);
  });
});

describe('the file', () => {
  const faultsOfPath = (name: string) => faultLines({ 'a.eval.yaml': SUITE.replace('rows.jsonl', name) });
  test.each([
    ['none.jsonl', 'a.eval.yaml:4:10 the dataset `none.jsonl` does not exist'],
    ['../x.jsonl', 'a.eval.yaml:4:10 `../x.jsonl` leaves the project'],
    ['.', 'a.eval.yaml:4:10 the dataset `.` is no file'],
    ['https://x.example/y', 'a.eval.yaml:4:10 `https://x.example/y` is remote; only files of the project are read'],
  ])('%s', (name, fault) => {
    expect(faultsOfPath(name)).toEqual([fault]);
  });

  test('a link out of the project is not read', () => {
    const outside = writeProject({ 'rows.jsonl': '{"name":"a","input":"x"}\n' });
    const root = writeProject({ 'a.eval.yaml': SUITE });
    symlinkSync(path.join(outside, 'rows.jsonl'), path.join(root, 'rows.jsonl'));
    expect(faultsOf(() => loadProject({ cwd: root, globs: [], env: {} })).map(faultLine)).toEqual([
      'a.eval.yaml:4:10 the dataset `rows.jsonl` leaves the project',
    ]);
  });
});
