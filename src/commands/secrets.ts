// The secret variables of a project, and a result without their values.

import { mapTexts, type SecretValues } from '../request/secret.ts';
import { literalsOf, withoutLiterals } from '../responder/redacting.ts';
import type { CaseResult } from '../run/result.ts';
import { gradersOf } from '../suite/graders.ts';
import { commandEnvOf } from '../suite/live-code.ts';
import type { Project } from '../suite/load.ts';

/** The values of the secret variables that the suites name and of the keys of their providers, where they are set. */
export function secretValues(project: Project, env: Record<string, string | undefined>): SecretValues {
  const names = new Set(project.secrets);
  for (const { cases } of project.suites) {
    for (const planned of cases) {
      for (const { provider } of [planned, ...gradersOf(planned.expect)]) {
        if (provider.apiKeyEnv !== undefined) names.add(provider.apiKeyEnv);
      }
      for (const name of commandEnvOf(planned)) names.add(name);
    }
  }
  const values = new Map<string, string>();
  for (const name of [...names].sort()) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && value !== '') values.set(name, value);
  }
  return values;
}

/** A case's result with words for the values that a suite holds itself: they must reach no report. */
export function withoutValues(result: CaseResult, values: SecretValues): CaseResult {
  const literals = literalsOf(values);
  return literals.length === 0 ? result : mapTexts(result, (text) => withoutLiterals(text, literals));
}
