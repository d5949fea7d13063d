// What kind of change a case is, and what is told of it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { behaviourSignature } from '../../src/compare/behaviour.ts';
import { compare } from '../../src/compare/compare.ts';
import type { CaseChange, Comparison } from '../../src/compare/comparison.ts';
import { type ChangeKind, KINDS, KINDS_BY_WEIGHT } from '../../src/compare/kinds.ts';
import type { Json } from '../../src/request/request.ts';
import type { CaseResult, RunResult, Score, TakeResult } from '../../src/run/result.ts';
import { call, caseOf, missed, runOf, score, take, turn } from '../render/terminal-samples.ts';

/** A take that makes these calls, says this, and is judged so. */
function takeOf(
  calls: [string, Json][],
  answer: string,
  scores: Score[] = [score('final_contains: done', 31)],
): TakeResult {
  const turns = [
    ...calls.map(([name, args], at) => turn([call(name, args, `call_${at}`)])),
    turn([{ type: 'text', text: answer }]),
  ];
  // A request holds all that was said before it.
  for (const [at, one] of turns.entries()) one.fingerprint = JSON.stringify(calls.slice(0, at));
  const outcome = scores.every(({ passed }) => passed) ? 'passed' : 'failed';
  return take({ outcome, scores, trajectory: { input: [], turns, stopped: 'end_turn' } });
}

const LOOK: [string, Json] = ['lookup_order', { order_id: 'A-1' }];
const REFUND: [string, Json] = ['issue_refund', { order_id: 'A-1', amount: 20 }];
const GOOD = takeOf([LOOK], 'All done.');
const BAD = takeOf([LOOK], 'No.', [score('final_contains: done', 31, 'it says no')]);

function caseWith(...takes: TakeResult[]): CaseResult {
  return caseOf('late', takes.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'failed', { takes });
}

function compared(before: CaseResult[], after: CaseResult[], looseArgs: string[] = []): Comparison {
  const newer = runOf(after);
  if (looseArgs.length > 0) for (const suite of newer.suites) suite.looseArgs = looseArgs;
  return compare(runOf(before), newer);
}

/** The one change; `same` where there is none. */
function kindOf(before: CaseResult, after: CaseResult, looseArgs: string[] = []): Partial<CaseChange> {
  const { changes } = compared([before], [after], looseArgs);
  return changes[0] ?? { kind: 'same' };
}

const judged = (value: number, passed = value >= 0.7): Score => ({ ...score('judge: kind', 40), passed, value });

