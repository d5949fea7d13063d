// `{{name}}` in prompts and inputs.

import { describe, expect, test } from 'vitest';
import { requestOf } from '../../src/run/case.ts';
import { faultLines, onlyCase } from './project.ts';

const HEAD = 'name: s\nmodel: openai/m\n';

function asked(suite: string, others: Record<string, string> = {}) {
  const planned = onlyCase(HEAD + suite, others);
  const { system, messages } = requestOf(planned);
  const texts = messages.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((block) => (block.type === 'text' ? block.text : [])) : ['…'],
  );
  return { system, texts, own: planned.ownPrompt === true };
}

function faults(suite: string, others: Record<string, string> = {}): string[] {
  return faultLines({ 'a.eval.yaml': HEAD + suite, ...others });
}

test('stand for a case’s own values, else its suite’s, in prompt, input and messages', () => {
  const suite = `system: "{{ greeting }} from {{shop}}"
vars: {shop: Acme, greeting: Hello}
cases:
  - name: c
    vars: {greeting: Hi, n: 3, yes: true}
    input:
      - {role: user, content: "{{n}}"}
      - {role: assistant, content: "{{yes}}!"}
      - {role: user, content: "{{shop}}{{shop}}"}
`;
  expect(asked(suite)).toEqual({ system: 'Hi from Acme', texts: ['3', '…', 'AcmeAcme'], own: true });
});

test('of a row are its columns but for input, expect and tags; what is no text is JSON', () => {
  const suite = 'system: "{{name}}: {{context}} {{note}} {{list}}"\ndataset: r.jsonl\n';
  const row = '{"name":"one","input":"{{id}}","id":7,"context":{"a":1},"note":null,"list":[1,"x"]}';
  expect(asked(suite, { 'r.jsonl': row })).toEqual({ system: 'one: {"a":1}  [1,"x"]', texts: ['7'], own: true });
});

test('a prompt that only its suite’s variables change is still shared', () => {
  const suite = 'system: At {{shop}}\nvars: {shop: Acme}\ncases: [{name: c, input: x}]\n';
  expect(asked(suite)).toMatchObject({ system: 'At Acme', own: false });
});

test('what is put in is not read again, and an escaped brace is literal', () => {
  const suite = `system: '\\{{a}} {{a}}'\nvars: {a: "{{b}} \\\\{{c}}"}\ncases: [{name: c, input: x}]\n`;
  expect(asked(suite).system).toBe('{{a}} {{b}} \\{{c}}');
});

test('a case without variables keeps its braces', () => {
  const suite = `system: '{{a}} \\{{b}}'\ncases: [{name: c, input: "{{x"}]\n`;
  expect(asked(suite)).toEqual({ system: '{{a}} \\{{b}}', texts: ['{{x'], own: false });
});

describe('mistakes', () => {
  test('a misspelt name in the prompt is told once, where it stands', () => {
    const suite = `system: "Hi {{custmer}}"\ncases:\n  - {name: a, input: x, vars: {customer: A}}\n  - {name: b, input: x, vars: {customer: B}}\n`;
    expect(faults(suite)).toEqual([
      'a.eval.yaml:3:13 in `system`, for the case `a`: no variable is named `custmer`, did you mean `customer`?',
    ]);
  });

  test('a row that lacks a column is named', () => {
    const rows = '{"name":"a","input":"x","city":"Oslo"}\n{"name":"b","input":"x"}\n';
    expect(faults('system: In {{city}}\ndataset: r.jsonl\n', { 'r.jsonl': rows })).toEqual([
      'a.eval.yaml:3:12 in `system`, for the row `b`: no variable is named `city`',
    ]);
  });

  test('a name in an input, of a case and of a row', () => {
    const suite = 'vars: {city: Oslo}\ncases:\n  - {name: a, input: "In {{cty}}"}\ndataset: r.jsonl\n';
    expect(faults(suite, { 'r.jsonl': '{"name":"b","input":"In {{x.y}} and {{"}\n' })).toEqual([
      'a.eval.yaml:5:26 no variable is named `cty`, did you mean `city`?',
      'r.jsonl:1:25 no variable is named `x.y`',
    ]);
  });

  test('braces that are not closed, values that are no text', () => {
    expect(faults('cases: [{name: a, input: "x {{", vars: {b: 1}}]\n')).toEqual([
      'a.eval.yaml:3:29 `{{` begins a variable that no `}}` ends',
    ]);
    expect(faults('cases: [{name: a, input: "x {{", vars: {b: [1]}}]\n')).toEqual([
      'a.eval.yaml:3:44 `vars.b` must be text or a number or true or false, not a list',
    ]);
  });
});

describe('how many takes must pass', () => {
  const required = (suite: string) => onlyCase(`${HEAD}${suite}`).required;
  test.each([
    ['cases: [{name: c, input: x}]', undefined],
    ['require: majority\ncases: [{name: c, input: x}]', 'majority'],
    ['require: majority\ncases: [{name: c, input: x, require: all}]', undefined],
    ['require: any\ncases: [{name: c, input: x, require_pass_rate: 0.8}]', 0.8],
    ['require_pass_rate: 1\ncases: [{name: c, input: x}]', undefined],
  ])('%s', (suite, expected) => {
    expect(required(suite)).toBe(expected);
  });

  test('both ways at one place, and a rate that no take could miss', () => {
    expect(faults('require: any\nrequire_pass_rate: 0\ncases: [{name: c, input: x, require: most}]\n')).toEqual([
      'a.eval.yaml:4:20 `require_pass_rate` must be more than 0, not 0',
      'a.eval.yaml:4:20 `require` and `require_pass_rate` exclude each other',
      'a.eval.yaml:5:38 `require` must be `all` or `majority` or `any`, not the text `most`',
    ]);
  });
});

describe('gates', () => {
  test('misspelt names and kinds, limits out of range', () => {
    const suite =
      'gates: {pass_rat: 0.9, mean_score: {final_contans: 0.5, max_turns: 2}, cost_usd: -1}\ncases: [{name: c, input: x}]\n';
    expect(faults(suite)).toEqual([
      'a.eval.yaml:3:9 unknown key `pass_rat`, did you mean `pass_rate`?',
      'a.eval.yaml:3:37 unknown key `final_contans`, did you mean `final_contains`?',
      'a.eval.yaml:3:68 `mean_score.max_turns` must be at most 1, not 2',
      'a.eval.yaml:3:82 `cost_usd` must be at least 0, not -1',
    ]);
  });
});
