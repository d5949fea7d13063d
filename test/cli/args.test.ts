// What the words after `retake` mean, and what is said to words that mean nothing.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { retake } from './shell.ts';

describe('options', () => {
  it('reach the command', async () => {
    const { asked } = await retake([
      ...['run', 'evals/a.eval.yaml', 'evals/b*.yaml', '--mode', 'auto', '--filter', 'a::*', '--filter', 'b::x'],
      ...['--tag', 'safety', '--tag', 'slow', '--concurrency', '16', '--fail-fast'],
    ]);
    expect(asked).toMatchObject({
      cwd: import.meta.dirname,
      globs: ['evals/a.eval.yaml', 'evals/b*.yaml'],
      mode: 'auto',
      filter: ['a::*', 'b::x'],
      tags: ['safety', 'slow'],
      concurrency: 16,
      failFast: true,
      resume: false,
    });
  });

  it('leave to the project what is not given', async () => {
    const { asked } = await retake(['run']);
    expect(asked).toMatchObject({ globs: [], filter: [], tags: [], failFast: false });
    expect(asked).not.toHaveProperty('mode');
    expect(asked).not.toHaveProperty('concurrency');
  });

  it.each([
    [['run', '--mode', 'live'], 'record'],
    [['run', '--cassette-mode', 'auto'], 'auto'],
    [['run', '--cache', 'off'], 'off'],
    [['run', '--mode', 'live', '--cache', 'record'], 'record'],
    [['record'], 'record'],
    [['record', '--missing'], 'auto'],
  ])('%j has mode %s', async (argv, mode) => {
    expect((await retake(argv)).asked?.mode).toBe(mode);
  });

  it('resumes a recording', async () => {
    expect((await retake(['record', '--resume'])).asked?.resume).toBe(true);
  });

  it.each([[['-C', '..', 'run']], [['run', '-C', '..']], [['run', '--cwd=..']]])(
    '%j works in that folder',
    async (argv) => {
      expect((await retake(argv)).asked?.cwd).toBe(new URL('..', import.meta.url).pathname.replace(/\/$/, ''));
    },
  );
});

describe('mistakes end with exit 2, on stderr only', () => {
  it.each([
    [['rnu'], "error  unknown command 'rnu'\n  Did you mean run?\n"],
    [
      ['guess'],
      "error  unknown command 'guess'\n  Commands are run, record, rejudge, validate, prune, mv, resolve, trace, explain, redact, diff, drift, compare and report. See retake --help.\n",
    ],
    [
      ['evals/a.eval.yaml'],
      "error  unknown command 'evals/a.eval.yaml'\n  Did you mean retake run evals/a.eval.yaml?\n",
    ],
    [['run', '--fliter', 'x'], "error  unknown option '--fliter'\n  Did you mean --filter?\n"],
    [['run', '--filter'], "error  option '--filter <pattern>' argument missing\n  See retake --help.\n"],
    [['run', '--filter', ' '], 'error  --filter is given an empty value\n  Give --filter a value, or leave it out.\n'],
    [
      ['run', '--mode', 'reply'],
      'error  --mode does not take "reply"\n  It takes replay, record, live, auto or off.\n',
    ],
    [
      ['run', '--mode', '__proto__'],
      'error  --mode does not take "__proto__"\n  It takes replay, record, live, auto or off.\n',
    ],
    [
      ['run', '--reporter', 'xml'],
      'error  --reporter does not take "xml"\n  It takes terminal, json, junit or html.\n',
    ],
    [
      ['run', '--html-out', '-'],
      'error  --html-out takes a file, not "-"\n  For html on stdout use --reporter html.\n',
    ],
    [
      ['record', '--estimate', '--junit-out', 'x.xml'],
      'error  --estimate does not go with --junit-out\n  Nothing is run. Leave out --junit-out.\n',
    ],
    [
      ['report', 'no.json'],
      'error  no.json cannot be read: there is no such file\n  Give the file that `retake run --json-out` or the action wrote.\n',
    ],
    [
      ['run', '--concurrency', '0'],
      'error  --concurrency does not take "0"\n  It takes a whole number from 1 to 1000.\n',
    ],
    [
      ['run', '--concurrency', '1e3'],
      'error  --concurrency does not take "1e3"\n  It takes a whole number from 1 to 1000.\n',
    ],
    [
      ['run', '--mode', 'replay', '--cache', 'live'],
      'error  --mode is given twice, as replay or record\n  Give it once. --cassette-mode and --cache are other names of --mode.\n',
    ],
    [['run', '-C', 'nowhere'], 'error  --cwd: there is no folder nowhere\n  Name a folder that exists.\n'],
    [['run', '-C', 'args.test.ts'], 'error  --cwd: there is no folder args.test.ts\n  Name a folder that exists.\n'],
    [
      ['run', '--json-out', '-'],
      'error  --json-out takes a file, not "-"\n  For JSON on stdout use --reporter json.\n',
    ],
  ])('%j', async (argv, stderr) => {
    expect(await retake(argv)).toEqual({ stdout: '', stderr, exitCode: 2, asked: undefined });
  });

  it('shows a hostile word harmlessly', async () => {
    const { stderr, exitCode } = await retake(['\u001b[2J\n::error::x']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('\\x1b[2J');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toMatch(/^\s*::/m);
  });
});

describe('help and version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

  it('prints the version of the package', async () => {
    expect(await retake(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0, asked: undefined });
  });

  it('prints help for a bare call, and the same for --help and help', async () => {
    const bare = await retake([]);
    expect(bare).toMatchObject({ exitCode: 0, stderr: '' });
    expect(bare.stdout).toMatch(/^Usage: retake \[options\] \[command\]\n/);
    expect(bare.stdout).toContain('Exit codes: 0 passed');
    expect((await retake(['--help'])).stdout).toBe(bare.stdout);
    expect((await retake(['help'])).stdout).toBe(bare.stdout);
    expect((await retake(['--no-color'])).stdout).toBe(bare.stdout);
  });

  it.each(['run', 'record', 'validate'])(
    '%s has help with examples and the options of all commands',
    async (command) => {
      const { stdout, exitCode } = await retake([command, '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: retake ${command} [options] [globs...]\n`);
      expect(stdout).toContain(`\nExamples:\n  retake ${command}\n`);
      expect(stdout).toContain('-C, --cwd <dir>');
      expect(stdout).not.toContain('[]');
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    },
  );

  it.each([
    ['prune', '[options]'],
    ['mv', '[options] <old> <new>'],
  ])('%s %s has help with examples', async (command, words) => {
    const { stdout, exitCode } = await retake([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: retake ${command} ${words}\n`);
    expect(stdout).toContain(`\nExamples:\n  retake ${command}`);
    expect(stdout).toContain('-C, --cwd <dir>');
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('lists only the commands that exist', async () => {
    const { stdout } = await retake([]);
    const listed = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) (?:\[options\] )?[[<]/gm)];
    expect(listed.map(([, name]) => name)).toEqual([
      'run',
      'record',
      'rejudge',
      'validate',
      'prune',
      'mv',
      'resolve',
      'trace',
      'explain',
      'redact',
      'diff',
      'drift',
      'compare',
      'report',
      'help',
    ]);
  });
});
