// What becomes of one case: its takes, their scores, its outcome and what is said of it.

import { expect, test } from 'vitest';
import type { Failure, Responder } from '../../src/responder/responder.ts';
import { type ScriptStep, scripted } from '../../src/responder/scripted.ts';
import { requestOf, runCase, type Session } from '../../src/run/case.ts';
import { pricesOf } from '../../src/run/cost.ts';
import type { PlannedCase } from '../../src/suite/plan.ts';
import { contains, plannedCase, plannedSuite } from './planned.ts';

const prices = pricesOf(new Map(), () => {
  throw new Error('no list of prices is needed');
});
const session = (responder: Responder, more: Partial<Session> = {}): Session => ({
  responder,
  unused: () => 0,
  ...more,
});
const says = (...steps: ScriptStep[]) => session(scripted(steps));
const fails = (failure: Failure) => session({ respond: async () => ({ ok: false, failure }) });
const miss = (reason: 'no_cassette' | 'longer' | 'differs') =>
  fails({ kind: 'unrecorded', miss: { reason, take: 1, turn: 1, fingerprint: 'f' } });

/** Runs a case whose take `n` is answered by the sessions of `ways[n - 1]`, in order. */
async function run(more: Partial<PlannedCase>, ...ways: Session[][]) {
  const opened: number[] = [];
  const planned = plannedCase(more);
  const result = await runCase({
    suite: plannedSuite(planned),
    planned,
    prices,
    cassette: 'cassettes/refunds/late.yaml',
    recordCommand: 'retake record evals/refunds.eval.yaml',
    open: (take) =>
      (ways[take - 1] ?? []).map((one) => () => {
        opened.push(take);
        return one;
      }),
  });
  return { result, opened };
}

test('a case that does as expected has passed, and says where it stands', async () => {
  const { result } = await run({ expect: [contains('sorry')] }, [says({ text: 'Sorry!' })]);
  expect(result).toMatchObject({
    suite: 'refunds',
    case: 'late',
    tags: ['support', 'slow'],
    path: 'evals/refunds.eval.yaml',
    line: 10,
    endLine: 14,
    model: 'my-llm/m-1',
    outcome: 'passed',
    cassette: 'cassettes/refunds/late.yaml',
    takes: [
      {
        take: 1,
        outcome: 'passed',
        scores: [
          {
            kind: 'final_contains',
            key: 'final_contains-sorry',
            expectation: 'final_contains: sorry',
            line: 12,
            passed: true,
            value: 1,
          },
        ],
      },
    ],
    tally: { turns: 1, scripted: 1, served: 0, live: 0 },
  });
  expect(result.problem).toBeUndefined();
});

test('every expectation is judged, one that fails fails the case', async () => {
  const { result } = await run({ expect: [contains('no'), contains('sorry')] }, [says({ text: 'Sorry!' })]);
  expect(result.outcome).toBe('failed');
  expect(result.takes[0]?.scores.map(({ passed, turn }) => [passed, turn])).toEqual([
    [false, 1],
    [true, undefined],
  ]);
});

test('a tool that no mock answers fails the case, though no expectation does', async () => {
  const { result } = await run({}, [says({ calls: [{ name: 'pay', arguments: { n: 1 } }] })]);
  expect(result).toMatchObject({
    outcome: 'failed',
    problem: { message: 'no mock of pay matches {"n":1}', remedy: 'Add a mock, or set `on_unmocked: null`.' },
  });
});

