// The text of cassettes and prompt files: pinned samples, layout, and the round trip of a response.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCassette, readPrompt, roundTripResponse, writeCassette, writePrompt } from '../../src/cassette/text.ts';
import type { AssistantBlock, Json, ToolCallBlock } from '../../src/request/request.ts';
import { bytes, FILE, withResult } from './refused.ts';
import { EVERYTHING, PROMPT, SAMPLE } from './sample.ts';

const golden = (name: string) => readFileSync(new URL(`golden/${name}.yaml`, import.meta.url), 'utf8');

describe('pinned samples', () => {
  test.each([
    ['sample', SAMPLE],
    ['everything', EVERYTHING],
  ])('%s is written and read as committed', (name, cassette) => {
    expect(writeCassette(cassette)).toBe(golden(name));
    expect(readCassette(bytes(golden(name)), FILE)).toEqual(cassette);
  });

  test('a prompt is written and read as committed', () => {
    expect(writePrompt(PROMPT)).toEqual({ digest: 'f5da27401b68ec88', text: golden('prompt') });
    expect(readPrompt(bytes(golden('prompt')), FILE)).toEqual(PROMPT);
  });

  test('prompts that differ in the order of a schema have different digests', () => {
    const digest = (schema: Json) => writePrompt({ params: { schema } }).digest;
    expect(digest({ a: 1, b: 2 })).not.toBe(digest({ b: 2, a: 1 }));
    expect(writePrompt({}).digest).toMatch(/^[0-9a-f]{16}$/);
    expect(readPrompt(bytes(writePrompt({}).text), FILE)).toEqual({});
  });
});

describe('layout of free values', () => {
  const resultLines = (value: Json) => /\n {12}(result.*?)\n {8}response/s.exec(writeCassette(withResult(value)))?.[1];

  test('80 code points fit on a line, 81 do not, and a character outside the basic plane is one', () => {
    const line = `{"a": "${'x'.repeat(71)}"}`;
    expect(line).toHaveLength(80);
    expect(resultLines({ a: 'x'.repeat(71) })).toBe(`result: ${line}`);
    expect(resultLines({ a: 'x'.repeat(72) })).toBe(`result:\n              a: "${'x'.repeat(72)}"`);
    const emoji = '😀'.repeat(71);
    expect(resultLines({ a: emoji })).toBe(`result: {"a": "${emoji}"}`);
    expect(resultLines({ a: `${emoji}😀` })).toBe(`result:\n              a: "${emoji}😀"`);
  });

  test('a text with a quote makes its container a block', () => {
    expect(resultLines({ a: 'say "hi"' })).toBe('result:\n              a: |-\n                say "hi"');
  });

  test('a text no literal block can hold is JSON with what nobody sees escaped', () => {
    expect(resultLines('a\r\nb')).toBe('result: "a\\r\\nb"');
    expect(resultLines('say "\u202e"')).toBe('result: "say \\"\\u202e\\""');
    expect(resultLines('\ufeff\u0085\u2028\ud800')).toBe('result: "\\ufeff\\u0085\\u2028\\ud800"');
  });

  test('keys keep the order they came in', () => {
    expect(resultLines({ b: 1, a: 2 })).toBe('result: {"b": 1, "a": 2}');
  });

  test('a value with a key too long for YAML is one JSON string', () => {
    const key = 'k'.repeat(1001);
    expect(resultLines({ [key]: [1, 2] })).toBe(`result_json: |-\n              {"${key}": [1, 2]}`);
  });
});

describe('round trip of a response', () => {
  const roundTrip = (content: AssistantBlock[]) =>
    roundTripResponse({ content, stop: 'tool_use', latencyMs: 5 }).content;
  const call = (rest: Partial<ToolCallBlock>): ToolCallBlock => ({
    type: 'tool_call',
    id: 'call_0',
    name: 'f',
    ...rest,
  });

  test('the text of arguments stays only where JavaScript would lose digits', () => {
    expect(roundTrip([call({ arguments: { n: 780 }, argumentsJson: '{"n": 780.0}' })])).toEqual([
      call({ arguments: { n: 780 } }),
    ]);
    expect(roundTrip([call({ argumentsJson: '{"n":12345678901234567890}' })])).toEqual([
      call({ arguments: { n: 12345678901234567000 }, argumentsJson: '{"n":12345678901234567890}' }),
    ]);
  });

  test('malformed arguments come back verbatim, and -0 as 0', () => {
    expect(roundTrip([call({ malformedArguments: '{"n": ' })])).toEqual([call({ malformedArguments: '{"n": ' })]);
    const [back] = roundTrip([call({ arguments: -0 })]);
    expect(Object.is(back?.type === 'tool_call' && back.arguments, 0)).toBe(true);
  });
});