describe('one take on each side', () => {
  test.each<[string, TakeResult, TakeResult, ChangeKind]>([
    ['nothing differs', GOOD, takeOf([LOOK], 'All done.'), 'same'],
    ['tokens and time differ', GOOD, { ...GOOD, tally: { ...GOOD.tally, latencyMs: 9 } }, 'same'],
    ['passed, now fails', GOOD, BAD, 'regressed'],
    ['failed, now passes', BAD, GOOD, 'fixed'],
    ['one tool more', GOOD, takeOf([LOOK, REFUND], 'All done.'), 'rerouted'],
    ['one tool less', takeOf([LOOK, REFUND], 'All done.'), GOOD, 'rerouted'],
    ['another order', takeOf([LOOK, REFUND], 'All done.'), takeOf([REFUND, LOOK], 'All done.'), 'rerouted'],
    ['another argument', GOOD, takeOf([['lookup_order', { order_id: 'A-2' }]], 'All done.'), 'rerouted'],
    ['an argument more', GOOD, takeOf([['lookup_order', { order_id: 'A-1', deep: true }]], 'All done.'), 'rerouted'],
    [
      'arguments in another order',
      takeOf([REFUND], 'All done.'),
      takeOf([['issue_refund', { amount: 20, order_id: 'A-1' }]], 'All done.'),
      'reworded',
    ],
    ['other words', GOOD, takeOf([LOOK], 'Everything is done.'), 'reworded'],
    ['a score moved by 0.15', takeOf([], 'x', [judged(0.95)]), takeOf([], 'x', [judged(0.8)]), 'rescored'],
    ['a score moved by less', takeOf([], 'x', [judged(0.95)]), takeOf([], 'x', [judged(0.81)]), 'same'],
    [
      'another expectation fails',
      takeOf([], 'x', [score('final_contains: a', 1, 'no'), score('final_contains: b', 2)].map(keyed)),
      takeOf([], 'x', [score('final_contains: a', 1), score('final_contains: b', 2, 'no')].map(keyed)),
      'rescored',
    ],
    [
      'an expectation is gone',
      takeOf([], 'x', [score('max_turns: 3', 1), judged(1)]),
      takeOf([], 'x', [judged(1)]),
      'regraded',
    ],
    ['an expectation is new and fails', takeOf([], 'x', []), takeOf([], 'x', [judged(0)]), 'regraded'],
    [
      'another way, and fails for it',
      GOOD,
      takeOf([REFUND], 'No.', [score('final_contains: done', 31, 'no')]),
      'regressed',
    ],
  ])('%s', (_, before, after, kind) => {
    expect(kindOf(caseWith(before), caseWith(after)).kind).toBe(kind);
  });

  function keyed(one: Score): Score {
    return { ...one, key: one.expectation };
  }

  test('another stop is another route', () => {
    const cut = { ...GOOD, trajectory: { ...GOOD.trajectory, stopped: 'max_tokens' as const } };
    expect(kindOf(caseWith(GOOD), caseWith(cut)).kind).toBe('rerouted');
  });

  test('loose arguments count as wording where they are strings, and only there', () => {
    const ticket = (args: Json) => caseWith(takeOf([['create_ticket', args]], 'All done.'));
    const loose = ['create_ticket.summary'];
    expect(kindOf(ticket({ summary: 'Late' }), ticket({ summary: 'It is late' }), loose)).toMatchObject({
      kind: 'reworded',
      calls: [{ status: 'kept', changes: [{ path: 'summary', before: 'Late', after: 'It is late', loose: true }] }],
    });
    expect(kindOf(ticket({ summary: 'Late' }), ticket({ summary: 'It is late' })).kind).toBe('rerouted');
    expect(kindOf(ticket({ summary: 'Late' }), ticket({ summary: 7 }), loose).kind).toBe('rerouted');
    expect(kindOf(ticket({ summary: 'Late' }), ticket({ summary: 'Late', urgent: true }), loose).kind).toBe('rerouted');
  });

  test('malformed arguments are compared as they stand', () => {
    const broken = (text: string) =>
      caseWith(
        take({
          trajectory: {
            input: [],
            turns: [turn([{ type: 'tool_call', id: 'call_0', name: 'look', malformedArguments: text }])],
            stopped: 'end_turn',
          },
        }),
      );
    expect(kindOf(broken('{"a":'), broken('{"a":')).kind).toBe('same');
    expect(kindOf(broken('{"a":'), broken('{"b":'))).toMatchObject({
      kind: 'rerouted',
      calls: [{ status: 'changed' }],
    });
  });
});

test('cases of one side alone, and without a verdict', () => {
  const { counts, changes } = compared(
    [
      caseOf('gone'),
      caseOf('lost'),
      missed('found', 'no recording', undefined),
      caseOf('live', 'skipped', { takes: [] }),
    ],
    [
      caseOf('new'),
      missed('lost', 'tools[1].description differs', undefined),
      caseOf('found'),
      caseOf('live', 'skipped', { takes: [] }),
    ],
  );
  expect(changes.map(({ case: name, kind, why }) => [name, kind, why])).toEqual([
    ['found', 'incomparable', 'before, it has no recording: no recording'],
    ['lost', 'incomparable', 'now it has no recording: tools[1].description differs'],
    ['gone', 'removed', undefined],
    ['new', 'added', undefined],
  ]);
  expect(counts).toMatchObject({ incomparable: 2, removed: 1, added: 1, same: 1, regressed: 0 });
});

