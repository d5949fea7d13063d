// Every mistake in a suite or retake.yaml: one error each, at its place, in words that help.

import { describe, expect, test } from 'vitest';
import { faultLines } from './project.ts';

const HEAD = 'name: s\nmodel: openai/m\n';
const CASES = 'cases:\n  - {name: c, input: Hi}\n';
const TOOLS = 'tools:\n  - name: lookup_order\n  - name: refund\n';
const withCase = (lines: string) => `${HEAD}${TOOLS}cases:\n  - name: c\n    input: Hi\n${lines}`;

function suiteFaults(text: string, others: Record<string, string> = {}): string[] {
  return faultLines({ 'a.eval.yaml': text, ...others }, { env: { SET: 'value' } }).map((line) =>
    line.replace(/^a\.eval\.yaml:/, ''),
  );
}

describe('a suite', () => {
  const table: [title: string, text: string, faults: string[]][] = [
    ['empty', '', ['1:1 the file is empty']],
    ['a list', '- a', ['1:1 a suite must be a mapping, not a list']],
    ['text', 'hello', ['1:1 a suite must be a mapping, not the text `hello`']],
    ['invalid YAML', `${HEAD}cases: [`, ['3:9 invalid YAML: unexpected end of the stream within a flow collection']],
    ['two documents', `${HEAD}${CASES}---\na: 1`, ['5:1 a file holds one YAML document, a second begins here']],
    ['a duplicate key', `${HEAD}name: t\n${CASES}`, ['3:1 duplicate key `name`, first on line 1']],
    ['without name', `model: openai/m\n${CASES}`, ['1:1 `name` is missing']],
    ['an empty name', `name: ""\nmodel: openai/m\n${CASES}`, ['1:7 `name` must not be empty']],
    [
      'a name of two lines',
      `name: "a\\nb"\nmodel: openai/m\n${CASES}`,
      ['1:7 `name` must be one line without spaces at its ends'],
    ],
    [
      'a name with ::',
      `name: a::b\nmodel: openai/m\n${CASES}`,
      ['1:7 `name` must not hold `::`, which parts suite and case'],
    ],
    ['a name that is a number', `name: 12\nmodel: openai/m\n${CASES}`, ['1:7 `name` must be text, not `12`']],
    ['a misspelt name', `nmae: s\nmodel: openai/m\n${CASES}`, ['1:1 unknown key `nmae`, did you mean `name`?']],
    ['without cases', HEAD, ['1:1 the suite has no cases']],
    ['cases empty', `${HEAD}cases:\n`, ['3:7 the suite has no cases']],
    ['cases an empty list', `${HEAD}cases: []`, ['3:8 the suite has no cases']],
    ['cases a mapping', `${HEAD}cases: {a: b}`, ['3:8 `cases` must be a list, not a mapping']],
    ['cases misspelt', `${HEAD}case:\n  - {name: c, input: Hi}`, ['3:1 unknown key `case`, did you mean `cases`?']],
    ['an unknown key', `${HEAD}sytem: x\n${CASES}`, ['3:1 unknown key `sytem`, did you mean `system`?']],
    ['an unknown key far from all', `${HEAD}wibble: x\n${CASES}`, ['3:1 unknown key `wibble`']],
    ['a word of other tools', `${HEAD}prompt: x\n${CASES}`, ['3:1 unknown key `prompt`, did you mean `system`?']],
    ['tags as text', `${HEAD}tags: smoke\n${CASES}`, ['3:7 `tags` must be a list, not the text `smoke`']],
    ['a tag that is a number', `${HEAD}tags: [a, 1]\n${CASES}`, ['3:11 `tags[1]` must be text, not `1`']],
    ['max_turns 0', `${HEAD}max_turns: 0\n${CASES}`, ['3:12 `max_turns` must be at least 1, not 0']],
    ['max_turns a fraction', `${HEAD}max_turns: 1.5\n${CASES}`, ['3:12 `max_turns` must be a whole number, not `1.5`']],
    ['timeout_s 0', `${HEAD}timeout_s: 0\n${CASES}`, ['3:12 `timeout_s` must be more than 0, not 0']],
    [
      'on_unmocked misspelt',
      `${HEAD}on_unmocked: eror\n${CASES}`,
      ['3:14 `on_unmocked` must be `error` or `null`, not the text `eror`, did you mean `error`?'],
    ],
    [
      'temperature twice',
      `${HEAD}temperature: 1\nparams: {temperature: 0}\n${CASES}`,
      ['3:1 `temperature` and `params.temperature` say the same thing twice; keep one'],
    ],
    [
      'params that are not for it',
      `${HEAD}params: {model: m, n: 2, stream: true, messages: [], tools: [], top_p: 1}\n${CASES}`,
      [
        '3:10 `model` may not stand in `params`: write it as `model:` beside `params:`',
        '3:20 `n` may not stand in `params`: a turn has one answer; `repeat:` takes a case several times',
        '3:26 `stream` may not stand in `params`: answers are read whole',
        '3:40 `messages` may not stand in `params`: a case’s `input:` makes the messages',
        '3:54 `tools` may not stand in `params`: declare them under `tools:`',
      ],
    ],
    ['no model', `name: s\n${CASES}`, ['1:1 no model is set']],
    [
      'no model for many cases',
      'name: s\ncases:\n  - {name: a, input: x}\n  - {name: b, input: x}',
      ['1:1 no model is set'],
    ],
    ['a provider without model', `name: s\nprovider: openai\n${CASES}`, ['2:11 no model is set']],
    ['a model without provider', `name: s\nmodel: gpt\n${CASES}`, ['2:8 no provider is set for the model `gpt`']],
    ['a model that is a list', `name: s\nmodel: [x]\n${CASES}`, ['2:8 `model` must be text, not a list']],
    ['a model without name', `name: s\nmodel: openai/\n${CASES}`, ['2:8 the model has no name after the provider']],
    [
      'an unknown provider',
      `name: s\nprovider: opnai\nmodel: m\n${CASES}`,
      ['2:11 unknown provider `opnai`, did you mean `openai`?'],
    ],
    [
      'an unknown provider before the slash',
      `name: s\nmodel: opnai/m\n${CASES}`,
      ['2:8 unknown provider `opnai`, did you mean `openai`?'],
    ],
    [
      'a misspelt wire family',
      `name: s\nprovider: openai-response\nmodel: m\n${CASES}`,
      ['2:11 unknown provider `openai-response`, did you mean `openai-responses`?'],
    ],
    [
      'azure without a base URL',
      `name: s\nprovider: azure\nmodel: m\n${CASES}`,
      ['2:11 the provider `azure` has no base URL, every resource has its own'],
    ],
    [
      'azure before the slash without a base URL',
      `name: s\nmodel: azure/m\n${CASES}`,
      ['2:8 the provider `azure` has no base URL, every resource has its own'],
    ],
    [
      'provider: script without script',
      `name: s\nprovider: script\n${CASES}`,
      ['4:5 the case `c` has no `script`, which `provider: script` needs'],
    ],
    [
      'a script for a real provider',
      withCase('    script: [{text: Hi}]'),
      ['9:5 `script` stands beside the provider `openai`, which would never read it'],
    ],
    [
      'system and system_file',
      `${HEAD}system: x\nsystem_file: p.md\n${CASES}`,
      ['4:14 `system` and `system_file` exclude each other'],
    ],
    ['system_file missing', `${HEAD}system_file: p.md\n${CASES}`, ['3:14 `p.md` does not exist']],
    ['system_file outside', `${HEAD}system_file: ../p.md\n${CASES}`, ['3:14 `../p.md` leaves the project']],
    [
      'several mistakes, each once',
      `nmae: s\ntags: x\nmodel: m\ncases:\n  - {name: c, input: Hi, repeat: 0}\n  - {name: c, expct: []}\n`,
      [
        '1:1 unknown key `nmae`, did you mean `name`?',
        '2:7 `tags` must be a list, not the text `x`',
        '3:8 no provider is set for the model `m`',
        '5:34 `repeat` must be at least 1, not 0',
        '6:5 `input` is missing',
        '6:12 duplicate case name `c`, first on line 5',
        '6:15 unknown key `expct`, did you mean `expect`?',
      ],
    ],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('a case', () => {
  const table: [title: string, text: string, faults: string[]][] = [
    ['that is text', `${HEAD}cases: [hello]`, ['3:9 a case must be a mapping, not the text `hello`']],
    ['without name and input', `${HEAD}cases:\n  - tags: []`, ['4:5 `input` is missing', '4:5 `name` is missing']],
    ['an empty input', `${HEAD}cases:\n  - name: c\n    input:\n`, ['5:11 `input` must be text or a list, not empty']],
    [
      'an input that is a number',
      `${HEAD}cases:\n  - name: c\n    input: 5\n`,
      ['5:12 `input` must be text or a list, not `5`'],
    ],
    ['an input without messages', `${HEAD}cases: [{name: c, input: []}]`, ['3:26 `input` must not be empty']],
    [
      'a system message',
      `${HEAD}cases: [{name: c, input: [{role: system, content: x}, {role: user, content: y}]}]`,
      ['3:34 `input[0].role` must be `user` or `assistant`, not the text `system`'],
    ],
    [
      'a tool message',
      `${HEAD}cases: [{name: c, input: [{role: tool, content: x}, {role: user, content: y}]}]`,
      ['3:34 a message of a tool in `input` is not supported yet (not_supported)'],
    ],
    [
      'images',
      `${HEAD}cases: [{name: c, input: [{role: user, content: [{type: image}]}]}]`,
      ['3:51 unknown key `type`'],
    ],
    [
      'a conversation that ends with the model',
      `${HEAD}cases: [{name: c, input: [{role: user, content: x}, {role: assistant, content: y}]}]`,
      ['3:53 `input` must end with a message of the user'],
    ],
    [
      'expected empty',
      withCase('    expected:'),
      ['9:14 `expected` must be text or a number or true or false or a list or a mapping, not empty'],
    ],
    ['repeat too large', withCase('    repeat: 101'), ['9:13 `repeat` must be at most 100, not 101']],
    [
      'script steps',
      `name: s\nprovider: script\ncases:\n  - name: c\n    input: x\n    script:\n      - {text: a, fails: b}\n      - {tol_call: {name: a}}\n      - {tool_call: {name: a, args: {}}}\n      - {}\n`,
      [
        '7:9 a step of a script holds `text`, `tool_call` or `parallel` (with or without `text`), or `fails`',
        '8:10 unknown key `tol_call`, did you mean `tool_call`?',
        '9:31 unknown key `args`, did you mean `arguments`?',
        '10:9 a step of a script holds `text`, `tool_call` or `parallel` (with or without `text`), or `fails`',
      ],
    ],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('tools and mocks', () => {
  const rule = (text: string) => `${HEAD}${TOOLS}mocks:\n  refund:\n    - ${text}\n${CASES}`;
  const table: [title: string, text: string, faults: string[]][] = [
    [
      'parameters',
      `${HEAD}tools:\n  - name: a\n    parameters: {}\n${CASES}`,
      ['5:5 unknown key `parameters`, did you mean `input_schema`?'],
    ],
    [
      'a name with spaces',
      `${HEAD}tools: [{name: a b}]\n${CASES}`,
      ['3:16 `name` must be 1 to 128 of the characters A-Z a-z 0-9 _ . -'],
    ],
    ['two of one name', `${HEAD}tools: [{name: a}, {name: a}]\n${CASES}`, ['3:20 duplicate tool `a`, first on line 3']],
    [
      'a schema that is text',
      `${HEAD}tools: [{name: a, input_schema: x}]\n${CASES}`,
      ['3:33 `input_schema` must be a mapping, not the text `x`'],
    ],
    ['tools a mapping', `${HEAD}tools: {a: b}\n${CASES}`, ['3:8 `tools` must be a list, not a mapping']],
    ['impl', `${HEAD}tools: [{name: a, impl: x}]\n${CASES}`, ['3:19 `impl` is not supported yet (not_supported)']],
    ['sequence: []', rule('sequence: []'), ['8:17 `sequence` must not be empty']],
    [
      'return and error',
      rule('{return: 1, error: x}'),
      ['8:19 a rule holds exactly one of `return`, `error`, `run`, `sequence`, not `return` and `error`'],
    ],
    [
      'none of them',
      rule('when: {a: 1}'),
      ['8:7 a rule holds exactly one of `return`, `error`, `run`, `sequence`, not none'],
    ],
    [
      'an outcome of both',
      rule('sequence: [{return: 1, error: x}]'),
      ['8:30 an outcome holds exactly one of `return`, `error`, `run`, not `return` and `error`'],
    ],
    [
      'run beside return',
      rule('{run: node x.mjs, return: 1}'),
      ['8:8 a rule holds exactly one of `return`, `error`, `run`, `sequence`, not `return` and `run`'],
    ],
    ['an empty command', rule('run: " "'), ['8:12 `run` must not be empty']],
    ['a time without a command', rule('{return: 1, timeout_s: 3}'), ['8:19 `timeout_s` stands only beside `run`']],
    [
      'a time without a command in a sequence',
      rule('sequence: [{error: x, timeout_s: 3}]'),
      ['8:29 `timeout_s` stands only beside `run`'],
    ],
    ['a time that is none', rule('{run: x, timeout_s: 0}'), ['8:27 `timeout_s` must be more than 0, not 0']],
    [
      'a secret in a command',
      rule('run: node x.mjs ${SHOP_TOKEN}'),
      [expect.stringMatching(/^8:12 `run` must hold no secret: the command finds the variable in its environment/)],
    ],
    ['a misspelt rule', rule('retrun: 1'), ['8:7 unknown key `retrun`, did you mean `return`?']],
    ['when a text', rule('{when: x, return: 1}'), ['8:14 `when` must be a mapping, not the text `x`']],
    [
      'a rule outside a list',
      `${HEAD}${TOOLS}mocks: {refund: {return: 1}}\n${CASES}`,
      ['6:17 the mock of `refund` must be a list of rules, not a mapping'],
    ],
    ['no rules', `${HEAD}${TOOLS}mocks: {refund: []}\n${CASES}`, ['6:17 the mock of `refund` has no rules']],
    [
      'of a tool that is not declared',
      `${HEAD}${TOOLS}mocks: {refnd: [{return: 1}]}\n${CASES}`,
      ['6:9 the suite declares no tool `refnd`, did you mean `refund`?'],
    ],
    ['of a case, not declared', withCase('    mocks: {x: [{return: 1}]}'), ['9:13 the suite declares no tool `x`']],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('a target', () => {
  test.each<[string, string, string[]]>([
    ['that is text', `${HEAD}target: x\n${CASES}`, ['3:9 `target` must be a mapping, not the text `x`']],
    ['without a command', `${HEAD}target: {}\n${CASES}`, ['3:9 `target` must say `command` or `http`']],
    ['a misspelt command', withCase('    target: {comand: x}'), ['9:14 unknown key `comand`, did you mean `command`?']],
    [
      'beside a script',
      withCase('    target: {command: x}\n    script: [{text: Hi}]'),
      ['10:5 `script` stands beside a target, which would never read it'],
    ],
    [
      'a secret in its command',
      withCase('    target: {command: "x ${SHOP_TOKEN}"}'),
      ['9:23 a secret may not stand under `target`'],
    ],
    [
      'a variable that is none',
      withCase('    target: {command: x, env: [a b]}'),
      ['9:32 `target.env[0]` must be the name of an environment variable'],
    ],
  ])('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('expectations', () => {
  const expecting = (text: string) => withCase(`    expect:\n      - ${text}\n`);
  const table: [title: string, text: string, faults: string[]][] = [
    ['no list', withCase('    expect: {calls_tool: refund}'), ['9:13 `expect` must be a list, not a mapping']],
    [
      'a bare word',
      expecting('final_json'),
      [
        '10:9 an expectation must be a mapping such as `calls_tool: name`, not the text `final_json`; write `final_json:` with a colon',
      ],
    ],
    ['empty', expecting('{}'), ['10:9 an expectation must be a mapping such as `calls_tool: name`, not an empty one']],
    [
      'an unknown kind',
      expecting('call_tool: refund'),
      ['10:9 unknown kind of expectation `call_tool`, did you mean `calls_tool`?'],
    ],
    [
      'two kinds',
      expecting('calls_tool: refund\n        max_turns: 2'),
      ['11:9 one expectation holds one kind: `max_turns` stands beside `calls_tool`'],
    ],
    [
      'an undeclared tool',
      expecting('not_calls_tool: lookup_ordr'),
      ['10:25 the suite declares no tool `lookup_ordr`, did you mean `lookup_order`?'],
    ],
    [
      'an undeclared tool in a list',
      expecting('call_order: [lookup_order, refnd]'),
      ['10:36 the suite declares no tool `refnd`, did you mean `refund`?'],
    ],
    [
      'an undeclared tool in a mapping',
      expecting('tool_args: {match: {tool: zz}, tool: zz}'),
      ['10:46 the suite declares no tool `zz`'],
    ],
    [
      'a suite without tools',
      `${HEAD}expect: [{calls_tool: x}]\n${CASES}`,
      ['3:23 the suite declares no tool `x`: it declares none'],
    ],
    [
      'a regex that does not compile',
      expecting('final_matches: "(a"'),
      [expect.stringMatching(/^10:24 `final_matches`: not a regular expression of RE2: .+/)],
    ],
    ['a wrong type', expecting('max_turns: many'), ['10:20 `max_turns` must be a number, not the text `many`']],
    [
      'an unknown argument',
      expecting('tool_args: {tool: refund, matches: {}}'),
      ['10:35 unknown key `matches`, did you mean `match`?'],
    ],
    ['a missing argument', expecting('tool_args: {tool: refund}'), ['10:20 `match` is missing']],
    [
      'a type that final_json does not know',
      expecting('final_json: {fields: {a: text}}'),
      [expect.stringMatching(/^10:34 `fields\.a` must be `str` or .*, not the text `text`/)],
    ],
    [
      'final_equals without expected',
      expecting('final_equals:'),
      ['10:22 `final_equals` has no text, and the case no `expected`'],
    ],
    [
      'final_equals of the suite without expected',
      `${HEAD}expect: [{final_equals: null}]\n${CASES}`,
      ['5:12 the suite’s `final_equals` has no text, and the case `c` no `expected`'],
    ],
    ['a script without a command', expecting('script: {threshold: 1}'), ['10:17 `run` is missing']],
    ['an empty script', expecting('script: ""'), [expect.stringMatching(/^10:17 `script` must not be empty/)]],
    [
      'similar without expected',
      expecting('similar: {model: openai/e}'),
      ['10:18 `similar` has nothing to compare with, and the case no `expected`'],
    ],
    ['similar without a model', expecting('similar: {threshold: 0.9}'), ['10:18 `model` is missing']],
    ['a judge without a rubric', expecting('judge: {threshold: 0.5}'), ['10:16 `rubric` is missing']],
    ['an empty rubric', expecting('llm_judge: " "'), [expect.stringMatching(/^10:20 /)]],
    [
      'a judge of no provider',
      expecting('judge: {rubric: r, model: opnai/x}'),
      ['10:35 unknown provider `opnai`, did you mean `openai`?'],
    ],
    [
      'a judge that is a script',
      expecting('judge: {rubric: r, model: script/x}'),
      ['10:35 `script` cannot answer `judge`'],
    ],
    [
      'an embedding of a wire without',
      expecting('similar: {model: anthropic/x}').replace('input:', 'expected: a\n    input:'),
      [expect.stringMatching(/the provider `anthropic` has no embeddings/)],
    ],
    [
      'calls_tool after a tool that is not declared',
      expecting('calls_tool: {tool: refund, after: lookpu}'),
      ['10:43 the suite declares no tool `lookpu`'],
    ],
    [
      'calls_tool so often',
      expecting('calls_tool: {tool: refund, count: -1}'),
      ['10:43 `count` must be at least 0, not -1'],
    ],
    [
      'not_calls_tool before a tool that is not declared',
      expecting('not_calls_tool: {tool: refund, before: refnd}'),
      ['10:48 the suite declares no tool `refnd`, did you mean `refund`?'],
    ],
    [
      'final_json schema a number',
      expecting('final_json: {schema: 5}'),
      ['10:30 `schema` must be text or a mapping, not `5`'],
    ],
    ['final_json schema not there', expecting('final_json: {schema: a.json}'), ['10:30 `a.json` does not exist']],
    [
      'final_json schema outside',
      expecting('final_json: {schema: ../a.json}'),
      ['10:30 `../a.json` leaves the project'],
    ],
    [
      'final_json schema with a remote reference',
      expecting('final_json: {schema: {$ref: "https://a.example/b.json"}}'),
      ['10:37 `https://a.example/b.json` is remote; only files of the project are read'],
    ],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('what is to come is refused by name', () => {
  test.each(['prices', 'redact', 'budget_usd'])('%s in a suite', (key) => {
    expect(suiteFaults(`${HEAD}${key}: {}\n${CASES}`)).toEqual([`3:1 \`${key}\` is not supported yet (not_supported)`]);
  });

  test.each(['dataset', 'gates'])('%s in a case', (key) => {
    expect(suiteFaults(withCase(`    ${key}: {}`))).toEqual([`9:5 \`${key}\` is not supported yet (not_supported)`]);
  });

  test.each(['target'])('%s in retake.yaml', (key) => {
    expect(faultLines({ 'retake.yaml': `version: 1\n${key}: {}`, 'a.eval.yaml': HEAD + CASES })).toEqual([
      `retake.yaml:2:1 \`${key}\` is not supported yet (not_supported)`,
    ]);
  });
});

describe('variables', () => {
  const table: [title: string, text: string, faults: string[]][] = [
    ['unset', `${HEAD}system: x \${UNSET} y\n${CASES}`, ['3:11 the environment variable UNSET is not set']],
    [
      'unset where a type is wrong too',
      `name: s\nprovider: \${UNSET}\nmodel: m\n${CASES}`,
      ['2:11 the environment variable UNSET is not set'],
    ],
    ['a secret in a name', `${HEAD}tags: [a, "x \${api_key}"]\n${CASES}`, ['3:11 a secret may not stand under `tags`']],
    ['a secret that is unset', `${HEAD}system: x \${api_key}\n${CASES}`, []],
    [
      'set, and never read as YAML',
      `${HEAD}max_turns: \${SET}\n${CASES}`,
      ['3:12 `max_turns` must be a number, not the text `value`'],
    ],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    expect(suiteFaults(text)).toEqual(faults);
  });
});

describe('retake.yaml', () => {
  const suite = HEAD + CASES;
  const provider = (text: string) => `version: 1\nproviders:\n  my-llm: {base_url: ${text}}`;
  const table: [title: string, text: string, faults: string[]][] = [
    ['empty', '', ['1:1 the file is empty']],
    ['a list', '[]', ['1:1 retake.yaml must be a mapping, not a list']],
    ['without version', 'concurrency: 1', ['1:1 `version` is missing']],
    ['another version', 'version: 2', ['1:10 `version` must be 1, not `2`']],
    ['an unknown key', 'version: 1\ncassete: x', ['2:1 unknown key `cassete`, did you mean `cassettes`?']],
    ['concurrency 0', 'version: 1\nconcurrency: 0', ['2:14 `concurrency` must be at least 1, not 0']],
    [
      'a pattern of secrets that is none',
      'version: 1\nredact: ["a(", "a*", "ACME-[0-9]{8}", 7]',
      [
        '2:10 `redact[0]`: is no regular expression of RE2: error parsing regexp: missing closing ): `a(`',
        '2:16 `redact[1]` must not match the empty text',
        '2:39 `redact[3]` must be text, not `7`',
      ],
    ],
    ['a secret in its own keys', 'version: 1\nsuites: ["${A_KEY}"]', ['2:10 a secret may not stand under `suites`']],
    ['concurrency 257', 'version: 1\nconcurrency: 257', ['2:14 `concurrency` must be at most 256, not 257']],
    [
      'an unknown mode',
      'version: 1\ncassettes: {mode: live}',
      ['2:19 `cassettes.mode` must be `replay` or `record` or `auto` or `off`, not the text `live`'],
    ],
    [
      'cassettes outside',
      'version: 1\ncassettes: {dir: ../x}',
      ['2:18 `cassettes.dir` must not leave the folder of retake.yaml'],
    ],
    [
      'cassettes absolute',
      'version: 1\ncassettes: {dir: /x}',
      ['2:18 `cassettes.dir` must be relative to retake.yaml'],
    ],
    ['cassettes here', 'version: 1\ncassettes: {dir: ./}', ['2:18 `cassettes.dir` must name a folder of its own']],
    [
      'cassettes with backslashes',
      'version: 1\ncassettes: {dir: a\\b}',
      ['2:18 `cassettes.dir` must be written with `/`'],
    ],
    [
      'no URL',
      provider('llm.example/v1'),
      ['3:22 `providers.my-llm.base_url` must be an http or https URL, such as https://llm.example/v1'],
    ],
    [
      'a URL with a password',
      provider('https://a:b@llm.example'),
      ['3:22 `providers.my-llm.base_url` must hold no user name or password; name the key’s variable in `api_key_env`'],
    ],
    [
      'a URL with a query',
      provider('https://llm.example?a=b'),
      ['3:22 `providers.my-llm.base_url` must have no query or fragment'],
    ],
    [
      'a file URL',
      provider('file:///etc/passwd'),
      ['3:22 `providers.my-llm.base_url` must be an http or https URL, such as https://llm.example/v1'],
    ],
    [
      'a key where its variable belongs',
      provider('https://a.b, api_key_env: sk-123'),
      ['3:48 `providers.my-llm.api_key_env` must be the name of an environment variable, not the key itself'],
    ],
    ['without base_url', 'version: 1\nproviders: {a: {}}', ['2:16 `providers.a.base_url` is missing']],
    [
      'a built-in name',
      'version: 1\nproviders: {groq: {base_url: "https://a.b"}}',
      ['2:13 `groq` is the name of a built-in provider'],
    ],
    [
      'a name with a slash',
      'version: 1\nproviders: {a/b: {base_url: "https://a.b"}}',
      ['2:13 the name `a/b` must be letters, digits and . _ -'],
    ],
    ['a glob that finds nothing', 'version: 1\nsuites: ["evals/*.yaml"]', [' no suite matches `evals/*.yaml`']],
    ['defaults a list', 'version: 1\ndefaults: []', ['2:11 `defaults` must be a mapping, not a list']],
    [
      'defaults',
      'version: 1\ndefaults: {provder: openai, params: {n: 1}}',
      [
        '2:12 unknown key `provder`, did you mean `provider`?',
        '2:38 `n` may not stand in `params`: a turn has one answer; `repeat:` takes a case several times',
      ],
    ],
  ];
  test.each(table)('%s', (_title, text, faults) => {
    const found = faultLines({ 'retake.yaml': text, 'a.eval.yaml': suite });
    expect(found.map((line) => line.replace(/^retake\.yaml:?/, ''))).toEqual(faults);
  });

  test('a faulty one silences what depends on it', () => {
    expect(
      faultLines({
        'retake.yaml': 'version: 1\nproviders: {my-llm: {url: x}}',
        'a.eval.yaml': `name: s\nprovider: my-llm\nmodel: m\n${CASES}`,
      }),
    ).toEqual(['retake.yaml:2:22 unknown key `url`, did you mean `base_url`?']);
  });
});
