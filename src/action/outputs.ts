// The action's outputs, in the order of action.yml.

import type { RunResult } from '../run/result.ts';

/** Every output of a finished run, by name. */
export function outputsOf(result: RunResult): Record<string, string | number> {
  const { counts, tally } = result;
  return {
    outcome: result.outcome,
    'exit-code': result.exitCode,
    total: counts.total,
    passed: counts.passed,
    failed: counts.failed,
    unrecorded: counts.unrecorded,
    errored: counts.errored,
    skipped: counts.skipped,
    'input-tokens': tally.usage.inputTokens,
    'output-tokens': tally.usage.outputTokens,
    'cost-usd': tally.costUsd ?? 'unknown',
    served: tally.served,
    live: tally.live,
    unused: tally.unused,
  };
}