describe('several takes', () => {
  const times = (count: number, one: TakeResult) =>
    Array.from({ length: count }, (_, at) => ({ ...one, take: at + 1 }));
  const flaky = (good: number, bad: number, required = 0.6) =>
    caseOf('late', good / (good + bad) >= required ? 'passed' : 'failed', {
      takes: [...times(good, GOOD), ...times(bad, BAD)],
    });

  test.each<[string, CaseResult, CaseResult, ChangeKind]>([
    ['the same mixture', flaky(4, 1), flaky(4, 1), 'same'],
    ['one more fails of five', flaky(5, 0), flaky(4, 1), 'unsettled'],
    ['all fail of five', flaky(5, 0), flaky(0, 5), 'regressed'],
    ['all pass of five', flaky(0, 5), flaky(5, 0), 'fixed'],
    ['four of four fail', flaky(4, 0), flaky(0, 4), 'regressed'],
    ['most fail of ten', flaky(9, 1), flaky(2, 8), 'regressed'],
    ['most pass of ten', flaky(2, 8), flaky(9, 1), 'fixed'],
    ['below the line, and chance would do it', flaky(6, 4), flaky(5, 5), 'unsettled'],
    ['one take, then three that agree', caseWith(GOOD), flaky(0, 3), 'regressed'],
    ['one take, then three that do not agree', caseWith(GOOD), flaky(1, 2), 'unsettled'],
  ])('%s', (_, before, after, kind) => {
    expect(kindOf(before, after).kind).toBe(kind);
  });

  test('the numbers are told', () => {
    expect(kindOf(flaky(9, 1), flaky(2, 8))).toMatchObject({ why: '9/10 → 2/10 takes passed' });
    expect(kindOf(flaky(9, 1), flaky(2, 8)).p).toBeCloseTo(0.0054774, 6);
    expect(kindOf(caseWith(GOOD), flaky(1, 2)).why).toBe(
      '1/1 → 1/3 takes passed; four takes on each side are the fewest that can show a change',
    );
  });

  test('another way that most takes go now', () => {
    const other = takeOf([REFUND], 'All done.');
    const mixed = (usual: number, rest: number) =>
      caseOf('late', 'passed', { takes: [...times(usual, GOOD), ...times(rest, other)] });
    expect(kindOf(mixed(10, 0), mixed(1, 9))).toMatchObject({
      kind: 'rerouted',
      why: '10/10 → 1/10 takes go the way most went before',
    });
    expect(kindOf(mixed(10, 0), mixed(8, 2)).kind).toBe('unsettled');
  });

  test('another share that must pass is no behaviour', () => {
    expect(kindOf(flaky(3, 2, 0.9), flaky(3, 2, 0.5))).toMatchObject({ kind: 'regraded' });
  });
});

describe('details', () => {
  test('calls are aligned, arguments compared by path', () => {
    const before = takeOf([LOOK, ['issue_refund', { order_id: 'A-1', lines: [{ qty: 1 }, { qty: 2 }] }]], 'All done.');
    const after = takeOf(
      [LOOK, ['check_stock', {}], ['issue_refund', { order_id: 'A-1', lines: [{ qty: 1 }, { qty: 3 }], 'a b': 1 }]],
      'All done.',
    );
    expect(kindOf(caseWith(before), caseWith(after)).calls).toEqual([
      expect.objectContaining({ status: 'kept', tool: 'lookup_order', turnBefore: 1, turnAfter: 1 }),
      { status: 'added', tool: 'check_stock', turnAfter: 2, argumentsAfter: '{}' },
      expect.objectContaining({
        status: 'changed',
        tool: 'issue_refund',
        turnBefore: 2,
        turnAfter: 3,
        changes: [
          { path: 'lines[1].qty', before: 2, after: 3 },
          { path: '["a b"]', after: 1 },
        ],
      }),
    ]);
  });

  test('answers word by word, JSON by path', () => {
    expect(kindOf(caseWith(GOOD), caseWith(takeOf([LOOK], 'All is done.'))).answer).toEqual({
      kind: 'words',
      parts: [
        { op: 'same', text: 'All ' },
        { op: 'added', text: 'is ' },
        { op: 'same', text: 'done.' },
      ],
    });
    const json = (value: Json) => caseWith(takeOf([], JSON.stringify(value)));
    expect(kindOf(json({ a: 1, b: [2] }), json({ b: [2, 3], a: 1 })).answer).toEqual({
      kind: 'json',
      changes: [{ path: 'b[1]', after: 3 }],
    });
    expect(kindOf(json({ a: 1, b: 2 }), json({ b: 2, a: 1 })).answer).toMatchObject({ kind: 'words' });
  });

  test('texts with nothing in common, and huge ones, are told whole', () => {
    const long = (word: string) => caseWith(takeOf([], `${word} `.repeat(20_000)));
    expect(kindOf(long('a'), long('b')).answer).toMatchObject({ parts: [{ op: 'removed' }, { op: 'added' }] });
  });

  test('names the model that is served under the same name', () => {
    const served = (name: string) => {
      const one = takeOf([], 'x');
      for (const each of one.trajectory.turns) each.servedModel = name;
      return caseWith(one);
    };
    expect(compared([served('m-2025-04')], [served('m-2026-01')]).servedModels).toEqual([
      { model: 'openai/gpt-4.1-mini', before: ['m-2025-04'], after: ['m-2026-01'] },
    ]);
  });

  test('the gravest first, then by name', () => {
    const { changes } = compared(
      ['a', 'b', 'c', 'd'].map((name) => caseOf(name, 'passed', { takes: [GOOD] })),
      [
        caseOf('a', 'passed', { takes: [takeOf([LOOK], 'Yes, done.')] }),
        caseOf('d', 'failed', { takes: [BAD] }),
        caseOf('c', 'failed', { takes: [BAD] }),
        caseOf('b', 'passed', { takes: [takeOf([REFUND], 'All done.')] }),
      ],
    );
    expect(changes.map(({ case: name, kind }) => `${kind} ${name}`)).toEqual([
      'regressed c',
      'regressed d',
      'rerouted b',
      'reworded a',
    ]);
  });
});

