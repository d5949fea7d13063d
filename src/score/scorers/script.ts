// script: a command of the suite's judges the take. Live code.

import { z } from 'zod';
import type { Json, Message } from '../../request/request.ts';
import { textOf } from '../../request/request.ts';
import { commandEnv, commandText, commandTimeout, DEFAULT_TIMEOUT_S } from '../../target/command-line.ts';
import { finalText } from '../../target/trajectory.ts';
import { type Evidence, type Scorer, THRESHOLD, type Verdict } from '../scorer.ts';
import { fail, show } from '../verdict.ts';

const schema = z
  .union([
    commandText,
    z.strictObject({
      run: commandText.describe('The command line, run in the folder of the suite.'),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(`The score from which it passes where the script says no \`passed\`; ${THRESHOLD} unless set.`),
      timeout_s: commandTimeout.optional().describe(`Seconds it may take; ${DEFAULT_TIMEOUT_S} unless set.`),
      env: commandEnv.optional().describe('Variables it gets though they hold keys of providers.'),
    }),
  ])
  .transform((args) => {
    const {
      run,
      threshold = THRESHOLD,
      timeout_s: timeoutS = DEFAULT_TIMEOUT_S,
      env,
    } = typeof args === 'string' ? { run: args } : args;
    return { line: { command: run, timeoutS, ...(env && { env }) }, threshold };
  });

const printed = z.object({
  score: z.number().min(0).max(1).optional(),
  passed: z.boolean().optional(),
  reason: z.string().optional(),
});

function inputOf(input: readonly Message[]): Json {
  const [first] = input;
  return input.length === 1 && first?.role === 'user' ? textOf(first.content) : (input as unknown as Json);
}

/** What the script reads, as one line of JSON. */
function questionOf({ trajectory, expected, context }: Evidence): string {
  return `${JSON.stringify({
    input: inputOf(trajectory.input),
    output: finalText(trajectory),
    ...(expected !== undefined && { expected }),
    ...(context !== undefined && { context }),
    trajectory,
  })}\n`;
}

function verdictOf(stdout: string, threshold: number): Verdict {
  let said: unknown;
  try {
    said = JSON.parse(stdout);
  } catch {
    return fail(`the script printed no JSON but ${show(stdout)}`);
  }
  const read = printed.safeParse(said);
  const { score, passed, reason } = read.data ?? {};
  if (score === undefined && passed === undefined) {
    return fail(
      `the script printed no {"score": 0 to 1, "passed"?: true or false, "reason"?: text} but ${show(said as Json)}`,
    );
  }
  const value = score ?? (passed ? 1 : 0);
  const reaches = passed ?? value >= threshold;
  const words = reason ?? (score === undefined ? 'the script gave no reason' : `scored ${score}`);
  const limit = passed === undefined && !reaches ? ` (score ${value}, ${threshold} expected)` : '';
  return { passed: reaches, value, reason: `${words}${limit}` };
}

/** Passes when the script says so, or its score reaches the threshold. A script that breaks fails, with what became of it. */
export const script: Scorer<z.output<typeof schema>> = {
  title: 'a script says so',
  schema: schema.describe(
    'Passes when a command says so: the take as JSON on stdin, `{score, passed, reason}` on stdout.',
  ),
  tools: () => [],
  async score({ line, threshold }, evidence) {
    if (!evidence.code) throw new Error('nothing runs the script');
    const ran = await evidence.code(line, questionOf(evidence), evidence.signal);
    return ran.ok ? verdictOf(ran.stdout, threshold) : fail(ran.message);
  },
};
