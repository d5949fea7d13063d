// What a command line prints, writes and ends with.

import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError, userError } from '../../src/errors.ts';
import { caseOf, HARMFUL, missed, refunded, runOf } from '../render/terminal-samples.ts';
import { PASSED, retake } from './shell.ts';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe('exit codes', () => {
  it.each([
    [0, PASSED],
    [1, runOf([refunded()])],
    [3, runOf([refunded(), missed('a', 'no recording', undefined)])],
  ])('%i comes from the result', async (exitCode, result) => {
    const ran = await retake(['run'], { run: async () => result });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout).toContain(`exit ${exitCode}   `);
    expect(ran.stderr).toBe('');
  });

  it('is 2 for a mistake, told on stderr without a stack', async () => {
    const ran = await retake(['run'], {
      run: async () => {
        throw userError('no_suites', 'no suite matches evals/*.yaml', { remedy: 'Name a file that exists.' });
      },
    });
    expect(ran).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'error  no suite matches evals/*.yaml\n  Name a file that exists.\n',
    });
  });

  it('is 70 for a bug, with its stack', async () => {
    const ran = await retake(['run', '--reporter', 'json'], {
      run: async () => {
        throw new TypeError('cannot read \u001b[2J of undefined');
      },
    });
    expect(ran).toMatchObject({ exitCode: 70, stdout: '' });
    expect(ran.stderr).toMatch(/^TypeError: cannot read \\x1b\[2J of undefined\n {4}at .*cli\.test/);
    expect(ran.stderr).toMatch(/This is a bug in Retake .* Please report it with the lines above\.\n$/);
  });
});

describe('reports', () => {
  it('has nothing but the document on stdout with --reporter json', async () => {
    const ran = await retake(['run', '--reporter', 'json'], { terminal: 80, errTerminal: 80 });
    expect(ran.stdout).toBe(json(PASSED));
    expect(ran.stderr).toBe('');
  });

  it('escapes in JSON what a terminal would act on, and keeps the value', async () => {
    const result = runOf([caseOf('a\u009b2J\u202eb\u001b')]);
    const { stdout } = await retake(['run', '--reporter', 'json'], { run: async () => result });
    expect(stdout).not.toMatch(HARMFUL);
    expect(JSON.parse(stdout)).toEqual(result);
  });

  it('shows every turn with -v', async () => {
    expect((await retake(['run', '-v'])).stdout).toContain('turn 1    lookup_order');
    expect((await retake(['run'])).stdout).not.toContain('turn 1');
  });

  it('prints the same bytes into a pipe whatever the environment', async () => {
    const first = await retake(['run'], { env: { COLUMNS: '40', LANG: 'de_DE.UTF-8' } });
    expect((await retake(['run'], { env: { TERM: 'xterm' } })).stdout).toBe(first.stdout);
  });

  it('fits the terminal', async () => {
    const { stdout } = await retake(['run', '--no-color'], { terminal: 40 });
    expect(stdout.split('\n')[1]).toBe('  ✓ passed  looks_up_order             2');
  });
});

