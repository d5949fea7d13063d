// What counts as a credential, what does not, and what becomes of it in a conversation.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { answerRedactor, redactor, unredacted } from '../../src/request/redact.ts';
import type { ChatRequest, Json, Message } from '../../src/request/request.ts';
import { findShapes } from '../../src/request/shapes.ts';

const letters = 'Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fL';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`;

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const tool = (result: Json): Message => ({ role: 'tool', name: 't', callId: 'call_0', result });
const asks = (request: Partial<ChatRequest>): ChatRequest => ({
  kind: 'chat',
  provider: 'openai',
  model: 'm',
  messages: [],
  ...request,
});
const redacted = (text: string, patterns?: string[]) => redactor(patterns).request(asks({ system: text })).system;

describe('a credential', () => {
  test.each([
    ['anthropic-key', `sk-ant-api03-${letters}`],
    ['openai-key', `sk-${letters}`],
    ['openai-key', `sk-proj-${letters}_-${letters}`],
    ['google-key', `AIza${letters}abc`],
    ['aws-key', 'AKIAIOSFODNN7EXAMPLE'],
    ['aws-key', 'ASIAIOSFODNN7EXAMPLE'],
    ['github-token', `ghp_${letters}`],
    ['github-token', `github_pat_${letters}`],
    ['slack-token', 'xoxb-123456789012-abcdef'],
    ['stripe-key', `sk_live_${letters}`],
    ['stripe-key', `rk_live_${letters}`],
    ['npm-token', `npm_${letters}abcd`],
    ['pypi-token', `pypi-AgEIcHlwaS5vcmc${letters}`],
    ['huggingface-token', `hf_${letters}`],
    ['xai-key', `xai-${letters}`],
    ['groq-key', `gsk_${letters}`],
    ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${letters}`],
    ['private-key', PEM],
    ['private-key', PEM.replaceAll('\n', '\\n')],
  ])('%s %s', (id, secret) => {
    const word = `[redacted:${id}-1]`;
    expect(redacted(secret)).toBe(word);
    for (const [before, after] of [
      ['key=', ' and more'],
      ['"', '"'],
      ['{"a":"\\n', '\\n"}'],
      ['(', ').'],
      ['ключ:', '…'],
    ] as const) {
      expect(redacted(before + secret + after)).toBe(before + word + after);
    }
    expect(JSON.stringify(redacted(JSON.stringify({ a: secret })))).not.toContain(secret.slice(-20));
  });

  it('is the token or password alone where the rest says what it is', () => {
    expect(redacted('Authorization: Bearer abc123.def456-ghi789')).toBe(
      'Authorization: Bearer [redacted:bearer-token-1]',
    );
    expect(redacted('https://me:p%40ss:w0rd@example.com/x')).toBe('https://me:[redacted:url-password-1]@example.com/x');
  });

  it('cut off in the middle of a private key is one too', () => {
    const head = '-----BEGIN PRIVATE KEY-----';
    expect(redacted(`${head}\n${letters}\n${letters}\nNot part of it`)).toBe('[redacted:private-key-1]Not part of it');
    expect(redacted(`${head} is how a key begins`)).toBe(`${head} is how a key begins`);
  });

  test.each([
    'a risk-assessment-and-mitigation-plan-2026',
    'sk-learn-based-pipelines-for-everyone',
    'task-1234567890123456789012345',
    'http://localhost:8080/a@b',
    'mail me@example.com: now',
    'the bearer of-this-long-letter-may-pass',
    'npm_config_registry, npm_lifecycle_script',
    'xai-grok-4-fast-reasoning-2026-01-01',
    'BANKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9',
  ])('is not %s', (text) => {
    expect(redacted(text)).toBe(text);
  });
});

test('patterns of the project find theirs, and a word is never taken for a secret', () => {
  expect(redacted('ACME-12345678, ACME-87654321, ACME-12345678', ['ACME-[0-9]{8}'])).toBe(
    '[redacted:project-1], [redacted:project-2], [redacted:project-1]',
  );
  expect(redacted(`x sk-${letters} y`, ['[a-z]+', `sk-${letters} y`])).not.toContain(letters.slice(0, 8));
  expect(redacted('[redacted:project-1] stays', ['redacted', 'project'])).toBe('[redacted:project-1] stays');
});

describe('a conversation', () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => `sk-proj-${digit}${letters}`) as [string, string, string];

  it('numbers secrets by first appearance, and gives each the same word throughout', () => {
    const redact = redactor();
    const request = redact.request(asks({ system: one, params: { p: [two] }, messages: [user(`${two} ${one}`)] }));
    expect(request).toMatchObject({ system: '[redacted:openai-key-1]', params: { p: ['[redacted:openai-key-2]'] } });
    expect(request.messages).toEqual([user('[redacted:openai-key-2] [redacted:openai-key-1]')]);
    // What only the model says takes no number: a replay would not know of it.
    expect(answerRedactor(request)(`${one} ${three}`)).toBe('[redacted:openai-key-1] [redacted:openai-key-of-model-1]');
    expect(redact.message(tool({ [one]: [three] }))).toEqual(tool({ [one]: ['[redacted:openai-key-3]'] }));
  });

  it('gives the wire the real text', () => {
    const redact = redactor();
    const real = asks({ system: one, tools: [{ name: 't', description: two }], messages: [user(three)] });
    const request = redact.request(real);
    const result = tool({ a: three });
    request.messages.push(redact.message(result));
    expect(unredacted(request)).toEqual({ ...real, messages: [...real.messages, result] });
    expect(JSON.stringify(request)).not.toContain(letters);
  });

  it('without secrets keeps every object, and appends to no array of the suite', () => {
    const real = asks({ system: 's', tools: [{ name: 't' }], params: { a: 1 }, messages: [user('Hi')] });
    const redact = redactor();
    const request = redact.request(real);
    expect(request.tools).toBe(real.tools);
    expect(request.params).toBe(real.params);
    expect(request.messages[0]).toBe(real.messages[0]);
    expect(request.messages).not.toBe(real.messages);
    const message = tool({ a: [1, 'x'] });
    expect(redact.message(message)).toBe(message);
  });
});

test('redacting twice is redacting once', () => {
  const part = fc.constantFrom(
    'sk-',
    'a1',
    letters,
    ' ',
    '-',
    '.',
    'eyJ',
    '://',
    'u:p',
    '@',
    'Bearer ',
    '[redacted:',
    ']',
    PEM,
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = redacted(parts.join('')) ?? '';
      expect(redacted(once)).toBe(once);
      expect(findShapes(once.replace(/\[redacted:[^\]\s]+\]/g, '\n'))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  'sk-',
  'sk-ant-',
  'eyJ',
  'eyJaaaaaaaaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----a-b',
  '://',
  '://a:',
  'Bearer ',
  'ghp_a',
  'xoxb-a-',
  '…',
  '-',
  'A',
])('a megabyte of %j is read to its end', (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  expect(redacted(`${text} sk-proj-${letters}`)).toMatch(/redacted:/);
});
