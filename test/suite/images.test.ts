// Images of a case's input: every way to write them, and every way it can fail.

import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/request/fingerprint.ts';
import { mediaTypeOf } from '../../src/suite/images.ts';
import { loadProject } from '../../src/suite/load.ts';
import { faultLine, faultLines, faultsOf, load, writeProject } from './project.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const PNG = latin1('\x89PNG\r\n\x1a\n0123');
const JPEG = latin1('\xff\xd8\xff\xe0x');
const FILES = { 'img/a.png': PNG, 'img/b.jpg': JPEG };
const png = { type: 'image', mediaType: 'image/png', bytes: 12, digest: sha256(PNG) };
const jpeg = { type: 'image', mediaType: 'image/jpeg', bytes: 5, digest: sha256(JPEG) };

const suite = (input: string) => `name: s\nmodel: openai/m\ncases:\n  - name: c\n    input: ${input}\n`;

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a...'],
  ['image/webp', 'RIFF\n\x00\xff\x01WEBPVP8'],
  [undefined, 'RIFF....WAVE'],
  [undefined, '\x89PNG'],
  [undefined, '%PDF-1.7'],
  [undefined, ''],
])('%s is told by its first bytes: %j', (mediaType, bytes) => {
  expect(mediaTypeOf(latin1(bytes))).toBe(mediaType);
});

test.each([
  ['parts of the only message', '[{text: What is it?}, {image: ../img/a.png}]', ['text', png]],
  ['an image alone', '[{image: ../img/b.jpg}]', [jpeg]],
  ['parts of a message', '[{role: user, content: [{image: ../img/a.png}, {text: What is it?}]}]', [png, 'text']],
  [
    'images beside a content',
    '[{role: user, content: What is it?, images: [../img/a.png, ../img/b.jpg]}]',
    ['text', png, jpeg],
  ],
])('%s', (_what, input, content) => {
  const { suites } = load({ 'evals/s.eval.yaml': suite(input), ...FILES });
  const planned = suites[0]?.cases[0];
  const said = content.map((part) => (part === 'text' ? { type: 'text', text: 'What is it?' } : part));
  expect(planned?.input).toEqual([{ role: 'user', content: said }]);
  expect([...(planned?.images ?? [])]).toContainEqual(
    content.includes(png) ? [png.digest, 'img/a.png'] : [jpeg.digest, 'img/b.jpg'],
  );
});

test('a model’s message may be a list of texts', () => {
  const input =
    '[{role: user, content: a}, {role: assistant, content: [{text: b}, {text: c}]}, {role: user, content: d}]';
  const planned = load({ 's.eval.yaml': suite(input) }).suites[0]?.cases[0];
  expect(planned?.input[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ],
  });
  expect(planned).not.toHaveProperty('images');
});

test.each([
  ['a file that is not there', '[{image: no.png}]', ['5:21 `no.png` does not exist']],
  ['a folder', '[{image: img}]', ['5:21 `img` is a directory']],
  ['a file that is no image', '[{image: s.eval.yaml}]', ['5:21 `s.eval.yaml` is no PNG, JPEG, GIF or WebP image']],
  ['a path out of the project', '[{image: ../a.png}]', ['5:21 `../a.png` leaves the project']],
  [
    'an address',
    '[{image: "https://x.example/a.png"}]',
    ['5:21 `https://x.example/a.png` is remote; only files of the project are read'],
  ],
  ['an empty path', '[{image: ""}]', ['5:21 `input[0].image` must not be empty']],
  ['neither text nor image', '[{text: a}, {}]', ['5:24 a part must hold either `text` or `image`']],
  ['both at once', '[{text: a, image: img/a.png}]', ['5:13 a part must hold either `text` or `image`']],
  ['a misspelt part', '[{text: a}, {imgae: img/a.png}]', ['5:25 unknown key `imgae`, did you mean `image`?']],
  [
    'a misspelt part of a message',
    '[{role: user, content: [{txt: a}]}]',
    ['5:37 unknown key `txt`, did you mean `text`?'],
  ],
  [
    'messages and parts',
    '[{text: a}, {role: user, content: b}]',
    ['5:13 `input[0].content` is missing', '5:13 `input[0].role` is missing', '5:14 unknown key `text`'],
  ],
  [
    'an image of the model',
    '[{role: assistant, content: [{image: img/a.png}]}, {role: user, content: b}]',
    ['5:40 only a message of the user may hold images'],
  ],
  [
    'images beside what the model says',
    '[{role: assistant, content: a, images: [img/a.png]}, {role: user, content: b}]',
    ['5:51 only a message of the user may hold images'],
  ],
  ['a secret in a path', '[{image: "${A_KEY}.png"}]', ['5:21 the path of an image may hold no secret']],
  ['no images', '[{role: user, content: a, images: []}]', ['5:46 `input[0].images` must not be empty']],
])('%s is a fault', (_what, input, faults) => {
  const lines = faultLines({ 's.eval.yaml': suite(input), ...FILES }, { env: { A_KEY: 'x'.repeat(20) } });
  expect(lines).toEqual(faults.map((fault) => `s.eval.yaml:${fault}`));
});

test('an image over 20 MB is refused, one of 20 MB is read', () => {
  const most = Buffer.alloc(20 * 1024 * 1024);
  PNG.copy(most);
  expect(faultLines({ 's.eval.yaml': suite('[{image: a.png}]'), 'a.png': most })).toEqual([]);
  expect(faultLines({ 's.eval.yaml': suite('[{image: a.png}]'), 'a.png': Buffer.concat([most, PNG]) })).toEqual([
    's.eval.yaml:5:21 `a.png` is larger than 20 MB',
  ]);
});

test('a link that leads out of the project is not read', () => {
  const outside = writeProject({ 'a.png': PNG });
  const cwd = writeProject({ 's.eval.yaml': suite('[{image: a.png}]') });
  symlinkSync(path.join(outside, 'a.png'), path.join(cwd, 'a.png'));
  expect(faultsOf(() => loadProject({ cwd, globs: [], env: {} })).map(faultLine)).toEqual([
    's.eval.yaml:5:21 `a.png` leaves the project',
  ]);
});