describe('colour', () => {
  const GREEN = '\u001b[32m';
  it.each([
    ['a terminal', ['run'], { terminal: 80 }, true],
    ['a pipe', ['run'], {}, false],
    ['a dumb terminal', ['run'], { terminal: 80, env: { TERM: 'dumb' } }, false],
    ['NO_COLOR', ['run'], { terminal: 80, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', ['run'], { terminal: 80, env: { NO_COLOR: '' } }, true],
    ['--no-color', ['run', '--no-color'], { terminal: 80 }, false],
    ['FORCE_COLOR', ['run'], { env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', ['run'], { terminal: 80, env: { FORCE_COLOR: '0' } }, false],
    ['FORCE_COLOR and --no-color', ['--no-color', 'run'], { env: { FORCE_COLOR: '1' } }, false],
  ])('%s', async (_, argv, settings, colored) => {
    expect((await retake(argv, settings)).stdout.includes(GREEN)).toBe(colored);
  });

  it('is decided for stderr by stderr', async () => {
    const run = async () => {
      throw userError('no_suites', 'none');
    };
    expect((await retake(['run'], { run, terminal: 80 })).stderr).toBe('error  none\n');
    expect((await retake(['run'], { run, errTerminal: 80 })).stderr).toContain('\u001b[31m');
    expect((await retake(['run', '--no-color'], { run, errTerminal: 80 })).stderr).toBe('error  none\n');
  });
});

describe('--json-out', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'retake-cli-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  it('writes the document beside the report and makes its folders', async () => {
    const { stdout, exitCode } = await retake(['run', '--json-out', 'out/deep/result.json'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('✓ passed');
    expect(readFileSync(join(cwd, 'out/deep/result.json'), 'utf8')).toBe(json(PASSED));
    expect(readdirSync(join(cwd, 'out/deep'))).toEqual(['result.json']);
  });

  it('is relative to --cwd', async () => {
    mkdirSync(join(cwd, 'project'));
    await retake(['-C', 'project', 'run', '--json-out', 'r.json'], { cwd });
    expect(readdirSync(join(cwd, 'project'))).toEqual(['r.json']);
  });

  it('replaces what was there, and what a link points to', async () => {
    writeFileSync(join(cwd, 'real.json'), 'old');
    symlinkSync('real.json', join(cwd, 'link.json'));
    await retake(['run', '--json-out', 'link.json'], { cwd });
    expect(lstatSync(join(cwd, 'link.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, 'real.json'), 'utf8')).toBe(json(PASSED));
  });

  it.each([
    ['a folder', 'folder', 'it is a folder'],
    ['a path through a file', 'file/result.json', 'a part of its path is a file'],
  ])('refuses %s before anything runs', async (_, file, why) => {
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'file'), '');
    const ran = await retake(['run', '--json-out', file], { cwd });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', asked: undefined });
    expect(ran.stderr).toMatch(`error  --json-out cannot write ${file}: ${why}\n  Name a file in a folder`);
  });

  it('ends with 2, the report printed and nothing left behind, where the file cannot be written after all', async () => {
    const ran = await retake(['run', '--json-out', 'r.json'], {
      cwd,
      run: async () => {
        mkdirSync(join(cwd, 'r.json'));
        return PASSED;
      },
    });
    expect(ran.exitCode).toBe(2);
    expect(ran.stdout).toContain('✓ passed');
    expect(ran.stderr).toContain('cannot write r.json: it is a folder');
    expect(readdirSync(cwd)).toEqual(['r.json']);
  });

  it('writes into a pipe and leaves it one', async () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = execFile('cat', [pipe]);
    let read = '';
    reader.stdout?.on('data', (chunk: string) => {
      read += chunk;
    });
    try {
      expect((await retake(['run', '--json-out', 'pipe'], { cwd })).exitCode).toBe(0);
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      await once(reader, 'close');
      expect(read).toBe(json(PASSED));
    } finally {
      reader.kill();
    }
  });
});

describe('validate', () => {
  const found = {
    suites: 2,
    cases: 1340,
    cassettes: 1338,
    takes: 1400,
    interactions: 4100,
    notes: ['evals/a: no cassette'],
  };

  it('says what is sound, then notes', async () => {
    const ran = await retake(['validate'], { validate: async () => found });
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout:
        '✓ 2 suites with 1,340 cases, 1,338 cassettes (1,400 takes, 4,100 interactions): all sound\nnote  evals/a: no cassette\n',
    });
  });

  it('ends with 2 and every fault', async () => {
    const place = (line: number) => ({ file: 'evals/a.eval.yaml', line });
    const ran = await retake(['validate'], {
      validate: async () => {
        throw new UserError([
          { code: 'suite_invalid', message: 'one', place: place(3) },
          { code: 'cassette_damaged', message: 'two', place: place(9) },
        ]);
      },
    });
    expect(ran).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'evals/a.eval.yaml:3  one\n\nevals/a.eval.yaml:9  two\n\n2 errors in 1 file\n',
    });
  });
});
