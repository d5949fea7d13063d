// How long a provider asks to wait, in every way providers say it.

import { expect, test } from 'vitest';
import { askedWaitMs, isOutOfCredit } from '../../src/responder/waits.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

const answer = (status: number, headers: Record<string, string>, body: unknown = '') => ({
  ok: true as const,
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
  latencyMs: 1,
});

const retryInfo = (retryDelay: unknown) => ({
  error: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  },
});

test.each<[string, Record<string, string>, unknown, number | undefined]>([
  ['nothing', {}, '', undefined],
  ['seconds', { 'retry-after': '2' }, '', 2000],
  ['a fraction of a second', { 'retry-after': '0.25' }, '', 250],
  ['no seconds', { 'retry-after': '0' }, '', 0],
  ['a date', { 'retry-after': 'Mon, 30 Nov 2026 12:00:07 GMT' }, '', 7000],
  ['a date that is past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, '', 0],
  ['neither seconds nor a date', { 'retry-after': 'soon' }, '', undefined],
  ['milliseconds, which are more exact', { 'retry-after-ms': '1250', 'retry-after': '2' }, '', 1250],
  ['milliseconds that are none', { 'retry-after-ms': 'x', 'retry-after': '2' }, '', 2000],
  ['requests as a duration', { 'x-ratelimit-reset-requests': '1m2.5s' }, '', 62_500],
  ['tokens in milliseconds', { 'x-ratelimit-reset-tokens': '6ms' }, '', 6],
  ['hours and days', { 'x-ratelimit-reset-tokens': '1d2h0m3s' }, '', 93_603_000],
  ['the longer of both', { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '3s' }, '', 3000],
  [
    'the one that is used up',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-tokens': '90',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    '',
    1000,
  ],
  [
    'the shortest where none is used up',
    {
      'x-ratelimit-remaining-requests': '5',
      'x-ratelimit-reset-requests': '9s',
      'x-ratelimit-remaining-tokens': '9',
      'x-ratelimit-reset-tokens': '4s',
    },
    '',
    4000,
  ],
  ['a moment of RFC 3339', { 'anthropic-ratelimit-requests-reset': '2026-11-30T12:00:30Z' }, '', 30_000],
  [
    'moments, of which the used up counts',
    {
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-11-30T12:01:00Z',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-30T12:00:11Z',
    },
    '',
    11_000,
  ],
  ['a reset that is neither', { 'x-ratelimit-reset-requests': 'later' }, '', undefined],
  ['a delay among the details', {}, retryInfo('34.074824224s'), 34_075],
  ['a delay in a list', {}, [retryInfo('2s')], 2000],
  ['a delay that is none', {}, retryInfo(5), undefined],
  ['details that are none', {}, { error: { details: 'x' } }, undefined],
  ['seconds before all else', { 'retry-after': '1', 'x-ratelimit-reset-requests': '9s' }, retryInfo('8s'), 1000],
])('429 with %s', (_what, headers, body, wait) => {
  expect(askedWaitMs(answer(429, headers, body), NOW)).toBe(wait);
});

test('what is no limit says nothing of limits', () => {
  expect(askedWaitMs(answer(500, { 'x-ratelimit-reset-requests': '9s' }, retryInfo('8s')), NOW)).toBeUndefined();
  expect(askedWaitMs(answer(503, { 'retry-after': '3' }), NOW)).toBe(3000);
  expect(askedWaitMs({ ok: false, reason: 'transport', message: 'x' }, NOW)).toBeUndefined();
});

test.each([
  [true, 429, { error: { code: 'insufficient_quota' } }],
  [true, 429, { error: { type: 'insufficient_quota' } }],
  [false, 429, { error: { code: 'rate_limit_exceeded' } }],
  [false, 429, 'slow down'],
  [false, 400, { error: { code: 'insufficient_quota' } }],
])('out of credit is %s for %i with %j', (out, status, body) => {
  expect(isOutOfCredit(answer(status, {}, body))).toBe(out);
});
