// Every sort of damage is refused and named with its line.

import { describe, expect, test } from 'vitest';
import { readCassette, readPrompt, roundTripResponse, writeCassette, writePrompt } from '../../src/cassette/text.ts';
import { UserError } from '../../src/errors.ts';
import type { Json } from '../../src/request/request.ts';
import { bytes, changed, FILE, faultOf, lineOf, sample, sealed, withResult } from './refused.ts';
import { EVERYTHING, PROMPT } from './sample.ts';

describe('damage', () => {
  test('every flip of a bit in every byte is refused with one fault that has a line', () => {
    const content = bytes(sample);
    for (let at = 0; at < content.length; at++) {
      const flipped = content.slice();
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      if (!faultOf(flipped).place?.line) throw new Error(`byte ${at}`);
    }
  });

  test('every byte that is left out, and every byte that is doubled, is noticed', () => {
    const content = [...bytes(sample)];
    for (let at = 0; at < content.length; at++) {
      faultOf(
        Uint8Array.from(at % 2 === 0 ? content.toSpliced(at, 1) : content.toSpliced(at, 0, content[at] as number)),
      );
    }
  });

  test.each([
    ['the sample', sample],
    ['every field', writeCassette(EVERYTHING)],
  ])('every truncation of %s is refused, as cut off and with the last line that is left', (_, text) => {
    const content = bytes(text);
    let line = 1;
    for (let length = 1; length < content.length; length++) {
      const fault = faultOf(content.subarray(0, length));
      if (!/is cut off|is not UTF-8/.test(fault.message)) throw new Error(`${length} bytes: ${fault.message}`);
      if (fault.place?.line !== line) throw new Error(`${length} bytes: line ${fault.place?.line}, not ${line}`);
      if (content[length - 1] === 10) line++;
    }
  });

  test('an empty file is named so', () => {
    expect(faultOf('')).toMatchObject({
      code: 'cassette_damaged',
      message: `The cassette ${FILE} is empty.`,
      place: { file: FILE, line: 1 },
    });
  });

  test('a change of content that fits the layout is found by the digest', () => {
    const fault = faultOf(sample.replace('A-991, it', 'A-992, it'));
    expect(fault.message).toBe(
      `The cassette ${FILE} does not match the digest on its last line: it was edited by hand or damaged.`,
    );
    expect(fault.place?.line).toBe(lineOf(sample, 'digest:'));
    expect(fault.remedy).toContain(`git checkout -- ${FILE}`);
  });

  test('bytes that are not UTF-8 are named with their line', () => {
    const content = bytes(sample);
    content[sample.indexOf('broken')] = 0xff;
    const fault = faultOf(content);
    expect(fault.message).toContain('is not UTF-8');
    expect(fault.place?.line).toBe(lineOf(sample, 'broken'));
    expect(fault.source).toContain('it arrived \ufffdroken');
  });

  test('a byte order mark is named', () => {
    expect(faultOf(`\ufeff${sample}`)).toMatchObject({
      message: expect.stringContaining('byte order mark'),
      place: { line: 1 },
    });
  });

  test('CRLF is named, with the mending of .gitattributes', () => {
    const whole = faultOf(sample.replaceAll('\n', '\r\n'));
    expect(whole).toMatchObject({ message: expect.stringContaining('CRLF'), place: { line: 1 } });
    expect(whole.remedy).toContain('cassettes/** text eol=lf');
    expect(whole.remedy).toContain('git add --renormalize');
    const one = faultOf(sample.replace('arrived broken."\n', 'arrived broken."\r\n'));
    expect(one.message).toContain('CRLF');
    expect(one.place?.line).toBe(lineOf(sample, 'arrived broken.'));
    const inLiteral = faultOf(sample.replace('the refund.\n', 'the refund.\r\n'));
    expect(inLiteral.message).toContain('CRLF');
    expect(inLiteral.place?.line).toBe(lineOf(sample, 'the refund.'));
  });

  test.each(['<<<<<<< HEAD', '||||||| 1234567', '=======', '>>>>>>> theirs'])(
    'the conflict marker %s is named',
    (marker) => {
      const line = '        response:\n';
      for (const text of [sample.replace(line, `${marker}\n${line}`), sample.replace(line, `${marker}\r\n${line}`)]) {
        const fault = faultOf(text);
        expect(fault.message).toContain('conflict markers');
        expect(fault.place?.line).toBe(lineOf(sample, line));
        expect(fault.source).toBe(marker);
        expect(fault.remedy).toContain(`git checkout --ours -- ${FILE}`);
        expect(fault.remedy).toContain(`git checkout --theirs -- ${FILE}`);
      }
    },
  );

  test('what looks like a conflict marker within recorded text is text', () => {
    const value = withResult('<<<<<<< HEAD\n=======\n>>>>>>> theirs\n');
    expect(readCassette(bytes(writeCassette(value)), FILE)).toEqual(value);
  });

  test('another format version is its own fault', () => {
    const newer = faultOf(sealed(sample.replace('retake: 1\n', 'retake: 2\n')));
    expect(newer).toMatchObject({ code: 'cassette_version', place: { line: 2 }, source: 'retake: 2' });
    expect(newer.message).toContain('format version 2');
    expect(newer.message).toContain('a newer Retake wrote it');
    expect(faultOf('retake: 3\nanything: true\n')).toMatchObject({ code: 'cassette_version', place: { line: 1 } });
    expect(faultOf('# Words of a later year.\nretake: 12\n')).toMatchObject({
      code: 'cassette_version',
      place: { line: 2 },
    });
    expect(faultOf(sealed(sample.replace('retake: 1\n', 'retake: 0\n'))).message).not.toContain('newer');
  });

  test('a prompt file has the same faults under its own name', () => {
    const { text } = writePrompt(PROMPT);
    expect(faultOf(text.replace('lamp', 'desk'), readPrompt).message).toContain(
      `The prompt file ${FILE} does not match`,
    );
    expect(faultOf(text.slice(0, 200), readPrompt).message).toContain('is cut off');
    expect(faultOf(sample, readPrompt)).toMatchObject({ place: { line: 1 } });
  });

  // What is changed, what it becomes, the line at fault (by a part of it), the message.
  const deviations: [name: string, from: string | RegExp, to: string, at: string, says: string][] = [
    ['unknown field', 'suite:', 'suit:', 'suit:', 'the field `suit` is unknown; `suite` belongs here'],
    [
      'unknown field within',
      '        messages:',
      '        temperature: 1\n        messages:',
      'temperature: 1',
      'the field `temperature` is unknown',
    ],
    ['wrong order', /suite: .*\ncase: .*\n/, 'case: "a"\nsuite: "b"\n', 'case:', '`case` stands where `suite` belongs'],
    ['missing field', /\n {10}stop: "tool_use"/, '', 'usage:', '`usage` stands where `stop` belongs'],
    [
      'doubled field',
      'suite: "refund_agent"\n',
      'suite: "refund_agent"\nsuite: "refund_agent"\n',
      'suite: "refund_agent"\ncase',
      'stands where `case` belongs',
    ],
    [
      'wrong indentation',
      '    interactions:',
      '   interactions:',
      '   interactions:',
      'must be indented by 4 spaces, not 3',
    ],
    ['tab for indentation', '    interactions:', '\tinteractions:', '\tinteractions:', '`interactions` belongs here'],
    ['number for a string', 'case: "escalates_refund_over_limit"', 'case: 1', 'case: 1', 'a string belongs here'],
    ['plain string', 'suite: "refund_agent"', 'suite: refund_agent', 'suite:', 'a string belongs here'],
    ['string for a number', 'latency_ms: 830', 'latency_ms: "830"', 'latency_ms', 'a number as JavaScript prints it'],
    [
      'number of another spelling',
      'latency_ms: 830',
      'latency_ms: 830.0',
      'latency_ms',
      'a number as JavaScript prints it',
    ],
    [
      'number with a leading zero',
      'latency_ms: 830',
      'latency_ms: 0830',
      'latency_ms',
      'a number as JavaScript prints it',
    ],
    ['unknown stop', 'stop: "tool_use"', 'stop: "tool_uses"', 'stop:', 'one of end_turn, tool_use'],
    ['model without provider', '"openai/gpt-4.1-mini"', '"gpt-4.1-mini"', 'model:', 'a provider, a slash and a model'],
    [
      'prompt that is a path',
      '"8c1f0a7be2d94c55"',
      '"../../../etc/host"',
      'prompt:',
      'digest of 16 hexadecimal digits',
    ],
    [
      'take without a start',
      /\n {8}model: .*\n {8}params: .*\n {8}prompt: .*/,
      '',
      '        messages:',
      '`messages` stands where `model` belongs',
    ],
    ['list for an object', 'params: {"temperature": 0}', 'params: [0]', 'params:', 'an object belongs here'],
    ['JSON without spaces', '{"temperature": 0}', '{"temperature":0}', 'params:', 'a colon and a space'],
    ['JSON with a space too many', '{"temperature": 0}', '{ "temperature": 0}', 'params:', 'a key in quotes'],
    ['trailing space', '{"temperature": 0}', '{"temperature": 0} ', 'params:', 'must end after'],
    ['comment', '{"temperature": 0}', '{"temperature": 0} # hot', 'params:', 'must end after'],
    ['key twice', '{"temperature": 0}', '{"a": 1, "a": 0}', 'params:', 'twice or out of order'],
    ['numeric keys out of order', '{"temperature": 0}', '{"a": 1, "1": 0}', 'params:', 'twice or out of order'],
    [
      'key twice in a block',
      '              total: 780',
      '              order_id: 780',
      'order_id: 780',
      'twice or out of order',
    ],
    [
      'quoted key that is plain',
      '              total: 780',
      '              "total": 780',
      '"total": 780',
      'without quotes',
    ],
    [
      'plain key that is a YAML word',
      '              total: 780',
      '              yes: 780',
      'yes: 780',
      'must stand in quotes',
    ],
    [
      'block that fits on a line',
      ' {"temperature": 0}',
      '\n          temperature: 0',
      'params:',
      'must stand on one line',
    ],
    ['line too long', '{"temperature": 0}', `{"temperature": "${'x'.repeat(99)}"}`, 'params:', 'lines of its own'],
    [
      'quote where a literal belongs',
      /text: \|-\n(?: {12}.*\n|\n)*/,
      'text: "say \\"hi\\""\n',
      'text: "say',
      'must be a literal block',
    ],
    [
      'literal where quotes belong',
      '"I want a refund for order A-991, it arrived broken."',
      '|-\n              plain',
      'user: |-',
      'is written in quotes',
    ],
    ['wrong literal header', 'text: |-', 'text: |+', 'text: |+', 'written with `|`, not as `|+`'],
    ['needless indicator', 'text: |-', 'text: |2-', 'text: |2-', 'is written with `|-`'],
    ['spaces on an empty line', 'refund.\n\n', 'refund.\n            \n', '            \n', 'must hold no spaces'],
    ['empty line between fields', 'suite:', '\nsuite:', '\nsuite:', '`suite` belongs here'],
    [
      'empty line after a literal',
      'working day.\n',
      'working day.\n\n',
      '\n          stop: "end_turn"',
      'no empty line may follow',
    ],
    ['needless escape', '"I want', '"\\u0049 want', 'user:', 'not escaped as Retake escapes it'],
    ['raw control character', 'I want', 'I\x07want', 'user:', 'not a JSON string'],
    ['raw bidi control', 'I want', 'I\u202ewant', 'user:', 'must be escaped'],
    ['raw tab in quotes', 'I want', 'I\twant', 'user:', 'not a JSON string'],
    ['usage out of order', '{"input": 412, "output": 31}', '{"output": 31, "input": 412}', 'usage:', '`"input"` first'],
    [
      'unknown count',
      '{"input": 412, "output": 31}',
      '{"input": 412, "output": 31, "total": 443}',
      'usage:',
      'known counts',
    ],
    [
      'tool call without arguments',
      ', "arguments": {"order_id": "A-991"}',
      '',
      '"lookup_order"}',
      'a tool call with `id`',
    ],
    [
      'unknown field of a tool call',
      '              arguments:\n',
      '              args:\n',
      'args:',
      'the field `args` is unknown',
    ],
    [
      'tool call that fits on a line',
      '- {"id": "call_0", "name": "lookup_order", "arguments": {"order_id": "A-991"}}',
      '- id: "call_0"\n              name: "lookup_order"\n              arguments: {"order_id": "A-991"}',
      '- id: "call_0"',
      'a tool call of at most 80 characters must stand on one line',
    ],
    [
      'needless arguments_json',
      '"arguments": {"order_id": "A-991"}',
      '"arguments_json": "780.0"',
      'arguments_json',
      'must be written as `arguments`',
    ],
    ['wrong first line', '# A Retake cassette.', '# A cassette.', '# A cassette.', 'the first line of a cassette'],
  ];

  test.each(deviations)('%s', (_, from, to, at, says) => {
    const text = changed(from, to);
    const fault = faultOf(text);
    expect(fault.code).toBe('cassette_damaged');
    expect(fault.message).toContain(says);
    expect(fault.place?.line).toBe(
      lineOf(text, at.startsWith('\n') ? at.slice(1) : at) - (at.startsWith('\n') ? 1 : 0),
    );
    expect(text.split('\n')[(fault.place?.line ?? 0) - 1]).toBe(fault.source);
  });

  test('the layout is judged before the digest', () => {
    expect(faultOf(sample.replace('latency_ms: 830', 'latency_ms: fast')).place?.line).toBe(
      lineOf(sample, 'latency_ms: 830'),
    );
  });

  test('a second document', () => {
    const fault = faultOf(sample.replace('digest:', '---\ndigest:'));
    expect(fault).toMatchObject({ message: expect.stringContaining('`digest` belongs here'), source: '---' });
  });

  test('text after the digest line, with or without a line end', () => {
    for (const tail of ['x', 'x\n', '\n']) {
      const fault = faultOf(sample + tail);
      expect(fault.message).toContain('nothing may follow the digest line');
      expect(fault.place?.line).toBe(lineOf(sample, 'digest:') + 1);
    }
  });
});

