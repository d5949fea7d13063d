// Recording: what is asked, what is written, and what is left alone.

import { execFileSync } from 'node:child_process';
import { chmodSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  configOf,
  KEY,
  newProject,
  type ProjectFolder,
  refund,
  refundSuite,
  steadyRefund,
} from '../helpers/project.ts';
import { type Decide, type ProviderServer, startProvider } from '../helpers/provider-server.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';

const SUITE = 'evals/refunds.eval.yaml';

function projectOf(provider: ProviderServer, cases: Record<string, string>): ProjectFolder {
  return newProject({ 'retake.yaml': configOf(provider.baseUrl), [SUITE]: refundSuite(cases) });
}

function retake(project: ProjectFolder, ...args: string[]): Promise<CliRun> {
  return runCli(project.folder, args, { env: KEY });
}

function git(project: ProjectFolder, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'core.autocrlf=false'];
  return execFileSync('git', [...identity, ...args], { cwd: project.folder, encoding: 'utf8' });
}

/** Another answer each time a conversation begins. */
const stamped: Decide = (asked) => refund(asked, `${asked.input} ${asked.conversation}`);

/** A provider that breaks for one input. */
const brokenFor =
  (broken: string, decide: Decide = steadyRefund): Decide =>
  (asked) =>
    asked.input.includes(broken) ? { status: 400, body: '{"error": {"message": "no such order"}}' } : decide(asked);

it('leaves git clean when a deterministic model is recorded twice', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '', two: '    repeat: 2\n' });
  git(project, 'init', '--quiet');
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(project.files('cassettes')).toHaveLength(3);
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message', 'Record');
  expect(git(project, 'ls-files').split('\n')).toEqual([...project.files('cassettes'), SUITE, 'retake.yaml', '']);

  const again = await retake(project, 'record', '--concurrency', '3');
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  expect(again.stdout).toContain('answers  0 from cassettes · 9 live · 0 unused (record)\n');
  expect(git(project, 'status', '--porcelain', '--untracked-files=all')).toBe('');
});

it('writes the prompt before the cassette that refers to it', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '' });
  project.write('cassettes/refunds/prompts/.keep', '');
  const seen: string[] = [];
  const watchers = ['cassettes/refunds', 'cassettes/refunds/prompts'].map((path) =>
    watch(join(project.folder, path), (_, name) => {
      if (name?.endsWith('.yaml')) seen.push(name);
    }),
  );
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  await expect.poll(() => seen).toContain('one.yaml');
  for (const watcher of watchers) watcher.close();
  expect([...new Set(seen)]).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.yaml$/), 'one.yaml']);
});

it('keeps the old cassette of a case whose provider fails, and records the rest', async () => {
  await using provider = await startProvider(stamped);
  using project = projectOf(provider, { one: '', two: '', three: '    repeat: 2\n' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  const before = project.contents('cassettes');

  provider.decide = (asked) => (asked.turn === 3 ? brokenFor('two', stamped)(asked) : stamped(asked));
  const again = await retake(project, 'record', '--concurrency', '1');
  expect(again).toMatchObject({ exitCode: 3, stderr: '' });
  expect(again.stdout).toContain('! errored  refunds › two\n    local answered 400: no such order\n');
  expect(again.stdout).toContain('cases    2 passed · 1 errored of 3 cases in 1 suite\n');
  const after = project.contents('cassettes');
  const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
  expect(changed).toEqual(['cassettes/refunds/one.yaml', 'cassettes/refunds/three.yaml']);
  expect(Object.keys(after)).toEqual(Object.keys(before));
});

it('keeps a case that fails an expectation: failing is what the model did', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '    expect: [{final_contains: never said}]\n' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 1 });
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 1 });
});

it('--missing records only what is missing', async () => {
  await using provider = await startProvider(stamped);
  using project = projectOf(provider, { one: '', two: '    repeat: 2\n' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  const before = project.contents('cassettes');
  const takes = before['cassettes/refunds/two.yaml']?.split('\n  - recorded: ')[1];
  expect(takes).toContain('Refund two. 1');
  provider.journal.length = 0;

  project.write(SUITE, refundSuite({ one: '', two: '    repeat: 3\n', three: '' }));
  const ran = await retake(project, 'record', '--missing');
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ran.stdout).toContain('answers  9 from cassettes · 6 live · 0 unused (auto)\n');
  expect(new Set(provider.journal.map(({ input }) => input))).toEqual(new Set(['Refund two.', 'Refund three.']));
  const after = project.contents('cassettes');
  expect(after['cassettes/refunds/one.yaml']).toBe(before['cassettes/refunds/one.yaml']);
  expect(after['cassettes/refunds/two.yaml']).toContain(`\n  - recorded: ${takes}`);
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 0 });
});

