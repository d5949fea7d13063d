// Two recordings of one project at once, of different suites: neither sees the other.

import { expect, it } from 'vitest';
import { configOf, KEY, newProject, refund, refundSuite } from '../helpers/project.ts';
import { type Asked, startProvider } from '../helpers/provider-server.ts';
import { runCli } from '../helpers/run-cli.ts';

const SUITES = ['refunds', 'returns'];
const CASES = Object.fromEntries(['one', 'two', 'three', 'four'].map((name) => [name, '    repeat: 2\n']));

function files(baseUrl: string): Record<string, string> {
  const suites = SUITES.map((name): [string, string] => [
    `evals/${name}.eval.yaml`,
    refundSuite(CASES).replace('name: refunds', `name: ${name}`).replace('support agent', `${name} agent`),
  ]);
  return { 'retake.yaml': configOf(baseUrl), ...Object.fromEntries(suites) };
}

it('records what each alone would have recorded', async () => {
  let holding: (() => void) | undefined;
  const systems = new Set<unknown>();
  const bothHere = new Promise<void>((resolve) => {
    holding = resolve;
  });
  let isTogether = false;
  const decide = async (asked: Asked) => {
    // No answer before both processes are at it.
    if (isTogether) {
      systems.add(asked.body.messages[0]?.content);
      if (systems.size === SUITES.length) holding?.();
      await bothHere;
    }
    return refund(asked);
  };
  await using provider = await startProvider(decide);
  using alone = newProject(files(provider.baseUrl));
  using together = newProject(files(provider.baseUrl));
  const record = (folder: string, suite: string) =>
    runCli(folder, ['record', `evals/${suite}.eval.yaml`, '--concurrency', '4'], { env: KEY });

  for (const suite of SUITES) expect(await record(alone.folder, suite)).toMatchObject({ exitCode: 0, stderr: '' });
  isTogether = true;
  for (const run of await Promise.all(SUITES.map((suite) => record(together.folder, suite)))) {
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('4 passed of 4 cases in 1 suite');
  }

  const recorded = alone.contents('cassettes');
  expect(Object.keys(recorded)).toHaveLength(SUITES.length * (4 + 1));
  expect(withoutTimes(together.contents('cassettes'))).toEqual(withoutTimes(recorded));
  const replayed = await runCli(together.folder, ['run']);
  expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(replayed.stdout).toContain('8 passed of 8 cases in 2 suites');
});

/** Files without what every recording measures anew. */
function withoutTimes(contents: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(contents).map(([path, text]) => [path, text.replace(/^ *(?:latency_ms|digest): .*\n/gm, '')]),
  );
}
