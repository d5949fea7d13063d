// Reads the body of POST /v1/chat/completions: every fault is a 400 that names the parameter, nothing is ignored in silence.

import { badParameter } from './api-error.js';

/**
 * @typedef {object} CompletionRequest
 * @property {string} model
 * @property {import('./chat.js').ChatMessage[]} messages
 * @property {import('./chat.js').ToolOffer[]} tools
 * @property {number} temperature
 * @property {number} topP
 * @property {number | undefined} seed
 * @property {number} maxTokens Infinity where the request sets no limit.
 * @property {string[]} stop
 */

/** @typedef {Record<string, unknown>} Fields */

const SAMPLING = ['temperature', 'top_p', 'seed', 'max_tokens', 'max_completion_tokens', 'stop'];
const WITHOUT_EFFECT = ['user', 'metadata', 'store', 'parallel_tool_calls', 'stream_options'];
const KNOWN = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'n',
  'response_format',
  ...SAMPLING,
  ...WITHOUT_EFFECT,
]);

/**
 * Checks and reads a parsed body. Defaults are OpenAI's: temperature 1, top_p 1, no limit but the context.
 * @param {unknown} body
 * @returns {CompletionRequest}
 */
export function readRequest(body) {
  if (!isObject(body)) throw badParameter('body', 'The body must be a JSON object.', 'invalid_type');
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    throw badParameter(unknown, `Unrecognized request argument supplied: ${unknown}`, 'unknown_parameter');
  if (typeof body.model !== 'string' || body.model === '')
    throw badParameter('model', 'You must provide a model parameter.', 'missing_required_parameter');
  refuseUnsupported(body);
  const tools = readTools(body.tools);
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  return {
    model: body.model,
    messages: readMessages(body.messages),
    tools: body.tool_choice === 'none' ? [] : tools,
    temperature: readNumber(body, 'temperature', { most: 2 }) ?? 1,
    topP: readNumber(body, 'top_p', { most: 1 }) ?? 1,
    seed: readInteger('seed', body.seed, Number.MIN_SAFE_INTEGER),
    maxTokens:
      readInteger(body.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens', maxTokens, 1) ??
      Infinity,
    stop: readStop(body.stop),
  };
}

/** @param {Fields} body */
function refuseUnsupported(body) {
  const refuse = (/** @type {string} */ param, /** @type {string} */ only) => {
    throw badParameter(
      param,
      `Unsupported value: this small server takes only ${only} for '${param}'.`,
      'unsupported_value',
    );
  };
  if (body.stream != null && body.stream !== false) refuse('stream', 'false');
  if (body.n != null && body.n !== 1) refuse('n', '1');
  if (body.tool_choice != null && body.tool_choice !== 'auto' && body.tool_choice !== 'none')
    refuse('tool_choice', "'auto' and 'none'");
  if (body.response_format != null && !(isObject(body.response_format) && body.response_format.type === 'text')) {
    refuse('response_format', "{type: 'text'}");
  }
}

/** @param {Fields} body @param {string} name @param {{ most: number }} limit */
function readNumber(body, name, { most }) {
  const value = body[name];
  if (value == null) return undefined;
  if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
    throw badParameter(name, `Invalid '${name}': expected a number from 0 to ${most}.`);
  }
  return value;
}

/** @param {string} name @param {unknown} value @param {number} least */
function readInteger(name, value, least) {
  if (value == null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw badParameter(name, `Invalid '${name}': expected an integer${least === 1 ? ' of at least 1' : ''}.`);
  }
  return value;
}

/** @param {unknown} value @returns {string[]} */
function readStop(value) {
  if (value == null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 4 || !list.every((entry) => typeof entry === 'string' && entry !== '')) {
    throw badParameter('stop', "Invalid 'stop': expected a string or up to 4 strings, none of them empty.");
  }
  return list;
}

/** @param {unknown} value @returns {import('./chat.js').ToolOffer[]} */
function readTools(value) {
  if (value == null) return [];
  if (!Array.isArray(value))
    throw badParameter('tools', "Invalid type for 'tools': expected an array.", 'invalid_type');
  return value.map((tool, index) => {
    const at = `tools[${index}].function.name`;
    const offer = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : {};
    if (typeof offer.name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(offer.name)) {
      throw badParameter(at, `Invalid '${at}': expected a function's name of 1 to 64 letters, digits, '_' and '-'.`);
    }
    return { name: offer.name, ...(typeof offer.description === 'string' && { description: offer.description }) };
  });
}

/** @param {unknown} value @returns {import('./chat.js').ChatMessage[]} */
function readMessages(value) {
  if (!Array.isArray(value) || value.length === 0)
    throw badParameter('messages', "Invalid 'messages': expected an array of at least one message.");
  /** Calls of the last assistant message that no tool message has answered yet. @type {Set<string>} */
  const open = new Set();
  const messages = value.map((entry, index) => {
    const at = `messages[${index}]`;
    const message = isObject(entry) ? entry : {};
    if (message.role === 'tool') {
      if (typeof message.tool_call_id !== 'string' || !open.delete(message.tool_call_id)) {
        throw badParameter(
          `${at}.role`,
          "messages with role 'tool' must answer a call in the 'tool_calls' of a preceding message.",
        );
      }
    } else {
      refuseOpenCalls(open, at);
    }
    const read = readMessage(message, at);
    if (read.role === 'assistant') for (const { id } of read.calls) if (id !== undefined) open.add(id);
    return read;
  });
  refuseOpenCalls(open, 'messages');
  return messages;
}

/** @param {Set<string>} open @param {string} at */
function refuseOpenCalls(open, at) {
  if (open.size === 0) return;
  const ids = [...open].join(', ');
  throw badParameter(
    at,
    `An assistant message with 'tool_calls' must be followed by tool messages for each call. Not answered: ${ids}`,
  );
}

/** @param {Fields} message @param {string} at @returns {import('./chat.js').ChatMessage} */
function readMessage(message, at) {
  const calls =
    message.role === 'assistant' && message.tool_calls != null ? readCalls(message.tool_calls, `${at}.tool_calls`) : [];
  const text = calls.length > 0 && message.content == null ? '' : readText(message.content, `${at}.content`);
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text };
    case 'user':
    case 'tool':
      return { role: message.role, text };
    case 'assistant':
      return { role: 'assistant', text, calls };
    default:
      throw badParameter(
        `${at}.role`,
        `Invalid '${at}.role': expected 'system', 'developer', 'user', 'assistant' or 'tool'.`,
      );
  }
}

/** @param {unknown} content @param {string} at @returns {string} */
function readText(content, at) {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [undefined];
  return parts
    .map((part) => {
      if (isObject(part) && part.type === 'text' && typeof part.text === 'string') return part.text;
      throw badParameter(at, `Invalid '${at}': expected a string or an array of text parts.`, 'invalid_type');
    })
    .join('');
}

/** @param {unknown} value @param {string} at @returns {import('./chat.js').ToolCall[]} */
function readCalls(value, at) {
  const list = Array.isArray(value) && value.length > 0 ? value : [undefined];
  return list.map((call) => {
    const called = isObject(call) && call.type === 'function' && isObject(call.function) ? call.function : {};
    if (
      !isObject(call) ||
      typeof call.id !== 'string' ||
      typeof called.name !== 'string' ||
      typeof called.arguments !== 'string'
    ) {
      throw badParameter(
        at,
        `Invalid '${at}': expected calls of the form {id, type: 'function', function: {name, arguments}}, arguments as JSON text.`,
      );
    }
    return { id: call.id, name: called.name, arguments: called.arguments };
  });
}

/** @param {unknown} value @returns {value is Fields} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