it('--missing asks a take again from turn 1 where a later turn has changed', async () => {
  await using provider = await startProvider(stamped);
  using project = projectOf(provider, { one: '' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  provider.journal.length = 0;
  project.edit(SUITE, 'total: 20', 'total: 21');
  expect(await retake(project, 'record', '--missing')).toMatchObject({ exitCode: 0 });
  expect(provider.journal.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  const text = project.read('cassettes/refunds/one.yaml');
  expect(text).toContain('Refund one. 2');
  expect(text).not.toContain('Refund one. 1');
});

it('keeps every take of a repeated case apart', async () => {
  await using provider = await startProvider(stamped);
  using project = projectOf(provider, { one: '    repeat: 3\n' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  const [, ...takes] = project.read('cassettes/refunds/one.yaml').split('\n  - recorded: ');
  expect(takes).toHaveLength(3);
  takes.forEach((take, at) => {
    expect(new Set(take.match(/Refund one\. \d/g))).toEqual(new Set([`Refund one. ${at + 1}`]));
  });
  expect(project.files('.retake')).toEqual(['.retake/.gitignore']);
});

it('removes the old prompt with the last cassette that refers to it, never where a filter hides one', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '', two: '' });
  const prompts = () => project.files('cassettes/refunds/prompts');
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  const [old] = prompts();

  project.edit(SUITE, 'You are a support agent.', 'You are a sales agent.');
  expect(await retake(project, 'record', '--filter', 'one')).toMatchObject({ exitCode: 0 });
  expect(prompts()).toHaveLength(2);
  expect(prompts()).toContain(old);
  expect(await retake(project, 'record', '--filter', 'two')).toMatchObject({ exitCode: 0 });
  expect(prompts()).toHaveLength(2);

  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  expect(prompts()).toHaveLength(1);
  expect(prompts()).not.toContain(old);
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 0 });
});

it('refuses a second recording of the same case, naming the lock', async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  await using provider = await startProvider(async (asked) => {
    await gate;
    return stamped(asked);
  });
  using project = projectOf(provider, { one: '' });
  let pid: number | undefined;
  const first = runCli(project.folder, ['record'], { env: KEY, onStart: (child) => (pid = child.pid) });
  await expect.poll(() => provider.journal.length, { timeout: 20_000 }).toBe(1);

  const second = await retake(project, 'record');
  expect(second).toMatchObject({ exitCode: 2, stdout: '' });
  const [lock] = project.files('.retake/locks');
  expect(lock).toMatch(/^\.retake\/locks\/[0-9a-f]{16}\.lock$/);
  expect(second.stderr).toMatch(
    new RegExp(`^cassettes/refunds/one\\.yaml {2}is being recorded by process ${pid} on \\S+\n {2}Wait until `),
  );
  expect(second.stderr).toContain(`delete ${lock}.\n`);
  expect(provider.journal).toHaveLength(1);

  go();
  expect(await first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(project.read('cassettes/refunds/one.yaml')).toContain('Refund one. 1');
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
});

it.each([['record'], ['record', '--missing'], ['run', '--mode', 'off']])(
  'without the key, `%s %s %s` leaves cases unrecorded and names the variable',
  async (...args) => {
    await using provider = await startProvider(steadyRefund);
    using project = projectOf(provider, { one: '', two: '' });
    for (const LOCAL_KEY of [undefined, '']) {
      const ran = await runCli(project.folder, args, { env: { LOCAL_KEY } });
      expect(ran).toMatchObject({ exitCode: 3, stderr: '' });
      expect(ran.stdout).toContain(
        '? unrecorded  refunds › one and 1 more case\n' +
          '    local needs a key, and LOCAL_KEY is not set\n' +
          '    The same happened to 2 cases of refunds.\n' +
          '    Set LOCAL_KEY and record again.\n',
      );
    }
    expect(provider.journal).toEqual([]);
    expect(project.files().filter((file) => !file.startsWith('.retake/'))).toEqual([SUITE, 'retake.yaml']);
  },
);

