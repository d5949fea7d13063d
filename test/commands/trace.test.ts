// The transcript of a case: all of it, from the cassette or live, harmless on a terminal.

import { expect, it } from 'vitest';
import { retake } from '../cli/shell.ts';
import { configOf, KEY, newProject, refundSuite, steadyRefund } from '../helpers/project.ts';
import { startProvider } from '../helpers/provider-server.ts';
import { HARMFUL } from '../render/terminal-samples.ts';
import { recorded, retakeIn, SUITE } from './recorded.ts';

/** What a recording's date and duration are replaced by. */
const settle = (text: string) => text.replace(/\d{4}-\d\d-\d\d/g, 'DAY').replace(/\d+ ms/g, 'N ms');

it('shows all that is said in a case', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.write(SUITE, refundSuite({ one: '    expect: [{final_contains: A-2}]\n' }));
  const { stdout, stderr, exitCode } = await retakeIn(project, 'trace', 'refunds::one');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
  expect(settle(stdout)).toBe(`refunds › one  evals/refunds.eval.yaml:20
model     local/small
cassette  cassettes/refunds/one.yaml
params    {"temperature": 0}
system    You are a support agent.
tools     lookup_order, issue_refund

take 1 of 1 · recorded DAY   failed
user      Refund one.
turn 1    → lookup_order {"order_id": "A-1"}
        │ tool_use · 100 → 10 tokens · N ms · small-1.0
        │ ← lookup_order {"total": 20, "status": "delivered"}
turn 2    → issue_refund {"order_id": "A-1"}
        │ tool_use · 100 → 10 tokens · N ms · small-1.0
        │ ← issue_refund {"refund_id": "R-1"}
turn 3    Refund one. Done, A-1.
        │ end_turn · 100 → 10 tokens · N ms · small-1.0
stopped   end_turn
✓ max_turns: 3
✗ final_contains: A-2
  why       the answer does not contain "A-2": "Refund one. Done, A-1."
`);
});

it('shows one take of several', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '    repeat: 3\n' }) });
  const all = await retakeIn(project, 'trace', 'refunds::one');
  expect(all.stdout.match(/^take \d of 3/gm)).toEqual(['take 1 of 3', 'take 2 of 3', 'take 3 of 3']);
  const second = await retakeIn(project, 'trace', 'refunds::one', '--take', '2');
  expect(second).toMatchObject({ exitCode: 0, stderr: '' });
  expect(second.stdout.match(/^take \d of 3/gm)).toEqual(['take 2 of 3']);
  const fourth = await retakeIn(project, 'trace', 'refunds::one', '--take', '4');
  expect(fourth).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'error  --take 4: refunds::one has 3 takes\n  Give a take from 1 to 3.\n',
  });
});

it('asks the provider with --mode off and writes nothing', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = newProject({ 'retake.yaml': configOf(provider.baseUrl), [SUITE]: refundSuite({ one: '' }) });
  const before = project.contents();
  const options = { cwd: project.folder, env: KEY };
  const { stdout, exitCode } = await retake(['trace', 'refunds::one', '--mode', 'off'], options);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(' · small-1.0 · live\n');
  expect(provider.journal).toHaveLength(3);
  expect(project.contents()).toEqual(before);
});

it('shows how far the recording goes, and how to see the rest', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.edit(SUITE, 'total: 20', 'total: 21');
  const { stdout, exitCode } = await retakeIn(project, 'trace', 'refunds::one');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('turn 1    → lookup_order');
  expect(stdout).not.toContain('turn 2');
  expect(stdout).toContain('? unrecorded  messages[2].result.total differs from the recording\n');
  expect(stdout).toContain(`  retake record ${SUITE}\n  retake explain refunds::one\n`);
});

it('cuts nothing, and breaks long values into lines', async () => {
  const long = Array.from({ length: 3000 }, (_, at) => `word ${at}`);
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) }, ({ turn }) =>
    turn === 1
      ? { calls: [{ name: 'lookup_order', arguments: { order_id: 'x'.repeat(200), more: { a: 1 } } }] }
      : { text: long.join('\n') },
  );
  const { stdout } = await retakeIn(project, 'trace', 'refunds::one');
  expect(stdout).toContain(
    `turn 1    → lookup_order\n        │     {\n        │       "order_id": "${'x'.repeat(200)}",\n        │       "more": {\n`,
  );
  for (const word of long) expect(stdout).toContain(`${word}\n`);
});

it('shows what a model says harmlessly', async () => {
  const hostile = 'fine\n::error::x\n\u001b[2J\u202eevil\n##[error]y\nturn 9    forged';
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) }, () => ({ text: hostile }));
  const { stdout } = await retakeIn(project, 'trace', 'refunds::one');
  expect(stdout).toContain('        │ \\x1b[2J\\u202eevil\n');
  expect(stdout).not.toMatch(HARMFUL);
  expect(stdout).not.toContain('##[');
  expect(stdout).not.toMatch(/^\s*::/m);
  expect(stdout).not.toMatch(/^turn 9/m);
});

it('shows a scripted case, whose turns cost nothing', async () => {
  using project = newProject({
    [SUITE]: 'name: s\nprovider: script\ncases:\n  - name: c\n    input: Hi\n    script: [{text: Hello}]\n',
  });
  const { stdout, exitCode } = await retakeIn(project, 'trace', 's::c');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('user      Hi\nturn 1    Hello\n        │ end_turn\nstopped   end_turn\n');
  expect(stdout).not.toContain('cassette');
});

it.each([
  ['refunds::two', 'there is no case `refunds::two`'],
  ['refunds::onne', 'there is no case `refunds::onne`, did you mean `refunds::one`?'],
  ['one', 'a case is named `suite::case`, not `one`'],
])('refuses %s', async (name, message) => {
  using project = newProject({ 'retake.yaml': configOf('http://127.0.0.1:9/v1'), [SUITE]: refundSuite({ one: '' }) });
  const { stdout, stderr, exitCode } = await retakeIn(project, 'trace', name);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
  expect(stderr).toContain('There are:\n    refunds::one\n');
});

it('has two modes', async () => {
  using project = newProject({ [SUITE]: refundSuite({ one: '' }) });
  const { stderr } = await retakeIn(project, 'trace', 'refunds::one', '--mode', 'record');
  expect(stderr).toBe('error  --mode does not take "record"\n  It takes replay or off.\n');
});
