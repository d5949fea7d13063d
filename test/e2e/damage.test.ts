// Damaged recordings: refused with file, line and remedy, all in one run, nothing on stdout and nobody asked.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configOf, KEY, newProject, type ProjectFolder, refundSuite, steadyRefund } from '../helpers/project.ts';
import { type ProviderServer, startProvider } from '../helpers/provider-server.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';

const ONE = 'cassettes/refunds/one.yaml';
const TWO = 'cassettes/refunds/two.yaml';
const RESTORE = (file: string) =>
  `  Restore it with \`git checkout -- ${file}\`, or record the case again with \`retake record\`.\n`;

let provider: ProviderServer;
let project: ProjectFolder;
let sound: Record<string, string>;
let prompt: string;

beforeAll(async () => {
  provider = await startProvider(steadyRefund);
  project = newProject({
    'retake.yaml': configOf(provider.baseUrl),
    'evals/refunds.eval.yaml': refundSuite({ one: '', two: '', three: '' }),
  });
  expect(await runCli(project.folder, ['record'], { env: KEY })).toMatchObject({ exitCode: 0 });
  sound = project.contents('cassettes');
  prompt = Object.keys(sound).find((file) => file.includes('/prompts/')) ?? '';
});

beforeEach(() => {
  project.remove('cassettes');
  for (const [file, text] of Object.entries(sound)) project.write(file, text);
  provider.journal.length = 0;
});

afterAll(async () => {
  project[Symbol.dispose]();
  await provider[Symbol.asyncDispose]();
});

function soundText(file: string): string {
  return sound[file] ?? '';
}

/** What `run`, `record --missing` and `validate` say, which is the same. */
async function refused(): Promise<string> {
  const runs: CliRun[] = [];
  const before = project.contents('cassettes');
  for (const args of [['run'], ['record', '--missing'], ['validate'], ['run', '--reporter', 'json']]) {
    runs.push(await runCli(project.folder, args, { env: KEY }));
  }
  for (const ran of runs) expect(ran).toEqual({ stdout: '', stderr: runs[0]?.stderr, exitCode: 2, signal: null });
  expect(provider.journal).toEqual([]);
  expect(project.contents('cassettes')).toEqual(before);
  return runs[0]?.stderr ?? '';
}

it('replays before it is damaged', async () => {
  expect(await runCli(project.folder, ['run'])).toMatchObject({ exitCode: 0 });
});

