// Makes projects to measure: suites in YAML, cassettes by the project's own recorder and writer, and both as JSON.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';

/** @typedef {typeof import('./engine.js')} Engine */
/** @typedef {import('../src/request/request.ts').ChatResponse} ChatResponse */

/**
 * A project on disk.
 * @typedef {object} Corpus
 * @property {string} project the folder with retake.yaml
 * @property {string} json the same suites and cassettes as JSON, one file for one
 * @property {number} yamlBytes of suites, cassettes and prompts
 * @property {number} jsonBytes
 */

/**
 * @param {string} file
 * @param {string} text
 * @returns {number} its bytes
 */
function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return Buffer.byteLength(text);
}

/** @param {number} at */
function suiteHead(at) {
  return `name: suite_${at}
model: openai/gpt-4.1-mini
params: {temperature: 0, max_tokens: 512}
system: |
  You are support agent number ${at}. Never refund more than $500 yourself.
  Look the order up before you answer, and tell the customer what happens next.
tools:
  - name: lookup_order
    description: Look up an order by id.
    input_schema: {type: object, properties: {order_id: {type: string}}, required: [order_id]}
  - name: issue_refund
    description: Refund an order.
    input_schema: {type: object, properties: {order_id: {type: string}, reason: {type: string}}, required: [order_id]}
mocks:
  lookup_order: [{return: {total: 780, status: delivered, items: [{sku: LAMP-2, quantity: 2}, {sku: DESK-9, quantity: 1}]}}]
  issue_refund: [{return: {refund_id: R-2, approved: false}}]
cases:
`;
}

/**
 * @param {number} suite
 * @param {number} at
 */
function caseText(suite, at) {
  return `  - name: refund_${at}_of_many
    input: I want a refund for order A-${suite}-${at}, it arrived broken and late.
    expect:
      - calls_tool: lookup_order
      - call_order: [lookup_order, issue_refund]
      - final_contains: T-55
`;
}

/**
 * @param {number} turn 0-based
 * @param {string} order
 * @returns {ChatResponse}
 */
function answer(turn, order) {
  const usage = { inputTokens: 400 + 90 * turn, outputTokens: 40 };
  const rest = { usage, latencyMs: 800 + turn, servedModel: 'gpt-4.1-mini-2025-04-14' };
  if (turn < 2) {
    const name = turn === 0 ? 'lookup_order' : 'issue_refund';
    const args = turn === 0 ? { order_id: order } : { order_id: order, reason: 'arrived broken' };
    return { content: [{ type: 'tool_call', id: 'x', name, arguments: args }], stop: 'tool_use', ...rest };
  }
  const text = `Order ${order} is over $500, so a colleague must approve the refund.\nI opened ticket T-55; you will hear from us on Friday.`;
  return { content: [{ type: 'text', text }], stop: 'end_turn', ...rest };
}

/**
 * A project of cases of three turns each.
 * @param {Engine} engine
 * @param {string} folder where nothing is yet
 * @param {{ suites: number, cases: number }} size `cases` in all
 * @returns {Promise<Corpus>}
 */
export async function makeCorpus(engine, folder, { suites, cases }) {
  const project = join(folder, 'project');
  const json = join(folder, 'json');
  let yamlBytes = 0;
  let jsonBytes = 0;
  put(join(project, 'retake.yaml'), 'version: 1\n');
  for (let at = 0; at < suites; at++) {
    const count = Math.floor(cases / suites) + (at < cases % suites ? 1 : 0);
    const text = suiteHead(at) + Array.from({ length: count }, (_, index) => caseText(at, index)).join('');
    yamlBytes += put(join(project, 'evals', `suite_${at}.eval.yaml`), text);
    jsonBytes += put(join(json, 'evals', `suite_${at}.eval.json`), JSON.stringify(load(text)));
  }
  for (const suite of engine.loadProject({ cwd: project, globs: [], env: {} }).suites) {
    /** @type {Map<string, import('../src/cassette/cassette.ts').Prompt>} */
    const prompts = new Map();
    for (const [index, planned] of suite.cases.entries()) {
      let turn = 0;
      const recording = engine.recorder({
        respond: async () => ({ ok: true, response: answer(turn++, `A-${index}`), source: 'live' }),
      });
      await engine.agentTarget({ request: engine.requestOf(planned), ...planned }).run(recording);
      const takes = [{ recorded: '2026-11-30', interactions: recording.interactions() }];
      const cassette = { suite: suite.name, case: planned.name, takes };
      const path = engine.cassettePath(suite.name, planned.name);
      yamlBytes += put(join(project, 'cassettes', path), engine.writeCassette(cassette));
      jsonBytes += put(join(json, 'cassettes', path.replace(/yaml$/, 'json')), JSON.stringify(cassette));
      for (const [digest, prompt] of recording.prompts()) prompts.set(digest, prompt);
    }
    for (const [digest, prompt] of prompts) {
      const path = engine.promptPath(suite.name, digest);
      yamlBytes += put(join(project, 'cassettes', path), engine.writePrompt(prompt).text);
      jsonBytes += put(join(json, 'cassettes', path.replace(/yaml$/, 'json')), JSON.stringify(prompt));
    }
  }
  return { project, json, yamlBytes, jsonBytes };
}

/**
 * A project of cases of one turn that asks a server on the loopback.
 * @param {string} project where nothing is yet
 * @param {{ port: number, cases: number }} of
 */
export function makeLiveProject(project, { port, cases }) {
  put(join(project, 'retake.yaml'), `version: 1\nproviders: {local: {base_url: "http://127.0.0.1:${port}/v1"}}\n`);
  const each = (/** @type {number} */ at) =>
    `  - {name: parcel_${at}, input: Where is parcel ${at}?, expect: [{final_contains: Friday}]}\n`;
  const text = Array.from({ length: cases }, (_, at) => each(at)).join('');
  put(join(project, 'evals', 'parcels.eval.yaml'), `name: parcels\nmodel: local/m-1\ncases:\n${text}`);
}
