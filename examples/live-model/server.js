// An OpenAI-compatible server on loopback for the tiny model: `node server.js --port 8011`, or startServer() in a test.

import { realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apiError, errorResponse } from './api-error.js';
import { complete, loadModel } from './completion.js';
import { readRequest } from './request.js';

const MOST_BYTES = 1_000_000;

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/**
 * @typedef {object} ServerOptions
 * @property {number} [port] 0, the default, takes a free one.
 * @property {string} [apiKey] The bearer token that requests must carry; none is needed unless set.
 * @property {string} [model] The name the model is served under; `tiny-chat` unless set.
 * @property {number} [temperature] Overrides what requests ask for, as a provider that changes a model behind its name.
 * @property {string} [systemPrompt] Takes the place of the system messages of every request, for the same end.
 * @property {number} [latencyMs] Waited before each completion.
 */

/**
 * @typedef {object} RunningServer
 * @property {string} url The base URL, such as `http://127.0.0.1:8011/v1`.
 * @property {number} requests The HTTP requests received so far.
 * @property {number} generatedTokens The tokens generated so far, those of abandoned requests included.
 * @property {() => Promise<void>} close Stops what is being computed and frees the port.
 */

/**
 * Starts a server on 127.0.0.1. Rejects where the port is taken.
 * @param {ServerOptions} [options]
 * @returns {Promise<RunningServer>}
 */
export async function startServer({
  port = 0,
  apiKey,
  model: name = 'tiny-chat',
  temperature,
  systemPrompt,
  latencyMs = 0,
} = {}) {
  const model = await loadModel();
  const inTurn = queue();
  const closing = new AbortController();
  const created = Math.floor(Date.now() / 1000);
  let requests = 0;
  let generatedTokens = 0;

  /** @param {unknown} body @param {AbortSignal} signal */
  const answer = async (body, signal) => {
    const request = override(readRequest(body), { temperature, systemPrompt });
    if (request.model !== name) {
      throw apiError(404, 'model_not_found', `The model '${request.model}' does not exist; this server has '${name}'.`);
    }
    if (latencyMs > 0) await wait(latencyMs, undefined, { signal });
    return inTurn(() => complete(model, request, { signal, onToken: () => generatedTokens++ }));
  };

  /** @param {IncomingMessage} request @param {AbortSignal} signal @returns {Promise<unknown>} */
  const route = async (request, signal) => {
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      throw apiError(401, 'invalid_api_key', 'Incorrect or missing API key. Send it as `Authorization: Bearer KEY`.');
    }
    const path = request.url?.split('?')[0];
    if (path === '/v1/models') {
      allowMethod(request, 'GET');
      return { object: 'list', data: [{ id: name, object: 'model', created, owned_by: 'retake' }] };
    }
    if (path === '/v1/chat/completions') {
      allowMethod(request, 'POST');
      return answer(await readJson(request), signal);
    }
    throw apiError(
      404,
      'unknown_url',
      `Unknown request URL: ${request.method} ${path}. There are GET /v1/models and POST /v1/chat/completions.`,
    );
  };

  const server = createServer(async (request, response) => {
    requests++;
    const left = new AbortController();
    response.on('close', () => left.abort());
    const signal = AbortSignal.any([left.signal, closing.signal]);
    const { status, body } = await route(request, signal).then(
      (answered) => ({ status: 200, body: answered }),
      errorResponse,
    );
    if (signal.aborted) return;
    // An unread body would be taken for the next request of the connection.
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;

  return {
    url: `http://127.0.0.1:${bound}/v1`,
    get requests() {
      return requests;
    },
    get generatedTokens() {
      return generatedTokens;
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs what it is given one after the other, whether the one before succeeds or not. */
function queue() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/**
 * @param {import('./request.js').CompletionRequest} request
 * @param {{ temperature: number | undefined, systemPrompt: string | undefined }} overrides
 */
function override(request, { temperature = request.temperature, systemPrompt }) {
  if (systemPrompt === undefined) return { ...request, temperature };
  const others = request.messages.filter(({ role }) => role !== 'system');
  return {
    ...request,
    temperature,
    messages: [{ role: /** @type {const} */ ('system'), text: systemPrompt }, ...others],
  };
}

/** @param {IncomingMessage} request @param {string} method */
function allowMethod(request, method) {
  if (request.method !== method)
    throw apiError(405, 'method_not_allowed', `Not allowed to ${request.method} here, only to ${method}.`);
}

/** @param {IncomingMessage} request @returns {Promise<unknown>} */
async function readJson(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read and dropped, because a client in the middle of sending does not see an early answer.
    if (bytes <= MOST_BYTES) chunks.push(chunk);
  }
  if (bytes > MOST_BYTES)
    throw apiError(413, 'request_too_large', `The body has ${bytes} bytes; at most ${MOST_BYTES} are taken.`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw apiError(400, 'invalid_json', 'We could not parse the JSON body of your request.');
  }
}

const USAGE = `Usage: node server.js [options]
  --port N           port on 127.0.0.1 (8011)
  --model NAME       the name the model is served under (tiny-chat)
  --api-key KEY      require this bearer token
  --temperature T    override the temperature of every request
  --system TEXT      override the system prompt of every request
  --latency-ms N     wait before each completion
  --help             show this`;

/** Runs the server from the command line until it is interrupted. */
async function main() {
  const string = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8011' },
      model: string,
      'api-key': string,
      temperature: string,
      system: string,
      'latency-ms': string,
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(USAGE);
  const server = await startServer({
    port: numberOf('--port', values.port, 65_535),
    ...(values.model !== undefined && { model: values.model }),
    ...(values['api-key'] !== undefined && { apiKey: values['api-key'] }),
    ...(values.temperature !== undefined && { temperature: numberOf('--temperature', values.temperature, 2) }),
    ...(values.system !== undefined && { systemPrompt: values.system }),
    ...(values['latency-ms'] !== undefined && { latencyMs: numberOf('--latency-ms', values['latency-ms'], 600_000) }),
  });
  console.log(`${values.model ?? 'tiny-chat'} listens on ${server.url}`);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => void server.close());
}

/** @param {string} flag @param {string} text @param {number} most */
function numberOf(flag, text, most) {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= most))
    throw new Error(`${flag} must be a number from 0 to ${most}, not ${JSON.stringify(text)}`);
  return value;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    if (error.code === 'EADDRINUSE')
      console.error(`Port ${error.port} is taken. Free it, or choose another with --port.`);
    else console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  });
}
