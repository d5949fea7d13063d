// The user's mistakes in the job summary.

import { expect, it } from 'vitest';
import { UserError, userError } from '../../src/errors.ts';
import { renderFaultSummary } from '../../src/render/fault-summary.ts';

it('tells what, where and how to mend it', () => {
  const place = { file: 'evals/a.eval.yaml', line: 3, column: 5 };
  const error = userError('suite_invalid', 'unknown key `imput`', {
    place,
    source: '    imput: x',
    remedy: 'Did you mean `input`?',
  });
  expect(renderFaultSummary(error)).toBe(
    [
      '## ❌ Nothing was run: 1 mistake to mend',
      '',
      '- **Invalid suite** `evals/a.eval.yaml:3`: unknown key `imput`',
      '  - `imput: x`',
      '  - Did you mean `input`?',
      '',
    ].join('\n'),
  );
});

it('tells the first hundred and counts the rest', () => {
  const faults = Array.from({ length: 130 }, (_, at) => ({ code: 'suite_invalid' as const, message: `fault ${at}` }));
  const text = renderFaultSummary(new UserError(faults));
  expect(text).toContain('fault 99\n');
  expect(text).not.toContain('fault 100');
  expect(text).toContain('- and 30 more mistakes\n');
});

it('does nothing of what a suite says', () => {
  const evil = '<img src=x> @octocat\n# title';
  const text = renderFaultSummary(
    userError('suite_invalid', evil, { source: evil, remedy: evil, place: { file: evil } }),
  );
  expect(text.replace(/`[^`\n]*`/g, '')).not.toMatch(/<img|@octocat|^# /m);
});
