// Nothing that a model, a cassette or an author brings acts on GitHub, wherever a report shows it.

import { describe, expect, it } from 'vitest';
import { renderComment } from '../../src/render/comment.ts';
import { block, code, fence, htmlCode, inline, link, sentence } from '../../src/render/markdown.ts';
import { renderSummary } from '../../src/render/summary.ts';
import type { CaseResult } from '../../src/run/result.ts';
import { gfmHtml } from '../helpers/gfm.ts';
import { aliveIn, HOSTILE } from './hostile.ts';
import { call, caseOf, missed, runOf, score, take, turn } from './terminal-samples.ts';

const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
const table = HOSTILE.map((text): [string, string] => [shown(text), text]);

describe.each(table)('%s', (_, evil) => {
  const places: [string, string][] = [
    ['prose', `Before ${inline(evil)} after`],
    ['a line of its own', inline(evil)],
    ['a list', `- ${inline(evil)}\n- ${sentence(evil)}\n- last`],
    ['code', `Before ${code(evil)} after`],
    ['a block', `${block(evil)}\n\nafter`],
    ['a block of lines', `${fence([evil, ` ${evil}`], 'diff')}\n\nafter`],
    ['a summary', `<details><summary>${htmlCode(evil)} ${inline(evil)}</summary>\n\nx\n\n</details>\n\nafter`],
    ['a link of ours', `${link(inline(evil), 'https://github.com/acme/shop')} after`],
  ];

  it.each(places)('does nothing in %s', (_place, markdown) => {
    expect(aliveIn(markdown, gfmHtml(markdown), ['https://github.com/acme/shop'])).toEqual([]);
  });

  it('breaks no block and no list', () => {
    expect(gfmHtml(`${block(evil)}\n\nafter`)).toMatch(
      /^<pre><code class="language-text">[^<]*<\/code><\/pre>\n<p>after<\/p>$/,
    );
    expect(gfmHtml(`- ${inline(evil)}\n- ${code(evil)}\n- last`).match(/<li>/g)).toHaveLength(3);
  });

  it('breaks no table', () => {
    const html = gfmHtml(`| a | b |\n| --- | --- |\n| ${code(evil)} | ${inline(evil)} |\n| ${htmlCode(evil)} | last |`);
    expect(html.match(/<tr>/g)).toHaveLength(3);
    expect(html.match(/<td>/g)).toHaveLength(4);
  });

  it('does nothing in a comment or a summary', () => {
    const named = { suite: evil, path: `evals/${evil}.yaml`, model: evil };
    const turns = [
      turn([call(evil, { [evil]: evil })], [{ role: 'tool', name: evil, callId: 'call_0', result: evil }]),
      turn([{ type: 'text', text: evil }]),
    ];
    const trajectory = {
      input: [{ role: 'user' as const, content: [{ type: 'text' as const, text: evil }] }],
      turns,
      stopped: 'error' as const,
      detail: evil,
    };
    const scores = [score(evil, 9, evil, 1), { ...score(evil, 9, evil), judged: { model: evil } }];
    const failed = (name: string): CaseResult =>
      caseOf(`${evil}${name}`, 'failed', { ...named, takes: [take({ outcome: 'failed', trajectory, scores })] });
    const difference = { path: evil, recorded: evil, now: evil };
    const miss = { reason: 'differs' as const, take: 1, turn: 1, fingerprint: '0', difference };
    const result = runOf(
      [
        failed('1'),
        failed('2'),
        missed(`${evil}3`, evil, miss, evil),
        caseOf(`${evil}4`, 'errored', { ...named, problem: { message: evil, remedy: `retake ${evil}` } }),
        caseOf(`${evil}5`, 'passed', named),
      ],
      { notes: [evil], retake: evil, priceList: evil },
    );
    const context = {
      base: { label: evil, tally: result.tally, suites: [], failing: [`${evil}::${evil}2`] },
      commit: evil,
      runUrl: `javascript:${evil}`,
      reportUrl: `https://github.com/acme/shop?${encodeURIComponent(evil.replace(/\p{Surrogate}/gu, ''))})[x](y`,
      notes: [evil],
      invalid: [
        { code: 'suite_invalid' as const, message: evil, place: { file: evil, line: 1 }, source: evil, remedy: evil },
      ],
    };
    for (const text of [
      renderComment(result, { ...context, marker: '<!-- retake -->' }).replace(/^<!-- retake -->\n/, ''),
      renderSummary(result, context),
    ]) {
      const html = gfmHtml(text);
      const ours = /href="(https:\/\/github\.com\/acme\/shop\?[^"]*)"/.exec(html)?.[1] ?? 'no link of ours';
      expect(aliveIn(text, html, [ours])).toEqual([]);
      expect(html).toContain('>whole report</a>');
      expect((html.match(/<details/g) ?? []).length).toBe((html.match(/<\/details>/g) ?? []).length);
    }
  });
});

it('finds what is alive', () => {
  const alive = (markdown: string) => aliveIn(markdown, gfmHtml(markdown));
  expect(alive('@octocat')).toEqual(['a link to https://github.com/octocat']);
  expect(alive('<b>@octocat</b>')).toContain('a link to https://github.com/octocat');
  expect(alive('<p>@octocat 0123abc</p>')).toEqual(['a mention', 'a commit']);
  expect(alive('fixes #1')).toEqual(expect.arrayContaining(['a closing keyword in raw text']));
  expect(alive('`[skip ci]`')).toEqual(['a skip-CI word in raw text']);
  expect(alive('<img src=x>')).toEqual(['a tag <img src=x>']);
  expect(alive('[x](https://evil.example)')).toEqual(['a link to https://evil.example']);
});