describe('a cassette is refused', () => {
  it('truncated in the middle of a line', async () => {
    const text = soundText(ONE);
    const at = text.indexOf('issue_refund') + 5;
    project.write(ONE, text.slice(0, at));
    const line = text.slice(0, at).split('\n').length;
    const source = text.slice(0, at).split('\n').at(-1);
    expect(await refused()).toBe(
      `${ONE}:${line}  The cassette ${ONE} is cut off: it ends before its digest line does.\n` +
        `    ${String(line).padStart(2)} │ ${source}\n${RESTORE(ONE)}`,
    );
  });

  it('truncated at the end of a line', async () => {
    project.write(ONE, soundText(ONE).split('\n').slice(0, 12).join('\n').concat('\n'));
    const said = await refused();
    expect(said).toContain(`The cassette ${ONE} is cut off: it ends before its digest line does.\n`);
    expect(said).toContain(RESTORE(ONE));
  });

  it('empty', async () => {
    project.write(ONE, '');
    expect(await refused()).toBe(`${ONE}:1  The cassette ${ONE} is empty.\n${RESTORE(ONE)}`);
  });

  it('with one byte flipped, wherever it is', async () => {
    const bytes = Buffer.from(soundText(ONE));
    // Spread over the file: the header, names, texts, numbers, the digest itself.
    for (const part of [0.01, 0.12, 0.37, 0.61, 0.83, 0.995]) {
      const flipped = Buffer.from(bytes);
      const at = Math.floor(bytes.length * part);
      flipped.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      project.write(ONE, flipped);
      const ran = await runCli(project.folder, ['run']);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toMatch(new RegExp(`^${ONE}:\\d+ {2}The cassette ${ONE} `));
      expect(ran.stderr).toContain('`retake record`');
    }
  });

  it('edited by hand', async () => {
    project.edit(ONE, 'Done, A-1', 'Done, A-2');
    const lines = soundText(ONE).trimEnd().split('\n').length;
    expect(await refused()).toBe(
      `${ONE}:${lines}  The cassette ${ONE} does not match the digest on its last line: it was edited by hand or damaged.\n` +
        `  ${String(lines).padStart(4)} │ ${soundText(ONE).trimEnd().split('\n').at(-1)}\n${RESTORE(ONE)}`,
    );
  });

  it('with conflict markers', async () => {
    project.edit(ONE, 'suite: "refunds"\n', '<<<<<<< HEAD\nsuite: "refunds"\n=======\nsuite: "other"\n>>>>>>> topic\n');
    expect(await refused()).toBe(
      `${ONE}:3  The cassette ${ONE} holds conflict markers of a git merge.\n     3 │ <<<<<<< HEAD\n` +
        `  Run \`retake resolve\`, which keeps the side that answers the suites; or take one side whole with \`git checkout --ours -- ${ONE}\` or \`git checkout --theirs -- ${ONE}\`, ` +
        'or record the case again with `retake record`.\n',
    );
  });

  it('of a version it does not know', async () => {
    project.edit(ONE, 'retake: 1\n', 'retake: 7\n');
    expect(await refused()).toBe(
      `${ONE}:2  The cassette ${ONE} has format version 7, and this Retake reads version 1: a newer Retake wrote it.\n` +
        '     2 │ retake: 7\n' +
        '  Use the Retake version that wrote it, or record the case again with `retake record`.\n',
    );
  });

  it('with CRLF line ends', async () => {
    project.write(ONE, soundText(ONE).replaceAll('\n', '\r\n'));
    const said = await refused();
    expect(said).toContain(
      `${ONE}:1  The cassette ${ONE} has a line that ends with CRLF, where Retake writes LF only.\n`,
    );
    expect(said).toContain('  Add the line `cassettes/** text eol=lf` ');
  });

  it('that is not UTF-8', async () => {
    const [before = '', rest = ''] = soundText(ONE).split('Done, ');
    project.write(ONE, Buffer.concat([Buffer.from(`${before}Done, `), Buffer.from([0xff]), Buffer.from(rest)]));
    const said = await refused();
    expect(said).toContain(`${ONE}:${before.split('\n').length}  The cassette ${ONE} is not UTF-8 text.\n`);
    expect(said).toContain(RESTORE(ONE));
  });

  it('with a folder in its place', async () => {
    project.remove(ONE);
    project.write(`${ONE}/something`, '');
    expect(await refused()).toBe(
      `${ONE}:1  cannot be read: a folder stands where a file should be\n` +
        `  Restore it with \`git checkout -- ${ONE}\`, or move away what stands there and record again with \`retake record\`.\n`,
    );
  });

  it('copied from another case', async () => {
    project.write(ONE, soundText(TWO));
    expect(await refused()).toBe(
      `${ONE}:3  holds the recording of refunds › two, not of refunds › one\n` +
        '  Cassettes are not to be copied or renamed by hand. Delete it and record again with `retake record --missing`.\n',
    );
  });
});

describe('a prompt file is refused, once for all the cases that refer to it,', () => {
  it('where it is missing', async () => {
    project.remove(prompt);
    expect(await refused()).toBe(
      `${prompt}  is missing, and cassettes refer to it\n` +
        `  Restore it with \`git checkout -- ${prompt}\`, or record the suite again with \`retake record\`.\n`,
    );
  });

  it('where it is damaged', async () => {
    project.edit(prompt, 'support agent', 'sales agent');
    const said = await refused();
    expect(said).toMatch(new RegExp(`^${prompt}:\\d+ {2}The prompt file ${prompt} does not match the digest`));
    expect(said).toContain(RESTORE(prompt));
  });

  it('and mended by recording the suite again', async () => {
    project.remove(prompt);
    const before = project.contents('cassettes');
    const ran = await runCli(project.folder, ['record'], { env: KEY });
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Object.keys(project.contents('cassettes'))).toEqual([...Object.keys(before), prompt].sort());
    expect(project.read(prompt)).toBe(sound[prompt]);
    expect(await runCli(project.folder, ['validate'])).toMatchObject({ exitCode: 0 });
  });
});

it('tells all damaged files in one run, in the order of their names', async () => {
  project.write(TWO, '');
  project.edit(ONE, 'retake: 1\n', 'retake: 7\n');
  project.edit('cassettes/refunds/three.yaml', 'Done, A-1', 'Done, A-2');
  const said = await refused();
  expect(said.match(/^cassettes\S+/gm)).toEqual([
    `${ONE}:2`,
    expect.stringMatching(/^cassettes\/refunds\/three\.yaml:\d+$/),
    `${TWO}:1`,
  ]);
  expect(said).toMatch(/\n\n3 errors in 3 files\n$/);
});

it('does not let damage elsewhere stop the cases that are asked for', async () => {
  project.write(TWO, '');
  const ran = await runCli(project.folder, ['run', '--filter', 'refunds::one']);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
});
