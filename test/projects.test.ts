// Every project below projects/: replayed in a copy, report and terminal compared byte for byte.
//
// `UPDATE=1 npx vitest run test/projects.test.ts` records again from answers.json (with the files of before/ in their
// places, where a project shows what an edit does) and writes expected/ anew. What a model says stands in answers.json:
// input, or a rubric that is part of it -> takes -> turns; the last take repeats.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newProject, type ProjectFolder } from './helpers/project.ts';
import { type Decide, type Said, startProvider } from './helpers/provider-server.ts';
import { runCli } from './helpers/run-cli.ts';

const PROJECTS = fileURLToPath(new URL('./projects/', import.meta.url));
/** The port in the projects' retake.yaml: an endpoint is part of what is asked, so it must not change. */
const PORT = 18_911;
const UPDATE = process.env.UPDATE === '1';

const leaves = readdirSync(PROJECTS).flatMap((theme) =>
  readdirSync(join(PROJECTS, theme)).map((leaf) => `${theme}/${leaf}`),
);

/** A copy of a project without what the loop itself needs. */
function copyOf(source: string): ProjectFolder {
  const copy = newProject({});
  const notCopied = ['expected', 'before', 'answers.json'];
  cpSync(source, copy.folder, { recursive: true, filter: (path) => !notCopied.includes(basename(path)) });
  return copy;
}

function answersOf(source: string): Decide {
  const answers = JSON.parse(readFileSync(join(source, 'answers.json'), 'utf8')) as Record<string, Said[][]>;
  return ({ input, turn, conversation }) => {
    const key = Object.hasOwn(answers, input) ? input : Object.keys(answers).find((part) => input.includes(part));
    const takes = (key !== undefined && answers[key]) || [];
    const said = takes[Math.min(conversation, takes.length) - 1]?.[turn - 1];
    if (!said) throw new Error(`no answer to turn ${turn} of ${input}`);
    return said;
  };
}

async function record(source: string): Promise<void> {
  await using _provider = await startProvider(answersOf(source), PORT);
  using copy = copyOf(source);
  if (existsSync(join(source, 'before'))) cpSync(join(source, 'before'), copy.folder, { recursive: true });
  const { stdout, stderr, exitCode } = await runCli(copy.folder, ['record']);
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`${source}\n${stdout}${stderr}`);
  rmSync(join(source, 'cassettes'), { recursive: true, force: true });
  cpSync(join(copy.folder, 'cassettes'), join(source, 'cassettes'), { recursive: true });
}

describe.sequential('a project replays to the byte', () => {
  it.each(leaves)('%s', async (leaf) => {
    const source = join(PROJECTS, leaf);
    if (UPDATE && existsSync(join(source, 'answers.json'))) await record(source);
    using copy = copyOf(source);
    const before = copy.contents();

    const ran = await runCli(copy.folder, ['run', '--json-out', 'out/report.json']);

    const terminal = `$ retake run\n${ran.stdout}${ran.stderr}exit ${ran.exitCode}\n`;
    const report = copy.read('out/report.json');
    if (UPDATE) {
      mkdirSync(join(source, 'expected'), { recursive: true });
      writeFileSync(join(source, 'expected/terminal.txt'), terminal);
      writeFileSync(join(source, 'expected/report.json'), report);
    }
    expect(terminal).toBe(readFileSync(join(source, 'expected/terminal.txt'), 'utf8'));
    expect(report).toBe(readFileSync(join(source, 'expected/report.json'), 'utf8'));
    // A replay writes nothing but what it was asked for.
    expect(copy.contents()).toEqual({ ...before, 'out/report.json': report });
  });
});
