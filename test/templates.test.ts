// A folder of the user's templates: any of them, nothing else of the machine, mistakes told with file and line.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UserError } from '../src/errors.ts';
import { renderComment } from '../src/render/comment.ts';
import { renderHtml } from '../src/render/html.ts';
import { renderSummary } from '../src/render/summary.ts';
import { CONTEXT } from './render/report-samples.ts';
import { caseOf, refunded, runOf } from './render/terminal-samples.ts';

const RESULT = runOf([refunded(), caseOf('a')]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'retake-templates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const comment = () => renderComment(RESULT, { ...CONTEXT, templates: folder });

function faultOf(render: () => string) {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.faults[0];
  }
}

describe('an override', () => {
  it('replaces the template of its name and no other', () => {
    put('comment.md.hbs', '{{marker}}\r\nOURS {{verdict}}\r\n');
    expect(comment()).toBe(`${CONTEXT.marker}\nOURS ❌ 1 failed, 1 passed, of 2 cases\n`);
    expect(renderSummary(RESULT, { templates: folder })).toBe(renderSummary(RESULT));
    expect(renderHtml(RESULT, { templates: folder })).toBe(renderHtml(RESULT));
  });

  it('of the sections serves comment and summary', () => {
    put('sections.md.hbs', '{{#each failures}}FAILED {{title}}\n{{/each}}');
    expect(comment()).toContain('FAILED Failed (1)');
    expect(renderSummary(RESULT, { templates: folder })).toContain('FAILED Failed (1)');
  });

  it('gets escaped values only', () => {
    const evil = '<img src=x> @octocat [skip ci]';
    put('comment.md.hbs', '{{{failures.[0].open.[0].name}}} {{{failures.[0].open.[0].why}}}');
    const text = renderComment(runOf([{ ...refunded(evil), suite: evil }]), { ...CONTEXT, templates: folder });
    expect(text).not.toMatch(/<img|@octocat|\[skip ci\]/);
  });
});

describe('a wrong template is told with file and line', () => {
  const log = vi.spyOn(console, 'log');
  const error = vi.spyOn(console, 'error');
  afterEach(() => {
    expect(log).not.toHaveBeenCalled();
    expect(error).not.toHaveBeenCalled();
  });

  it.each([
    ['a name that there is not', '### {{verdict}}\n\n{{verdikt}}\n', 'the view has nothing named verdikt', 3],
    ['a block that is not closed', 'x\n{{#each failures}}\n', 'the template cannot be used', 3],
    ['a helper that there is not', '{{shell "ls"}}', 'the template cannot be used', 1],
    ['a log', 'x\n{{log verdict}}', 'the template cannot be used', undefined],
    ['a partial that there is not', '{{> ../../secrets}}', 'the template cannot be used', undefined],
    ['the prototype', '{{#with verdict}}{{constructor.name}}{{/with}}', 'the', undefined],
    ['its methods', '{{__proto__.toString}}', 'the', undefined],
    ['a text without end', '{{#*inline "x"}}{{> x}}{{/inline}}{{> x}}', 'the template cannot be used', undefined],
  ])('%s', (_, text, message, line) => {
    put('comment.md.hbs', text);
    expect(faultOf(comment)).toMatchObject({
      code: 'template_invalid',
      message: expect.stringContaining(message),
      place: { file: join(folder, 'comment.md.hbs'), ...(line !== undefined && { line }) },
    });
  });

  it('in the file that holds it', () => {
    put('comment.md.hbs', '{{> sections}}\n');
    put('sections.md.hbs', 'x\n{{nothing}}\n');
    expect(faultOf(comment)).toMatchObject({
      place: { file: join(folder, 'sections.md.hbs'), line: 2 },
      source: '{{nothing}}',
    });
  });

  it.each([
    ['a link', () => symlinkSync('/etc/hostname', join(folder, 'comment.md.hbs'))],
    ['a folder', () => mkdirSync(join(folder, 'comment.md.hbs'))],
    ['a file without end', () => put('comment.md.hbs', 'x'.repeat(300 * 1024))],
  ])('%s', (_, make) => {
    make();
    expect(faultOf(comment)).toMatchObject({
      code: 'template_invalid',
      place: { file: join(folder, 'comment.md.hbs') },
    });
  });

  it('a folder that there is not', () => {
    const context = { ...CONTEXT, templates: join(folder, 'none') };
    expect(faultOf(() => renderComment(RESULT, context))).toMatchObject({
      message: `there is no folder of templates ${join(folder, 'none')}`,
    });
  });
});

it('reaches no prototype', () => {
  put('comment.md.hbs', '[{{lookup this "constructor"}}{{lookup verdict "constructor"}}{{lookup lines "push"}}]');
  expect(comment()).toBe('[]');
});
