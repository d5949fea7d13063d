// Every kind of expectation, passing and failing, with the words a person reads.

import { expect, test } from 'vitest';
import type { AssistantBlock } from '../../src/request/request.ts';
import { SCORERS, scorerOf } from '../../src/score/index.ts';
import type { Trajectory, Turn } from '../../src/target/trajectory.ts';

const call = (id: number, name: string, args: object = {}): AssistantBlock => ({
  type: 'tool_call',
  id: `call_${id}`,
  name,
  arguments: args as never,
});

function trajectory(text: string, stopped: Trajectory['stopped'] = 'end_turn', ...calls: AssistantBlock[]): Trajectory {
  const turn = (content: AssistantBlock[]): Turn => ({
    fingerprint: 'f',
    head: 'h',
    source: 'script',
    content,
    stop: 'end_turn',
    latencyMs: 0,
    results: [],
  });
  const turns = [...calls.map((block) => turn([block])), turn([{ type: 'text', text }])];
  return { input: [], turns, stopped };
}

const TOOLS = trajectory(
  'Order A-1 is late.',
  'end_turn',
  call(0, 'lookup', { id: 'A-1', deep: { a: [1, { b: 2 }] } }),
  call(1, 'refund', { id: 'A-1' }),
  call(2, 'lookup', { id: 'A-2' }),
);
const MALFORMED = trajectory('x', 'end_turn', {
  type: 'tool_call',
  id: 'call_0',
  name: 'lookup',
  malformedArguments: '{"id": ',
});
const JSON_ANSWER = trajectory('{"name": "Ann", "age": 3, "tags": [], "extra": null}');

async function judge(kind: string, args: unknown, of: Trajectory, expected?: string) {
  const scorer = scorerOf(kind);
  if (!scorer) throw new Error(`no kind ${kind}`);
  return scorer.score(scorer.schema.parse(args), { trajectory: of, ...(expected !== undefined && { expected }) });
}

test.each<[string, unknown, Trajectory, string]>([
  ['calls_tool', 'lookup', TOOLS, 'lookup was called in turn 1'],
  ['calls_tool', { tool: 'refund' }, TOOLS, 'refund was called in turn 2'],
  ['calls_tool', { tool: 'lookup', count: 2 }, TOOLS, 'lookup was called 2 times'],
  ['calls_tool', { tool: 'lookup', with: { id: 'A-2' } }, TOOLS, 'lookup was called in turn 3 with {"id":"A-2"}'],
  [
    'calls_tool',
    { tool: 'lookup', with: { id: 'A-1' }, count: 1 },
    TOOLS,
    'lookup was called 1 time with {"id":"A-1"}',
  ],
  ['calls_tool', { tool: 'lookup', after: 'refund' }, TOOLS, 'lookup was called in turn 3 after refund'],
  ['calls_tool', { tool: 'lookup', after: 'lookup' }, TOOLS, 'lookup was called in turn 3 after lookup'],
  ['calls_tool', { tool: 'refund', count: 0, after: 'pay' }, TOOLS, 'refund was called 0 times after pay'],
  ['not_calls_tool', 'escalate', TOOLS, 'escalate was never called'],
  ['not_calls_tool', { tool: 'refund', before: 'lookup' }, TOOLS, 'refund was called in turn 2, after lookup'],
  ['not_calls_tool', { tool: 'pay', before: 'escalate' }, TOOLS, 'pay was never called'],
  [
    'tool_args',
    { tool: 'lookup', match: { deep: { a: [1, { b: 2 }] } } },
    TOOLS,
    'lookup was called in turn 1 with matching arguments',
  ],
  [
    'tool_args',
    { tool: 'lookup', match: { id: 'A-2' }, index: 1 },
    TOOLS,
    'lookup was called in turn 3 with matching arguments',
  ],
  ['call_order', ['lookup', 'lookup'], TOOLS, 'called in order: lookup → lookup'],
  ['min_tool_calls', { tool: 'lookup', count: 2 }, TOOLS, 'lookup was called 2 times'],
  ['max_tool_calls', 3, TOOLS, '3 tool calls'],
  ['max_turns', 4, TOOLS, '4 turns'],
  ['final_contains', 'ORDER a-1', TOOLS, 'the answer contains it'],
  ['final_contains', ['late', 'order'], TOOLS, 'the answer contains it'],
  ['final_equals', 'Order A-1 is late.', TOOLS, 'the answer is equal'],
  ['final_matches', 'A-\\d+ is (late|lost)\\.$', TOOLS, 'the answer matches'],
  ['final_json', null, JSON_ANSWER, 'the answer is JSON'],
  [
    'final_json',
    { required: ['name'], fields: { age: 'int', tags: 'array', gone: 'str' } },
    JSON_ANSWER,
    'the answer is JSON of this shape',
  ],
])('%s: %j passes', async (kind, args, of, reason) => {
  expect(await judge(kind, args, of)).toEqual({ passed: true, value: 1, reason });
});

