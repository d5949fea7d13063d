// What is done with a drift branch and its pull request, situation by situation.

import { expect, test } from 'vitest';
import { readTrailers, writeTrailers } from '../../src/commands/drift-trailers.ts';
import { type Proposed, type Standing, type Step, stepFor } from '../../src/commands/propose-plan.ts';

const DRIFT: Proposed = { isEmpty: false, digest: 'd1', inputs: 'i1' };
const NOTHING: Proposed = { isEmpty: true, digest: 'd0', inputs: 'i0' };
const ABSENT: Standing = { foreign: [], mayOverwrite: false };
const OURS: Standing = { ...ABSENT, head: 'aaa', digest: 'd1', inputs: 'i1' };
const OPEN: Standing = { ...OURS, open: { number: 7, hasConflict: false } };

test.each<[string, Proposed, Standing, Step]>([
  ['no drift, nothing there', NOTHING, ABSENT, 'none'],
  ['drift, nothing there', DRIFT, ABSENT, 'open'],
  ['the same drift again', DRIFT, OPEN, 'keep'],
  ['other drift', { ...DRIFT, digest: 'd2' }, OPEN, 'update'],
  ['the base changed what it stands on', { ...DRIFT, inputs: 'i2' }, OPEN, 'update'],
  ['GitHub reports a conflict', DRIFT, { ...OPEN, open: { number: 7, hasConflict: true } }, 'update'],
  ['a commit by somebody else, same drift', DRIFT, { ...OPEN, foreign: ['bbb'] }, 'stop'],
  ['a commit by somebody else, other drift', { ...DRIFT, digest: 'd2' }, { ...OPEN, foreign: ['bbb'] }, 'stop'],
  ['a commit by somebody else, allowed to go', DRIFT, { ...OPEN, foreign: ['bbb'], mayOverwrite: true }, 'update'],
  ['drift gone', NOTHING, OPEN, 'close'],
  ['drift gone, somebody worked on it', NOTHING, { ...OPEN, foreign: ['bbb'] }, 'stop'],
  ['drift gone, closed by hand, branch left', NOTHING, OURS, 'tidy'],
  ['drift gone, closed by hand, branch with work of others', NOTHING, { ...OURS, foreign: ['bbb'] }, 'none'],
  ['killed between branch and pull request', DRIFT, OURS, 'reopen'],
  ['killed between them, other drift now', { ...DRIFT, digest: 'd2' }, OURS, 'open'],
  [
    'branch deleted by hand, pull request closed by that',
    DRIFT,
    { ...ABSENT, closed: { headSha: 'aaa', isMerged: false } },
    'open',
  ],
  ['merged, branch still there', DRIFT, { ...OURS, closed: { headSha: 'aaa', isMerged: true } }, 'open'],
  [
    'merged with work of others, branch still there',
    DRIFT,
    { ...OURS, foreign: ['bbb'], closed: { headSha: 'aaa', isMerged: true } },
    'open',
  ],
  [
    'merged, then somebody went on there',
    DRIFT,
    { ...OURS, head: 'ccc', foreign: ['ccc'], closed: { headSha: 'aaa', isMerged: true } },
    'stop',
  ],
  ['branch deleted, pull request open', DRIFT, { ...ABSENT, open: { number: 7, hasConflict: false } }, 'update'],
])('%s', (_, proposed, standing, step) => {
  expect(stepFor(proposed, standing)).toBe(step);
});

test('trailers come back from a commit message, and from nowhere else', () => {
  const cases = [
    { suite: 'refund', case: 'b', signature: 'b'.repeat(64) },
    { suite: 'refund', case: 'a [skip ci]', signature: 'a'.repeat(64) },
  ];
  const text = writeTrailers({ digest: 'd'.repeat(64), inputs: '1'.repeat(64), cases });
  expect(text).not.toContain('skip');
  const read = readTrailers(`Retake refund\n\nRetake-Drift: 666\n\n${text}\n`);
  expect(read).toMatchObject({ digest: 'd'.repeat(64), inputs: '1'.repeat(64) });
  expect([...(read?.cases.values() ?? [])].sort()).toEqual(['a'.repeat(16), 'b'.repeat(16)]);
  expect(readTrailers('Retake-Drift: 666\n\nSigned off')).toBeUndefined();
  expect(readTrailers('')).toBeUndefined();
});
