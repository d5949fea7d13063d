// A budget stops a run before the request that would pass it, however many are under way; an estimate asks nobody.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatProject, retake, startChat, suiteOf } from './chat-server.ts';

/** A thousand output tokens cost a cent; input is free. */
const CENT = 'prices: {my-llm/m: {input: 0, output: 10}}\n';
const bill = (completion_tokens: number) => ({ prompt_tokens: 20, completion_tokens });

function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

test('eight at once: no request more than the budget covers, the rest skipped with the reason', async () => {
  const server = await startChat(bill(1000));
  const cwd = chatProject(server, `concurrency: 8\nbudget_usd: 0.05\n${CENT}`, {
    'a.eval.yaml': suiteOf('a', 20, 'params: {max_tokens: 1000}\n'),
  });
  const { out, exitCode } = await retake(cwd, 'record');
  expect(server.asked()).toBe(5);
  expect(exitCode).toBe(3);
  expect(out).toContain('5 passed · 15 skipped of 20 cases');
  expect(out).toContain('the budget of $0.05 ended: the next request is expected to cost $0.01');
  expect(out).toContain('stopped at the budget of $0.05: $0.05 spent');
  expect(out).toContain('exit 3   the budget ended before every case had run');
  expect(readdirSync(join(cwd, 'cassettes/a')).filter((name) => name.endsWith('.yaml'))).toHaveLength(5);
});

test('a request that may fit once those under way are billed waits for them', async () => {
  const server = await startChat(bill(100));
  const cwd = chatProject(server, CENT, { 'a.eval.yaml': suiteOf('a', 20, 'params: {max_tokens: 4000}\n') });
  const { exitCode } = await retake(cwd, 'record', '--concurrency', '8', '--max-cost-usd', '0.05');
  // Four cents are set aside for each, a tenth of a cent is billed: the twelfth would leave less than four.
  expect(server.asked()).toBe(11);
  expect(exitCode).toBe(3);
});

test('without a bound an answer is taken for a thousand tokens; a flag wins over retake.yaml', async () => {
  const server = await startChat(bill(1000));
  const cwd = chatProject(server, `budget_usd: 9\n${CENT}`, { 'a.eval.yaml': suiteOf('a', 6) });
  await retake(cwd, 'record', '--max-cost-usd', '0.03');
  expect(server.asked()).toBe(3);
});

test('recorded tokens of the same turn count before length and bound', async () => {
  const server = await startChat(bill(2000));
  const cwd = chatProject(server, CENT, { 'a.eval.yaml': suiteOf('a', 6, 'params: {max_tokens: 1}\n') });
  await retake(cwd, 'record');
  const { exitCode } = await retake(cwd, 'record', '--max-cost-usd', '0.07', '--concurrency', '8');
  expect(server.asked() - 6).toBe(3);
  expect(exitCode).toBe(3);
});

test('an answer without reported tokens counts as expected', async () => {
  const server = await startChat(undefined);
  const cwd = chatProject(server, CENT, { 'a.eval.yaml': suiteOf('a', 6) });
  await retake(cwd, 'record', '--max-cost-usd', '0.02');
  expect(server.asked()).toBe(2);
});

test('what fits is recorded whole and passes; a replay spends nothing, so it needs no price and no budget', async () => {
  const server = await startChat(bill(1000));
  const suites = { 'a.eval.yaml': suiteOf('a', 3) };
  const cwd = chatProject(server, `budget_usd: 0.03\n${CENT}`, suites);
  const { out, exitCode } = await retake(cwd, 'record', '--concurrency', '3');
  expect({ asked: server.asked(), exitCode }).toEqual({ asked: 3, exitCode: 0 });
  expect(out).not.toContain('budget');
  expect((await retake(cwd, 'run', '--max-cost-usd', '0')).exitCode).toBe(0);
});

test.each([['-1'], ['five'], ['1e3'], ['']])('--max-cost-usd %j is refused', async (value) => {
  const { err, exitCode } = await retake('.', 'record', `--max-cost-usd=${value}`);
  expect(exitCode).toBe(2);
  expect(err).toContain('--max-cost-usd does not take');
});

test('an estimate counts recorded tokens, asks nobody and writes nothing', async () => {
  const server = await startChat({ prompt_tokens: 1500, completion_tokens: 1000 });
  const cwd = chatProject(
    server,
    `budget_usd: 0.02\nprices: {my-llm/m: {input: 0, output: 10}, my-llm/n: {input: 1, output: 1}}\n`,
    {
      'a.eval.yaml': suiteOf('refund_agent', 3),
      'b.eval.yaml': suiteOf('other', 1).replace('model: m', 'model: unknown-one'),
      'c.eval.yaml': suiteOf('third', 2).replace('model: m', 'model: n'),
      'd.eval.yaml': 'name: scripted\nprovider: script\ncases: [{name: c, input: Hi, script: [{text: Hello}]}]\n',
    },
  );
  await retake(cwd, 'record', 'a.eval.yaml', '--max-cost-usd', '9');
  await retake(cwd, 'record', 'c.eval.yaml', '--filter', '*::c1', '--max-cost-usd', '9');
  const before = { asked: server.asked(), files: contents(cwd) };
  const { out, exitCode } = await retake(cwd, 'record', '--estimate');
  expect(exitCode).toBe(0);
  expect({ asked: server.asked(), files: contents(cwd) }).toEqual(before);
  expect(out).toMatchInlineSnapshot(`
    "An estimate from recorded tokens; nobody was asked.

    suite          cases   turns          tokens        cost
    other              1       0               –     unknown
    refund_agent       3       3   4,500 → 3,000     $0.0300
    third              2       1   1,500 → 1,000   ≥ $0.0025
    total              6       4   6,000 → 4,000   ≥ $0.0325

    note  2 cases not recorded yet, or not every take: no tokens to go by
    note  no price is known for my-llm/unknown-one: add it under \`prices:\` in retake.yaml
    note  more than the budget of $0.0200: the run would stop there
    "
  `);
  const json = JSON.parse((await retake(cwd, 'record', '--estimate', '--reporter', 'json')).out);
  expect(json.total).toEqual({
    cases: 6,
    turns: 4,
    inputTokens: 6000,
    outputTokens: 4000,
    costUsd: null,
    costKnownUsd: 0.0325,
    unrecorded: 2,
  });
});

test('an estimate of a part is refused, and says what to do', async () => {
  const { err, exitCode } = await retake('.', 'record', '--estimate', '--missing');
  expect(exitCode).toBe(2);
  expect(err).toContain('--estimate does not go with --missing');
});