test.each<[string, unknown, Trajectory, string, number?]>([
  ['calls_tool', 'escalate', TOOLS, 'escalate was never called'],
  ['calls_tool', { tool: 'lookup', count: 1 }, TOOLS, 'lookup was called 2 times, 1 expected', 3],
  ['calls_tool', { tool: 'lookup', count: 3 }, TOOLS, 'lookup was called 2 times, 3 expected'],
  ['calls_tool', { tool: 'escalate', count: 1 }, TOOLS, 'escalate was called 0 times, 1 expected'],
  [
    'calls_tool',
    { tool: 'refund', with: { id: 'A-9' } },
    TOOLS,
    'refund was called in turn 2 with id "A-1", not "A-9"',
    2,
  ],
  [
    'calls_tool',
    { tool: 'lookup', with: { id: 'A-9' } },
    MALFORMED,
    'lookup was called in turn 1 with arguments that are not JSON: "{\\"id\\": "',
    1,
  ],
  ['calls_tool', { tool: 'escalate', with: { id: 'A-9' } }, TOOLS, 'escalate was never called'],
  ['calls_tool', { tool: 'refund', after: 'pay' }, TOOLS, 'pay was never called, so refund not after it'],
  ['calls_tool', { tool: 'refund', after: 'refund' }, TOOLS, 'refund was not called after refund, only in turn 2', 2],
  ['not_calls_tool', 'refund', TOOLS, 'refund was called in turn 2 with {"id":"A-1"}', 2],
  [
    'not_calls_tool',
    { tool: 'lookup', before: 'refund' },
    TOOLS,
    'lookup was called in turn 1 with {"id":"A-1","deep":{"a":[1,{"b":2}]}}, before refund',
    1,
  ],
  [
    'not_calls_tool',
    { tool: 'refund', before: 'pay' },
    TOOLS,
    'refund was called in turn 2 with {"id":"A-1"}, and pay never was',
    2,
  ],
  ['not_calls_tool', 'lookup', MALFORMED, 'lookup was called in turn 1 with "{\\"id\\": "', 1],
  ['tool_args', { tool: 'refund', match: { id: 'A-2' } }, TOOLS, 'id of refund is "A-1", not "A-2"', 2],
  ['tool_args', { tool: 'lookup', match: { deep: { a: [1] } } }, TOOLS, 'deep.a of lookup is [1,{"b":2}], not [1]', 1],
  ['tool_args', { tool: 'lookup', match: { gone: 1 } }, TOOLS, 'gone of lookup is nothing, not 1', 1],
  [
    'tool_args',
    { tool: 'lookup', match: {}, index: 2 },
    TOOLS,
    'lookup was called 2 times, so there is no call with index 2',
  ],
  ['tool_args', { tool: 'escalate', match: {} }, TOOLS, 'escalate was never called'],
  [
    'tool_args',
    { tool: 'lookup', match: { id: 'A' } },
    MALFORMED,
    'lookup was called with arguments that are not JSON: "{\\"id\\": "',
    1,
  ],
  ['call_order', ['refund', 'refund'], TOOLS, 'refund was not called after refund', 2],
  ['call_order', ['lookup', 'escalate'], TOOLS, 'escalate was never called'],
  ['min_tool_calls', { tool: 'refund', count: 2 }, TOOLS, 'refund was called 1 time, at least 2 expected'],
  ['max_tool_calls', 1, TOOLS, '3 tool calls, at most 1 expected', 2],
  ['max_turns', 2, TOOLS, '4 turns, at most 2 expected', 3],
  ['max_turns', 9, trajectory('x', 'max_turns'), 'stopped after 1 turn with tool calls still open', 1],
  ['final_contains', ['late', 'lost'], TOOLS, 'the answer does not contain "lost": "Order A-1 is late."', 4],
  [
    'final_contains',
    { value: 'order', case_sensitive: true },
    TOOLS,
    'the answer does not contain "order": "Order A-1 is late."',
    4,
  ],
  [
    'final_equals',
    'Order A-1 is late.\n',
    TOOLS,
    'the answer differs in white space at its ends: "Order A-1 is late.", not "Order A-1 is late.\\n"',
    4,
  ],
  ['final_equals', 'x', TOOLS, 'the answer is "Order A-1 is late.", not "x"', 4],
  ['final_matches', '^late', TOOLS, 'the answer does not match ^late: "Order A-1 is late."', 4],
  ['final_json', null, TOOLS, 'the answer is not JSON: "Order A-1 is late."', 4],
  [
    'final_json',
    null,
    trajectory('```json\n{}\n```'),
    'the answer is not JSON (it stands in a code fence): "```json\\n{}\\n```"',
    1,
  ],
  ['final_json', { required: ['id'] }, JSON_ANSWER, 'id is missing: {"name":"Ann","age":3,"tags":[],"extra":null}', 1],
  ['final_json', { fields: { name: 'int' } }, JSON_ANSWER, 'name is "Ann", not of type int', 1],
  ['final_json', { fields: { extra: 'object' } }, JSON_ANSWER, 'extra is null, not of type object', 1],
  ['final_json', { required: ['a'] }, trajectory('[]'), 'the answer is not a JSON object: []', 1],
])('%s: %j fails', async (kind, args, of, reason, turn) => {
  expect(await judge(kind, args, of)).toEqual({ passed: false, value: 0, reason, ...(turn && { turn }) });
});

test("final_equals without a text compares with the case's expected", async () => {
  expect(await judge('final_equals', null, TOOLS, 'Order A-1 is late.')).toMatchObject({ passed: true });
  expect(await judge('final_equals', null, TOOLS, 'x')).toMatchObject({ passed: false });
});

test('a pattern that would hang a backtracking engine returns', async () => {
  expect(await judge('final_matches', '^(a+)+$', trajectory(`${'a'.repeat(100_000)}!`))).toMatchObject({
    passed: false,
  });
});

test('a pattern of another syntax is refused with its reason', () => {
  const read = SCORERS.final_matches.schema.safeParse('(?<!x)y');
  expect(read.success).toBe(false);
});

test('a kind that is none has no scorer, whatever objects have', () => {
  expect(scorerOf('toString')).toBeUndefined();
});
