// Text from outside stays text, whatever Markdown place it lands in.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, code, inline, sentence } from '../../src/render/markdown.ts';

const Z = '&#8203;';

describe('inline', () => {
  it.each([
    ['plain words, even (these): ok.', 'plain words, even (these): ok.'],
    ['a *b* _c_ `d` ~e~', 'a &#42;b&#42; &#95;c&#95; &#96;d&#96; &#126;e&#126;'],
    ['lookup_order', 'lookup_order'],
    ['[x](y) ![z](w)', '&#91;x&#93;(y) &#33;&#91;z&#93;(w)'],
    ['a | b', 'a &#124; b'],
    ['costs $5 and $6', 'costs &#36;5 and &#36;6'],
    ['<script>&amp;</script>', '&lt;script&gt;&amp;amp;&lt;/script&gt;'],
    ['two\nlines\tand   spaces ', 'two lines and spaces'],
    ['- item', '&#45; item'],
    ['12. item', '1&#50;. item'],
    ['1.5 seconds', '1.5 seconds'],
    ['# title', '&#35; title'],
    ['=====', '&#61;===='],
    ['\u001b[31mred\u202e', '\\x1b&#91;31mred\\u202e'.replaceAll('\\', '&#92;')],
  ])('%j is %j', (text, markdown) => {
    expect(inline(text)).toBe(markdown);
  });

  it.each([
    ['@octocat', `@${Z}octocat`],
    ['mail me@example.com', `mail me@${Z}example.com`],
    ['fixes #12', `fixes &#35;${Z}12`],
    ['closes acme/shop#12', `closes acme/shop&#35;${Z}12`],
    ['resolves GH-7', `resolves GH-${Z}7`],
    ['see https://example.com/a', `see https:${Z}//example.com/a`],
    ['www.example.com', `www${Z}.example.com`],
    ['at 0123abcdef', `at 0123ab${Z}cdef`],
    ['[skip ci]', `&#91;${Z}skip ci&#93;`],
    ['skip-checks: true', `skip-checks${Z}: true`],
  ])('links or acts on nothing: %s', (text, markdown) => {
    expect(inline(text)).toBe(markdown);
  });

  it('cannot open a comment, forge a marker or close a tag', () => {
    expect(inline('<!-- retake:comment -->')).not.toMatch(/[<>]/);
  });

  it('is cut, and says so', () => {
    expect(inline('x'.repeat(600), 500)).toBe(`${'x'.repeat(500)}… (100 more)`);
  });
});

describe('code', () => {
  it.each([
    ['plain', '`plain`'],
    ['a `b` c', '``a `b` c``'],
    ['`', '`` ` ``'],
    [' padded ', '`  padded  `'],
    ['', '<code></code>'],
    ['  ', '<code>&nbsp;&nbsp;</code>'],
    ['two\nlines', '`two\\nlines`'],
    ['a|b', '<code>a&#124;b</code>'],
    ['a\\|b', '<code>a&#92;&#124;b</code>'],
    ['@octocat #1', '`@octocat #1`'],
  ])('%j is %j', (text, markdown) => {
    expect(code(text)).toBe(markdown);
  });

  it('defuses what acts in a commit message, where nothing is code', () => {
    for (const word of ['[skip ci]', '[ci skip]', '[no ci]', '[skip actions]', '[Actions Skip]', '<!-- x -->']) {
      expect(code(word)).not.toContain(word);
    }
    expect(code('skip-checks: true')).not.toContain('skip-checks:');
    for (const word of ['fixes #1', 'Closes: acme/shop#1', 'resolved GH-1', 'fix https://github.com/a/b/issues/1']) {
      expect(code(word)).not.toContain(word);
      expect(block(word)).not.toContain(word);
    }
  });
});

describe('sentence', () => {
  it.each([
    ['unknown key `imput` here', 'unknown key `imput` here'],
    ['`a|b` and *c*', '<code>a&#124;b</code> and &#42;c&#42;'],
    ['odd ` tick', 'odd &#96; tick'],
    ['`a` @octocat `b`', `\`a\` @${Z}octocat \`b\``],
    ['``', '&#96;&#96;'],
    ['\u001b[1m `x`', '&#92;x1b&#91;1m `x`'],
  ])('%j is %j', (text, markdown) => {
    expect(sentence(text)).toBe(markdown);
  });

  it('is cut, and says so', () => {
    expect(sentence(`\`${'x'.repeat(600)}\``, 500)).toBe(`&#96;${'x'.repeat(499)}… (102 more)`);
  });
});

describe('block', () => {
  it('has a fence longer than any run of backticks in it', () => {
    expect(block('a\n````\nb')).toBe('`````text\na\n````\nb\n`````');
  });

  it('shows the first lines and how much is left', () => {
    expect(block('a\nb\nc', { maxLines: 2, limit: 100 })).toBe('```text\na\nb\n… (2 more)\n```');
  });
});

it('never lets a text out of its place', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'`|<>!-@#\\*_[]()\n\r \tab1', '\u202e', '\u200b', '💥') });
  fc.assert(
    fc.property(hostile, (text) => {
      const plain = inline(text);
      expect(plain).not.toMatch(/[<>|`*[\]\n\r]|@\w|(?<!&)#\d/);
      expect(sentence(text).replace(/(`+)[^\n]*?[^`]\1(?!`)|<code>[^<>]*<\/code>/g, '')).not.toMatch(
        /[<>|`*[\]\n\r]|@\w|(?<!&)#\d/,
      );
      const span = code(text);
      expect(span).not.toMatch(/[\n\r|]/);
      const [, ticks = '', inner = ''] = /^(`+)([\s\S]*?[^`])\1$/.exec(span) ?? [];
      if (ticks !== '') expect(inner.match(/`+/g) ?? []).not.toContain(ticks);
      else expect(span).toMatch(/^<code>[^<>]*<\/code>$/);
    }),
    { numRuns: 500 },
  );
});
