// A project with one tool loop, for any wire family.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type RunOptions, run } from '../../../src/commands/run.ts';
import type { Wire } from '../../../src/responder/providers/table.ts';
import { pathOf } from '../../../src/target/trajectory.ts';
import { writeProject } from '../../suite/project.ts';

/** A model of each wire. */
export const MODELS = {
  openai: 'gpt-5-mini',
  'openai-responses': 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
} satisfies Record<Wire, string>;

// With these the emulator refuses a second turn whose thinking is not signed.
const PARAMS: Partial<Record<Wire, string>> = {
  anthropic: '{thinking: {type: enabled, budget_tokens: 1024}, max_tokens: 2048}',
};

/** A project of one suite that asks a server at `url` through a wire. Its path is returned. */
export function project(wire: Wire, url: string): string {
  const base = `${url}/${wire === 'gemini' ? 'v1beta' : 'v1'}`;
  return writeProject({
    'retake.yaml': `version: 1\nproviders:\n  here: {base_url: "${base}", wire: ${wire}, api_key_env: HERE_KEY}\n`,
    'orders.eval.yaml': `name: orders
provider: here
model: ${MODELS[wire]}
params: ${PARAMS[wire] ?? '{}'}
system: Be brief.
tools:
  - name: lookup_order
    description: Look up an order.
    input_schema: {type: object, properties: {order_id: {type: string}}, required: [order_id]}
mocks:
  lookup_order:
    - when: {order_id: A-1}
      return: {status: shipped}
    - error: no such order
expect:
  - min_tool_calls: {tool: lookup_order, count: 2}
  - final_contains: B-2 is lost
cases:
  - {name: two, input: Where are my orders A-1 and B-2?}
`,
  });
}

/** Runs the only case of the project in a mode, and what it came to. */
export async function runCase(cwd: string, mode: RunOptions['mode'] & string) {
  const env = { HERE_KEY: 'key-of-a-test' };
  const result = await run({ cwd, globs: [], mode, filter: [], tags: [], failFast: false, resume: false, env });
  const [one] = result.suites.flatMap(({ cases }) => cases);
  const trajectory = one?.takes[0]?.trajectory;
  if (!one || !trajectory) throw new Error(`no take: ${JSON.stringify(result)}`);
  return { outcome: one.outcome, problem: one.problem, path: pathOf(trajectory), turns: trajectory.turns };
}

/** The text of the only cassette. */
export const cassetteOf = (cwd: string) => readFileSync(path.join(cwd, 'cassettes/orders/two.yaml'), 'utf8');