describe('properties', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const calls = fc.array(
    fc.tuple(fc.constantFrom('look', 'refund'), fc.dictionary(fc.constantFrom('x', 'y'), fc.nat(2))),
    {
      maxLength: 3,
    },
  );
  const oneTake = fc
    .tuple(calls, fc.constantFrom('yes', 'no', 'maybe'), fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([made, text, passed, value]) =>
      takeOf(made as [string, Json][], text, [
        score('final_contains: y', 1, passed ? undefined : 'no'),
        judged(value, true),
      ]),
    );
  const oneCase = fc.tuple(name, fc.array(oneTake, { minLength: 1, maxLength: 6 })).map(([which, takes]) => ({
    ...caseWith(...takes),
    case: which,
  }));
  const run: fc.Arbitrary<RunResult> = fc
    .uniqueArray(oneCase, { selector: (one) => one.case, maxLength: 4 })
    .map((cases) => runOf(cases));

  test('a run compared with itself is all the same', () => {
    fc.assert(
      fc.property(run, (one) => {
        const { changes, counts } = compare(one, structuredClone(one));
        expect(changes).toEqual([]);
        expect(counts.same).toBe(one.counts.total);
      }),
    );
  });

  test('every case has one kind; turned round, regressed is fixed and added is removed', () => {
    fc.assert(
      fc.property(run, run, (one, other) => {
        const there = compare(one, other);
        const back = compare(other, one);
        const total = Object.values(there.counts).reduce((sum, count) => sum + count, 0);
        expect(total).toBe(there.changes.length + there.counts.same);
        for (const [kind, turned] of [
          ['regressed', 'fixed'],
          ['added', 'removed'],
          ['fixed', 'regressed'],
          ['same', 'same'],
        ] as const)
          expect(there.counts[kind]).toBe(back.counts[turned]);
      }),
    );
  });

  test('a signature is a function of behaviour alone', () => {
    fc.assert(
      fc.property(calls, fc.string(), fc.string(), (made, text, other) => {
        const one = takeOf(made as [string, Json][], text);
        const same = takeOf(made as [string, Json][], other);
        expect(behaviourSignature(one)).toBe(behaviourSignature(same));
        expect(behaviourSignature(one)).not.toBe(
          behaviourSignature(takeOf([...(made as [string, Json][]), ['more', {}]], text)),
        );
      }),
    );
  });
});

test('the table has a row for every kind, no two of one weight', () => {
  expect(new Set(KINDS_BY_WEIGHT.map((kind) => KINDS[kind].weight)).size).toBe(KINDS_BY_WEIGHT.length);
  expect(KINDS_BY_WEIGHT.slice(0, 4)).toEqual(['regressed', 'rerouted', 'fixed', 'rescored']);
});
