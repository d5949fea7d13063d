// What makes a recording stale, and what does not: a tool loop of three turns, recorded once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configOf, KEY, newProject, type ProjectFolder, refundSuite, steadyRefund } from '../helpers/project.ts';
import { type ProviderServer, startProvider } from '../helpers/provider-server.ts';
import { runCli } from '../helpers/run-cli.ts';

const SUITE = 'evals/refunds.eval.yaml';

let provider: ProviderServer;
let project: ProjectFolder;
let suite: string;
let config: string;

beforeAll(async () => {
  provider = await startProvider(steadyRefund);
  suite = refundSuite({ one: '    expect:\n      - calls_tool: issue_refund\n' });
  config = configOf(provider.baseUrl);
  project = newProject({ 'retake.yaml': config, [SUITE]: suite });
  const recorded = await runCli(project.folder, ['record'], { env: KEY });
  expect(recorded).toMatchObject({ exitCode: 0, stderr: '' });
  expect(provider.journal).toHaveLength(3);
});

afterAll(async () => {
  project[Symbol.dispose]();
  await provider[Symbol.asyncDispose]();
});

/** Replays with one text of a file replaced; the file is put back. */
async function runEdited(file: string, old: string, now: string, env = {}) {
  const asked = provider.journal.length;
  project.edit(file, old, now);
  const ran = await runCli(project.folder, ['run'], { env });
  project.write('retake.yaml', config);
  project.write(SUITE, suite);
  expect(provider.journal).toHaveLength(asked);
  return ran;
}

it('replays although the call ids differ at every recording, which changes no byte', async () => {
  const before = project.contents('cassettes');
  const idsOf = (from: number) =>
    provider.journal.slice(from).flatMap(({ body }) => body.messages.flatMap((one) => one.tool_calls ?? []));
  const first = idsOf(0);

  const again = await runCli(project.folder, ['record'], { env: KEY });
  expect(again.exitCode).toBe(0);
  expect(project.contents('cassettes')).toEqual(before);
  // What goes back to the provider is ours, the same in both conversations.
  expect(idsOf(3)).toEqual(first);
  expect(first.map(({ id }) => id)).toEqual(['call_0', 'call_0', 'call_1']);

  const replayed = await runCli(project.folder, ['run']);
  expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(replayed.stdout).toContain('answers  3 from cassettes · 0 live · 0 unused (replay)\n');
});

describe('unrecorded, with the first difference and the remedy, after an edit of', () => {
  const twoTools = /tools:\n([\s\S]*?)( {2}- name: issue_refund[\s\S]*?)mocks:/;

  it.each([
    ['the model', 'retake.yaml', 'model: small', 'model: large', 'model'],
    ['a parameter', SUITE, 'temperature: 0', 'temperature: 0.5', 'params.temperature'],
    ['the parameters', SUITE, 'temperature: 0', 'temperature: 0, seed: 1', 'params.seed'],
    ['the system prompt', SUITE, 'You are a support agent.', 'You are a sales agent.', 'system'],
    ['a message', SUITE, 'Refund one.', 'Refund one!', 'messages[0].content'],
    ['a tool’s description', SUITE, 'Look up an order by id.', 'Look an order up.', 'tools[0].description'],
    [
      'a tool’s schema',
      SUITE,
      'by id.\n    input_schema: {type: object, properties: {order_id: {type: string}}',
      'by id.\n    input_schema: {type: object, properties: {order_id: {type: integer}}',
      'tools[0].input_schema.properties.order_id.type',
    ],
    ['the endpoint', 'retake.yaml', '/v1"', '/v2"', 'endpoint'],
  ])('%s', async (_, file, old, now, path) => {
    const ran = await runEdited(file, old, now);
    expect(ran).toMatchObject({ exitCode: 3, stderr: '' });
    expect(ran.stdout).toContain(
      `? unrecorded  refunds › one   take 1, turn 1\n    ${path} differs from the recording\n`,
    );
    expect(ran.stdout).toContain(`    retake record ${SUITE}\n`);
  });

  it('a tool’s name', async () => {
    project.write(SUITE, suite.replaceAll('lookup_order', 'find_order'));
    const ran = await runEdited(SUITE, 'Refund one.', 'Refund one.');
    expect(ran.exitCode).toBe(3);
    expect(ran.stdout).toContain('recorded  lookup_order, issue_refund\n      now       find_order, issue_refund\n');
    expect(ran.stdout).toContain(`retake record ${SUITE}\n`);
  });

  it('the order of the tools', async () => {
    const moved = suite.replace(twoTools, (_, first: string, second: string) => `tools:\n${second}${first}mocks:`);
    expect(moved).not.toBe(suite);
    project.write(SUITE, moved);
    const ran = await runEdited(SUITE, 'Refund one.', 'Refund one.');
    expect(ran.exitCode).toBe(3);
    expect(ran.stdout).toContain('tools (order) differs from the recording\n');
    expect(ran.stdout).toContain(`retake record ${SUITE}\n`);
  });

  it('what a mock gives, from the turn on that sees it', async () => {
    const ran = await runEdited(SUITE, 'total: 20', 'total: 21');
    expect(ran.exitCode).toBe(3);
    expect(ran.stdout).toContain('take 1, turn 2\n    messages[2].result.total differs from the recording\n');
    expect(ran.stdout).toContain('      recorded  20\n      now       21\n');
  });
});

describe('still replayed after an edit of', () => {
  it.each([
    ['the key’s variable', 'retake.yaml', 'LOCAL_KEY', 'OTHER_KEY'],
    [
      'the provider’s alias',
      'retake.yaml',
      'local, model: small, max_retries: 0}\nconcurrency: 2\nproviders:\n  local:',
      'alias, model: small, max_retries: 0}\nconcurrency: 2\nproviders:\n  alias:',
    ],
    ['the retries', 'retake.yaml', 'max_retries: 0', 'max_retries: 5'],
    ['the timeout', 'retake.yaml', 'max_retries: 0', 'max_retries: 0, timeout_s: 3'],
    ['the concurrency', 'retake.yaml', 'concurrency: 2', 'concurrency: 16'],
    ['the suite’s description', SUITE, 'Refunds of small orders', 'Refunds'],
    ['the suite’s expectations', SUITE, 'max_turns: 3', 'max_turns: 4'],
    ['the case’s expectations', SUITE, '- calls_tool: issue_refund', '- final_contains: done'],
    [
      'a mock that is not reached',
      SUITE,
      '    - return: {refund_id: R-1}',
      '    - return: {refund_id: R-1}\n    - error: never',
    ],
    ['a tag', SUITE, 'description: Refunds of', 'tags: [support]\ndescription: Refunds of'],
  ])('%s', async (_, file, old, now) => {
    const ran = await runEdited(file, old, now);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).toContain('answers  3 from cassettes · 0 live · 0 unused (replay)\n');
  });

  it('the key', async () => {
    for (const LOCAL_KEY of ['another', '']) {
      expect(await runEdited(SUITE, 'Refund one.', 'Refund one.', { LOCAL_KEY })).toMatchObject({ exitCode: 0 });
    }
  });

  it('line ends of the suite’s file', async () => {
    project.write(SUITE, suite.replaceAll('\n', '\r\n'));
    expect(await runEdited(SUITE, 'Refund one.', 'Refund one.')).toMatchObject({ exitCode: 0 });
  });
});
