// `retake trace`: runs one case and gives all that was said in it; writes and prints nothing.

import { openStore } from '../cassette/store.ts';
import { userError } from '../errors.ts';
import type { Transcript } from '../render/transcript.ts';
import { redactor } from '../request/redact.ts';
import { requestOf, runCase } from '../run/case.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import { findCase } from '../suite/names.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { codeRunner, liveCodeProblem } from './live-code.ts';
import { secretValues, withoutValues } from './secrets.ts';
import { openCase } from './sessions.ts';
import { projectPrices } from './spending.ts';

/** Which case to trace. */
export interface TraceOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** `suite::case` */
  name: string;
  /** Answers come from the cassette, or from the provider, and then nothing is written. */
  mode: 'replay' | 'off';
  /** 1-based; absent for all takes. */
  take?: number;
  signal?: AbortSignal;
}

/** Throws UserError where the case has no such take. */
function checkTake({ suite, name, repeat }: PlannedCase, take: number | undefined): void {
  if (take === undefined || take <= repeat) return;
  const has = repeat === 1 ? 'one take' : `${repeat} takes`;
  throw userError('bad_argument', `--take ${take}: ${suite}::${name} has ${has}`, {
    remedy: repeat === 1 ? 'Leave --take out.' : `Give a take from 1 to ${repeat}.`,
  });
}

/** Runs one case and gives its transcript. Throws UserError. */
export async function trace({ cwd, env, name, mode, take, signal }: TraceOptions): Promise<Transcript> {
  const project = loadProject({ cwd, globs: [], env });
  const planned = findCase(project.suites, name);
  checkTake(planned, take);
  const suite = project.suites.find((one) => one.name === planned.suite) as PlannedSuite;
  const refused = liveCodeProblem(planned, { mode, liveCode: undefined });
  if (refused)
    throw userError('bad_argument', `${name} cannot be replayed: ${refused.message}`, {
      remedy: 'retake trace --mode off asks the provider.',
    });
  const store = openStore(project.root, project.config.cassettesDir);
  const secrets = secretValues(project, env);
  const sessions = openCase(planned, { root: project.root, store, mode, resume: false, env, secrets });
  try {
    const ran = await runCase({
      suite,
      planned: take === undefined ? planned : { ...planned, repeat: 1 },
      open: (at) => sessions.open(take ?? at),
      ...(isRecorded(planned) && mode === 'replay' && { cassette: store.path(planned.suite, planned.name) }),
      recordCommand: `retake record ${suite.path}`,
      code: codeRunner(project, suite, env),
      secrets,
      prices: projectPrices(project.config),
      ...(signal && { signal }),
    });
    const result = withoutValues(ran, secrets);
    const takes = result.takes.map((one) => ({ ...one, take: take ?? one.take }));
    const request = redactor(planned.redact).request(requestOf(planned));
    return { request, repeat: planned.repeat, result: { ...result, takes } };
  } finally {
    sessions.close();
  }
}
