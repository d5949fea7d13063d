// What the prose names exists: paths, npm scripts, flags, inputs, links; and the generated tables are fresh.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withTables } from '../scripts/docs.js';
import { flagsIn, headingsOf, inputsIn, linksIn, pathsIn, scriptsIn } from './helpers/prose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n');

function markdownFiles(): string[] {
  const docs = existsSync(join(ROOT, 'docs')) ? readdirSync(join(ROOT, 'docs'), { recursive: true }) : [];
  const below = docs.map((name) => `docs/${String(name).replaceAll('\\', '/')}`);
  return ['README.md', 'AGENTS.md', ...below]
    .filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)))
    .sort();
}

const files = markdownFiles();
const actionYml = parse(read('action.yml'));

function help(...words: string[]): string {
  return execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...words, '--help'], { encoding: 'utf8' });
}

/** Every flag the command line knows. */
function knownFlags(): Set<string> {
  const top = help();
  const commands = [...top.matchAll(/^ {2}([a-z]+)(?: \[| <| {2,})/gm)].map(([, name = '']) => name);
  const texts = [top, ...commands.filter((name) => name !== 'help' && name !== 'retake').map((name) => help(name))];
  return new Set(texts.flatMap((text) => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []));
}

const known = knownFlags();

describe.each(files)('%s', (file) => {
  const text = read(file);

  it('names paths that exist', () => {
    expect(pathsIn(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    expect(scriptsIn(text).filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names flags of the command line that exist', () => {
    expect(flagsIn(text).filter((flag) => !known.has(flag))).toEqual([]);
  });

  it('names inputs of the action that exist', () => {
    expect(inputsIn(text).filter((name) => !(name in actionYml.inputs))).toEqual([]);
  });

  it('links to what exists', () => {
    const broken = linksIn(text).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : posix.join(dirname(file).replaceAll('\\', '/'), decodeURIComponent(path));
      if (target.startsWith('..') || !existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !headingsOf(read(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

it('reads at least these', () => {
  expect(files).toEqual(expect.arrayContaining(['AGENTS.md', 'README.md', 'docs/architecture.md']));
});

it('has fresh tables in the README (npm run docs)', () => {
  expect(read('README.md')).toBe(withTables(read('README.md'), read('action.yml')));
});

it('writes tables between their markers only', () => {
  const yaml = 'inputs:\n  a-b:\n    description: "x | y"\n    default: z\noutputs:\n  c:\n    description: d\n';
  const text =
    'before\n<!-- inputs:start -->\nold\n<!-- inputs:end -->\nafter <!-- outputs:start -->\n<!-- outputs:end -->\n';
  expect(withTables(text, yaml)).toBe(
    'before\n<!-- inputs:start -->\n| input | what it does | default |\n| --- | --- | --- |\n| `a-b` | x \\| y | `z` |\n<!-- inputs:end -->\nafter <!-- outputs:start -->\n| output | what it holds |\n| --- | --- |\n| `c` | d |\n<!-- outputs:end -->\n',
  );
  expect(withTables('no markers', yaml)).toBe('no markers');
});

describe('what counts as named', () => {
  const prose = [
    'See `src/errors.ts`, `docs/nothing.md`, [here](docs/a.md#top) and https://example.com/src/x.ts.',
    'Run `npm run build`, `npm test`; `npm ci` is no script. `npm run -s lint`',
    '```sh',
    'retake run --filter "a::*" -v && node scripts/build.js --out x',
    'git diff --exit-code',
    '```',
    '```yaml',
    '      - uses: acme/retake@v1',
    '        with:',
    '          suites: evals/**',
    '          fail-on: never',
    '      - uses: actions/checkout@v7',
    '        with:',
    '          fetch-depth: 2',
    '```',
    '`evals/mine.eval.yaml` and `<name>/src/x.ts` and `src/*.ts` are examples.',
  ].join('\n');

  it('paths of the repository', () => {
    expect(pathsIn(prose)).toEqual(['src/errors.ts', 'docs/nothing.md', 'scripts/build.js']);
  });
  it('npm scripts', () => {
    expect(scriptsIn(prose)).toEqual(['build', 'test', 'lint']);
  });
  it('flags after retake only', () => {
    expect(flagsIn(prose)).toEqual(['--filter', '-v']);
  });
  it('inputs below our own step only', () => {
    expect(inputsIn(prose)).toEqual(['suites', 'fail-on']);
  });
  it('relative links', () => {
    expect(linksIn('[a](b.md) [c](https://x.y) ![d](e/f.svg "t") [g](#h) <a href="i.md">')).toEqual([
      'b.md',
      'e/f.svg',
      '#h',
      'i.md',
    ]);
  });
  it('headings as GitHub names them', () => {
    expect([...headingsOf('# A `b` C!\n## A b C\n```\n# no\n```\n')]).toEqual(['a-b-c', 'a-b-c-1']);
  });
});
