// `retake compare`: the same cases with several models or prompts, side by side.

import { expect, test } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { retake } from '../cli/shell.ts';
import { configOf, KEY, newProject, type ProjectFolder, refundSuite } from '../helpers/project.ts';
import { type Asked, type Decide, type ProviderServer, startProvider } from '../helpers/provider-server.ts';

const SUITE = refundSuite({
  agrees: '    expect: [{final_contains: done}]\n',
  differs: '    expect: [{calls_tool: issue_refund}]\n',
  wanders: '    expect: [{final_contains: done}]\n',
});
const PRICES = 'prices: {local/small: {input: 1, output: 10}, local/large: {input: 10, output: 100}}\n';

/** `small` always refunds; `large` never does, and looks twice in the case that wanders. */
const models: Decide = ({ body, input, turn }: Asked) => {
  const { model } = body as unknown as { model: string };
  const last = { text: `${input} Done by ${model}.` };
  const look = { calls: [{ name: 'lookup_order', arguments: { order_id: 'A-1' } }] };
  if (turn === 1) return look;
  if (model === 'large') return turn === 2 && input.includes('wanders') ? look : last;
  if (turn === 2 && input.includes('differs'))
    return { calls: [{ name: 'issue_refund', arguments: { order_id: 'A-1' } }] };
  return last;
};

interface Prepared extends AsyncDisposable {
  project: ProjectFolder;
  provider: ProviderServer;
  compare(...more: string[]): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

/** A project whose own recordings are of the model `small`. */
async function prepared(): Promise<Prepared> {
  const provider = await startProvider(models);
  const project = newProject({
    'retake.yaml': `${configOf(provider.baseUrl)}${PRICES}`,
    'evals/refunds.eval.yaml': SUITE,
  });
  const everything = { globs: [], filter: [], tags: [], failFast: false, resume: false };
  await run({ cwd: project.folder, mode: 'record', env: KEY, ...everything });
  provider.journal.length = 0;
  return {
    project,
    provider,
    compare: (...more) =>
      retake(['compare', '--models', 'local/small,local/large', ...more], { cwd: project.folder, env: KEY }),
    async [Symbol.asyncDispose]() {
      project[Symbol.dispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test('without --yes nobody is asked: what is missing is counted and priced', async () => {
  await using here = await prepared();
  const before = here.project.files();
  const { stdout, exitCode } = await here.compare();
  expect(here.provider.journal).toEqual([]);
  expect(here.project.files()).toEqual(before);
  expect(exitCode).toBe(3);
  // 7 turns of 100 → 10 tokens, at ten dollars a million in and a hundred out.
  expect(stdout).toContain('local/large: 3 cases without a recording; about $0.0140');
  expect(stdout).toContain('Add --yes to ask the providers for them.');
  expect(stdout).toMatch(/≠? +agrees +✓ passed +\? unrecorded/);
});

test('with --yes the missing column is recorded beside the project’s own, and replays', async () => {
  await using here = await prepared();
  const own = here.project.contents('cassettes');
  const { stdout, exitCode } = await here.compare('--yes');
  expect(exitCode).toBe(0);
  expect(here.provider.journal.map(({ body }) => (body as unknown as { model: string }).model)).toEqual(
    Array(7).fill('large'),
  );
  expect(here.project.contents('cassettes')).toEqual(own);
  expect(here.project.files('cassettes-compare').filter((file) => !file.includes('prompts'))).toEqual(
    ['agrees', 'differs', 'wanders'].map((name) =>
      expect.stringMatching(new RegExp(`^cassettes-compare/local-large-[0-9a-f]{8}/refunds/${name}\\.yaml$`)),
    ),
  );
  expect(stdout).toContain('3 cases, 2 columns: the verdicts differ on 1');
  expect(stdout).toMatch(/\n {2}agrees +✓ passed +✓ passed\n/);
  expect(stdout).toMatch(/\n≠ differs +✓ passed +✗ failed\n/);
  expect(stdout).toMatch(/\n~ wanders +✓ passed +✓ passed\n/);
  expect(stdout).toMatch(/passed +3\/3 \(100.0 %\) +2\/3 \(66.7 %\)/);
  expect(stdout).toMatch(/recorded cost +\$0.0014 +\$0.0140/);
  expect(stdout).toContain('local/large: calls_tool: issue_refund');
  const again = await here.compare();
  expect(again).toMatchObject({ stdout, exitCode: 0 });
  expect(here.provider.journal).toHaveLength(7);
});

test('prompts are columns too; Markdown and a page show the same', async () => {
  await using here = await prepared();
  here.project.write('a.md', 'You are a support agent.\r\n');
  here.project.write('b.md', 'You <b>never</b> refund. @octocat\n');
  const env = KEY;
  const compare = (...more: string[]) =>
    retake(['compare', '--prompts', 'a.md,b.md', ...more], { cwd: here.project.folder, env });
  expect((await compare('--yes')).exitCode).toBe(0);
  const systems = here.provider.journal.map(({ body }) => (body.messages[0] as { content: string }).content);
  expect(new Set(systems)).toEqual(new Set(['You are a support agent.\n', 'You <b>never</b> refund. @octocat\n']));
  const { stdout: markdown } = await compare('--reporter', 'markdown');
  expect(markdown).toContain('|  | case | a.md | b.md |');
  expect(markdown).toContain('|  | refunds › agrees | ✓ passed | ✓ passed |');
  const { stdout: page } = await compare('--reporter', 'html');
  expect(page).toContain('<th scope="col">b.md</th>');
  expect(page).toContain('<td class="passed">✓ passed</td>');
  const { stdout: json } = await compare('--reporter', 'json');
  expect(JSON.parse(json)).toMatchObject({
    document: 'retake/columns',
    version: 1,
    cases: [{ case: 'agrees' }, {}, {}],
  });
});

test('a column whose own prompt changed later still stands by itself', async () => {
  await using here = await prepared();
  await here.compare('--yes');
  here.project.edit('evals/refunds.eval.yaml', 'system: You are a support agent.', 'system: You are an agent.');
  const everything = { globs: [], filter: [], tags: [], failFast: false, resume: false };
  await run({ cwd: here.project.folder, mode: 'record', env: KEY, ...everything });
  const { stdout, stderr, exitCode } = await here.compare();
  expect(stderr).toBe('');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('local/large: 3 cases without a recording');
  expect(stdout).not.toContain('local/small:');
});

test('the budget holds over all columns', async () => {
  await using here = await prepared();
  const { stdout, exitCode } = await here.compare('--yes', '--max-cost-usd', '0.005', '--concurrency', '1');
  expect(exitCode).toBe(3);
  expect(here.provider.journal.length).toBeLessThanOrEqual(2);
  expect(stdout).toContain('- skipped');
});

test.each([
  [['compare'], 'nothing to compare is given', 'Give --models a,b or --prompts a.md,b.md.'],
  [['compare', '--models', 'a/x,b/y', '--prompts', 'a,b'], '--models and --prompts exclude each other', 'Give'],
  [['compare', '--models', 'local/small'], '--models takes two or more, separated by commas', 'retake run'],
  [['compare', '--models', 'local/small,,x'], '--models takes two or more, separated by commas', 'retake run'],
  [['compare', '--models', 'local/small,local/small'], 'the column "local/small" is given twice', 'once'],
  [['compare', '--prompts', 'no.md,none.md'], '--prompts: no.md does not exist', 'relative to the current folder'],
])('%j is refused', async (argv, message, remedy) => {
  await using here = await prepared();
  const { stderr, exitCode } = await retake(argv, { cwd: here.project.folder, env: KEY });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(remedy);
});
