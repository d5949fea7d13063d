// What a user or a provider may get wrong, and the words they meet.

import { describe, expect, it } from 'vitest';
import { configOf, KEY, newProject, refundSuite, steadyRefund } from '../helpers/project.ts';
import { type Raw, type Said, startProvider } from '../helpers/provider-server.ts';
import { runCli } from '../helpers/run-cli.ts';

const SUITE = 'evals/refunds.eval.yaml';
const CONFIG = configOf('http://127.0.0.1:9/v1');

/** What every command says of these files, which is the same: nothing on stdout, exit 2. */
async function mistakeOf(files: Record<string, string>, args: string[] = []): Promise<string> {
  using project = newProject(files);
  const before = project.contents();
  const said: string[] = [];
  for (const command of args.length > 0 ? ['run', 'record'] : ['run', 'record', 'validate']) {
    const ran = await runCli(project.folder, [command, ...args], { env: KEY });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    said.push(ran.stderr);
  }
  expect(new Set(said).size).toBe(1);
  expect(project.contents()).toEqual(before);
  return said[0] ?? '';
}

/** The suite with one text of it replaced. */
function edited(old: string, now: string, more = ''): Record<string, string> {
  const suite = refundSuite({ one: more });
  if (suite.split(old).length !== 2) throw new Error(`${old} does not stand once in the suite`);
  return { 'retake.yaml': CONFIG, [SUITE]: suite.replace(old, now) };
}

/** The same suite with something more in its case. */
const withCase = (more: string) => edited('name: refunds', 'name: refunds', more);

