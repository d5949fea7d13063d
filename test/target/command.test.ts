// Commands run as real processes: what they say, how they fail, and that none is left behind.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandRun, runCommand } from '../../src/target/command.ts';

const NODE = JSON.stringify(process.execPath);

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'retake-command-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs a script of Node's in a fresh folder, or in `cwd`. */
function run(script: string, more: Partial<CommandRun> = {}) {
  const cwd = more.cwd ?? folder();
  writeFileSync(join(cwd, 'script.mjs'), script);
  return runCommand({
    command: `${NODE} script.mjs`,
    input: '',
    env: { PATH: process.env['PATH'] },
    timeoutMs: 20_000,
    ...more,
    cwd,
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet is dead.
    return !/^\d+ \(.*\) Z/s.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

/** Waits until a file is there and whole. */
async function fileOf(path: string): Promise<string> {
  while (!existsSync(path) || !readFileSync(path, 'utf8').endsWith('\n')) await new Promise((go) => setTimeout(go, 10));
  return readFileSync(path, 'utf8').trim();
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500 && isAlive(pid); tries++) await new Promise((go) => setTimeout(go, 10));
  return !isAlive(pid);
}

/** Starts a process that starts another that never ends, deaf to SIGTERM, and tells both ids. */
const FAMILY = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
process.on('SIGTERM', () => {});
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
writeFileSync('pids', process.pid + ' ' + child.pid + '\\n');
setInterval(() => {}, 1000);
`;

test('stdin, folder and environment reach it, and its last line ends are dropped', async () => {
  const cwd = folder();
  const script = `
    import { readFileSync } from 'node:fs';
    console.log(JSON.stringify([readFileSync(0, 'utf8'), process.cwd(), process.env.A, process.env.HOME]) + '\\n\\n');
  `;
  const result = await run(script, { cwd, input: 'grüß\n', env: { PATH: process.env['PATH'], A: '1' } });
  expect(result).toEqual({ ok: true, stdout: JSON.stringify(['grüß\n', cwd, '1', null]) });
});

test('a large input need not be read', async () => {
  const result = await run('console.log(1)', { input: 'x'.repeat(2_000_000) });
  expect(result).toEqual({ ok: true, stdout: '1' });
});

test('another exit code than 0 is told with the end of stderr', async () => {
  const result = await run(`
    for (let at = 0; at < 5000; at++) console.error('line ' + at);
    process.exitCode = 7;
  `);
  const lines = Array.from({ length: 10 }, (_, at) => `line ${4990 + at}`).join('\n');
  expect(result).toEqual({
    ok: false,
    reason: 'exit',
    message: `${NODE} script.mjs exited with 7: ${lines}`,
  });
});

test('a command that is not there is told as the shell tells it', async () => {
  const result = await run('', { command: 'no-such-command-of-ours' });
  expect(result).toMatchObject({
    ok: false,
    reason: 'exit',
    message: expect.stringContaining('no-such-command-of-ours'),
  });
});

test('a folder that is not there is told', async () => {
  const command = { command: 'node', input: '', env: {}, timeoutMs: 1000 };
  const result = await runCommand({ ...command, cwd: join(folder(), 'gone') });
  expect(result).toMatchObject({ ok: false, reason: 'unstartable' });
});

test('what hangs ends with all it started, deaf to SIGTERM or not', async () => {
  const cwd = folder();
  const result = await run(FAMILY, { cwd, timeoutMs: 1500 });
  expect(result).toMatchObject({
    ok: false,
    reason: 'timeout',
    message: expect.stringMatching(/ did not end within 1\.5 s$/),
  });
  const pids = (await fileOf(join(cwd, 'pids'))).split(' ').map(Number);
  for (const pid of pids) expect(await gone(pid)).toBe(true);
});

test('what is asked to end may tidy up first', async () => {
  const cwd = folder();
  await run(
    `
    import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync('tidy', 'yes\\n'); process.exit(); }, 50));
    writeFileSync('pids', process.pid + '\\n');
    setInterval(() => {}, 1000);
  `,
    { cwd, timeoutMs: 1000 },
  );
  expect(readFileSync(join(cwd, 'tidy'), 'utf8')).toBe('yes\n');
});

test('what floods stdout is ended, and a flood of stderr costs nothing', async () => {
  const flood = await run(
    `const line = 'x'.repeat(65536); const on = () => { while (process.stdout.write(line)); }; process.stdout.on('drain', on); on();`,
  );
  expect(flood).toMatchObject({
    ok: false,
    reason: 'too_large',
    message: expect.stringMatching(/ printed more than 4 MiB$/),
  });
  const noisy = await run(
    `for (let at = 0; at < 200; at++) process.stderr.write('x'.repeat(65536)); console.log('fine');`,
  );
  expect(noisy).toEqual({ ok: true, stdout: 'fine' });
});

test('an interruption ends all of it', async () => {
  const cwd = folder();
  const stop = new AbortController();
  const running = run(FAMILY, { cwd, signal: stop.signal });
  const pids = (await fileOf(join(cwd, 'pids'))).split(' ').map(Number);
  stop.abort('SIGINT');
  expect(await running).toEqual({ ok: false, reason: 'aborted', message: 'interrupted' });
  for (const pid of pids) expect(await gone(pid)).toBe(true);
  expect(await run('', { cwd, signal: stop.signal })).toMatchObject({ ok: false, reason: 'aborted' });
});

test('what a command leaves in the background ends with it', async () => {
  const cwd = folder();
  const result = await run(
    `
    import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    child.unref();
    console.log(child.pid);
    process.exit();
  `,
    { cwd },
  );
  expect(result).toMatchObject({ ok: true });
  expect(await gone(Number((result as { stdout: string }).stdout))).toBe(true);
});

test('nothing is left where this process ends at once', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'script.mjs'), FAMILY);
  const source = readFileSync(new URL('../../src/target/command.ts', import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const main = `
    process.on('SIGTERM', () => process.exit(3));
    runCommand({ command: ${JSON.stringify(`${NODE} script.mjs`)}, input: '', cwd: '.', env: process.env, timeoutMs: 60000 });
  `;
  writeFileSync(join(cwd, 'main.mjs'), outputText + main);
  const own = spawn(process.execPath, ['main.mjs'], { cwd, stdio: 'ignore' });
  const pids = (await fileOf(join(cwd, 'pids'))).split(' ').map(Number);
  const ended = new Promise((resolve) => own.on('close', resolve));
  own.kill('SIGTERM');
  expect(await ended).toBe(3);
  for (const pid of pids) expect(await gone(pid)).toBe(true);
});
