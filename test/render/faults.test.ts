// Faults as the user reads them.

import { describe, expect, it } from 'vitest';
import { type Fault, UserError, userError } from '../../src/errors.ts';
import { renderFaults } from '../../src/render/faults.ts';
import { HARMFUL } from './terminal-samples.ts';

const PLAIN = { color: false, width: 80 };
const text = (...faults: Fault[]) => renderFaults(new UserError(faults), PLAIN);

describe('renderFaults', () => {
  it('says what, where and how to mend it, with a caret under the place', () => {
    const fault = text({
      code: 'suite_invalid',
      message: 'unknown expectation calls_tol',
      place: { file: 'evals/a.eval.yaml', line: 12, column: 9 },
      source: '      - calls_tol: lookup_order',
      remedy: 'Did you mean calls_tool?',
    });
    expect(fault).toBe(`evals/a.eval.yaml:12:9  unknown expectation calls_tol
    12 │       - calls_tol: lookup_order
       │         ^
  Did you mean calls_tool?
`);
  });

  it('groups by file, sorts by place and counts', () => {
    const at = (file: string, line: number, message: string): Fault => ({
      code: 'suite_invalid',
      message,
      place: { file, line },
    });
    expect(text(at('b.eval.yaml', 1, 'third'), at('a.eval.yaml', 10, 'second'), at('a.eval.yaml', 9, 'first'))).toBe(
      'a.eval.yaml:9  first\n\na.eval.yaml:10  second\n\nb.eval.yaml:1  third\n\n3 errors in 2 files\n',
    );
  });

  it('prints a mistake that has no place', () => {
    const error = userError('no_suites', 'no suites match evals/*.yaml', { remedy: 'Name a file that exists.' });
    expect(renderFaults(error, PLAIN)).toBe('error  no suites match evals/*.yaml\n  Name a file that exists.\n');
  });

  it('shows only the neighbourhood of the place in a line of a megabyte', () => {
    const source = `${'x'.repeat(500_000)}HERE${'y'.repeat(500_000)}`;
    const out = text({
      code: 'suite_invalid',
      message: 'bad',
      place: { file: 'cases.jsonl', line: 3, column: 500_001 },
      source,
    });
    const [, line = '', caret = ''] = out.split('\n');
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line.slice(caret.indexOf('^'), caret.indexOf('^') + 4)).toBe('HERE');
  });

  it('keeps the caret in place after tabs and wide characters', () => {
    const out = text({
      code: 'suite_invalid',
      message: 'bad',
      place: { file: 'a.eval.yaml', line: 1, column: 7 },
      source: '\t名前: !x',
    });
    // Two wide characters take four columns: the caret is two columns further than the place.
    expect(out.split('\n')[2]).toBe(`       │ ${' '.repeat(8)}^`);
  });

  it('lets nothing from a file act on the terminal or the workflow log', () => {
    const out = text({
      code: 'suite_invalid',
      message: '::error::forged\n::set-output name=x::y \u001b[2J \u202e',
      place: { file: 'evil\u001b]0;.yaml', line: 1, column: 1 },
      source: '\u001b[31mred ##[error]x',
    });
    expect(out).not.toMatch(HARMFUL);
    expect(out).not.toMatch(/^\s*::/m);
    expect(out).not.toContain('##[');
    expect(out).toContain('\\x1b[2J');
  });

  it('stops after a hundred and says how many more there are', () => {
    const many = Array.from({ length: 250 }, (_, at): Fault => ({ code: 'suite_invalid', message: `fault ${at}` }));
    const out = text(...many);
    expect(out).toContain('fault 99\n');
    expect(out).not.toContain('fault 100');
    expect(out).toContain('… and 150 more errors\n\n250 errors\n');
  });

  it('colours only when asked to', () => {
    const error = userError('bad_argument', 'no');
    expect(renderFaults(error, { color: true, width: 80 })).toContain('\u001b[31m');
    expect(renderFaults(error, PLAIN)).not.toContain('\u001b');
  });
});
