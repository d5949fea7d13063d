// What `retake prune` lists, what it removes, and what it leaves alone.

import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cassettePath } from '../../src/cassette/paths.ts';
import { openStore } from '../../src/cassette/store.ts';
import { writeCassette } from '../../src/cassette/text.ts';
import { refundSuite } from '../helpers/project.ts';
import { recorded, replay, retakeIn, SUITE } from './recorded.ts';

const FOLDER = 'cassettes/refunds';

it('finds nothing where every recording is used', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '    repeat: 2\n' }) });
  const before = project.contents();
  const { stdout, stderr, exitCode } = await retakeIn(project, 'prune');
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '✓ Nothing to prune.\n2 cassettes in use\n',
    stderr: '',
    exitCode: 0,
  });
  expect((await retakeIn(project, 'prune', '--yes')).stdout).toBe(stdout);
  expect(project.contents('cassettes')).toEqual(
    Object.fromEntries(Object.entries(before).filter(([path]) => path.startsWith('cassettes/'))),
  );
});

it('lists what nothing uses and touches no file', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '', three: '    repeat: 3\n' }) });
  project.write(SUITE, refundSuite({ one: '', three: '' }));
  const version2 = project.read(`${FOLDER}/one.yaml`).replace('retake: 1\n', 'retake: 2\n');
  project.write(`${FOLDER}/future.yaml`, version2);
  project.write(`${FOLDER}/notes.yaml`, 'mine: true\n');
  project.write(`${FOLDER}/README.md`, '# A Retake cassette is explained here\n');
  const before = project.contents();
  const { stdout, stderr, exitCode } = await retakeIn(project, 'prune');
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: `Nothing uses these:
  cassettes/refunds/two.yaml     there is no case refunds::two
  cassettes/refunds/three.yaml   takes 2 to 3: the case asks for 1 take
  cassettes/refunds/future.yaml  format version 2, which this Retake does not read

Remove them with: retake prune --yes

2 cassettes in use · 3 unused · 2 files that Retake did not write, left alone
`,
    stderr: '',
    exitCode: 0,
  });
  expect(project.contents()).toEqual(before);
});

it('removes it with --yes, and what is left replays', async () => {
  using project = await recorded({
    [SUITE]: refundSuite({ one: '', two: '', three: '    repeat: 3\n' }),
    'evals/gone.eval.yaml': refundSuite({ a: '', b: '' }).replace('name: refunds', 'name: gone'),
  });
  project.write(SUITE, refundSuite({ one: '', three: '' }));
  project.remove('evals/gone.eval.yaml');
  project.write(`${FOLDER}/notes.yaml`, 'mine: true\n');
  const one = project.read(`${FOLDER}/one.yaml`);
  const three = project.read(`${FOLDER}/three.yaml`);
  const { stdout, exitCode } = await retakeIn(project, 'prune', '--yes');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Removed, since nothing uses it:\n/);
  expect(stdout).toContain('there is no suite gone (case b)\n');
  expect(stdout).toContain('no cassette in use refers to this prompt\n');
  expect(stdout).toMatch(/\n2 cassettes in use · 5 removed · 1 file that Retake did not write, left alone\n$/);
  expect(project.files('cassettes').filter((file) => !file.includes('/prompts/'))).toEqual(
    ['notes', 'one', 'three'].map((name) => `${FOLDER}/${name}.yaml`),
  );
  expect(existsSync(join(project.folder, 'cassettes/gone'))).toBe(false);
  expect(project.read(`${FOLDER}/one.yaml`)).toBe(one);
  const cut = project.read(`${FOLDER}/three.yaml`);
  expect(cut.split('\ndigest')[0]).toBe(three.split('\n  - recorded').slice(0, 2).join('\n  - recorded'));
  expect((await retakeIn(project, 'prune')).stdout).toContain('✓ Nothing to prune.');
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 6, live: 0, unused: 0 } });
});

it('keeps the recording of a renamed case, and says how to rename it', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, '- name: two\n', "- name: it's two\n");
  const before = project.contents('cassettes');
  const { stdout } = await retakeIn(project, 'prune', '--yes');
  expect(stdout).toBe(`These recordings answer a case of another name. They are kept; rename them with:
  retake mv refunds::two "refunds::it's two"

1 cassette in use · 1 under an old name
`);
  expect(project.contents('cassettes')).toEqual(before);
});

