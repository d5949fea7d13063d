// A recording that is stopped: by Ctrl-C, with what is finished kept; by kill -9 at any moment, with every file whole.

import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { validate } from '../../src/commands/validate.ts';
import { configOf, KEY, newProject, refund, refundSuite } from '../helpers/project.ts';
import { after, type Decide, startProvider } from '../helpers/provider-server.ts';
import { type CliSettings, runCli } from '../helpers/run-cli.ts';

const SUITE = 'evals/refunds.eval.yaml';
const KILLS = 50;

/** Another answer each time a conversation begins, the same stamp in all its turns. */
const stamped: Decide = (asked) => refund(asked, `${asked.input} ${asked.conversation}`);

/** The stamps within each take of a cassette's text. */
function stampsOf(text: string): string[][] {
  const [, ...takes] = text.split('\n  - recorded: ');
  return takes.map((take) => [...new Set(take.match(/Refund \w+\. \d+/g))]);
}

type Child = Parameters<NonNullable<CliSettings['onStart']>>[0];

it('keeps finished cases and takes on Ctrl-C, and `--resume` asks for nothing twice', async () => {
  await using provider = await startProvider(stamped);
  using project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    [SUITE]: refundSuite({ first: '', second: '    repeat: 3\n', third: '', fourth: '' }),
  });
  const retake = (args: string[], settings: CliSettings = {}) =>
    runCli(project.folder, args, { env: KEY, ...settings });
  expect(await retake(['record', '--concurrency', '1'])).toMatchObject({ exitCode: 0 });
  const before = project.contents('cassettes');
  provider.journal.length = 0;

  // The third take of the second case stands still in its second turn until the signal has come.
  let child: Child | undefined;
  provider.decide = async (asked) => {
    if (asked.input === 'Refund second.' && asked.conversation === 6 && asked.turn === 2) {
      child?.kill('SIGINT');
      await new Promise(() => {});
    }
    return stamped(asked);
  };
  const stopped = await retake(['record', '--concurrency', '1'], { onStart: (started) => (child = started) });
  expect(stopped).toMatchObject({ exitCode: 130, signal: null, stderr: '' });
  expect(stopped.stdout).toContain(
    'Interrupted: 1 of 4 cases finished and are kept (exit 130).\nGo on with: retake record --resume\n',
  );
  const kept = project.contents('cassettes');
  expect(Object.keys(kept).filter((file) => kept[file] !== before[file])).toEqual(['cassettes/refunds/first.yaml']);
  expect(kept['cassettes/refunds/first.yaml']).toContain('Refund first. 2');
  expect(project.files('.retake/pending').filter((file) => !file.includes('/prompts/'))).toEqual([
    '.retake/pending/1/refunds/second.yaml',
    '.retake/pending/2/refunds/second.yaml',
  ]);
  expect(project.files('.retake/locks')).toEqual([]);
  expect(await retake(['validate'])).toMatchObject({ exitCode: 0 });
  expect(await retake(['run'])).toMatchObject({ exitCode: 0 });

  provider.journal.length = 0;
  provider.decide = stamped;
  const resumed = await retake(['record', '--resume', '--filter', 'second']);
  expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(resumed.stdout).toContain('answers  6 from cassettes · 3 live · 0 unused (record)\n');
  expect(provider.journal.map(({ input, turn }) => `${input} ${turn}`)).toEqual([
    'Refund second. 1',
    'Refund second. 2',
    'Refund second. 3',
  ]);
  expect(stampsOf(project.read('cassettes/refunds/second.yaml'))).toEqual([
    ['Refund second. 4'],
    ['Refund second. 5'],
    ['Refund second. 7'],
  ]);
  expect(project.files('.retake/pending').filter((file) => !file.includes('/prompts/'))).toEqual([]);
  expect(await retake(['run'])).toMatchObject({ exitCode: 0 });
});

it('does not use a finished take that no longer fits what is asked', async () => {
  await using provider = await startProvider(stamped);
  using project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    [SUITE]: refundSuite({ only: '    repeat: 2\n' }),
  });
  let child: Child | undefined;
  provider.decide = async (asked) => {
    if (asked.conversation < 2) return stamped(asked);
    child?.kill('SIGINT');
    return new Promise(() => {});
  };
  const stopped = await runCli(project.folder, ['record'], { env: KEY, onStart: (started) => (child = started) });
  expect(stopped.exitCode).toBe(130);
  expect(project.files('.')).toContain('.retake/pending/1/refunds/only.yaml');

  provider.decide = stamped;
  project.edit(SUITE, 'You are a support agent.', 'You are a sales agent.');
  expect(await runCli(project.folder, ['record', '--resume'], { env: KEY })).toMatchObject({ exitCode: 0 });
  expect(stampsOf(project.read('cassettes/refunds/only.yaml'))).toEqual([['Refund only. 3'], ['Refund only. 4']]);
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 0 });
});

