// `retake run` offers to rename the recording of a renamed case instead of recording it again.

import { expect, it } from 'vitest';
import { run } from '../../src/commands/run.ts';
import { renderTerminal } from '../../src/render/terminal.ts';
import { runResultSchema } from '../../src/run/result-schema.ts';
import { type ProjectFolder, refundSuite } from '../helpers/project.ts';
import { CANARIES } from './canaries.ts';
import { recorded, replay, retakeIn, SUITE } from './recorded.ts';

const problemsOf = async (project: ProjectFolder) =>
  (await replay(project)).suites.flatMap(({ cases }) =>
    cases.flatMap((one) => (one.problem ? [[one.case, one.problem.remedy, one.problem.miss?.renamed]] : [])),
  );

it('offers the rename of a case, and the command works', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '    repeat: 2\n' }) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  expect(await problemsOf(project)).toEqual([['deux', 'retake mv refunds::two refunds::deux', 'refunds::two']]);
  const document = await replay(project);
  expect(document.exitCode).toBe(3);
  expect(runResultSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(JSON.parse(JSON.stringify(document)));
  expect((await retakeIn(project, 'mv', 'refunds::two', 'refunds::deux')).exitCode).toBe(0);
  expect((await replay(project)).exitCode).toBe(0);
});

it('tells a renamed suite once, with one command', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, 'name: refunds', 'name: returns');
  const text = renderTerminal(await replay(project), { color: false, verbose: false, width: 120 });
  expect(text).toContain(`? unrecorded  returns › one and 1 more case   take 1, turn 1
    there is no recording of this case, but that of refunds::one answers it: it was renamed
    The same holds for 2 cases of returns.
    retake mv refunds returns
`);
});

it('tells a renamed case apart from a new one', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  const renamed = refundSuite({ one: '', two: '', three: '' }).replace('- name: two\n', '- name: deux\n');
  project.write(SUITE, renamed);
  expect(await problemsOf(project)).toEqual([
    ['deux', 'retake mv refunds::two refunds::deux', 'refunds::two'],
    ['three', `retake record ${SUITE}`, undefined],
  ]);
  const text = renderTerminal(await replay(project), { color: false, verbose: false, width: 120 });
  expect(text).toContain('    retake mv refunds::two refunds::deux\n');
  expect(text).toContain(`    there is no recording of this case\n    retake record ${SUITE}\n`);
});

it('does not offer the recording of a case that a glob left out', async () => {
  const other = refundSuite({ one: '' }).replace('name: refunds', 'name: others');
  using project = await recorded({ [SUITE]: refundSuite({ one: '' }), 'evals/others.eval.yaml': other });
  project.remove('cassettes/others');
  const all = { cwd: project.folder, filter: [], tags: [], failFast: false, resume: false, env: {} };
  const { suites } = await run({ ...all, globs: ['evals/others.eval.yaml'] });
  expect(suites[0]?.cases[0]?.problem?.remedy).toBe('retake record evals/others.eval.yaml');
});

it('passes over an orphan that is damaged', async () => {
  using project = await recorded({ [SUITE]: refundSuite({ one: '', two: '' }) });
  project.edit(SUITE, '- name: two\n', '- name: deux\n');
  project.write('cassettes/refunds/two.yaml', project.read('cassettes/refunds/two.yaml').slice(0, 400));
  expect(await problemsOf(project)).toEqual([['deux', `retake record ${SUITE}`, undefined]]);
});

it('pairs two renamed cases with the same question each with one recording', async () => {
  const same = refundSuite({ one: '', two: '' }).replaceAll(/Refund (one|two)\./g, 'Refund it.');
  using project = await recorded({ [SUITE]: same });
  project.write(SUITE, same.replace('- name: one\n', '- name: eins\n').replace('- name: two\n', '- name: zwei\n'));
  expect((await problemsOf(project)).map(([, remedy]) => remedy)).toEqual([
    'retake mv refunds::one refunds::eins',
    'retake mv refunds::two refunds::zwei',
  ]);
});

it('finds the recording of a question that is redacted', async () => {
  const asking = (name: string) =>
    refundSuite({ [name]: '' }).replace(`Refund ${name}.`, `Refund with ${CANARIES.input}.`);
  using project = await recorded({ [SUITE]: asking('one') });
  expect(project.read('cassettes/refunds/one.yaml')).not.toContain(CANARIES.input);
  project.write(SUITE, asking('eins'));
  expect(await problemsOf(project)).toEqual([['eins', 'retake mv refunds::one refunds::eins', 'refunds::one']]);
  const { stdout } = await retakeIn(project, 'explain', 'refunds::eins');
  expect(stdout).toContain('\n  retake mv refunds::one refunds::eins\n');
  expect(stdout).not.toContain(CANARIES.input);
});
