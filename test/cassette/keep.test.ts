// A re-record keeps what the model said again, and only that.

import { expect, test } from 'vitest';
import type { Interaction, Take } from '../../src/cassette/cassette.ts';
import { keepUnchanged } from '../../src/cassette/keep.ts';
import type { AssistantBlock } from '../../src/request/request.ts';

function interaction(fingerprint: string, latencyMs: number, ...content: AssistantBlock[]): Interaction {
  const usage = { inputTokens: latencyMs, outputTokens: 1 };
  return { fingerprint, messages: [], response: { content, stop: 'end_turn', latencyMs, usage, servedModel: 'm-1' } };
}
const text = (words: string): AssistantBlock => ({ type: 'text', text: words });

const OLD: Take = {
  recorded: '2026-01-01',
  interactions: [interaction('a', 1, text('one')), interaction('b', 2, text('two'), { type: 'opaque', data: 'old' })],
};
const fresh = (...interactions: Interaction[]): Take => ({ recorded: '2026-02-02', interactions });

test('the same answers: the old take stands, date and all', () => {
  const same = fresh(
    interaction('a', 7, text('one')),
    interaction('b', 8, text('two'), { type: 'opaque', data: 'new' }),
  );
  expect(keepUnchanged(same, OLD)).toBe(OLD);
});

test('one other answer: the others keep their tokens and latency', () => {
  const kept = keepUnchanged(fresh(interaction('a', 7, text('one')), interaction('b', 8, text('2'))), OLD);
  expect(kept.recorded).toBe('2026-02-02');
  expect(kept.interactions.map(({ response }) => response.latencyMs)).toEqual([1, 8]);
});

test.each<[string, Interaction]>([
  ['another request', interaction('c', 7, text('one'))],
  ['other words', interaction('a', 7, text('One'))],
  [
    'another served model',
    {
      ...interaction('a', 7, text('one')),
      response: { ...interaction('a', 7, text('one')).response, servedModel: 'm-2' },
    },
  ],
  [
    'another stop',
    {
      ...interaction('a', 7, text('one')),
      response: { ...interaction('a', 7, text('one')).response, stop: 'max_tokens' },
    },
  ],
])('%s is new', (_what, changed) => {
  expect(keepUnchanged(fresh(changed), OLD).interactions[0]).toBe(changed);
});

test('a shorter conversation is another take, though all of it was said before', () => {
  const shorter = keepUnchanged(fresh(interaction('a', 7, text('one'))), OLD);
  expect(shorter).toEqual({ recorded: '2026-02-02', interactions: [OLD.interactions[0]] });
});
