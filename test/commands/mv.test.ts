// What `retake mv` renames, what it refuses, and that it goes on where it was interrupted.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../src/cassette/store.ts';
import { refundSuite } from '../helpers/project.ts';
import { recorded, replay, retakeIn, SUITE } from './recorded.ts';

const CASES = { one: '', two: '    repeat: 2\n' };

/** A text with its names changed, digest aside. */
function withNames(text: string, suite: string, name: string): string {
  return text
    .replace(/\nsuite: .*/, `\nsuite: "${suite}"`)
    .replace(/\ncase: .*/, `\ncase: "${name}"`)
    .replace(/\ndigest: .*\n$/, '');
}

it('renames a case, keeps all else of its cassette, and the case replays', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  const before = project.contents('cassettes');
  const suite = project.read(SUITE);
  const { stdout, stderr, exitCode } = await retakeIn(project, 'mv', 'refunds::two', 'refunds::deux');
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: 'cassettes/refunds/two.yaml → cassettes/refunds/deux.yaml\n✓ 1 cassette renamed\n',
    stderr: '',
    exitCode: 0,
  });
  const { 'cassettes/refunds/two.yaml': old = '', ...others } = before;
  const { 'cassettes/refunds/deux.yaml': now = '', ...rest } = project.contents('cassettes');
  expect(rest).toEqual(others);
  expect(now.replace(/\ndigest: .*\n$/, '')).toBe(withNames(old, 'refunds', 'deux'));
  expect(project.read(SUITE)).toBe(suite);
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 9, unused: 0 } });
});

it('renames a suite with its prompts, and leaves no folder', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, 'name: refunds', 'name: returns');
  const before = project.contents('cassettes/refunds/prompts');
  const { stdout } = await retakeIn(project, 'mv', 'refunds', 'returns');
  expect(stdout).toContain('cassettes/refunds/two.yaml → cassettes/returns/two.yaml\n✓ 2 cassettes renamed\n');
  expect(existsSync(join(project.folder, 'cassettes/refunds'))).toBe(false);
  expect(Object.values(project.contents('cassettes/returns/prompts'))).toEqual(Object.values(before));
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 9, unused: 0 } });
  expect((await retakeIn(project, 'prune')).stdout).toBe('✓ Nothing to prune.\n2 cassettes in use\n');
});

it('moves a case to another suite, and leaves the prompt that others still need', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.write(SUITE, refundSuite({ one: '' }));
  project.write('evals/b.eval.yaml', refundSuite({ two: '    repeat: 2\n' }).replace('name: refunds', 'name: b'));
  expect((await retakeIn(project, 'mv', 'refunds::two', 'b::two')).exitCode).toBe(0);
  expect(project.files('cassettes').map((file) => file.replace(/[0-9a-f]{16}/, 'digest'))).toEqual([
    'cassettes/b/prompts/digest.yaml',
    'cassettes/b/two.yaml',
    'cassettes/refunds/one.yaml',
    'cassettes/refunds/prompts/digest.yaml',
  ]);
  expect(await replay(project)).toMatchObject({ exitCode: 0, tally: { served: 9 } });
});

it('takes the commands that prune prints', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, '- name: one\n', '- name: eins\n');
  const { stdout } = await retakeIn(project, 'prune');
  const [, words = ''] = /\n {2}retake (mv .*)\n/.exec(stdout) ?? [];
  expect((await retakeIn(project, ...words.split(' '))).exitCode).toBe(0);
  expect((await replay(project)).exitCode).toBe(0);
});

it('goes on where an interrupted rename had written the new and not removed the old', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, 'name: refunds', 'name: returns');
  const before = project.contents('cassettes');
  await retakeIn(project, 'mv', 'refunds', 'returns');
  const after = project.contents('cassettes');
  for (const [path, text] of Object.entries(before)) project.write(path, text);
  expect((await retakeIn(project, 'mv', 'refunds', 'returns')).exitCode).toBe(0);
  expect(project.contents('cassettes')).toEqual(after);
  project.write('cassettes/refunds/two.yaml', before['cassettes/refunds/two.yaml'] ?? '');
  for (const [path, text] of Object.entries(before)) if (path.includes('/prompts/')) project.write(path, text);
  expect((await retakeIn(project, 'mv', 'refunds', 'returns')).exitCode).toBe(0);
  expect(project.contents('cassettes')).toEqual(after);
  const { stderr, exitCode } = await retakeIn(project, 'mv', 'refunds', 'returns');
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'error  there is no recording of refunds, and there is one of returns\n  If it was renamed before, nothing is left to do but `retake prune`.\n',
  );
});

it('never overwrites another recording, and writes nothing then', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ ...CASES, three: '' }) });
  project.write(SUITE, refundSuite({ one: '', three: '' }));
  const before = project.contents();
  const { stderr, exitCode } = await retakeIn(project, 'mv', 'refunds::two', 'refunds::three');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cassettes/refunds/three.yaml  refunds::three has another recording, which would be lost\n');
  expect(project.contents()).toMatchObject(before);
});

it.each([
  [['refunds::two', 'refunds::deus'], 'there is no case `refunds::deus`, did you mean `refunds::deux`?'],
  [['refunds::twoo', 'refunds::deux'], 'there is no recording of `refunds::twoo`, did you mean `refunds::two`?'],
  [['refunds::one', 'refunds::deux'], 'refunds::one is still a case of the project'],
  [['refunds', 'refunds'], 'refunds is still a suite of the project'],
  [['old', 'refundz'], 'the project has no suite `refundz`, did you mean `refunds`?'],
  [['refunds::two', 'refunds'], 'one of refunds::two and refunds names a case, the other a suite'],
  [['refunds::two', 'refunds::scripted'], 'the case refunds::scripted has a script and reads no cassette'],
  [['refunds::two', ' '], 'new is given an empty value'],
  [['refunds::two'], "missing required argument 'new'"],
])('refuses %j', async (names, message) => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  const script = '    provider: script\n    script: [{text: Hi}]\n';
  project.write(SUITE, refundSuite({ one: '', deux: '', scripted: script }));
  const before = project.contents();
  const { stdout, stderr, exitCode } = await retakeIn(project, 'mv', ...names);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
  expect(project.contents()).toEqual(before);
});

it('stops at a damaged cassette beside the old one', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  project.write('cassettes/refunds/one.yaml', project.read('cassettes/refunds/one.yaml').slice(0, 400));
  const before = project.contents();
  const { stderr, exitCode } = await retakeIn(project, 'mv', 'refunds::two', 'refunds::deux');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is cut off');
  expect(project.contents()).toEqual(before);
});

it('stops where the new name is being recorded', async () => {
  using project = await recorded({ [SUITE]: refundSuite(CASES) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  const release = openStore(project.folder, 'cassettes').lock('refunds', 'deux');
  const { stderr } = await retakeIn(project, 'mv', 'refunds::two', 'refunds::deux');
  release();
  expect(stderr).toContain('is being recorded by process');
  expect(project.files('cassettes')).toContain('cassettes/refunds/two.yaml');
});
