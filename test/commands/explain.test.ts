// What `retake explain` says of a case: all of the difference, and both requests line against line.

import { expect, it } from 'vitest';
import { refundSuite } from '../helpers/project.ts';
import { HARMFUL } from '../render/terminal-samples.ts';
import { recorded, retakeIn, SUITE } from './recorded.ts';

it('shows all that differs, and the whole request against the whole recording', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.edit(SUITE, 'return: {total: 20, status: delivered}', 'return: {total: 21, status: lost, at: Oslo}');
  const before = project.contents();
  const { stdout, stderr, exitCode } = await retakeIn(project, 'explain', 'refunds::one');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 3 });
  expect(stdout).toBe(
    `refunds › one  evals/refunds.eval.yaml:20
cassette  cassettes/refunds/one.yaml

? unrecorded  the request differs from the recording in 3 places   take 1, turn 2
  messages[2].result.total
    recorded  20
    now       21
  messages[2].result.status
    recorded  "delivered"
    now       "lost"
  messages[2].result.at
    recorded  (nothing)
    now       "Oslo"
  retake record evals/refunds.eval.yaml

The request as recorded (-) and as it is asked now (+):

  model openai/small
  endpoint ENDPOINT

  params
    {
      "temperature": 0
    }

  system
    You are a support agent.

  tool lookup_order
    Look up an order by id.
    {
      "type": "object",
      "properties": {
        "order_id": {
          "type": "string"
        }
      },
      "required": [
        "order_id"
      ]
    }

  tool issue_refund
    Refund an order.
    {
      "type": "object",
      "properties": {
        "order_id": {
          "type": "string"
        }
      },
      "required": [
        "order_id"
      ]
    }

  user
    Refund one.

  model
    → lookup_order (call_0)
      {
        "order_id": "A-1"
      }

  tool result of lookup_order (call_0)
    {
-     "total": 20,
-     "status": "delivered"
+     "total": 21,
+     "status": "lost",
+     "at": "Oslo"
    }
`.replace('ENDPOINT', /http[^"]*/.exec(project.read('retake.yaml'))?.[0] ?? ''),
  );
  expect(project.contents()).toEqual(before);
});

it('says so where all is recorded', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '    repeat: 2\n' }) });
  const { stdout, exitCode } = await retakeIn(project, 'explain', 'refunds::two');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\n\n✓ every request of 2 takes is recorded\n$/);
  project.edit(SUITE, '    repeat: 2\n', '');
  expect((await retakeIn(project, 'explain', 'refunds::two')).stdout).toMatch(
    /✓ every request of 1 take is recorded \(the cassette has 2\)\n$/,
  );
});

it('shows what is asked where there is no cassette', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.write(SUITE, refundSuite({ one: '', two: '' }));
  const { stdout, exitCode } = await retakeIn(project, 'explain', 'refunds::two');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('? unrecorded  there is no recording of this case   take 1, turn 1\n');
  expect(stdout).toContain(`  retake record ${SUITE}\n\nWhat is asked:\n\n  model openai/small\n`);
  expect(stdout).toContain('\n  user\n    Refund two.\n');
});

it('names the recording of a case that was renamed', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  const { stdout, exitCode } = await retakeIn(project, 'explain', 'refunds::deux');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('there is no recording of this case, but that of refunds::two answers it');
  expect(stdout).toContain('\n  retake mv refunds::two refunds::deux\n');
});

it('says where takes are missing', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.write(SUITE, refundSuite({ one: '    repeat: 3\n' }));
  const { stdout, exitCode } = await retakeIn(project, 'explain', 'refunds::one');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('unrecorded  the cassette has 1 take, the case asks for 3   take 2, turn 1\n');
});

it('shows how a conversation goes on after its recording', async () => {
  const long = refundSuite({ one: '    max_turns: 2\n' }).replace('expect:\n  - max_turns: 3\n', '');
  using project = await recorded({ [SUITE]: long });
  project.write(SUITE, long.replace('    max_turns: 2\n', '    max_turns: 4\n'));
  const { stdout, exitCode } = await retakeIn(project, 'explain', 'refunds::one');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('unrecorded  the conversation goes on after its recording ends   take 1, turn 3\n');
  expect(stdout).toContain('+   → issue_refund (call_1)\n');
  expect(stdout).not.toMatch(/^- /m);
});

it('makes visible what a line hides', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.edit(
    SUITE,
    'system: You are a support agent.',
    'system: "You are a support agent.  \\u202e\\e[2J\\t\\n::error::x"',
  );
  const { stdout } = await retakeIn(project, 'explain', 'refunds::one');
  expect(stdout).toContain(
    '-   You are a support agent.\n+   You are a support agent.  \\u202e\\x1b[2J\\t\n+   ::error::x\n',
  );
  expect(stdout).not.toMatch(HARMFUL);
  project.edit(SUITE, '\\u202e\\e[2J\\t\\n::error::x"', '"');
  expect((await retakeIn(project, 'explain', 'refunds::one')).stdout).toContain('+   You are a support agent.··\n');
});

it('shows requests one after the other where they have too little in common to be compared', async () => {
  const lines = (word: string) => Array.from({ length: 1500 }, (_, at) => `    ${word} ${at}\n`).join('');
  const suite = (word: string) => refundSuite({ one: '' }).replace('system: You', `system: |\n${lines(word)}    You`);
  using project = await recorded({ [SUITE]: suite('left') });
  project.write(SUITE, suite('right'));
  const { stdout } = await retakeIn(project, 'explain', 'refunds::one');
  expect(stdout.match(/^- {3}left \d+$/gm)).toHaveLength(1500);
  expect(stdout.match(/^\+ {3}right \d+$/gm)).toHaveLength(1500);
});

it('stops at a damaged cassette', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.write('cassettes/refunds/one.yaml', project.read('cassettes/refunds/one.yaml').slice(0, 400));
  const { stdout, stderr, exitCode } = await retakeIn(project, 'explain', 'refunds::one');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('is cut off');
});
