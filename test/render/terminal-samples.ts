// Hand-made results for the tests of the terminal report.

import type { AssistantBlock, Json, ToolMessage } from '../../src/request/request.ts';
import type {
  CaseResult,
  Counts,
  Outcome,
  RunResult,
  Score,
  SuiteResult,
  TakeResult,
  Tally,
} from '../../src/run/result.ts';
import type { Turn } from '../../src/target/trajectory.ts';

/** A tally of `turns` served turns with tokens and latency. */
export function tally(turns: number, more: Partial<Tally> = {}): Tally {
  return {
    turns,
    usage: { inputTokens: 449 * turns, outputTokens: 35 * turns },
    turnsWithoutUsage: 0,
    costUsd: null,
    costKnownUsd: more.costUsd ?? 0,
    unpricedTurns: more.costUsd === undefined || more.costUsd === null ? turns : 0,
    liveCostUsd: 0,
    liveCostKnownUsd: 0,
    latencyMs: 1020 * turns,
    served: turns,
    live: 0,
    scripted: 0,
    unused: 0,
    ...more,
  };
}

/** The sum of tallies. */
function sum(tallies: Tally[]): Tally {
  const total = tally(0, { costUsd: null });
  for (const one of tallies) {
    for (const key of ['turns', 'turnsWithoutUsage', 'latencyMs', 'served', 'live', 'scripted', 'unused'] as const) {
      total[key] += one[key];
    }
    total.usage.inputTokens += one.usage.inputTokens;
    total.usage.outputTokens += one.usage.outputTokens;
  }
  return total;
}

/** A turn served from a cassette. */
export function turn(content: AssistantBlock[], results: ToolMessage[] = []): Turn {
  const calls = content.some(({ type }) => type === 'tool_call');
  return {
    fingerprint: '5f0c2b9d4d1e6a07c1b3f9e2a8d45b60',
    head: '8c1f0a7be2d94c55',
    source: 'cassette',
    content,
    stop: calls ? 'tool_use' : 'end_turn',
    latencyMs: 1020,
    results,
  };
}

/** A tool call. */
export function call(name: string, args: Json, id = 'call_0'): AssistantBlock {
  return { type: 'tool_call', id, name, arguments: args };
}

/** A tool's answer. */
function gave(name: string, result: Json, callId = 'call_0'): ToolMessage {
  return { role: 'tool', name, callId, result };
}

/** A score; failed where a reason is given. */
export function score(expectation: string, line: number, why?: string, broken?: number): Score {
  const kind = expectation.split(':')[0] ?? '';
  return {
    kind,
    key: `${kind}:0`,
    expectation,
    line,
    passed: why === undefined,
    value: why === undefined ? 1 : 0,
    reason: why ?? 'as expected',
    ...(broken !== undefined && { turn: broken }),
  };
}

/** A take of the refund agent: looks the order up, then answers. */
export function take(more: Partial<TakeResult> = {}): TakeResult {
  const turns = more.trajectory?.turns ?? [
    turn([call('lookup_order', { order_id: 'A-991' })], [gave('lookup_order', { total: 780, status: 'delivered' })]),
    turn([{ type: 'text', text: 'This order is over $500, so a colleague must approve it.\nTicket T-55 is open.' }]),
  ];
  return {
    take: 1,
    outcome: 'passed',
    recorded: '2026-11-30',
    trajectory: {
      input: [{ role: 'user', content: [{ type: 'text', text: 'I want a refund for order A-991.' }] }],
      turns,
      stopped: 'end_turn',
    },
    scores: [score('calls_tool: lookup_order', 31)],
    tally: tally(turns.length),
    ...more,
  };
}

/** A case of `suite`. */
export function caseOf(name: string, outcome: Outcome = 'passed', more: Partial<CaseResult> = {}): CaseResult {
  const takes = more.takes ?? [take({ outcome })];
  return {
    suite: 'refund_agent',
    case: name,
    tags: [],
    path: 'evals/refund_agent.eval.yaml',
    line: 28,
    endLine: 36,
    model: 'openai/gpt-4.1-mini',
    outcome,
    takes,
    tally: sum(takes.map((one) => one.tally)),
    ...more,
  };
}

/** A case without any take. */
export function missed(
  name: string,
  message: string,
  more: NonNullable<CaseResult['problem']>['miss'],
  suite = 'refund_agent',
): CaseResult {
  return caseOf(name, 'unrecorded', {
    suite,
    takes: [],
    problem: { message, remedy: `retake record evals/${suite}.eval.yaml`, ...(more && { miss: more }) },
  });
}

function counts(cases: CaseResult[]): Counts {
  const total: Counts = { total: cases.length, passed: 0, failed: 0, unrecorded: 0, errored: 0, skipped: 0 };
  for (const { outcome } of cases) total[outcome]++;
  return total;
}

/** A run of these cases, grouped by their suites. */
export function runOf(cases: CaseResult[], more: Partial<RunResult> = {}): RunResult {
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite): SuiteResult => {
    const own = cases.filter((one) => one.suite === suite);
    return { suite, tags: [], path: own[0]?.path ?? '', cases: own, tally: sum(own.map((one) => one.tally)) };
  });
  const count = counts(cases);
  const exitCode = count.unrecorded + count.errored > 0 ? 3 : count.failed > 0 ? 1 : 0;
  return {
    document: 'retake/run-result',
    version: 1,
    retake: '0.1.0',
    mode: 'replay',
    outcome: exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'incomplete',
    exitCode,
    counts: count,
    tally: sum(suites.map((suite) => suite.tally)),
    notes: [],
    suites,
    ...more,
  };
}

/** A case that failed: refunded what it should have escalated. */
export function refunded(name = 'escalates_refund_over_limit'): CaseResult {
  const trajectory = {
    input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'I want a refund for order A-991.' }] }],
    turns: [
      turn([call('lookup_order', { order_id: 'A-991' })], [gave('lookup_order', { total: 780 })]),
      turn(
        [call('issue_refund', { order_id: 'A-991', amount: 780 }, 'call_1')],
        [gave('issue_refund', { refund_id: 'R-2' })],
      ),
      turn([{ type: 'text', text: 'I have refunded your order.' }]),
    ],
    stopped: 'end_turn' as const,
  };
  const scores = [
    score('calls_tool: lookup_order', 31),
    score('not_calls_tool: issue_refund', 34, 'issue_refund was called in turn 2', 2),
  ];
  return caseOf(name, 'failed', { takes: [take({ outcome: 'failed', trajectory, scores })] });
}

/** A miss: a tool's description changed. */
export const DESCRIPTION_MISS: NonNullable<NonNullable<CaseResult['problem']>['miss']> = {
  reason: 'differs',
  take: 1,
  turn: 1,
  fingerprint: '0be7a1',
  difference: {
    path: 'tools[1].description',
    recorded: '"Issue a refund against an order."',
    now: '"Issue a refund for an order."',
  },
};

/** What must never reach a terminal from outside: control characters but line feeds, bidi controls, tag characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these
export const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;
