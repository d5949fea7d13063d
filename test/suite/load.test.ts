// Finding a project and its suites, and what a sound suite comes to.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { loadProject } from '../../src/suite/load.ts';
import { faultLine, faultLines, faultsOf, load, onlyCase, writeProject } from './project.ts';

const suite = (name: string, more = '') => `name: ${name}\nmodel: openai/m\n${more}cases:\n  - {name: c, input: Hi}\n`;

describe('finding', () => {
  test('retake.yaml is found upwards; globs given count from the working directory, its own from its folder', () => {
    const root = writeProject({
      'retake.yaml':
        'version: 1\nsuites: ["evals/**/*.eval.yaml"]\ncassettes: {dir: ./a//b/, mode: auto}\nconcurrency: 9\n',
      'evals/deep/b.eval.yaml': suite('b'),
      'evals/a.eval.yaml': suite('a'),
      'other/c.eval.yaml': suite('c'),
    });
    const all = loadProject({ cwd: path.join(root, 'evals/deep'), globs: [], env: {} });
    expect(all.root).toBe(root);
    expect(all.config).toEqual({ path: 'retake.yaml', cassettesDir: 'a/b', mode: 'auto', concurrency: 9 });
    expect(all.suites.map(({ path: file }) => file)).toEqual(['evals/a.eval.yaml', 'evals/deep/b.eval.yaml']);
    const some = loadProject({
      cwd: path.join(root, 'other'),
      globs: ['*.eval.yaml', '../evals/deep'],
      env: {},
      mode: 'record',
    });
    expect(some.suites.map(({ name }) => name)).toEqual(['b', 'c']);
    expect(some.config.mode).toBe('record');
  });

  test('without retake.yaml the working directory is the project, dependencies and build output apart', () => {
    const project = load({
      'a.eval.yaml': suite('a'),
      'x/b.eval.yml': suite('b'),
      'node_modules/p/c.eval.yaml': suite('c'),
      'dist/d.eval.yaml': suite('d'),
      'x/.retake/e.eval.yaml': suite('e'),
      'x/other.yaml': suite('f'),
    });
    expect(project.suites.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(project.config).toEqual({ cassettesDir: 'cassettes', concurrency: 4 });
  });

  test('suites go by name in code-unit order, cases as in the file', () => {
    const many = 'name: É\nmodel: openai/m\ncases: [{name: z, input: x}, {name: a, input: x}]';
    const { suites } = load({
      '1.eval.yaml': many,
      '2.eval.yaml': suite('a'),
      '3.eval.yaml': suite('B'),
      '4.eval.yaml': suite('a10'),
    });
    expect(suites.map(({ name }) => name)).toEqual(['B', 'a', 'a10', 'É']);
    expect(suites[3]?.cases.map(({ name }) => name)).toEqual(['z', 'a']);
  });

  test('a file is taken whatever its name, and once', () => {
    const project = load({ 'odd [1].yaml': suite('odd') }, { globs: ['odd [1].yaml', './odd [1].yaml'] });
    expect(project.suites.map(({ path: file }) => file)).toEqual(['odd [1].yaml']);
  });

  test.each([
    [['none/*.eval.yaml'], '- no suite matches `none/*.eval.yaml`'],
    [['a.eval.yaml', 'gone.eval.yaml'], '- no suite matches `gone.eval.yaml`'],
    [[''], '- no suite matches ``'],
    [['a\u0000b'], '- no suite matches `a?b`'],
    [['{a,b'], '- no suite matches `{a,b`'],
  ])('%j', (globs, fault) => {
    expect(faultLines({ 'a.eval.yaml': suite('a') }, { globs })).toEqual([fault]);
  });

  test('nothing at all is an error that shows a suite which loads', () => {
    const [fault] = faultsOf(() => load({ 'readme.md': '' }));
    expect(fault).toMatchObject({ code: 'no_suites', message: 'no suites found' });
    const shown = fault?.remedy?.split('\n').slice(2).join('\n') as string;
    expect(onlyCase(shown).name).toBe('greets');
  });

  test('suites outside the project are refused, by path and by link', () => {
    const root = writeProject({
      'in/retake.yaml': 'version: 1',
      'in/a.eval.yaml': suite('a'),
      'out/b.eval.yaml': suite('b'),
    });
    const cwd = path.join(root, 'in');
    expect(faultsOf(() => loadProject({ cwd, globs: ['../out/*.eval.yaml'], env: {} })).map(faultLine)).toEqual([
      '- the suite `../out/b.eval.yaml` is outside the project',
    ]);
    symlinkSync(path.join(root, 'out/b.eval.yaml'), path.join(cwd, 'link.eval.yaml'));
    expect(faultsOf(() => loadProject({ cwd, globs: ['link.eval.yaml'], env: {} })).map(faultLine)).toEqual([
      'link.eval.yaml the suite leaves the project',
    ]);
  });

  test('what is no text is an error with its line', () => {
    expect(faultLines({ 'a.eval.yaml': Buffer.from('name: a\nmodel: \xff\n', 'latin1') })).toEqual([
      'a.eval.yaml:2 the suite is not UTF-8',
    ]);
    expect(faultLines({ 'a.eval.yaml': Buffer.from(suite('a'), 'utf16le') })).toEqual([
      expect.stringContaining('a.eval.yaml:1:2 invalid YAML: null byte'),
    ]);
    expect(faultLines({ 'a.eval.yaml': Buffer.alloc(10 * 1024 * 1024 + 1, '#') })).toEqual([
      'a.eval.yaml the suite is larger than 10 MB',
    ]);
  });

  test('a directory in the place of retake.yaml, and a retake.yml', () => {
    const root = writeProject({ 'a.eval.yaml': suite('a'), 'retake.yaml/x': '' });
    expect(faultsOf(() => loadProject({ cwd: root, globs: [], env: {} })).map(faultLine)).toEqual([
      'retake.yaml retake.yaml is a directory',
    ]);
    expect(faultLines({ 'a.eval.yaml': suite('a'), 'retake.yml': 'version: 1' })).toEqual([
      'retake.yml `retake.yml` is not read',
    ]);
  });

  test('two suites of one name name each other', () => {
    expect(faultLines({ 'a.eval.yaml': suite('same'), 'b/b.eval.yaml': `# first\n${suite('same')}` })).toEqual([
      'b/b.eval.yaml:2:7 two suites are named `same`, the other in a.eval.yaml:1',
    ]);
  });

  test('all faults of all files come at once, sorted by place, each with its line', () => {
    const faults = faultsOf(() =>
      load({
        'retake.yaml': 'version: 1\nconcurency: 2',
        'b.eval.yaml': suite('b', 'tags: x\nsytem: y\n'),
        'a.eval.yaml': 'name: [',
      }),
    );
    expect(faults.map(faultLine)).toEqual([
      'a.eval.yaml:1:8 invalid YAML: unexpected end of the stream within a flow collection',
      'b.eval.yaml:3:7 `tags` must be a list, not the text `x`',
      'b.eval.yaml:4:1 unknown key `sytem`, did you mean `system`?',
      'retake.yaml:2:1 unknown key `concurency`, did you mean `concurrency`?',
    ]);
    expect(faults.map(({ source }) => source)).toEqual(['name: [', 'tags: x', 'sytem: y', 'concurency: 2']);
  });
});

describe('what a case comes to', () => {
  test('everything a suite can say', () => {
    const text = `name: refund_agent
description: Refunds
tags: [support]
model: openai/gpt-4.1-mini
params: {top_p: 1, max_tokens: 512}
system: |
  You are a support agent.
tools:
  - name: lookup_order
    description: Look up an order.
    input_schema: {type: object, properties: {id: {type: string}}}
  - name: issue_refund
mocks:
  lookup_order:
    - when: {id: A-1}
      return: {total: 780}
    - return: null
  issue_refund:
    - sequence: [{error: timeout}, {return: {id: R-2}}]
expect:
  - max_turns: 6
cases:
  - name: first
    input: Hello
    tags: [a, b]
    expected: Bye
    temperature: 0
    mocks: {issue_refund: [{error: no}]}
    repeat: 3
    expect:
      - calls_tool: lookup_order
      - calls_tool: lookup_order
      - final_equals:
  - {name: second, on_unmocked: null, max_turns: 2,
     input: [{role: user, content: a}, {role: assistant, content: b}, {role: user, content: c}]}
`;
    const { suites } = load({ 'evals/a.eval.yaml': text });
    const [planned] = suites;
    expect(planned).toMatchObject({
      name: 'refund_agent',
      description: 'Refunds',
      tags: ['support'],
      path: 'evals/a.eval.yaml',
    });
    const [first, second] = planned?.cases ?? [];
    expect(first).toEqual({
      suite: 'refund_agent',
      name: 'first',
      tags: ['a', 'b'],
      line: 23,
      endLine: 33,
      provider: { name: 'openai', wire: 'openai', apiKeyEnv: 'OPENAI_API_KEY', timeoutS: 120, maxRetries: 3 },
      model: 'gpt-4.1-mini',
      params: { max_tokens: 512, temperature: 0, top_p: 1 },
      system: 'You are a support agent.\n',
      tools: [
        {
          name: 'lookup_order',
          description: 'Look up an order.',
          inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
        },
        { name: 'issue_refund' },
      ],
      input: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      expected: 'Bye',
      mocks: {
        lookup_order: [
          { when: { id: 'A-1' }, outcomes: [{ return: { total: 780 } }] },
          { outcomes: [{ return: null }] },
        ],
        issue_refund: [{ outcomes: [{ error: 'no' }] }],
      },
      maxTurns: 10,
      onUnmocked: 'error',
      expect: [
        { kind: 'max_turns', args: 6, text: 'max_turns: 6', key: 'max_turns:e7f6c011:1', line: 21 },
        {
          kind: 'calls_tool',
          args: { tool: 'lookup_order' },
          text: 'calls_tool: lookup_order',
          key: 'calls_tool:19b4c296:1',
          line: 31,
        },
        {
          kind: 'calls_tool',
          args: { tool: 'lookup_order' },
          text: 'calls_tool: lookup_order',
          key: 'calls_tool:19b4c296:2',
          line: 32,
        },
        { kind: 'final_equals', args: null, text: 'final_equals:', key: 'final_equals:74234e98:1', line: 33 },
      ],
      repeat: 3,
    });
    expect(Object.keys(first?.params ?? {})).toEqual(['max_tokens', 'temperature', 'top_p']);
    expect(second).toMatchObject({
      line: 34,
      endLine: 35,
      onUnmocked: 'null',
      maxTurns: 2,
      repeat: 1,
      params: { max_tokens: 512, top_p: 1 },
      mocks: { issue_refund: [{ outcomes: [{ error: 'timeout' }, { return: { id: 'R-2' } }] }] },
      input: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'text', text: 'b' }] }, { role: 'user' }],
    });
    expect(JSON.parse(JSON.stringify(planned))).toEqual(planned);
  });

  test('case before suite before retake.yaml before built-in; null removes a parameter', () => {
    const config =
      'version: 1\ndefaults: {provider: openai, model: d, params: {a: d, b: d, c: d}, temperature: 1, max_turns: 3, on_unmocked: "null", timeout_s: 5, max_retries: 0}';
    const text =
      'name: s\nparams: {b: s, c: null, Z: s}\nmax_turns: 4\ntimeout_s: 0.5\ncases:\n  - {name: c, input: x, model: m, params: {a: c, Z: null, d: {x: null}}, temperature: null}\n  - {name: e, input: x}';
    const { suites } = load({ 'retake.yaml': config, 'a.eval.yaml': text });
    const [one, two] = suites[0]?.cases ?? [];
    expect(one).toMatchObject({
      model: 'm',
      maxTurns: 4,
      onUnmocked: 'null',
      provider: { timeoutS: 0.5, maxRetries: 0 },
    });
    expect(one?.params).toEqual({ a: 'c', b: 's', d: { x: null } });
    expect(two?.params).toEqual({ Z: 's', a: 'd', b: 's', temperature: 1 });
  });

  test('parameters that are all removed leave none', () => {
    expect(
      onlyCase(suite('s', 'temperature: 0\n').replace('input: Hi', 'input: Hi, temperature: null')),
    ).not.toHaveProperty('params');
  });

  const providers =
    'version: 1\nproviders:\n  my-llm: {base_url: "https://llm.example/v1/", api_key_env: MY_KEY}\n  open: {base_url: "http://localhost:1234"}\n';
  const pick = (head: string, own: string, config = providers) => {
    const { provider, model } = onlyCase(`name: s\n${head}\ncases:\n  - {name: c, input: x${own}}`, {
      'retake.yaml': config,
    });
    return `${provider.name} ${model} ${provider.endpoint ?? '-'} ${provider.apiKeyEnv ?? '-'}`;
  };
  test.each([
    ['model: openai/gpt', '', 'openai gpt - OPENAI_API_KEY'],
    ['provider: openai\nmodel: openai/gpt', '', 'openai gpt - OPENAI_API_KEY'],
    ['provider: my-llm\nmodel: org/model', '', 'my-llm org/model https://llm.example/v1 MY_KEY'],
    ['provider: open\nmodel: openai/gpt', '', 'open openai/gpt http://localhost:1234 -'],
    ['model: my-llm/org/model', '', 'my-llm org/model https://llm.example/v1 MY_KEY'],
    ['provider: my-llm\nmodel: a', ', model: openai/gpt', 'openai gpt - OPENAI_API_KEY'],
    ['provider: my-llm\nmodel: a', ', model: org/gpt', 'my-llm org/gpt https://llm.example/v1 MY_KEY'],
    ['model: openai/gpt', ', provider: open', 'open openai/gpt http://localhost:1234 -'],
  ])('%j with a case of %j', (head, own, choice) => {
    expect(pick(head, own)).toBe(choice);
  });

  test('a script needs no model; its steps are plain', () => {
    const text = `name: s\nprovider: fake\ntools: [{name: t}]\ncases:\n  - name: c\n    input: x\n    script:\n      - {text: thinking, tool_call: {name: t, arguments: {a: 1}}}\n      - parallel: [{name: t}, {name: t, arguments: {b: 2}}]\n      - text: done\n      - fails: overloaded\n`;
    expect(onlyCase(text)).toMatchObject({
      provider: { name: 'script', wire: 'script' },
      model: 'script',
      script: [
        { calls: [{ name: 't', arguments: { a: 1 } }], text: 'thinking' },
        {
          calls: [
            { name: 't', arguments: {} },
            { name: 't', arguments: { b: 2 } },
          ],
        },
        { text: 'done' },
        { fails: 'overloaded' },
      ],
    });
  });

  test('line ends of every sort come out as LF', () => {
    const text = suite('s', 'system: |\n  one\n  two\n').replaceAll('\n', '\r\n');
    expect(onlyCase(text).system).toBe('one\ntwo\n');
    expect(onlyCase(suite('s', 'system_file: p.md\n'), { 'p.md': '\uFEFFa\r\nb\rc\n${X}' }).system).toBe(
      'a\nb\nc\n${X}',
    );
  });

  test('variables are put in as text, and leave the key of an expectation alone', () => {
    const text = suite('s', 'system: "${A} $${A}"\nexpect: [{final_contains: "${A}"}]\n');
    const one = onlyCase(text, {}, { env: { A: 'x: [1]' } });
    const other = onlyCase(text, {}, { env: { A: 'other' } });
    expect(one.system).toBe('x: [1] ${A}');
    expect(one.expect[0]).toMatchObject({ args: { texts: ['x: [1]'] }, text: 'final_contains: "${A}"' });
    expect(one.expect[0]?.key).toBe(other.expect[0]?.key);
  });

  test('`undeclared: true` allows tools that are not declared', () => {
    const more =
      'expect: [{not_calls_tool: {tool: x, undeclared: true}}, {call_order: {tools: [a, b], undeclared: true}}]\n';
    expect(onlyCase(suite('s', more)).expect.map(({ kind }) => kind)).toEqual(['not_calls_tool', 'call_order']);
  });

  test('aliases and anchors may share what cases repeat', () => {
    const more = 'tools: [{name: t}]\nmocks: {t: &rules [{return: &r {a: 1}}, {return: *r}]}\n';
    expect(onlyCase(suite('s', more).replace('input: Hi', 'input: Hi, mocks: {t: *rules}')).mocks.t).toHaveLength(2);
  });

  test('names that objects have by nature are names like any other', () => {
    const more =
      'tools: [{name: toString}, {name: __proto__}]\nmocks: {toString: [{return: 1}], __proto__: [{return: 2}]}\n';
    const { mocks } = onlyCase(suite('constructor', more));
    expect(Object.keys(mocks)).toEqual(['toString', '__proto__']);
    expect(({} as Record<string, unknown>).outcomes).toBeUndefined();
  });
});

