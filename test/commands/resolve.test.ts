// `retake resolve`: cassettes that a merge left in conflict, mended with the side that answers the suite as merged.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { configOf, KEY, newProject, type ProjectFolder, refund, refundSuite } from '../helpers/project.ts';
import { type Decide, type ProviderServer, startProvider } from '../helpers/provider-server.ts';
import { replay, retakeIn, SUITE } from './recorded.ts';

const EVERYTHING = { globs: [], filter: [], tags: [], failFast: false, resume: false };
const ONE = 'cassettes/refunds/one.yaml';
const TWO = 'cassettes/refunds/two.yaml';
const CASES = { one: '', two: '' };

interface Here extends AsyncDisposable {
  project: ProjectFolder;
  provider: ProviderServer;
  git(...args: string[]): string;
  /** Whether git took the words without complaint. */
  tries(...args: string[]): boolean;
  /** Records all cases; the answers hold `stamp`. */
  record(stamp: string): Promise<void>;
  commit(message: string): void;
}

async function repository(suite = refundSuite(CASES)): Promise<Here> {
  const provider = await startProvider((asked) => refund(asked));
  const project = newProject({ 'retake.yaml': configOf(provider.baseUrl), [SUITE]: suite, '.gitignore': '.retake\n' });
  const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const who = ['-c', 'user.name=o', '-c', 'user.email=o@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) =>
    execFileSync('git', [...who, ...args], { cwd: project.folder, env, encoding: 'utf8', stdio: 'pipe' });
  const here: Here = {
    project,
    provider,
    git,
    tries(...args) {
      try {
        git(...args);
        return true;
      } catch {
        return false;
      }
    },
    async record(stamp) {
      provider.decide = ((asked) => refund(asked, stamp)) satisfies Decide;
      await run({ cwd: project.folder, mode: 'record', env: KEY, ...EVERYTHING });
    },
    commit(message) {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
    async [Symbol.asyncDispose]() {
      project[Symbol.dispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
  git('init', '--quiet', '--initial-branch=main');
  await here.record('A-0');
  here.commit('base');
  return here;
}

/** Edits the suite on two branches, records on both and merges `theirs` into `ours`; the merge stops. */
async function diverge(here: Here, sides: Record<'ours' | 'theirs', { edit?: [string, string]; stamp: string }>) {
  const { git, project, record, commit } = here;
  for (const side of ['theirs', 'ours'] as const) {
    git('checkout', '--quiet', '-b', side, 'main');
    const { edit, stamp } = sides[side];
    if (edit) project.edit(SUITE, ...edit);
    await record(stamp);
    commit(side);
  }
  expect(here.tries('merge', '--quiet', 'theirs')).toBe(false);
}

const PROMPT_EDIT = (word: string): [string, string] => [
  'system: You are a support agent.',
  `system: You are ${word}.`,
];

it('keeps the side that answers the suite as it was merged, and stages nothing', async () => {
  await using here = await repository();
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2', edit: PROMPT_EDIT('brief') } });
  const { git, project } = here;
  expect(project.read(ONE)).toContain('<<<<<<<');
  const { stdout, stderr, exitCode } = await retakeIn(project, 'resolve');
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: `Mended:
  ${ONE}  theirs: it alone answers refunds::one
  ${TWO}  theirs: it alone answers refunds::two

✓ 2 files mended
Git keeps both sides until you stage them: git add cassettes
`,
    stderr: '',
    exitCode: 0,
  });
  for (const file of [ONE, TWO]) expect(project.read(file)).toBe(git('show', `theirs:${file}`));
  expect(git('ls-files', '--unmerged')).toContain(ONE);
  expect(project.files('.retake').filter((file) => file.endsWith('.yaml'))).toEqual([]);
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 6, unused: 0 } });
});

it('takes ours where both sides answer, says so, and theirs when asked for, even afterwards', async () => {
  await using here = await repository();
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2' } });
  const { git, project } = here;
  const first = await retakeIn(project, 'resolve');
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toContain(`  ${ONE}  ours: both sides answer refunds::one\n`);
  expect(first.stdout).toContain('Where both answer, ours was taken; `retake resolve --theirs` takes theirs.');
  expect(project.read(ONE)).toBe(git('show', `ours:${ONE}`));
  const second = await retakeIn(project, 'resolve', '--theirs', ONE);
  expect(second.stdout).toContain(`  ${ONE}  theirs: both sides answer refunds::one\n`);
  expect(project.read(ONE)).toBe(git('show', `theirs:${ONE}`));
  expect(project.read(TWO)).toBe(git('show', `ours:${TWO}`));
});

it('puts a whole side where neither answers, so that `record --missing` mends the rest', async () => {
  await using here = await repository();
  await diverge(here, {
    ours: { stamp: 'A-1', edit: PROMPT_EDIT('brief') },
    theirs: { stamp: 'B-2', edit: ['description: Refund an order.', 'description: Give money back.'] },
  });
  const { git, project, provider } = here;
  const { stdout, exitCode } = await retakeIn(project, 'resolve');
  expect(exitCode).toBe(3);
  expect(stdout).toContain(
    `Neither side answers the case as it stands now:\n  ${ONE}  refunds::one: ours stands there\n`,
  );
  expect(stdout).toContain('  retake record --missing\n');
  expect(stdout).toContain('✓ 2 files mended · 2 to record');
  expect(project.read(ONE)).toBe(git('show', `ours:${ONE}`));
  provider.decide = (asked) => refund(asked, 'C-3');
  const recorded = await run({ cwd: project.folder, mode: 'auto', env: KEY, ...EVERYTHING });
  expect(recorded).toMatchObject({ exitCode: 0, counts: { passed: 2 } });
  expect(project.read(ONE)).toContain('C-3');
});