it('sends the key and writes it nowhere', async () => {
  await using provider = await startProvider(brokenFor('two', steadyRefund));
  using project = projectOf(provider, { one: '', two: '' });
  const key = 'sk-test-5f0c2b9d4d1e6a07';
  provider.decide = (asked) =>
    asked.input.includes('two') ? { status: 401, body: `{"error": {"message": "bad key ${key}"}}` } : refund(asked);
  const ran = await runCli(project.folder, ['record', '-v', '--json-out', 'out.json'], { env: { LOCAL_KEY: key } });
  expect(ran.exitCode).toBe(3);
  expect(new Set(provider.journal.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]));
  expect(ran.stdout).toContain('local answered 401: bad key [key]\n    Check the key in LOCAL_KEY.\n');
  expect(JSON.stringify([ran, project.contents()])).not.toContain(key);
});

it('writes nothing with --mode off', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '', two: '    repeat: 2\n' });
  const before = project.contents();
  const ran = await retake(project, 'run', '--mode', 'off');
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ran.stdout).toContain('answers  0 from cassettes · 9 live · 0 unused (off)\n');
  expect(project.contents()).toEqual(before);
});

it('replaces a damaged cassette with `record`; `run` and `--missing` refuse it', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '', two: '' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  const sound = project.contents('cassettes');
  project.edit('cassettes/refunds/one.yaml', 'Done, A-1', 'Done, A-2');
  provider.journal.length = 0;
  for (const args of [['run'], ['record', '--missing'], ['validate']]) {
    const ran = await retake(project, ...args);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('does not match the digest on its last line');
  }
  expect(provider.journal).toEqual([]);
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0, stderr: '' });
  // The day and the latencies are of today's take; everything else is as it was.
  const undated = (text: string | undefined) => text?.replace(/(latency_ms: |digest: ).*/g, '$1');
  expect(undated(project.read('cassettes/refunds/one.yaml'))).toBe(undated(sound['cassettes/refunds/one.yaml']));
  expect(await retake(project, 'validate')).toMatchObject({ exitCode: 0 });
});

it('tells what was recorded even where a damaged cassette stays', async () => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '', two: '' });
  expect(await retake(project, 'record')).toMatchObject({ exitCode: 0 });
  project.edit('cassettes/refunds/two.yaml', 'Done, A-1', 'Done, A-2');
  const [prompt = ''] = project.files('cassettes/refunds/prompts');
  project.write('cassettes/refunds/of_an_old_case.yaml', '<<<<<<< ours\n');

  provider.decide = brokenFor('two');
  const ran = await retake(project, 'record');
  expect(ran).toMatchObject({ exitCode: 3, stderr: '' });
  expect(ran.stdout).toContain('✓ passed   one');
  expect(ran.stdout).toContain('! errored  refunds › two\n    local answered 400: no such order\n');
  expect(ran.stdout).toContain(
    'note     No prompt file of refunds was removed: cassettes/refunds/of_an_old_case.yaml is damaged.',
  );
  expect(project.files('cassettes/refunds/prompts')).toEqual([prompt]);
});

it.each([
  ['a folder in the cassette’s place', 'cassettes/refunds/one.yaml/x', 'cassettes/refunds/one.yaml', 'folder', 'file'],
  ['a file in the prompts’ place', 'cassettes/refunds/prompts', 'cassettes/refunds/prompts', 'file', 'folder'],
])('refuses %s before anything is asked', async (_, written, told, stands, wanted) => {
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '' });
  project.write(written, 'x');
  const ran = await retake(project, 'record');
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ran.stderr).toContain(`${told}  cannot be written: a ${stands} stands where a ${wanted} should be\n`);
  expect(provider.journal).toEqual([]);
});

it.each([
  ['a file in the folder’s place', false],
  ['a folder nobody may write', true],
])('refuses %s before anything is asked', async (_, byMode) => {
  // To root every folder is writable.
  const isRoot = process.getuid?.() === 0;
  await using provider = await startProvider(steadyRefund);
  using project = projectOf(provider, { one: '' });
  if (byMode && !isRoot) {
    project.write('cassettes/.keep', '');
    chmodSync(join(project.folder, 'cassettes'), 0o555);
  } else project.write('cassettes', 'a file');
  for (const args of [['record'], ['record', '--missing']]) {
    const ran = await retake(project, ...args);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toBe(
      `cassettes/refunds  cannot be written: ${byMode && !isRoot ? 'permission denied' : 'a file stands where a folder should be'}\n` +
        '  Make the folder writable, or set `cassettes: {dir: …}` in retake.yaml to another. The old cassette is untouched.\n',
    );
  }
  expect(provider.journal).toEqual([]);
  chmodSync(join(project.folder, 'cassettes'), 0o755);
});