describe('a mistake in the project', () => {
  it('no suites', async () => {
    expect(await mistakeOf({ 'retake.yaml': CONFIG })).toMatchInlineSnapshot(`
      "error  no suites found
        Write one, such as evals/greeting.eval.yaml:
        
        name: greeting
        model: openai/gpt-4.1-mini
        system: You greet people by name.
        cases:
          - name: greets
            input: Hello, I am Ada.
            expect:
              - final_contains: Ada
      "
    `);
    expect(await mistakeOf({})).toMatchInlineSnapshot(`
      "error  no suites found
        Write one, such as evals/greeting.eval.yaml:
        
        name: greeting
        model: openai/gpt-4.1-mini
        system: You greet people by name.
        cases:
          - name: greets
            input: Hello, I am Ada.
            expect:
              - final_contains: Ada
      "
    `);
  });

  it('a pattern that finds no suites', async () => {
    expect(await mistakeOf(withCase(''), ['nowhere/*.eval.yaml'])).toMatchInlineSnapshot(`
      "error  no suite matches \`nowhere/*.eval.yaml\`
        Suites are files named *.eval.yaml.
      "
    `);
  });

  it('a suite with no cases', async () => {
    const head = 'name: refunds\nprovider: script\n';
    expect(await mistakeOf({ 'a.eval.yaml': head })).toMatchInlineSnapshot(`
      "a.eval.yaml:1:1  the suite has no cases
           1 │ name: refunds
             │ ^
        Add some:
        cases:
          - name: greets
            input: Hello
            expect:
              - final_contains: hello
      "
    `);
    expect(await mistakeOf({ 'a.eval.yaml': `${head}cases: []\n` })).toMatchInlineSnapshot(`
      "a.eval.yaml:3:8  the suite has no cases
           3 │ cases: []
             │        ^
        Add some:
        cases:
          - name: greets
            input: Hello
            expect:
              - final_contains: hello
      "
    `);
    expect(await mistakeOf({ 'a.eval.yaml': '' })).toMatchInlineSnapshot(`
      "a.eval.yaml:1:1  the file is empty
      "
    `);
  });

  it('two suites of one name', async () => {
    const suite = refundSuite({ one: '' });
    expect(
      await mistakeOf({ 'retake.yaml': CONFIG, 'evals/a.eval.yaml': suite, 'evals/b.eval.yaml': suite }),
    ).toMatchInlineSnapshot(`
      "evals/b.eval.yaml:1:7  two suites are named \`refunds\`, the other in evals/a.eval.yaml:1
           1 │ name: refunds
             │       ^
        Give one of them another name: a name is the folder of its cassettes.
      "
    `);
  });

  it('two cases of one name', async () => {
    const twice = refundSuite({ one: '', two: '' }).replace('name: two', 'name: one');
    expect(await mistakeOf({ 'retake.yaml': CONFIG, [SUITE]: twice })).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:22:11  duplicate case name \`one\`, first on line 20
          22 │   - name: one
             │           ^
        Give one of them another name: a name is the key of a cassette.
      "
    `);
  });

  it('an unknown provider', async () => {
    expect(await mistakeOf(edited('name: refunds', 'name: refunds\nprovider: locale'))).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:2:11  unknown provider \`locale\`, did you mean \`local\`?
           2 │ provider: locale
             │           ^
        Known providers: openai, openai-responses, anthropic, gemini, xai, moonshot, zhipu, deepseek, openrouter, mistral, groq, together, ollama, azure, script, fake, local. Others go under \`providers:\` in retake.yaml.
      "
    `);
  });

  it('a regex that does not compile', async () => {
    expect(await mistakeOf(withCase("    expect: [{final_matches: 'a(b'}]\n"))).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:22:30  \`final_matches\`: not a regular expression of RE2: error parsing regexp: missing closing ): \`a(b\`
          22 │     expect: [{final_matches: 'a(b'}]
             │                              ^
      "
    `);
  });

  it('a tool that is expected but not declared', async () => {
    expect(await mistakeOf(withCase('    expect: [{not_calls_tool: issue_refunds}]\n'))).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:22:31  the suite declares no tool \`issue_refunds\`, did you mean \`issue_refund\`?
          22 │     expect: [{not_calls_tool: issue_refunds}]
             │                               ^
        Declare it under \`tools:\`, or allow it with \`undeclared: true\` beside \`tool:\`.
      "
    `);
  });

  it('a sequence of nothing', async () => {
    expect(await mistakeOf(edited('- return: {refund_id: R-1}', '- sequence: []'))).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:16:17  \`sequence\` must not be empty
          16 │     - sequence: []
             │                 ^
      "
    `);
  });

  it('what a later version will know', async () => {
    expect(await mistakeOf({ ...withCase(''), 'retake.yaml': `${CONFIG}judge: 5\n` })).toMatchInlineSnapshot(`
      "retake.yaml:6:1  \`judge\` is not supported yet
           6 │ judge: 5
             │ ^
      "
    `);
  });

  it('a filter or tag that matches nothing', async () => {
    expect(await mistakeOf(withCase(''), ['--filter', 'refund::*'])).toMatchInlineSnapshot(`
      "error  --filter refund::* does not match the only case
        A filter matches \`suite::case\`, a suite or a case, with \`*\` for any text; a tag matches exactly.
      "
    `);
    expect(
      await mistakeOf({ ...withCase(''), [SUITE]: refundSuite({ one: '', two: '' }) }, [
        '--tag',
        'safety',
        '--filter',
        '*one',
      ]),
    ).toMatchInlineSnapshot(`
      "error  --filter *one --tag safety matches none of the 2 cases
        A filter matches \`suite::case\`, a suite or a case, with \`*\` for any text; a tag matches exactly.
      "
    `);
  });

  it('every mistake is told in one run', async () => {
    const files = edited('max_turns: 3', 'max_turn: 3', '    expect: [{calls_tool: lookup}]\n');
    expect(
      await mistakeOf({ ...files, 'retake.yaml': CONFIG.replace('version: 1', 'version: 2') }),
    ).toMatchInlineSnapshot(`
      "evals/refunds.eval.yaml:18:5  unknown kind of expectation \`max_turn\`, did you mean \`max_turns\`?
          18 │   - max_turn: 3
             │     ^

      evals/refunds.eval.yaml:22:27  the suite declares no tool \`lookup\`
          22 │     expect: [{calls_tool: lookup}]
             │                           ^
        Declare it under \`tools:\`, or allow it with \`undeclared: true\` beside \`tool:\`.

      retake.yaml:1:10  \`version\` must be 1, not \`2\`
           1 │ version: 2
             │          ^

      3 errors in 2 files
      "
    `);
  });
});

/** Records against a provider that answers turn 1 of the first case like this, and replays what came of it. */
async function recordFrom(answer: Raw | Said) {
  await using provider = await startProvider((asked) =>
    asked.input === 'Refund one.' && asked.turn === 1 ? answer : steadyRefund(asked),
  );
  using project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    [SUITE]: refundSuite({ one: '    expect: [{calls_tool: issue_refund}]\n', two: '' }),
  });
  const ran = await runCli(project.folder, ['record', '--concurrency', '1'], { env: KEY });
  const replayed = await runCli(project.folder, ['run']);
  expect(ran.stderr + replayed.stderr).toBe('');
  const details = (stdout: string) => stdout.split('\n\n').slice(1, -1).join('\n\n');
  return {
    exitCode: ran.exitCode,
    details: details(ran.stdout),
    // The other case goes on, whatever this one met.
    other: /✓ passed +two/.test(ran.stdout),
    written: project.files('cassettes').filter((file) => !file.includes('/prompts/')),
    replayed: { exitCode: replayed.exitCode, details: details(replayed.stdout) },
  };
}