it('makes a prompt file whole that git merged with another', async () => {
  // Long enough for git to take the new prompt files of both sides for one that was renamed.
  const long = refundSuite(CASES).replace(
    'system: You are a support agent.',
    `system: |\n  You are a support agent.\n${'  Be kind and quick.\n'.repeat(30)}  Sign with {{name}}.`.replace(
      '{{name}}',
      'Ada',
    ),
  );
  await using here = await repository(long);
  await diverge(here, {
    ours: { stamp: 'A-1', edit: ['Sign with Ada.', 'Sign with Bob.'] },
    theirs: { stamp: 'B-2', edit: ['Sign with Ada.', 'Sign with Cy.'] },
  });
  const { git, project } = here;
  git('checkout', '--theirs', '--', SUITE);
  const torn = project.files('cassettes/refunds/prompts').filter((file) => project.read(file).includes('<<<<<<<'));
  expect(torn.length).toBeGreaterThan(0);
  const { stdout, exitCode } = await retakeIn(project, 'resolve');
  expect(stdout).toContain(`  ${ONE}  theirs: it alone answers refunds::one\n`);
  for (const file of torn) expect(stdout).toContain(`  ${file}  whole again\n`);
  expect(exitCode).toBe(0);
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 6 } });
});

it('keeps what one side deleted where the case is still there', async () => {
  await using here = await repository();
  const { git, project, commit, record } = here;
  git('checkout', '--quiet', '-b', 'theirs');
  await record('B-2');
  commit('theirs');
  git('checkout', '--quiet', '-b', 'ours', 'main');
  project.remove(ONE);
  commit('ours');
  expect(here.tries('merge', '--quiet', 'theirs')).toBe(false);
  const { stdout, exitCode } = await retakeIn(project, 'resolve');
  expect(stdout).toContain(`  ${ONE}  theirs: it alone answers refunds::one\n`);
  expect(exitCode).toBe(0);
});

it('leaves alone what was resolved by hand', async () => {
  await using here = await repository();
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2' } });
  const { git, project } = here;
  project.write(ONE, git('show', `main:${ONE}`));
  const { stdout, exitCode } = await retakeIn(project, 'resolve');
  expect(stdout).toContain(`  ${ONE}  left as it is: it is whole and neither side of the merge\n`);
  expect(project.read(ONE)).toBe(git('show', `main:${ONE}`));
  expect(exitCode).toBe(0);
});

it('reads the sides from the markers where git has forgotten them, and keeps a copy', async () => {
  await using here = await repository();
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2', edit: PROMPT_EDIT('brief') } });
  const { git, project } = here;
  git('add', '--all');
  const torn = project.read(ONE);
  // Parts that both sides share stand outside of the markers: each side still has its own digest.
  const { stdout, exitCode } = await retakeIn(project, 'resolve', 'cassettes/refunds');
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(project.read(ONE)).toBe(git('show', `theirs:${ONE}`));
  expect(project.read(`.retake/conflicts/refunds/one.yaml`)).toBe(torn);
  expect(stdout).toContain(
    'Git’s index does not hold both sides, so the files with their markers were copied to .retake/conflicts.',
  );
  expect(stdout).not.toContain('git add');
});

it('takes the sides from the ends of the merge where a line that git joined belongs to one side alone', async () => {
  await using here = await repository();
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2', edit: PROMPT_EDIT('brief') } });
  const { git, project } = here;
  git('add', '--all');
  const torn = project.read(ONE).replace('usage: {"input": 100, ', 'usage: {"input": 101, ');
  project.write(ONE, torn);
  const { stdout, exitCode } = await retakeIn(project, 'resolve', ONE);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(project.read(ONE)).toBe(git('show', `theirs:${ONE}`));
  expect(project.read(`.retake/conflicts/refunds/one.yaml`)).toBe(torn);
});

it('says so where no side is whole, and touches nothing', async () => {
  await using here = await repository();
  const { project } = here;
  const torn = `<<<<<<< ours\n${project.read(ONE)}=======\nelse\n>>>>>>> theirs\n`.replace('A-0', 'A-9');
  project.write(ONE, torn);
  const { stdout, exitCode } = await retakeIn(project, 'resolve');
  expect(exitCode).toBe(3);
  expect(stdout).toContain(`No whole side is to be had:\n  ${ONE}  refunds::one: untouched\n`);
  expect(stdout).toContain('  retake record --filter refunds::one\n');
  expect(project.read(ONE)).toBe(torn);
});

it('says what a name of nothing in conflict is, and that nothing is', async () => {
  await using here = await repository();
  expect((await retakeIn(here.project, 'resolve')).stdout).toBe('✓ Nothing to resolve: no cassette is in conflict.\n');
  await diverge(here, { ours: { stamp: 'A-1' }, theirs: { stamp: 'B-2' } });
  const { stderr, exitCode } = await retakeIn(here.project, 'resolve', 'cassettes/refunds/nothing.yaml');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no cassette is in conflict at cassettes/refunds/nothing.yaml');
  expect(stderr).toContain(`  ${ONE}`);
  expect((await retakeIn(here.project, 'resolve', '--ours', '--theirs')).stderr).toContain(
    '--ours and --theirs are both given',
  );
});

it('wants the suites mended first', async () => {
  await using here = await repository();
  await diverge(here, {
    ours: { stamp: 'A-1', edit: PROMPT_EDIT('brief') },
    theirs: { stamp: 'B-2', edit: PROMPT_EDIT('chatty') },
  });
  const torn = here.project.read(ONE);
  const { stderr, exitCode } = await retakeIn(here.project, 'resolve');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(SUITE);
  expect(here.project.read(ONE)).toBe(torn);
});