test.each<[string, Session, object]>([
  [
    'a provider that fails',
    fails({ kind: 'provider', message: 'my-llm answered 500', remedy: 'Wait.' }),
    { outcome: 'errored', problem: { message: 'my-llm answered 500', remedy: 'Wait.' } },
  ],
  [
    'no key',
    fails({ kind: 'no_key', message: 'MY_KEY is not set', remedy: 'Set MY_KEY.' }),
    { outcome: 'unrecorded', problem: { message: 'MY_KEY is not set', remedy: 'Set MY_KEY.' } },
  ],
  [
    'an interruption',
    fails({ kind: 'aborted', message: 'interrupted' }),
    { outcome: 'skipped', problem: { message: 'interrupted' } },
  ],
  [
    'no recording',
    miss('no_cassette'),
    {
      outcome: 'unrecorded',
      problem: {
        message: 'there is no recording of this case',
        remedy: 'retake record evals/refunds.eval.yaml',
        miss: { reason: 'no_cassette' },
      },
    },
  ],
  [
    'another request',
    fails({
      kind: 'unrecorded',
      miss: { reason: 'differs', take: 1, turn: 1, fingerprint: 'f', difference: { path: 'params.seed', now: '7' } },
    }),
    { outcome: 'unrecorded', problem: { message: 'params.seed differs from the recording' } },
  ],
])('%s', async (_what, one, expected) => {
  const { result } = await run({ expect: [contains('x')] }, [one]);
  expect(result).toMatchObject(expected);
  // What broke off is not judged.
  expect(result.takes[0]?.scores).toEqual([]);
});

test('a take that no recording answers is asked anew from the first turn, elsewhere', async () => {
  const first = session(scripted([{ calls: [{ name: 'pay', arguments: {} }] }]), {
    finish: () => expect.unreachable('a take that broke off is not finished'),
  });
  const turns = { respond: first.responder.respond.bind(first.responder) };
  let asked = 0;
  const broken: Session = {
    ...first,
    responder: {
      respond: (request, signal) =>
        asked++ === 0 ? turns.respond(request, signal) : miss('longer').responder.respond(request, signal),
    },
  };
  let finished = 0;
  const whole = session(scripted([{ text: 'Sorry' }]), { finish: () => finished++ });
  const { result, opened } = await run({ onUnmocked: 'null' }, [broken, whole]);
  expect(result).toMatchObject({ outcome: 'passed', tally: { turns: 1 } });
  expect(result.takes[0]?.trajectory.turns).toHaveLength(1);
  expect([asked, finished, opened]).toEqual([2, 1, [1, 1]]);
});

test('a provider that fails is not followed by another way', async () => {
  const { result, opened } = await run({}, [fails({ kind: 'provider', message: 'down' }), says({ text: 'x' })]);
  expect([result.outcome, opened]).toEqual(['errored', [1]]);
});

test('takes are run and judged one by one; one that fails fails the case', async () => {
  const { result } = await run(
    { repeat: 3, expect: [contains('sorry')] },
    [says({ text: 'Sorry' })],
    [says({ text: 'No' })],
    [says({ text: 'sorry.' })],
  );
  expect(result.outcome).toBe('failed');
  expect(result.takes.map(({ take, outcome }) => [take, outcome])).toEqual([
    [1, 'passed'],
    [2, 'failed'],
    [3, 'passed'],
  ]);
  expect(result.tally.turns).toBe(3);
});

test('after a take without a verdict no further one is asked', async () => {
  const { result, opened } = await run(
    { repeat: 3, expect: [contains('sorry')] },
    [says({ text: 'No' })],
    [miss('longer')],
  );
  expect([result.outcome, opened]).toEqual(['unrecorded', [1, 2]]);
  expect(result.problem?.message).toBe('the conversation goes on after its recording ends');
});

test('a served take says its day and what of it was not asked for', async () => {
  const served = session(scripted([{ text: 'x' }]), { unused: () => 2, recorded: '2026-01-01' });
  const { result } = await run({}, [served]);
  expect(result.takes[0]?.recorded).toBe('2026-01-01');
  expect(result.tally.unused).toBe(2);
});

test('the request has the wire and the endpoint, not the name a project gave them', () => {
  const provider = {
    name: 'my-llm',
    wire: 'openai',
    endpoint: 'https://llm.example/v1',
    apiKeyEnv: 'K',
    timeoutS: 1,
    maxRetries: 9,
  } as const;
  expect(requestOf(plannedCase({ provider, tools: [], params: { seed: 7 }, system: 'Help.' }))).toStrictEqual({
    kind: 'chat',
    provider: 'openai',
    endpoint: 'https://llm.example/v1',
    model: 'm-1',
    params: { seed: 7 },
    system: 'Help.',
    messages: plannedCase().input,
  });
});
