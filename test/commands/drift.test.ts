// `retake drift` at the desk: live takes beside what is committed, confirmed, accepted or not.

import { expect, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { retake } from '../cli/shell.ts';
import { configOf, KEY, newProject, type ProjectFolder, refundSuite } from '../helpers/project.ts';
import { type Asked, type Decide, type ProviderServer, startProvider } from '../helpers/provider-server.ts';

const PRICES = 'prices: {local/small: {input: 0, output: 1000}}\n';
const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false };
const SUITE = refundSuite({
  late: '    expect: [{not_calls_tool: issue_refund}]\n',
  small: '',
  other: '',
});

const look = { calls: [{ name: 'lookup_order', arguments: { order_id: 'A-1' } }] };
const give = { calls: [{ name: 'issue_refund', arguments: { order_id: 'A-1' } }] };
const steady: Decide = ({ turn }) => (turn === 1 ? look : { text: 'It is done.' });
/** Refunds in the cases whose input matches, whenever `when` says so. */
const refunds =
  (which: RegExp, when: (asked: Asked) => boolean = () => true): Decide =>
  (asked) =>
    asked.turn === 2 && which.test(asked.input) && when(asked) ? give : steady(asked);

interface Night extends AsyncDisposable {
  project: ProjectFolder;
  provider: ProviderServer;
  drift(...more: string[]): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

async function night(decide: Decide): Promise<Night> {
  const provider = await startProvider(steady);
  const project = newProject({
    'retake.yaml': `${configOf(provider.baseUrl)}${PRICES}`,
    'evals/refunds.eval.yaml': SUITE,
  });
  await run({ cwd: project.folder, mode: 'record', env: KEY, ...EVERYTHING });
  provider.journal.length = 0;
  provider.decide = decide;
  return {
    project,
    provider,
    drift: (...more) => retake(['drift', ...more], { cwd: project.folder, env: KEY }),
    async [Symbol.asyncDispose]() {
      project[Symbol.dispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test('a model that does the same: no drift, nothing committed changes', async () => {
  await using here = await night(steady);
  const before = here.project.contents('cassettes');
  const { stdout, exitCode } = await here.drift();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^No drift in 3 cases\nspent \$0\.06/);
  expect(here.provider.journal).toHaveLength(6);
  expect(here.project.contents('cassettes')).toEqual(before);
  expect((await here.drift('--accept')).stdout).toContain('Nothing was accepted');
});

test('a model that refunds now: confirmed, told, and accepted case by case', async () => {
  await using here = await night(refunds(/late|other/));
  const before = here.project.contents('cassettes');
  const { stdout, exitCode } = await here.drift();
  expect(exitCode).toBe(4);
  expect(stdout).toContain('Drift: 2 of 3 cases behave differently; 1 of them fails now');
  expect(stdout).toContain('1 regressed · 1 rerouted');
  expect(stdout).toContain('refunds › late: 3 of 3 fresh takes agree');
  // 8 turns of the first takes, then two more takes of three turns of both that changed.
  expect(here.provider.journal).toHaveLength(8 + 2 * 2 * 3);
  expect(here.project.contents('cassettes')).toEqual(before);

  const { stdout: some } = await here.drift('--accept', '--filter', 'refunds::other');
  expect(some).toContain('1 recording accepted:\n  refunds › other  rerouted');
  expect(here.project.read('cassettes/refunds/other.yaml')).toContain('issue_refund');
  expect(here.project.read('cassettes/refunds/late.yaml')).toBe(before['cassettes/refunds/late.yaml']);
  const { stdout: rest } = await here.drift('--accept');
  expect(rest).toContain('1 recording accepted:\n  refunds › late  regressed');
  const replayed = await run({ cwd: here.project.folder, env: {}, ...EVERYTHING });
  expect(replayed.counts).toMatchObject({ passed: 2, failed: 1, unrecorded: 0 });
  expect((await here.drift('--accept')).stdout).toContain('Nothing was accepted');
});

test('takes that do not agree are unsettled, which is no drift', async () => {
  await using here = await night(refunds(/late/, ({ conversation }) => conversation % 2 === 0));
  const { stdout, exitCode } = await here.drift();
  expect(stdout).toContain('1 unsettled');
  expect(stdout).toContain('1/1 → 1/3 takes passed');
  expect(exitCode).toBe(0);
});

test('rewordings are no drift; they are accepted only when asked for', async () => {
  await using here = await night((asked) => (asked.turn === 1 ? look : { text: 'All is done now.' }));
  const { stdout, exitCode } = await here.drift();
  expect(exitCode).toBe(0);
  expect(stdout).toContain('3 cases only reworded');
  expect((await here.drift('--threshold', 'reworded')).exitCode).toBe(4);
  expect((await here.drift('--accept')).stdout).toContain('Nothing was accepted');
  expect((await here.drift('--accept', '--all')).stdout).toContain('3 recordings accepted');
});

test('a provider that is down: it could not be told, and nothing is claimed', async () => {
  await using here = await night(() => ({ status: 503, body: 'down' }));
  const { stdout, exitCode } = await here.drift();
  expect(exitCode).toBe(5);
  expect(stdout).toContain('Could not tell: 3 of 3 cases had no answer');
  expect(stdout).toContain('3 cases could not be compared:');
  expect(stdout).not.toContain('No drift');
});

test('one case of three without an answer is over a fifth, and under a half', async () => {
  await using here = await night((asked) =>
    asked.input.includes('late') ? { status: 503, body: 'down' } : steady(asked),
  );
  expect((await here.drift()).exitCode).toBe(5);
  expect((await here.drift('--max-incomparable', '50%')).exitCode).toBe(0);
});

test('without a key nothing can be told', async () => {
  await using here = await night(steady);
  const { stdout, exitCode } = await retake(['drift'], { cwd: here.project.folder, env: {} });
  expect(exitCode).toBe(5);
  expect(stdout).toContain('LOCAL_KEY');
});

test('the budget ends it: what was not asked is named, and is not taken for an outage', async () => {
  await using here = await night(steady);
  const { stdout, exitCode } = await here.drift('--max-cost-usd', '0.025', '--concurrency', '1');
  expect(stdout).toContain('2 cases not asked, the budget ended:');
  expect(stdout).toContain('No drift in 1 case');
  expect(exitCode).toBe(0);
});

test('the digest is that of the behaviour, not of the words', async () => {
  await using here = await night(refunds(/late/));
  const digest = async () => (JSON.parse((await here.drift('--reporter', 'json')).stdout) as { digest: string }).digest;
  const first = await digest();
  here.provider.decide = (asked) => {
    const said = refunds(/late/)(asked) as { text?: string };
    return said.text === undefined ? said : { text: 'Now it is finished.' };
  };
  expect(await digest()).toBe(first);
  here.provider.decide = refunds(/late|other/);
  expect(await digest()).not.toBe(first);
});

test.each([
  [['drift', '--max-incomparable', '120%'], '--max-incomparable does not take "120%"'],
  [['drift', '--threshold', 'worse'], '--threshold does not take "worse"'],
  [['drift', '--confirm', 'x'], '--confirm does not take "x"'],
])('%j is refused', async (argv, message) => {
  const { stderr, exitCode } = await retake(argv);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('accepting before anything was taken says what to do', async () => {
  await using here = await night(steady);
  const { stderr, exitCode } = await here.drift('--accept');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no fresh recordings wait in .retake/drift');
});
