// The report as a person reads it.

import { describe, expect, it } from 'vitest';
import { renderTerminal, type TerminalOptions } from '../../src/render/terminal.ts';
import type { CaseResult, RunResult } from '../../src/run/result.ts';
import { call, caseOf, DESCRIPTION_MISS, missed, refunded, runOf, score, take, turn } from './terminal-samples.ts';

const text = (result: RunResult, more: Partial<TerminalOptions> = {}) =>
  renderTerminal(result, { color: false, verbose: false, width: 100, ...more });
const lineOf = (out: string, part: string) => out.split('\n').find((line) => line.includes(part)) ?? '';

describe('a whole report', () => {
  it('shows cases by suite, what broke and the sum', () => {
    const result = runOf([caseOf('looks_up_order'), refunded()], { notes: ['one note'] });
    expect(text(result)).toBe(`\
refund_agent  evals/refund_agent.eval.yaml   turns        tokens      cost    time
  ✓ passed  looks_up_order                       2      898 → 70   unknown   2.0 s
  ✗ failed  escalates_refund_over_limit          3   1,347 → 105   unknown   3.1 s

✗ failed  refund_agent › escalates_refund_over_limit
    expected  not_calls_tool: issue_refund  evals/refund_agent.eval.yaml:34
    why       issue_refund was called in turn 2
    calls     lookup_order → issue_refund → (end_turn)
    turn 2    issue_refund {"order_id":"A-991","amount":780}

note     one note

cases    1 passed · 1 failed of 2 cases in 1 suite
tokens   2,245 → 175   cost unknown   recorded time 5.1 s
answers  5 from cassettes · 0 live · 0 unused (replay)
exit 1   a case failed
`);
  });

  it('shows the difference of a miss, its cost and its remedy, once for all cases it costs', () => {
    const message = 'tools[1].description differs from the recording';
    const cases = Array.from({ length: 500 }, (_, at) => missed(`case_${at}`, message, DESCRIPTION_MISS));
    const out = text(runOf(cases));
    expect(out.slice(out.indexOf('\n? unrecorded  refund_agent › ') + 1)).toBe(`\
? unrecorded  refund_agent › case_0 and 499 more cases   take 1, turn 1
    tools[1].description differs from the recording
      recorded  "Issue a refund against an order."
      now       "Issue a refund for an order."
    The description is part of what the model is asked, so 500 cases of refund_agent need a new take.
    retake record evals/refund_agent.eval.yaml

cases    500 unrecorded of 500 cases in 1 suite
tokens   –   cost –   recorded time 0 ms
answers  0 from cassettes · 0 live · 0 unused (replay)
exit 3   a recording is missing or a provider failed
`);
  });

  it('prints an empty run', () => {
    expect(text(runOf([]))).toMatch(/^cases {4}0 passed of 0 cases in 0 suites\n/);
  });
});

describe('failures', () => {
  it('tells takes that failed alike once', () => {
    const sorry = [score('final_contains: sorry', 44, 'the answer does not contain "sorry"', 2)];
    const takes = [1, 2, 3, 4].map((number) =>
      number === 2 ? take({ take: 2 }) : take({ take: number, outcome: 'failed', scores: sorry }),
    );
    const out = text(runOf([caseOf('apologises', 'failed', { takes, problem: { message: '1 of 4 takes passed' } })]));
    expect(out).toContain(`\
✗ failed  refund_agent › apologises
    1 of 4 takes passed
    takes 1, 3, 4 of 4
    expected  final_contains: sorry  evals/refund_agent.eval.yaml:44
    why       the answer does not contain "sorry"
    calls     lookup_order → (end_turn)
    turn 2    This order is over $500, so a colleague must approve it.
            │ Ticket T-55 is open.
`);
  });

  it('says why a conversation broke off, once', () => {
    const detail = 'ship_order has no mock for {"order_id":"A-1"}';
    const turns = [turn([call('ship_order', { order_id: 'A-1' })])];
    const trajectory = { input: [], turns, stopped: 'unmocked_tool' as const, detail };
    const broken = caseOf('ships', 'failed', {
      takes: [take({ outcome: 'failed', trajectory, scores: [] })],
      problem: { message: detail, remedy: 'Add a rule for ship_order under mocks.' },
    });
    const out = text(runOf([broken]));
    expect(out).toContain(`\
✗ failed  refund_agent › ships  evals/refund_agent.eval.yaml:28
    stopped   ship_order has no mock for {"order_id":"A-1"}
    calls     ship_order → (unmocked_tool)
    Add a rule for ship_order under mocks.
`);
    expect(out.split(detail)).toHaveLength(2);
  });

  it('keeps arguments as the model wrote them where they are not JSON', () => {
    const turns = [turn([{ type: 'tool_call', id: 'call_0', name: 'pay', malformedArguments: '{"amount": 7' }])];
    const trajectory = { input: [], turns, stopped: 'end_turn' as const };
    const scores = [score('tool_args: {tool: pay}', 9, 'pay was called with arguments that are not JSON', 1)];
    const out = text(runOf([caseOf('pays', 'failed', { takes: [take({ outcome: 'failed', trajectory, scores })] })]));
    expect(out).toContain('    turn 1    pay (not JSON) {"amount": 7\n');
  });

  it('keeps a conversation of thousands of calls short', () => {
    const turns = Array.from({ length: 2000 }, () => turn([call('again', {})]));
    const trajectory = { input: [], turns, stopped: 'max_turns' as const };
    const scores = [score('max_turns: 6', 3, 'took 2000 turns, not at most 6')];
    const out = text(runOf([caseOf('loops', 'failed', { takes: [take({ outcome: 'failed', trajectory, scores })] })]));
    expect(lineOf(out, 'calls  ')).toMatch(/again → … 1,970 more calls … → again.*→ \(max_turns\)$/);
    expect(out.length).toBeLessThan(2000);
  });
});