describe('a provider that answers 200 with', () => {
  it.each<[string, Raw, string]>([
    [
      'HTML',
      { body: '<!doctype html>\n<title>Sign in</title>' },
      'local answered 200, but not with JSON: <!doctype html> <title>Sign in</title>\n    Check the base URL.',
    ],
    [
      'invalid JSON',
      { body: '{"choices": [{"message": ' },
      'local answered 200, but not with JSON: {"choices": [{"message":\n    Check the base URL.',
    ],
    ['nothing', { body: '' }, 'local answered 200, but not with JSON: nothing\n    Check the base URL.'],
    ['no choices', { body: '{"choices": []}' }, 'local: the answer has no choices'],
    ['null', { body: 'null' }, 'local: the answer is not a JSON object'],
    [
      'a choice without a message',
      { body: '{"choices": [{}]}' },
      'local: the first choice of the answer has no message',
    ],
    ['an error', { body: '{"error": {"message": "overloaded\\u001b[2J"}}' }, 'local: overloaded\\x1b[2J'],
    ['50 MB', { body: Buffer.alloc(50 * 1024 * 1024, ' ') }, 'local: the answer is larger than 32 MiB'],
  ])('%s', async (_, answer, said) => {
    const ran = await recordFrom(answer);
    expect(ran).toMatchObject({ exitCode: 3, other: true, written: ['cassettes/refunds/two.yaml'] });
    expect(ran.details).toBe(`! errored  refunds › one\n    ${said}`);
    expect(ran.replayed.exitCode).toBe(3);
    expect(ran.replayed.details).toContain('? unrecorded  refunds › one   take 1, turn 1\n');
  });

  it('tool arguments cut off: kept as they are, named as the cause, replayed alike', async () => {
    const cut = { calls: [{ name: 'issue_refund', arguments: '{"order_id": "A-' }] };
    await using provider = await startProvider((asked) => (asked.turn === 1 ? cut : steadyRefund(asked)));
    using project = newProject({
      'retake.yaml': configOf(provider.baseUrl),
      [SUITE]: refundSuite({ one: '    expect: [{tool_args: {tool: issue_refund, match: {order_id: A-1}}}]\n' }),
    });
    const ran = await runCli(project.folder, ['record'], { env: KEY });
    expect(ran).toMatchObject({ exitCode: 1, stderr: '' });
    expect(ran.stdout.split('\n\n')[1]).toMatchInlineSnapshot(`
      "✗ failed  refunds › one
          expected  tool_args: {tool: issue_refund, match: {order_id: A-1}}  evals/refunds.eval.yaml:22
          why       issue_refund was called with arguments that are not JSON: "{\\"order_id\\": \\"A-"
          calls     issue_refund → issue_refund → (end_turn)
          turn 1    issue_refund (not JSON) {"order_id": "A-"
    `);
    expect(project.read('cassettes/refunds/one.yaml')).toContain(
      'malformed_arguments: |-\n                {"order_id": "A-\n',
    );
    const replayed = await runCli(project.folder, ['run']);
    expect(replayed.stdout.split('\n\n')[1]).toBe(ran.stdout.split('\n\n')[1]);
    expect(await runCli(project.folder, ['validate'])).toMatchObject({ exitCode: 0 });
  });

  it('an answer cut off at its length', async () => {
    const ran = await recordFrom({ text: 'I will', finish: 'length' });
    expect(ran).toMatchObject({ exitCode: 1, other: true });
    expect(ran.details).toContain('calls     (max_tokens)');
    expect(ran.replayed).toEqual({ exitCode: 1, details: ran.details });
  });

  it('a stop nobody knows', async () => {
    const ran = await recordFrom({ text: 'Hm.', finish: 'bored' });
    expect(ran).toMatchObject({ exitCode: 1, other: true });
    expect(ran.details).toContain('stopped   bored\n    calls     (error)');
    expect(ran.replayed).toEqual({ exitCode: 1, details: ran.details });
  });
});

it('a provider that is not there', async () => {
  using project = newProject({ 'retake.yaml': CONFIG, [SUITE]: refundSuite({ one: '' }) });
  // Closed at once, so that nobody listens there.
  const provider = await startProvider(steadyRefund);
  await provider[Symbol.asyncDispose]();
  project.write('retake.yaml', configOf(provider.baseUrl));
  const ran = await runCli(project.folder, ['record'], { env: KEY });
  expect(ran).toMatchObject({ exitCode: 3, stderr: '' });
  expect(ran.stdout).toContain('! errored  refunds › one\n    local: connect ECONNREFUSED 127.0.0.1:');
  expect(project.files('cassettes')).toEqual([]);
});
