// The identity of a Request: a chain of SHA-256, so that a conversation of n turns costs n hashes.

import crypto from 'node:crypto';
import type { AssistantBlock, ChatRequest, ImageBlock, JsonObject, Message } from './request.ts';

/** The version of the fingerprint's definition; raising it makes every recording stale, on purpose. */
const FINGERPRINT_VERSION = 1;

/** What identifies a request. */
export interface Identity {
  /** 32 lower-case hexadecimal digits over everything that reaches the model. */
  fingerprint: string;
  /** 16 digits over all that stands before the messages. */
  head: string;
}

/** SHA-256 of a text's UTF-8 bytes as 64 lower-case hexadecimal digits. */
export const sha256: (text: string | Uint8Array) => string =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text, 'hex')
    : (text) => crypto.createHash('sha256').update(text).digest('hex');

/** An image in words that tell it from every other: `image/png, 1234 bytes, sha256:…`. */
export function describeImage({ mediaType, bytes, digest }: ImageBlock): string {
  return `${mediaType}, ${bytes} bytes, sha256:${digest}`;
}

/** What of a block reaches the fingerprint, in the words of a cassette. */
export function blockIdentity(block: AssistantBlock | ImageBlock): JsonObject {
  switch (block.type) {
    case 'image':
      return { type: 'image', image: describeImage(block) };
    case 'text':
      return { type: 'text', text: block.text };
    case 'reasoning':
      return { type: 'reasoning', text: block.text };
    case 'opaque':
      // Signed or encrypted bytes differ at every recording and say nothing that the other blocks do not.
      return { type: 'opaque' };
    case 'tool_call':
      return {
        type: 'tool_call',
        id: block.id,
        name: block.name,
        ...(block.malformedArguments !== undefined
          ? { malformed_arguments: block.malformedArguments }
          : block.argumentsJson !== undefined
            ? { arguments_json: block.argumentsJson }
            : block.arguments !== undefined && { arguments: block.arguments }),
      };
  }
}

function messageIdentity(message: Message): unknown {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return { role: message.role, content: message.content.map(blockIdentity) };
    case 'tool':
      return {
        role: 'tool',
        name: message.name,
        id: message.callId,
        ...(message.isError ? { error: message.result } : { result: message.result }),
      };
  }
}

// A suite's cases share system prompt, tools and params as the same objects, so their JSON is made once.
const jsonOf = new WeakMap<object, string>();

function sharedJson(value: object): string {
  let json = jsonOf.get(value);
  if (json === undefined) {
    json = JSON.stringify(value);
    jsonOf.set(value, json);
  }
  return json;
}

function toolsJson(tools: NonNullable<ChatRequest['tools']>): string {
  let json = jsonOf.get(tools);
  if (json === undefined) {
    json = JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        ...(description !== undefined && { description }),
        ...(inputSchema && { input_schema: inputSchema }),
      })),
    );
    jsonOf.set(tools, json);
  }
  return json;
}

let lastHead = { text: '', digest: '' };

function computeHead(request: Omit<ChatRequest, 'messages'>): string {
  let text = `{"v":${FINGERPRINT_VERSION},"kind":"${request.kind}","provider":${JSON.stringify(request.provider)}`;
  if (request.endpoint !== undefined) text += `,"endpoint":${JSON.stringify(request.endpoint)}`;
  text += `,"model":${JSON.stringify(request.model)}`;
  if (request.params && Object.keys(request.params).length > 0) text += `,"params":${sharedJson(request.params)}`;
  if (request.system !== undefined) text += `,"system":${JSON.stringify(request.system)}`;
  if (request.tools && request.tools.length > 0) text += `,"tools":${toolsJson(request.tools)}`;
  text += '}';
  if (text !== lastHead.text) lastHead = { text, digest: sha256(text) };
  return lastHead.digest;
}

interface Chain {
  /** The array the chain runs over. */
  messages: readonly Message[];
  head: string;
  /** How many messages are hashed. */
  length: number;
  digest: string;
}

// A request is asked about again and again while its conversation grows, and only its messages grow.
const chains = new WeakMap<ChatRequest, Chain>();

/** The fingerprint and head of a request. Linear in what was appended to `messages` since the last call with the same request. */
export function identify(request: ChatRequest): Identity {
  const { messages } = request;
  let chain = chains.get(request);
  if (!chain || chain.messages !== messages || chain.length > messages.length) {
    const head = computeHead(request);
    chain = { messages, head, length: 0, digest: head };
    chains.set(request, chain);
  }
  while (chain.length < messages.length) {
    const json = JSON.stringify(messageIdentity(messages[chain.length] as Message));
    // Framed by its length, so that no two lists of messages give one text.
    chain.digest = sha256(`${chain.digest}:${json.length}:${json}`);
    chain.length++;
  }
  return { fingerprint: chain.digest.slice(0, 32), head: chain.head.slice(0, 16) };
}
