// A provider that fails in every way at once, until it answers: one turn on the cassette, the retries in every report.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderSummary } from '../../src/render/summary.ts';
import type { RunResult } from '../../src/run/result.ts';
import { newProject } from '../helpers/project.ts';
import { runCli } from '../helpers/run-cli.ts';
import { type Handle, listen } from '../responder/raw-server.ts';

const HELLO = JSON.stringify({
  model: 'small-1.0',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2 },
});

/** What happens to one attempt after the other. */
const ATTEMPTS: [name: string, handle: Handle][] = [
  ['429', (response) => response.writeHead(429, { 'retry-after': '2' }).end('{"error":{"message":"slow down"}}')],
  ['503', (response) => response.writeHead(503).end('<h1>Bad gateway</h1>')],
  ['garbage', (response) => response.writeHead(200).end('\u0000 not JSON {')],
  [
    'cut off',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"choices":');
      setImmediate(() => response.destroy());
    },
  ],
  ['200', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(HELLO)],
];

it('records one turn after a 429, a 503, garbage and a broken connection, and counts the retries', async () => {
  const seen: string[] = [];
  const { url } = await listen((response, attempt, request) => {
    const [name, handle] =
      ATTEMPTS[attempt - 1] ?? (['more', (end) => end.writeHead(500).end()] as (typeof ATTEMPTS)[0]);
    seen.push(name);
    handle(response, attempt, request);
  });
  using project = newProject({
    'retake.yaml': `version: 1
defaults: {provider: local, model: small, max_retries: 4}
prices: {local/small: {input: 1, output: 1}}
providers:
  local: {base_url: "${url}"}
`,
    'evals/greeting.eval.yaml': 'name: greeting\ncases:\n  - name: hello\n    input: Hi\n',
  });
  const recorded = await runCli(project.folder, ['record', '--json-out', 'out.json']);
  expect(recorded).toMatchObject({ exitCode: 0, stderr: '' });
  expect(seen).toEqual(ATTEMPTS.map(([name]) => name));

  expect(recorded.stdout).toContain('answers  0 from cassettes · 1 live · 0 unused · 4 retries (record)\n');
  const result = JSON.parse(readFileSync(join(project.folder, 'out.json'), 'utf8')) as RunResult;
  expect(result.tally).toMatchObject({ turns: 1, live: 1, retries: 4 });
  expect(renderSummary(result)).toContain('0 from cassettes · 1 live · 0 unused · 4 retries (record)');
  expect(project.read('cassettes/greeting/hello.yaml').match(/fingerprint:/g)).toHaveLength(1);

  const replayed = await runCli(project.folder, ['run', '--reporter', 'json']);
  expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(replayed.stdout).not.toContain('retries');
  expect(seen).toHaveLength(5);
});