describe('whatever a file holds', () => {
  const sound = suite(
    's',
    'tags: [a]\nparams: {a: 1}\ntools:\n  - name: t\n    input_schema: {type: object}\nmocks:\n  t:\n    - sequence: [{error: x}, {return: 1}]\nexpect:\n  - calls_tool: t\n  - tool_args: {tool: t, match: {a: 1}}\n',
  );
  const tokens = sound.split(/(\s+|[:{}[\],-])/);
  const junk = fc.constantFrom(
    '',
    ' ',
    '\n',
    '- ',
    ': ',
    '{',
    '}',
    '[',
    ']',
    '*a',
    '&a ',
    '!!int ',
    '${X}',
    '$ref',
    '"',
    "'",
    '|\n',
    'null',
    '1e999',
    '.nan',
    '0',
    '~',
    '\u0000',
    '\t',
    '? ',
    '#',
    '__proto__',
    '<<',
  );

  function outcomeOf(text: string | Uint8Array): string {
    const cwd = writeProjectOnce(text);
    try {
      loadProject({ cwd, globs: ['a.eval.yaml'], env: {} });
      return 'sound';
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      expect(error.faults.length).toBeGreaterThan(0);
      for (const { message, place } of error.faults) {
        expect(message).not.toMatch(/undefined|\[object|NaN/);
        if (place?.column !== undefined) expect(place.column).toBeGreaterThan(0);
      }
      return 'refused';
    }
  }
  let folder: string | undefined;
  function writeProjectOnce(text: string | Uint8Array): string {
    folder ??= writeProject({});
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'a.eval.yaml'), text);
    return realpathSync(folder);
  }

  test('the sound one is sound', () => {
    expect(outcomeOf(sound)).toBe('sound');
  });

  test('loading ends with suites or a UserError', () => {
    folder = undefined;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(tokens.length - 1), junk), { minLength: 1, maxLength: 3 }), (changes) => {
        const mutated = [...tokens];
        for (const [at, token] of changes) mutated[at] = token;
        outcomeOf(mutated.join(''));
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    );
  });

  test('bytes and strings that are no suite', () => {
    folder = undefined;
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 50 }), fc.json()), (content) => {
        expect(outcomeOf(content)).toBe('refused');
      }),
      { numRuns: Number(process.env.RUNS ?? 200) },
    );
  });
});
