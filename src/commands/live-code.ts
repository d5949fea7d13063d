// The user's own code in a run: which cases may run it, and with what environment.

import { join, posix } from 'node:path';
import { BUILT_IN_NAMES, builtIn } from '../responder/providers/table.ts';
import type { Problem, RunMode } from '../run/result.ts';
import { needsProvider, usesLiveCode } from '../suite/live-code.ts';
import type { Project } from '../suite/load.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { runCommand } from '../target/command.ts';
import type { RunCode } from '../target/command-line.ts';

/**
 * Which live code runs: `keyless` where no provider is needed besides, `ask` where one is too, `refuse` none. `keyless`
 * unless set.
 */
export type LiveCode = 'keyless' | 'ask' | 'refuse';

/** Variables of a runner's, some of which are tokens. */
const RUNNERS = /^(?:INPUT|GITHUB|ACTIONS|RUNNER)_/i;

/** Why a case may not run; undefined where it may. Without the flag a case whose tools run code is asked in no mode that records. */
export function liveCodeProblem(
  planned: PlannedCase,
  { mode, liveCode = 'keyless' }: { mode: RunMode; liveCode: LiveCode | undefined },
): Problem | undefined {
  if (!usesLiveCode(planned)) return undefined;
  if (liveCode === 'refuse') return { message: 'live code: it may not run here' };
  if (liveCode === 'ask' || mode === 'off' || !needsProvider(planned)) return undefined;
  return {
    message: 'live code: its tools run commands, so it is never recorded and needs the provider',
    remedy: 'retake run --live-code',
  };
}

/** The variables that hold keys of providers, as far as the project says. */
function keyNames(project: Project): Set<string> {
  const own = BUILT_IN_NAMES.flatMap((name) => builtIn(name)?.apiKeyEnv ?? []);
  const used = project.suites.flatMap(({ cases }) => cases.flatMap(({ provider }) => provider.apiKeyEnv ?? []));
  return new Set([...own, ...used, ...(project.config.keyNames ?? [])]);
}

/** Runs the commands of a suite: in its folder, without a runner's variables and without keys that a command does not name. */
export function codeRunner(project: Project, { path }: PlannedSuite, env: Record<string, string | undefined>): RunCode {
  const keys = keyNames(project);
  const plain = Object.entries(env).filter(([name]) => !RUNNERS.test(name) && !keys.has(name));
  const cwd = join(project.root, posix.dirname(path));
  return ({ command, timeoutS, env: named = [] }, input, signal) => {
    const asked = named
      .filter((name) => !RUNNERS.test(name))
      .map((name): [string, string | undefined] => [name, env[name]]);
    const given = [...plain, ...asked].filter(([, value]) => value !== undefined);
    return runCommand({ command, input, cwd, env: Object.fromEntries(given), timeoutMs: timeoutS * 1000, signal });
  };
}
