// Text of models and files in a report: harmless, and coloured only by us.

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderTerminal, type TerminalOptions } from '../../src/render/terminal.ts';
import type { RunResult } from '../../src/run/result.ts';
import {
  call,
  caseOf,
  DESCRIPTION_MISS,
  HARMFUL,
  missed,
  refunded,
  runOf,
  score,
  take,
  turn,
} from './terminal-samples.ts';

const text = (result: RunResult, more: Partial<TerminalOptions> = {}) =>
  renderTerminal(result, { color: false, verbose: false, width: 100, ...more });

describe('hostile text', () => {
  const evil =
    '\u001b[2J\u001b]0;owned\u0007 \u202egnp.exe\u2066 \r\n::error::forged\n  ::stop-commands::x\n##[error]y \u0085 \u{e0041}';

  it('neither moves the cursor nor speaks to the workflow log, anywhere', () => {
    const trajectory = {
      input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: evil }] }],
      turns: [turn([{ type: 'text', text: evil }, { type: 'reasoning', text: evil }, call(evil, { [evil]: evil })])],
      stopped: 'end_turn' as const,
      detail: evil,
    };
    const scores = [score(`${evil}: x`, 3, evil, 1)];
    const result = runOf(
      [
        caseOf(evil, 'failed', {
          suite: evil,
          path: evil,
          takes: [take({ outcome: 'failed', trajectory, scores })],
          problem: { message: evil, remedy: evil },
        }),
        missed(evil, evil, { ...DESCRIPTION_MISS, difference: { path: evil, recorded: evil, now: evil } }),
        caseOf('x', 'passed', { suite: '::add-mask::x' }),
      ],
      { notes: [evil] },
    );
    const out = text(result, { verbose: true });
    expect(out).not.toMatch(HARMFUL);
    expect(out).not.toMatch(/^\s*::/m);
    expect(out).not.toContain('##[');
    expect(out).toContain('\\x1b[2J');
  });

  it('survives half a surrogate pair', () => {
    expect(text(runOf([caseOf('half \ud83d pair')]))).toContain('half \\ud83d pair');
  });
});

describe('colour', () => {
  it('changes nothing but colour', () => {
    const result = runOf([caseOf('a'), refunded(), missed('c', 'tools differ', DESCRIPTION_MISS)]);
    const colored = text(result, { color: true, verbose: true });
    expect(colored).toContain('\u001b[32m✓ passed\u001b[39m');
    expect(stripVTControlCharacters(colored)).toBe(text(result, { verbose: true }));
  });
});
