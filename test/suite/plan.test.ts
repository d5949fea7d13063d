// Selecting cases by name and tag.

import { expect, test } from 'vitest';
import { selectCases } from '../../src/suite/plan.ts';
import { load } from './project.ts';

function selected(filter: string[], tags: string[] = []): string[] {
  const { suites } = load({
    'a.eval.yaml':
      'name: refunds\ntags: [money]\nmodel: openai/m\ncases: [{name: over limit, input: x, tags: [slow]}, {name: a.b, input: x}]',
    'b.eval.yaml':
      'name: greetings\nmodel: openai/m\ncases: [{name: over limit, input: x}, {name: hi, input: x, tags: [slow, safe]}]',
  });
  return selectCases(suites, { filter, tags }).flatMap(({ cases }) =>
    cases.map(({ suite, name }) => `${suite}::${name}`),
  );
}

test.each<[string[], string[], string[]]>([
  [[], [], ['greetings::over limit', 'greetings::hi', 'refunds::over limit', 'refunds::a.b']],
  [['refunds::over limit'], [], ['refunds::over limit']],
  [['over limit'], [], ['greetings::over limit', 'refunds::over limit']],
  [['refunds'], [], ['refunds::over limit', 'refunds::a.b']],
  [['over'], [], []],
  [['over*'], [], ['greetings::over limit', 'refunds::over limit']],
  [['*::*i'], [], ['greetings::hi']],
  [['g*::*m*t'], [], ['greetings::over limit']],
  [['Refunds'], [], []],
  [['a?b', 'a.b'], [], ['refunds::a.b']],
  [['*'], ['slow'], ['greetings::hi', 'refunds::over limit']],
  [[], ['money', 'safe'], ['greetings::hi', 'refunds::over limit', 'refunds::a.b']],
  [['hi'], ['money'], []],
  [['hi*hi', ''], [], []],
])('filter %j, tags %j', (filter, tags, names) => {
  expect(selected(filter, tags)).toEqual(names);
});
