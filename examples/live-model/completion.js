// One chat completion: from a checked request to the body of OpenAI's answer.

import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { badParameter } from './api-error.js';
import { parseAnswer, renderPrompt } from './chat.js';
import { createEngine } from './engine.js';
import { readGguf } from './gguf.js';
import { generate, seededRandom } from './sampling.js';
import { createTokenizer } from './tokenizer.js';

const MODEL_FILE = new URL('./model/tiny-chat-0.9m-q8_0.gguf', import.meta.url);

/** @typedef {{ engine: import('./engine.js').Engine, tokenizer: import('./tokenizer.js').Tokenizer }} Model */

/**
 * Loads the model beside this file: about 4 MB of floats, in less than a tenth of a second.
 * @returns {Promise<Model>}
 */
export async function loadModel() {
  const gguf = readGguf(await readFile(MODEL_FILE));
  return { engine: createEngine(gguf), tokenizer: createTokenizer(gguf.metadata) };
}

/**
 * Answers a request. Rejects with an API error where the prompt does not fit, with the signal's reason once it is aborted.
 * @param {Model} model
 * @param {import('./request.js').CompletionRequest} request
 * @param {{ signal: AbortSignal, onToken?: () => void }} options
 */
export async function complete({ engine, tokenizer }, request, { signal, onToken }) {
  const prompt = promptOf({ engine, tokenizer }, request);
  const tokens = generate(engine, prompt, {
    maxTokens: request.maxTokens,
    endToken: tokenizer.special('<|im_end|>'),
    temperature: request.temperature,
    topP: request.topP,
    random: seededRandom(request.seed ?? randomInt(2 ** 47)),
    signal,
  });

  /** @type {number[]} */
  const written = [];
  let text = '';
  /** @type {'stop' | 'length' | undefined} */
  let ended;
  while (ended === undefined) {
    const next = await tokens.next();
    if (next.done) {
      ended = next.value;
    } else {
      onToken?.();
      written.push(next.value);
      text = tokenizer.decode(written);
      const cut = firstStop(text, request.stop);
      if (cut !== undefined) [text, ended] = [text.slice(0, cut), 'stop'];
    }
  }

  const answer = request.tools.length > 0 ? parseAnswer(text) : { text, calls: [] };
  return {
    id: `chatcmpl-${randomId()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.calls.length > 0 && answer.text === '' ? null : answer.text,
          ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(callOf) }),
        },
        finish_reason: ended === 'stop' && answer.calls.length > 0 ? 'tool_calls' : ended,
      },
    ],
    usage: {
      prompt_tokens: prompt.length,
      completion_tokens: written.length,
      total_tokens: prompt.length + written.length,
    },
  };
}

/** @param {Model} model @param {import('./request.js').CompletionRequest} request */
function promptOf({ engine, tokenizer }, { messages, tools }) {
  const refuse = (/** @type {string} */ count) => {
    throw badParameter(
      'messages',
      `This model's maximum context length is ${engine.contextLength} tokens. However, your messages resulted in ${count} tokens. Please reduce the length of the messages.`,
      'context_length_exceeded',
    );
  };
  // Told from the length alone where that is enough: splitting a megabyte into tokens would take seconds.
  let characters = 0;
  for (const message of messages) {
    characters += message.text.length;
    if (message.role === 'assistant')
      for (const call of message.calls) characters += call.name.length + call.arguments.length;
  }
  for (const { name, description = '' } of tools) characters += name.length + description.length;
  const least = Math.ceil(characters / tokenizer.longestToken);
  if (least >= engine.contextLength) refuse(`at least ${least}`);

  const prompt = renderPrompt(tokenizer, messages, tools);
  if (prompt.length >= engine.contextLength) refuse(String(prompt.length));
  return prompt;
}

/** @param {string} text @param {readonly string[]} stops */
function firstStop(text, stops) {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}

/** @param {import('./chat.js').ToolCall} call */
function callOf({ name, arguments: args }) {
  return { id: `call_${randomId()}`, type: 'function', function: { name, arguments: args } };
}

function randomId() {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}
