// Reports in files and on stdout, of a run and of a stored result.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonText } from '../../src/cli/json-out.ts';
import { renderHtml } from '../../src/render/html.ts';
import { renderJunit } from '../../src/render/junit.ts';
import { caseOf, refunded, runOf } from '../render/terminal-samples.ts';
import { retake } from './shell.ts';

const RESULT = runOf([refunded(), caseOf('greets')]);
const run = async () => RESULT;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'retake-reports-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(cwd, file), 'utf8');

describe('a run', () => {
  it('writes reports beside what it prints, and makes their folders', async () => {
    const ran = await retake(['run', '--junit-out', 'out/junit.xml', '--html-out', 'out/page/report.html'], {
      cwd,
      run,
    });
    expect(ran).toMatchObject({ exitCode: 1, stderr: '' });
    expect(ran.stdout).toContain('✗ failed');
    expect(read('out/junit.xml')).toBe(renderJunit(RESULT));
    expect(read('out/page/report.html')).toBe(renderHtml(RESULT));
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['junit.xml', 'page']);
  });

  it.each([
    ['junit', renderJunit(RESULT)],
    ['html', renderHtml(RESULT)],
    ['json', jsonText(RESULT)],
  ])('prints %s alone', async (name, text) => {
    expect(await retake(['run', '--reporter', name], { cwd, run })).toMatchObject({
      stdout: text,
      stderr: '',
      exitCode: 1,
    });
  });

  it.each(['--junit-out', '--html-out'])(
    'refuses a file of %s that cannot be written, before anything runs',
    async (flag) => {
      mkdirSync(join(cwd, 'folder'));
      const ran = await retake(['run', flag, 'folder'], { cwd, run });
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', asked: undefined });
      expect(ran.stderr).toContain(`error  ${flag} cannot write folder: it is a folder\n`);
    },
  );
});

describe('retake report', () => {
  it('renders a stored result as the run would have', async () => {
    writeFileSync(join(cwd, 'result.json'), jsonText(RESULT));
    const ran = await retake(['report', 'result.json', '--html-out', 'r.html', '--junit-out', 'j.xml'], { cwd });
    const direct = await retake(['run'], { cwd, run });
    expect(ran).toEqual({ ...direct, exitCode: 0, asked: undefined });
    expect(read('r.html')).toBe(renderHtml(RESULT));
    expect(read('j.xml')).toBe(renderJunit(RESULT));
    expect((await retake(['report', 'result.json', '--reporter', 'junit'], { cwd })).stdout).toBe(renderJunit(RESULT));
    expect((await retake(['report', 'result.json', '-v'], { cwd })).stdout).toContain('stopped');
  });

  const change = (edit: (document: ReturnType<typeof runOf>) => object) => jsonText(edit(structuredClone(RESULT)));
  it.each([
    ['an empty file', '', 'the file is not JSON, or not all of it'],
    ['a part of a document', jsonText(RESULT).slice(0, 500), 'the file is not JSON, or not all of it'],
    ['other JSON', '[]', 'the file is no result document of Retake'],
    ['null', 'null', 'the file is no result document of Retake'],
    [
      'a newer document',
      change((one) => ({ ...one, version: 2 })),
      'the document is of version 2, and this Retake reads version 1',
    ],
    ['a word that is none', change((one) => ({ ...one, mode: 'x' })), 'mode: '],
    ['more than a document has', change((one) => ({ ...one, more: 1 })), 'the document: '],
    [
      'a deep fault',
      change((one) => ({ ...one, suites: [{ ...one.suites[0], cases: [{ ...one.suites[0]?.cases[0], line: 0 }] }] })),
      'suites[0].cases[0].line: ',
    ],
    [
      'counts that are others',
      change((one) => ({ ...one, counts: { ...one.counts, passed: 2 } })),
      'counts: they are not those',
    ],
  ])('refuses %s', async (_, text, message) => {
    writeFileSync(join(cwd, 'result.json'), text);
    const ran = await retake(['report', 'result.json', '--html-out', 'r.html'], { cwd });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('result.json');
    expect(ran.stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual(['result.json']);
  });

  it('refuses a folder', async () => {
    const ran = await retake(['report', '.'], { cwd });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('. cannot be read: it is a folder');
  });
});
