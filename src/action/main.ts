// The action: inputs in, a command done, one place for what goes wrong. Runs when imported.

import { setFailed, setOutput, summary } from '@actions/core';
import { UserError } from '../errors.ts';
import { renderFaultSummary } from '../render/fault-summary.ts';
import { renderFaults } from '../render/faults.ts';
import { defuse, safeLines } from '../render/terminal-text.ts';
import { VERSION } from '../version.ts';
import { companion } from './companion.ts';
import { driftAtOnce, proposeDrift, recordDrift } from './drift.ts';
import { gate } from './gate.ts';
import { type Inputs, readInputs } from './inputs.ts';

/** What a runner keeps of one annotation is 4,096 characters. */
const ANNOTATION = 4000;

const COMMANDS: Record<Inputs['command'], (inputs: Inputs, env: NodeJS.ProcessEnv) => Promise<void>> = {
  gate,
  comment: companion,
  record: recordDrift,
  propose: proposeDrift,
  drift: driftAtOnce,
};

/** The user's mistake: told in full in log and summary, without a stack. */
async function tellMistake(error: UserError, env: NodeJS.ProcessEnv): Promise<void> {
  setOutput('outcome', 'invalid');
  setOutput('exit-code', 2);
  if (env['GITHUB_STEP_SUMMARY']) await summary.addRaw(renderFaultSummary(error), true).write();
  const text = renderFaults(error, { color: false, width: 120 }).trimEnd();
  setFailed(text.length > ANNOTATION ? `${text.slice(0, ANNOTATION)}…` : text);
}

function tellBug(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const lines = safeLines(stack, 40, ANNOTATION).join('\n');
  setFailed(defuse(`${lines}\n\nThis is a bug in Retake ${VERSION}, not in your suites.`));
}

try {
  const inputs = readInputs(process.env);
  await COMMANDS[inputs.command](inputs, process.env);
} catch (error) {
  if (error instanceof UserError) await tellMistake(error, process.env);
  else tellBug(error);
}