describe('hostile input', () => {
  const nested = (depth: number): Json => {
    let value: Json = 1;
    for (let i = 0; i < depth; i++) value = [value];
    return value;
  };

  test('200 levels are written and read, more are refused on writing', () => {
    const deepest = withResult(nested(200));
    expect(readCassette(bytes(writeCassette(deepest)), FILE)).toEqual(deepest);
    for (const depth of [201, 100_000]) {
      expect(() => writeCassette(withResult(nested(depth)))).toThrow(UserError);
      expect(() =>
        roundTripResponse({ content: [{ type: 'opaque', data: nested(depth) }], stop: 'end_turn', latencyMs: 1 }),
      ).toThrow(UserError);
    }
  });

  test('more levels are refused on reading, however deep', () => {
    const text = writeCassette(withResult(1));
    const block = (depth: number) =>
      text.replace('result: 1', `result:\n              ${'- '.repeat(depth)}"${'x'.repeat(90)}"`);
    expect(faultOf(sealed(block(201))).message).toContain('more than 200 levels');
    expect(faultOf(block(300_000)).message).toContain('more than 200 levels');
    const brackets = text.replace('result: 1', `result: ${'['.repeat(300_000)}`);
    expect(faultOf(brackets).source?.length).toBeLessThanOrEqual(200);
    const json = text.replace('result: 1', `result_json: "${'['.repeat(300_000)}${']'.repeat(300_000)}"`);
    expect(faultOf(json).message).toContain('more than 200 levels');
  });

  test('a text of megabytes comes back whole', () => {
    const value = withResult(['line "quoted"\n'.repeat(200_000), '\n\n'.repeat(200_000), 'x'.repeat(3_000_000)]);
    expect(readCassette(bytes(writeCassette(value)), FILE)).toEqual(value);
  });

  test('a message quotes no more of a line than a person can read', () => {
    const fault = faultOf(sample.replace('case: "', `case: x${'y'.repeat(5_000_000)}"`));
    expect(fault.source).toHaveLength(200);
    expect(fault.message.length).toBeLessThan(500);
  });
});