describe('misses and errors', () => {
  const miss = (path: string, recorded: string, now: string) => ({
    ...DESCRIPTION_MISS,
    difference: { path, recorded, now },
  });

  it('keeps causes, suites and outcomes apart', () => {
    const out = text(
      runOf([
        missed('a', 'system differs from the recording', miss('system', 'Be kind.', 'Be brief.')),
        missed('b', 'model differs from the recording', miss('model', 'm-1', 'm-2')),
        missed('c', 'system differs from the recording', miss('system', 'Be kind.', 'Be brief.')),
        missed('d', 'system differs from the recording', miss('system', 'Be kind.', 'Be brief.'), 'billing'),
      ]),
    );
    expect(out.split('\n').filter((line) => line.startsWith('? '))).toEqual([
      '? unrecorded  refund_agent › a and 1 more case   take 1, turn 1',
      '? unrecorded  refund_agent › b   take 1, turn 1',
      '? unrecorded  billing › d   take 1, turn 1',
    ]);
  });

  it('says that values differ from case to case', () => {
    const message = 'messages[0].content differs from the recording';
    const out = text(
      runOf([
        missed('a', message, miss('messages[0].content', '"a"', '"A"')),
        missed('b', message, miss('messages[0].content', '"b"', '"B"')),
      ]),
    );
    expect(out).toContain(
      '      now       "A"\n      The values are those of the first case.\n    2 cases of refund_agent need',
    );
  });

  it('shows what stood on one side only', () => {
    const gone = { ...DESCRIPTION_MISS, difference: { path: 'tools[1]', recorded: 'issue_refund' } };
    const out = text(runOf([missed('a', 'tools[1] is gone', gone)]));
    expect(out).toContain('      recorded  issue_refund\n      now       (nothing)\n');
  });

  it('tells one provider failure of many cases once', () => {
    const down = (name: string): CaseResult =>
      caseOf(name, 'errored', { takes: [], problem: { message: 'openai answered 500', remedy: 'Try again later.' } });
    const out = text(runOf([down('a'), down('b'), down('c')]));
    expect(out).toContain(`\
! errored  refund_agent › a and 2 more cases
    openai answered 500
    The same happened to 3 cases of refund_agent.
    Try again later.
`);
  });
});

describe('an interrupted run', () => {
  const cases = [caseOf('a'), caseOf('b', 'skipped', { takes: [] }), caseOf('c', 'skipped', { takes: [] })];

  it('says what was kept and how to go on', () => {
    const out = text(runOf(cases, { mode: 'record' }), { interrupted: 130 });
    expect(out).toContain(
      'Interrupted: 1 of 3 cases finished and are kept (exit 130).\nGo on with: retake record --resume\n',
    );
    expect(out).not.toContain('exit 0');
  });

  it('offers nothing to resume after a replay', () => {
    const out = text(runOf(cases), { interrupted: 143 });
    expect(out).toContain('Interrupted: 1 of 3 cases finished and are reported (exit 143).\n');
    expect(out).not.toContain('--resume');
  });
});

describe('--verbose', () => {
  it('shows every turn, result and expectation', () => {
    const out = text(runOf([caseOf('looks_up_order')]), { verbose: true });
    expect(out.slice(out.indexOf('\n', out.indexOf('✓')) + 1, out.indexOf('\n\n'))).toBe(`\
      user      I want a refund for order A-991.
      turn 1    lookup_order {"order_id":"A-991"}
              │ ← lookup_order {"total":780,"status":"delivered"}
      turn 2    This order is over $500, so a colleague must approve it.
              │ Ticket T-55 is open.
      stopped   end_turn
      ✓ calls_tool: lookup_order`);
  });

  it('cuts huge answers and says by how much', () => {
    const turns = [turn([{ type: 'text', text: 'y'.repeat(1_000_000) }])];
    const trajectory = { input: [], turns, stopped: 'end_turn' as const };
    const out = text(runOf([caseOf('talks', 'passed', { takes: [take({ trajectory })] })]), { verbose: true });
    expect(out.length).toBeLessThan(5000);
    expect(out).toContain('… (998000 more)');
  });
});
