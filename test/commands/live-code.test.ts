// The user's own code in a run: what it is given, what a mode does with it, and that nothing of it is recorded.

import { expect, test } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { configOf, KEY, newProject, type ProjectFolder } from '../helpers/project.ts';
import { type Decide, startProvider } from '../helpers/provider-server.ts';

const TELL = `import { readFileSync } from 'node:fs';
const given = readFileSync(0, 'utf8');
console.log(JSON.stringify({ given, env: Object.keys(process.env).filter((name) => /^(GITHUB_|INPUT_|SHOP|LOCAL_KEY|OPENAI)/.test(name)).sort() }));
`;
const ENV = {
  PATH: process.env['PATH'],
  ...KEY,
  OPENAI_API_KEY: 'k-openai',
  GITHUB_TOKEN: 'k-github',
  INPUT_X: '1',
  SHOP: 'open',
  SHOP_TOKEN: 'k-of-the-shop',
};

const pays: Decide = ({ turn }) =>
  turn === 1 ? { calls: [{ name: 'pay', arguments: { amount: 5 } }] } : { text: 'Paid.' };

const PAYING = `name: paying
tools: [{name: pay}]
mocks: {pay: [{run: node tell.mjs}]}
cases:
  - name: pays
    input: Pay 5.
    expect: [{calls_tool: {tool: pay, count: 1}}, {final_contains: paid}]
`;

const COMMAND = `name: told
target: {command: node tell.mjs}
cases:
  - name: tells
    input: Token \${SHOP_TOKEN}
`;

function project(files: Record<string, string>, baseUrl = 'http://127.0.0.1:9/v1'): ProjectFolder {
  return newProject({ 'retake.yaml': configOf(baseUrl), 'evals/tell.mjs': TELL, ...files });
}

async function retake(argv: string[], { cwd, env }: { cwd: string; env: Record<string, string | undefined> }) {
  const said = { stdout: '', stderr: '' };
  const out = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      said[name] += text;
      return true;
    },
  });
  const exitCode = await cli({ argv, cwd, env, stdout: out('stdout'), stderr: out('stderr') });
  return { ...said, exitCode };
}

type Turns = { content: { text?: string }[]; results: { result: unknown; isError?: true }[] }[];

async function runIn(folder: ProjectFolder, argv: string[], env: Record<string, string | undefined> = ENV) {
  const { stdout, stderr, exitCode } = await retake([...argv, '--reporter', 'json'], { cwd: folder.folder, env });
  if (stdout === '') throw new Error(stderr);
  const [one] = JSON.parse(stdout).suites[0].cases;
  return { exitCode, stdout, one, turns: (one.takes[0]?.trajectory.turns ?? []) as Turns };
}

test('a replay asks nobody where tools run commands', async () => {
  await using server = await startProvider(pays);
  using folder = project({ 'evals/a.eval.yaml': PAYING }, server.baseUrl);
  const { one, exitCode } = await runIn(folder, ['run']);
  expect(one).toMatchObject({ outcome: 'skipped', liveCode: true, problem: { remedy: 'retake run --live-code' } });
  expect(exitCode).toBe(0);
  expect(server.journal).toHaveLength(0);
});

test.each([
  ['run --live-code', ['run', '--live-code']],
  ['run --mode off', ['run', '--mode', 'off']],
  ['record --live-code', ['record', '--live-code']],
])('%s asks, and records nothing', async (_title, argv) => {
  await using server = await startProvider(pays);
  using folder = project({ 'evals/a.eval.yaml': PAYING }, server.baseUrl);
  const { one, turns, exitCode } = await runIn(folder, argv);
  expect(one).toMatchObject({ outcome: 'passed', liveCode: true, tally: { live: 2 } });
  expect(one.cassette).toBeUndefined();
  expect(exitCode).toBe(0);
  expect(turns[0]?.results).toEqual([
    expect.objectContaining({ result: { given: '{"amount":5}', env: ['SHOP', 'SHOP_TOKEN'] } }),
  ]);
  expect(server.journal).toHaveLength(2);
  expect(server.journal[1]?.body.messages.at(-1)?.content).toContain('amount');
  expect(folder.files()).toEqual(['evals/a.eval.yaml', 'evals/tell.mjs', 'retake.yaml']);
});