it('offers a renamed suite as one command', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, 'name: refunds', 'name: returns');
  const { stdout } = await retakeIn(project, 'prune', '--yes');
  expect(stdout).toContain('with:\n  retake mv refunds returns\n\n0 cassettes in use · 2 under an old name\n');
  expect(project.files('cassettes')).toHaveLength(3);
});

it('does not take a case for renamed whose conversation has changed since', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, '- name: two\n', '- name: zwei\n');
  project.edit(SUITE, 'total: 20', 'total: 21');
  const { stdout } = await retakeIn(project, 'prune');
  expect(stdout).toContain('cassettes/refunds/two.yaml  there is no case refunds::two\n');
  expect(stdout).not.toContain('retake mv');
});

it('lists the recording of a case that has a script now', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(
    SUITE,
    '    input: Refund two.\n',
    '    input: Refund two.\n    provider: script\n    script: [{text: Hi}]\n',
  );
  expect((await retakeIn(project, 'prune')).stdout).toContain(
    'two.yaml  the case refunds::two has a script and reads no cassette\n',
  );
});

it.each([
  ['cut off', (text: string) => text.slice(0, 300), 'is cut off'],
  ['edited', (text: string) => text.replace('R-1', 'R-2'), 'does not match the digest'],
  ['in conflict', (text: string) => `<<<<<<< ours\n${text}`, 'conflict markers'],
])('removes nothing while a cassette is %s', async (_, damage, message) => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.write(SUITE, refundSuite({ one: '' }));
  project.write(`${FOLDER}/one.yaml`, damage(project.read(`${FOLDER}/one.yaml`)));
  const before = project.contents();
  const { stdout, stderr, exitCode } = await retakeIn(project, 'prune', '--yes');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
  expect(project.contents()).toMatchObject(before);
});

it.each([
  ['a suite is faulty', 'evals/b.eval.yaml', 'name: b\ncases: []\n', 'the suite has no cases'],
  ['a suite is no YAML', 'evals/b.eval.yaml', 'name: [\n', 'evals/b.eval.yaml'],
])('refuses to run where %s', async (_, path, text, message) => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.write(SUITE, refundSuite({ other: '' }));
  project.write(path, text);
  const { stderr, exitCode } = await retakeIn(project, 'prune', '--yes');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(project.files('cassettes')).toHaveLength(2);
});

it('refuses to run where there is no suite', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }) });
  project.remove('evals');
  const { stderr, exitCode } = await retakeIn(project, 'prune', '--yes');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no suites found');
  expect(project.files('cassettes')).toHaveLength(2);
});

it('stops where a recording is under way', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.write(SUITE, refundSuite({ one: '' }));
  const release = openStore(project.folder, 'cassettes').lock('refunds', 'one');
  const { stderr, exitCode } = await retakeIn(project, 'prune', '--yes');
  release();
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is being recorded by process');
  expect(project.files('cassettes')).toHaveLength(3);
  expect((await retakeIn(project, 'prune', '--yes')).exitCode).toBe(0);
  expect(project.files('cassettes')).toHaveLength(2);
});

it.skipIf(process.platform === 'win32')('follows no link out of the folder', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.write('elsewhere/two.yaml', project.read(`${FOLDER}/two.yaml`));
  symlinkSync(join(project.folder, 'elsewhere'), join(project.folder, 'cassettes/linked'));
  symlinkSync(join(project.folder, 'elsewhere/two.yaml'), join(project.folder, `${FOLDER}/link.yaml`));
  expect((await retakeIn(project, 'prune', '--yes')).stdout).toContain('✓ Nothing to prune.');
  expect(project.files('elsewhere')).toEqual(['elsewhere/two.yaml']);
});

it('shows hostile names harmlessly', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.write(SUITE, refundSuite({ one: '' }));
  const store = openStore(project.folder, 'cassettes');
  const hostile = { suite: 'refunds', case: '\u001b[2J\n::error::x', takes: store.read('refunds', 'two')?.takes ?? [] };
  project.write(`cassettes/${cassettePath(hostile.suite, hostile.case)}`, writeCassette(hostile));
  const { stdout } = await retakeIn(project, 'prune');
  expect(stdout).toContain('there is no case refunds::\\x1b[2J\\n::error::x\n');
  expect(stdout).not.toContain('\u001b');
});
