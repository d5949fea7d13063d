// The last line of a test run: how many tests passed and failed, on a line of its own.

import { writeSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** The line: a file that could not be run counts as one failed test, and so does an error outside of all tests. */
export function tally(modules: readonly TestModule[], errorsOutside: number): string {
  let passed = 0;
  let failed = errorsOutside;
  for (const file of modules) {
    for (const test of file.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed++;
      if (state === 'failed') failed++;
    }
    if (file.state() === 'failed' && file.errors().length > 0) failed++;
  }
  return `${passed} passed, ${failed} failed`;
}

/** Prints the tally when the process ends, after what every other reporter has to say. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const line = tally(modules, errors.length);
    if (reason === 'interrupted') return;
    // Written at once: a stream may lose what is written to a pipe at exit.
    process.once('exit', () => writeSync(1, `${line}\n`));
  }
}
