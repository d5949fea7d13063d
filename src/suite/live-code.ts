// Which cases run the user's own code, and which of them a cassette can answer.

import type { CommandLine } from '../target/command-line.ts';
import type { Mocks } from '../target/mocks.ts';
import { gradersOf } from './graders.ts';
import type { PlannedCase } from './plan.ts';

// A suite's cases share its mocks as the same object.
const known = new WeakMap<Mocks, boolean>();

function hasCommand(mocks: Mocks): boolean {
  const answer = known.get(mocks) ?? anyCommand(mocks);
  known.set(mocks, answer);
  return answer;
}

function anyCommand(mocks: Mocks): boolean {
  return Object.values(mocks).some((rules) =>
    rules.some(({ outcomes }) => outcomes.some((outcome) => 'run' in outcome)),
  );
}

/** Whether the user's own code answers in a case: a command under test, a mock's `run`, a `script` expectation. */
export function usesLiveCode({ command, mocks, expect }: PlannedCase): boolean {
  return command !== undefined || hasCommand(mocks) || expect.some(({ kind }) => kind === 'script');
}

/** Whether a case's model is asked live or not at all: its tools run code, so what it was told before proves nothing. */
export function needsProvider({ command, script, mocks }: PlannedCase): boolean {
  return !command && !script && hasCommand(mocks);
}

/** Whether a case has or would have a cassette: its conversation's, or only what its expectations ask. */
export function isRecorded(planned: PlannedCase): boolean {
  const isModelAsked = !planned.script && !planned.command;
  return !needsProvider(planned) && (isModelAsked || gradersOf(planned.expect).length > 0);
}

/** The variables that a case's commands name: keys, so their values must reach no report. */
export function commandEnvOf({ command, mocks, expect }: PlannedCase): string[] {
  const names = [...(command?.env ?? [])];
  if (hasCommand(mocks)) {
    const outcomes = Object.values(mocks).flatMap((rules) => rules.flatMap((rule) => rule.outcomes));
    for (const outcome of outcomes) if ('run' in outcome) names.push(...(outcome.run.env ?? []));
  }
  for (const { kind, args } of expect) {
    if (kind === 'script') names.push(...((args as { line: CommandLine }).line.env ?? []));
  }
  return names;
}