test('recording leaves such a case out', async () => {
  await using server = await startProvider(pays);
  using folder = project({ 'evals/a.eval.yaml': PAYING }, server.baseUrl);
  expect((await runIn(folder, ['record'])).one.outcome).toBe('skipped');
  expect(server.journal).toHaveLength(0);
  expect(folder.files()).not.toContain('cassettes');
});

test('a command under test runs in every mode, with the real input, and reports hold the word', async () => {
  for (const mode of ['replay', 'record', 'auto', 'off']) {
    using folder = project({ 'evals/a.eval.yaml': COMMAND });
    const { one, turns, stdout } = await runIn(folder, ['run', '--mode', mode]);
    expect(one).toMatchObject({
      outcome: 'passed',
      liveCode: true,
      model: 'command/node tell.mjs',
      tally: { turns: 0 },
    });
    const said = JSON.parse(turns[0]?.content[0]?.text ?? '');
    expect(said).toEqual({ given: 'Token [redacted:SHOP_TOKEN]', env: ['SHOP', 'SHOP_TOKEN'] });
    expect(stdout).not.toContain('k-of-the-shop');
    expect(folder.files()).toEqual(['evals/a.eval.yaml', 'evals/tell.mjs', 'retake.yaml']);
  }
});

test('a secret that is not set is said, and no command runs', async () => {
  using folder = project({ 'evals/a.eval.yaml': COMMAND });
  const { one, exitCode } = await runIn(folder, ['run'], { PATH: process.env['PATH'] });
  expect(one).toMatchObject({
    outcome: 'unrecorded',
    problem: { message: 'the input needs SHOP_TOKEN, which is not set' },
  });
  expect(exitCode).toBe(3);
});

test('a key of a provider reaches only a command that names it, and no report', async () => {
  const suite = 'name: told\ntarget: {command: node key.mjs, env: [LOCAL_KEY]}\ncases: [{name: tells, input: x}]\n';
  const script = 'console.log(process.env.LOCAL_KEY, process.env.OPENAI_API_KEY)';
  using folder = project({ 'evals/a.eval.yaml': suite, 'evals/key.mjs': script });
  const { turns } = await runIn(folder, ['run'], { ...ENV, LOCAL_KEY: 'a-long-key-of-the-project' });
  expect(turns[0]?.content[0]?.text).toBe('[redacted:LOCAL_KEY] undefined');
});

test('a budget counts what live code makes a provider be asked', async () => {
  await using server = await startProvider(pays);
  using folder = project({ 'evals/a.eval.yaml': PAYING }, server.baseUrl);
  const run = (...more: string[]) => retake(['run', ...more, '--max-cost-usd', '1'], { cwd: folder.folder, env: ENV });
  expect((await run()).exitCode).toBe(0);
  const refused = await run('--live-code');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('no price is known for local/small');
});

test('what looks after recordings leaves live code alone', async () => {
  using folder = project({ 'evals/a.eval.yaml': COMMAND, 'evals/b.eval.yaml': PAYING });
  const ask = (...argv: string[]) => retake(argv, { cwd: folder.folder, env: ENV });
  expect((await ask('validate')).stdout).not.toContain('no recording');
  expect((await ask('explain', 'told::tells')).exitCode).toBe(0);
  expect((await ask('explain', 'paying::pays')).exitCode).toBe(0);
  expect((await ask('trace', 'told::tells')).stdout).toContain('[redacted:SHOP_TOKEN]');
  const trace = await ask('trace', 'paying::pays');
  expect(trace).toMatchObject({ exitCode: 2, stdout: '' });
  expect(trace.stderr).toContain('retake trace --mode off');
  expect((await ask('mv', 'paying::old', 'paying::pays')).stderr).toContain('runs live code and reads no cassette');
  expect((await ask('record', '--estimate')).exitCode).toBe(0);
});
