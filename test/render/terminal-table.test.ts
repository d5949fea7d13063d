// The table of cases: widths, columns, marks.

import { describe, expect, it } from 'vitest';
import { renderTerminal, type TerminalOptions } from '../../src/render/terminal.ts';
import type { RunResult } from '../../src/run/result.ts';
import { caseOf, missed, refunded, runOf, take, tally } from './terminal-samples.ts';

const text = (result: RunResult, more: Partial<TerminalOptions> = {}) =>
  renderTerminal(result, { color: false, verbose: false, width: 100, ...more });
const lineOf = (out: string, part: string) => out.split('\n').find((line) => line.includes(part)) ?? '';

describe('the table', () => {
  it('fits any width, dropping cost, time, tokens and turns in that order', () => {
    const names = [
      'short',
      'a name that is much longer than any table can hold, by far, and ends in this',
      '名前が日本語のケース',
    ];
    const result = runOf(names.map((name) => caseOf(name)));
    for (const width of [100, 72, 60, 52, 40, 30]) {
      const table = text(result, { width }).split('\n\n')[0] ?? '';
      for (const line of table.split('\n')) expect(columns(line), `${width}: ${line}`).toBeLessThanOrEqual(width);
    }
    expect(lineOf(text(result, { width: 60 }), 'short')).toMatch(/short +2 +898 → 70 +2\.0 s$/);
    expect(lineOf(text(result, { width: 52 }), 'short')).toMatch(/short +2 +898 → 70$/);
    expect(lineOf(text(result, { width: 40 }), 'short')).toMatch(/short +2$/);
    expect(lineOf(text(result, { width: 30 }), 'short')).toMatch(/short$/);
  });

  it('cuts a long name in the middle and lines up what follows', () => {
    const out = text(runOf([caseOf(`start${'x'.repeat(300)}end`), caseOf('short')]));
    const long = lineOf(out, 'start');
    expect(long).toMatch(/startx+…x+end {2,}/);
    expect(long.indexOf('898')).toBe(lineOf(out, 'short').indexOf('898'));
  });

  it('tells outcomes apart without colour', () => {
    const out = text(
      runOf([
        caseOf('a'),
        refunded('b'),
        missed('c', 'no recording', undefined),
        caseOf('d', 'errored', { takes: [], problem: { message: 'the provider is down' } }),
        caseOf('e', 'skipped', { takes: [] }),
      ]),
    );
    expect(
      out
        .split('\n')
        .slice(1, 6)
        .map((line) => line.slice(2, 18).trimEnd()),
    ).toEqual(['✓ passed      a', '✗ failed      b', '? unrecorded  c', '! errored     d', '- skipped     e']);
  });

  it('says unknown and ≥ instead of guessing', () => {
    const of = (more: Parameters<typeof tally>[1]) => ({ tally: tally(2, more) });
    const result = runOf([
      caseOf('priced', 'passed', of({ costUsd: 0.0042 })),
      caseOf('tiny', 'passed', of({ costUsd: 0.00001 })),
      caseOf('partly', 'passed', of({ turnsWithoutUsage: 1 })),
      caseOf('nothing', 'passed', of({ turnsWithoutUsage: 2 })),
      caseOf('scripted', 'passed', of({ scripted: 2, served: 0, turnsWithoutUsage: 2, latencyMs: 0 })),
    ]);
    const out = text(result);
    const cells = (name: string) => lineOf(out, ` ${name} `).split(name)[1]?.trim().split(/ {2,}/);
    expect(cells('priced')).toEqual(['2', '898 → 70', '$0.0042', '2.0 s']);
    expect(cells('tiny')).toEqual(['2', '898 → 70', '<$0.0001', '2.0 s']);
    expect(cells('partly')).toEqual(['2', '≥ 898 → 70', 'unknown', '2.0 s']);
    expect(cells('nothing')).toEqual(['2', 'unknown', 'unknown', '2.0 s']);
    expect(cells('scripted')).toEqual(['2', '–', '–', '–']);
    expect(lineOf(out, '≥ 3,')).toContain('tokens   ≥ 3,592 → 280   cost ≥ $0.0042');
  });

  it('says how many takes passed', () => {
    const takes = [1, 2, 3].map((number) => take({ take: number, outcome: number === 2 ? 'failed' : 'passed' }));
    expect(text(runOf([caseOf('repeated', 'passed', { takes })]))).toContain('repeated  2/3 takes');
  });
});

/** Columns of a line whose wide characters are CJK only. */
function columns(line: string): number {
  return [...line].reduce((width, char) => width + (/[\u3000-\u9fff]/.test(char) ? 2 : 1), 0);
}
