// Hand-made runs for the tests of comment and HTML report, as a reader would meet them.

import type { CommentContext } from '../../src/render/comment.ts';
import type { ChangeBlock } from '../../src/render/verdict.ts';
import type { CaseResult, RunResult } from '../../src/run/result.ts';
import {
  call,
  caseOf,
  DESCRIPTION_MISS,
  missed,
  refunded,
  runOf,
  score,
  take,
  tally,
  turn,
} from './terminal-samples.ts';

/** What the action gives. */
export const CONTEXT: CommentContext = {
  marker: '<!-- retake key=. -->',
  commit: '0f3c9a17be2d94c55a6b',
  runUrl: 'https://github.com/acme/shop/actions/runs/42',
};

/** A suite of passing cases with costs. */
export function passing(suite: string, count: number): CaseResult[] {
  return Array.from({ length: count }, (_, at) =>
    caseOf(`case_${at + 1}`, 'passed', {
      suite,
      path: `evals/${suite}.eval.yaml`,
      tally: tally(2, { costUsd: 0.0004 }),
    }),
  );
}

/** A case that named no ticket in its answer. */
export function unnamed(name: string): CaseResult {
  const trajectory = {
    input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Where is my parcel?' }] }],
    turns: [
      turn([{ type: 'text', text: 'I will look.' }, call('track', { parcel: 'P-12' })]),
      turn([{ type: 'text', text: 'Your parcel is on its way.\nIt arrives on Monday.\n\nAnything else?' }]),
    ],
    stopped: 'end_turn' as const,
  };
  const why = 'the final answer does not contain "T-55"';
  return caseOf(name, 'failed', {
    takes: [take({ outcome: 'failed', trajectory, scores: [score('final_contains: T-55', 41, why, 2)] })],
  });
}

/** A run with its totals priced. */
function priced(result: RunResult, costUsd: number): RunResult {
  const suites = result.suites.map((suite) => ({
    ...suite,
    tally: { ...suite.tally, costUsd: costUsd / result.suites.length },
  }));
  return { ...result, suites, tally: { ...result.tally, costUsd }, priceList: 'genai-prices 0.1.8' };
}

const BLOCKS: ChangeBlock[] = [
  {
    kind: 'regressed',
    suite: 'refund_agent',
    case: 'escalates_refund_over_limit',
    row: 'regressed: <code>escalate_to_human</code> no longer called',
    details: '```diff\n- lookup_order → escalate_to_human\n+ lookup_order → issue_refund\n```',
  },
  {
    kind: 'rerouted',
    suite: 'parcels',
    case: 'case_1',
    row: '<code>parcels</code> › <code>case_1</code> takes another path',
    details: '```diff\n- track\n+ lookup_order → track\n```',
  },
];

/** Runs as a reader would meet them, with what the action says of them. */
export function readerRuns(): Record<string, { result: RunResult; context: CommentContext }> {
  const well = priced(runOf([...passing('refund_agent', 12), ...passing('parcels', 30)]), 0.0168);
  const failing = priced(
    runOf([refunded(), unnamed('names_the_ticket'), ...passing('refund_agent', 4), ...passing('parcels', 30)]),
    0.0144,
  );
  const lost = priced(
    runOf([
      missed('looks_up', 'tools[1].description differs from the recording', DESCRIPTION_MISS),
      missed('escalates', 'tools[1].description differs from the recording', DESCRIPTION_MISS),
      missed(
        'new_case',
        'there is no recording yet',
        { reason: 'no_cassette', take: 1, turn: 1, fingerprint: '1' },
        'parcels',
      ),
      ...passing('parcels', 30),
    ]),
    0.0121,
  );
  const mixed = priced(
    runOf([
      refunded(),
      unnamed('names_the_ticket'),
      missed('looks_up', 'tools[1].description differs from the recording', DESCRIPTION_MISS),
      caseOf('asks_twice', 'errored', { takes: [], problem: { message: 'openai answered 500: server error' } }),
      ...passing('parcels', 30),
    ]),
    0.0144,
  );
  const base = {
    label: 'main',
    tally: { ...mixed.tally, costUsd: 0.0131, usage: { inputTokens: 20_000, outputTokens: 2000 } },
    suites: mixed.suites.map(({ suite, tally: of, cases }) => ({
      suite,
      tally: { ...of, costUsd: 0.006 },
      counts: {
        total: cases.length,
        passed: suite === 'parcels' ? 30 : 3,
        failed: 1,
        unrecorded: 0,
        errored: 0,
        skipped: 0,
      },
    })),
    failing: ['refund_agent::names_the_ticket'],
  };
  return {
    well: { result: well, context: { ...CONTEXT, changes: { line: 'no behaviour changed', blocks: [] } } },
    failures: { result: failing, context: CONTEXT },
    unrecorded: { result: lost, context: CONTEXT },
    mixed: {
      result: { ...mixed, notes: ['1 cassette is used by no case: `retake prune` lists it'] },
      context: { ...CONTEXT, base, changes: { line: '1 regressed, 1 takes another path, 3 reworded', blocks: BLOCKS } },
    },
  };
}

/** 3,000 failing cases with answers of 20 kB each. */
export function huge(): RunResult {
  const answer = 'The answer goes on and on, with `code`, | bars | and @mentions. '.repeat(320);
  const cases = Array.from({ length: 3000 }, (_, at) => {
    const trajectory = {
      input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: `${at} ${answer}` }] }],
      turns: [
        turn([call('lookup_order', { order_id: `A-${at}`, note: answer })]),
        turn([{ type: 'text', text: answer }]),
      ],
      stopped: 'end_turn' as const,
    };
    const scores = [score('final_contains: T-55', 41, `the final answer is ${answer}`, 2)];
    return caseOf(`escalates_refund_over_limit_${at}`, 'failed', {
      suite: `suite_${at % 20}`,
      takes: [take({ outcome: 'failed', trajectory, scores })],
    });
  });
  return runOf(cases);
}