/** The id of a process that has lived and died. */
async function deadPid(folder: string): Promise<number> {
  let pid = 0;
  await runCli(folder, ['--version'], { onStart: (child) => (pid = child.pid ?? 0) });
  return pid;
}

/** Every sort of file that a process killed at the wrong moment leaves behind. */
function leftoversOf(pid: number): string[] {
  const host = hostname().replace(/[^A-Za-z0-9-]/g, '-');
  return [
    `.retake/..gitignore.${host}.${pid}.0.tmp`,
    `.retake/locks/.5f0c2b9d4d1e6a07.lock.${host}.${pid}.1.tmp`,
    `.retake/pending/1/refunds/.b.yaml.${host}.${pid}.4.tmp`,
    `.retake/pending/3/refunds/prompts/.8c1f0a7be2d94c55.yaml.${host}.${pid}.3.tmp`,
    `cassettes/refunds/.a.yaml.${host}.${pid}.6.tmp`,
    `cassettes/refunds/prompts/.8c1f0a7be2d94c55.yaml.${host}.${pid}.5.tmp`,
    'cassettes/refunds/prompts/0000000000000000.yaml',
  ];
}

it('leaves every file whole, and no two takes mixed, when it is killed at any moment', async () => {
  const decide = after(2, stamped);
  await using provider = await startProvider(decide);
  const cases = { a: '', b: '    repeat: 3\n', c: '', d: '    repeat: 2\n', e: '', f: '' };
  using project = newProject({ 'retake.yaml': configOf(provider.baseUrl), [SUITE]: refundSuite(cases) });
  const names = Object.keys(cases).map((name) => `cassettes/refunds/${name}.yaml`);
  expect(await runCli(project.folder, ['record'], { env: KEY })).toMatchObject({ exitCode: 0 });
  const total = provider.journal.length;
  const sound = await validate({ cwd: project.folder, globs: [], env: {} });

  let killed = 0;
  for (let at = 0; at < KILLS; at++) {
    // From the arrival of any of its requests on, up to some milliseconds later: answers are read, files written.
    const moment = provider.journal.length + 1 + Math.floor(Math.random() * total);
    const wait = Math.random() * 12;
    let child: Child | undefined;
    provider.decide = (asked) => {
      if (provider.journal.length === moment) setTimeout(() => child?.kill('SIGKILL'), wait);
      return decide(asked);
    };
    const args = ['record', '--concurrency', '4', ...(at % 3 === 0 ? ['--resume'] : [])];
    const ran = await runCli(project.folder, args, { env: KEY, onStart: (started) => (child = started) });
    if (ran.signal === 'SIGKILL') killed++;

    const found = await validate({ cwd: project.folder, globs: [], env: {} });
    expect(found).toEqual(sound);
    expect(project.files('cassettes').filter((file) => /refunds\/\w+\.yaml$/.test(file))).toEqual(names);
    for (const file of names) {
      for (const stamps of stampsOf(project.read(file))) expect(stamps, file).toHaveLength(1);
    }
    // Now and then the prompt changes as well, so that old and new prompt files stand beside each other.
    if (at % 5 === 4) project.write(SUITE, refundSuite(cases).replace('support agent', `support agent ${at}`));
  }
  // A kill after the end of a recording proves nothing.
  expect(killed).toBeGreaterThan(KILLS / 2);
  expect(await runCli(project.folder, ['validate'])).toMatchObject({ exitCode: 0, stderr: '' });

  provider.decide = stamped;
  for (const file of leftoversOf(await deadPid(project.folder))) project.write(file, 'left behind');
  expect(await runCli(project.folder, ['record'], { env: KEY })).toMatchObject({ exitCode: 0, stderr: '' });
  const prompt = expect.stringMatching(/^cassettes\/refunds\/prompts\/[0-9a-f]{16}\.yaml$/);
  expect(project.files('.')).toEqual(['.retake/.gitignore', ...names, prompt, SUITE, 'retake.yaml']);
  expect(project.files()).not.toContain('cassettes/refunds/prompts/0000000000000000.yaml');
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 0 });
}, 150_000);
