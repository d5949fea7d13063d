// A suite and its cases as a plan has them, small enough to be read in a test.

import type { Expectation } from '../../src/score/scorer.ts';
import type { PlannedCase, PlannedSuite } from '../../src/suite/plan.ts';

/** A case that asks once and expects nothing. */
export function plannedCase(more: Partial<PlannedCase> = {}): PlannedCase {
  return {
    suite: 'refunds',
    name: 'late',
    tags: ['slow', 'support'],
    line: 10,
    endLine: 14,
    provider: { name: 'my-llm', wire: 'openai', timeoutS: 1, maxRetries: 0 },
    model: 'm-1',
    input: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    mocks: {},
    maxTurns: 5,
    onUnmocked: 'error',
    expect: [],
    repeat: 1,
    ...more,
  };
}

/** A suite of these cases. */
export function plannedSuite(...cases: PlannedCase[]): PlannedSuite {
  return { name: 'refunds', tags: ['support'], path: 'evals/refunds.eval.yaml', cases };
}

/** `final_contains: text` on line 12. */
export function contains(text: string): Expectation {
  return {
    kind: 'final_contains',
    args: { texts: [text], caseSensitive: false },
    text: `final_contains: ${text}`,
    key: `final_contains-${text}`,
    line: 12,
  };
}
