// Reports of large runs, by the library in dist/: a comment on many failing cases, a page of many cases.

import { median, time } from './measure.js';

const ANSWER = 'The answer goes on and on, with `code`, | bars | and @mentions, as long ones do. '.repeat(250);

/**
 * A run of so many cases, 20 suites.
 * @param {number} count
 * @param {boolean} failing with answers of 20 kB each
 * @returns {import('../src/run/result.ts').RunResult}
 */
function resultOf(count, failing) {
  const tally = {
    turns: 2,
    usage: { inputTokens: 900, outputTokens: 70 },
    turnsWithoutUsage: 0,
    costUsd: 0.0004,
    costKnownUsd: 0.0004,
    unpricedTurns: 0,
    liveCostUsd: 0,
    liveCostKnownUsd: 0,
    latencyMs: 2040,
    served: 2,
    live: 0,
    scripted: 0,
    unused: 0,
  };
  const answer = failing ? ANSWER : 'This order is over $500, so a colleague must approve it.';
  /** @type {import('../src/run/result.ts').Outcome} */
  const outcome = failing ? 'failed' : 'passed';
  /**
   * @param {import('../src/request/request.ts').AssistantBlock} block
   * @returns {import('../src/target/trajectory.ts').Turn}
   */
  const turn = (block) => ({
    fingerprint: '5f0c2b9d4d1e6a07c1b3f9e2a8d45b60',
    head: '8c1f0a7be2d94c55',
    source: 'cassette',
    content: [block],
    stop: block.type === 'tool_call' ? 'tool_use' : 'end_turn',
    latencyMs: 1020,
    results: [],
  });
  /** @param {number} at */
  const caseOf = (at) => ({
    suite: `suite_${at % 20}`,
    case: `escalates_refund_over_limit_${at}`,
    tags: [],
    path: `evals/suite_${at % 20}.eval.yaml`,
    line: 28,
    endLine: 36,
    model: 'openai/gpt-4.1-mini',
    outcome,
    takes: [
      {
        take: 1,
        outcome,
        recorded: '2026-11-30',
        trajectory: {
          input: [
            { role: /** @type {const} */ ('user'), content: [{ type: /** @type {const} */ ('text'), text: answer }] },
          ],
          turns: [
            turn({
              type: 'tool_call',
              id: 'call_0',
              name: 'lookup_order',
              arguments: { order_id: `A-${at}`, note: answer },
            }),
            turn({ type: 'text', text: answer }),
          ],
          stopped: /** @type {const} */ ('end_turn'),
        },
        scores: [
          {
            kind: 'final_contains',
            key: 'final_contains:0',
            expectation: 'final_contains: T-55',
            line: 31,
            passed: !failing,
            value: failing ? 0 : 1,
            reason: failing ? `the final answer is ${answer}` : 'as expected',
            ...(failing && { turn: 2 }),
          },
        ],
        tally,
      },
    ],
    tally,
  });
  const cases = Array.from({ length: count }, (_, at) => caseOf(at));
  const suites = Array.from({ length: 20 }, (_, at) => ({
    suite: `suite_${at}`,
    tags: [],
    path: `evals/suite_${at}.eval.yaml`,
    cases: cases.filter((_one, of) => of % 20 === at),
    tally,
  }));
  return {
    document: 'retake/run-result',
    version: 1,
    retake: '0.0.0',
    mode: 'replay',
    outcome: failing ? 'failed' : 'passed',
    exitCode: failing ? 1 : 0,
    counts: { total: count, passed: 0, failed: 0, unrecorded: 0, errored: 0, skipped: 0, [outcome]: count },
    tally,
    notes: [],
    suites,
  };
}

/**
 * @param {{ failing: number, cases: number, rounds: number }} sizes
 * @returns {Promise<{ comment: { ms: number, bytes: number }, page: { ms: number, bytes: number } }>} medians
 */
export async function measureReports({ failing, cases, rounds }) {
  // What is shipped, with the templates that lie beside it.
  const library = /** @type {typeof import('../src/index.ts')} */ (
    await import(new URL('../dist/index.js', import.meta.url).href)
  );
  /** @param {() => string} render */
  const measured = (render) => {
    const bytes = Buffer.byteLength(render());
    return { bytes, ms: median(Array.from({ length: rounds }, () => time(render))) };
  };
  const broken = resultOf(failing, true);
  const whole = resultOf(cases, false);
  return {
    comment: measured(() => library.renderComment(broken, { marker: '<!-- retake -->' })),
    page: measured(() => library.renderHtml(whole)),
  };
}
