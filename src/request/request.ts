// What is asked of a model and what it answers, in no provider's own words.

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; keys keep the order they came in. */
export interface JsonObject {
  [key: string]: Json;
}

/** A tool offered to the model. Name, description, schema and the place in the list all reach it. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  inputSchema?: JsonObject;
}

/** Plain text. */
export interface TextBlock {
  type: 'text';
  text: string;
}

/** An image that a user shows, by what it holds; the bytes stand in a file of the project. */
export interface ImageBlock {
  type: 'image';
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** How many. */
  bytes: number;
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  digest: string;
  /** The bytes as base64, only between a provider and its wire. */
  base64?: string;
}

/** A part of what a user says, in order. */
export type UserBlock = TextBlock | ImageBlock;

/** Reasoning that the provider shows. */
export interface ReasoningBlock {
  type: 'reasoning';
  text: string;
}

/** A call of a tool. Exactly one of `arguments` and `malformedArguments` is set. */
export interface ToolCallBlock {
  type: 'tool_call';
  /** Positional (`call_0`, `call_1`, …) everywhere but on the wire. */
  id: string;
  name: string;
  /** The parsed arguments. */
  arguments?: Json;
  /** The arguments as text, only where JavaScript's numbers cannot hold them (64-bit ids, long decimals). */
  argumentsJson?: string;
  /** What the model wrote where it is not JSON, verbatim. */
  malformedArguments?: string;
}

/** A provider's own block that must be sent back verbatim; its bytes are no part of a fingerprint. */
export interface OpaqueBlock {
  type: 'opaque';
  data: Json;
}

/** A part of what a model says, in order. */
export type AssistantBlock = TextBlock | ReasoningBlock | ToolCallBlock | OpaqueBlock;

/** What a user says. */
export interface UserMessage {
  role: 'user';
  content: UserBlock[];
}

/** What the model said before. */
export interface AssistantMessage {
  role: 'assistant';
  content: AssistantBlock[];
}

/** What a tool gave back. */
export interface ToolMessage {
  role: 'tool';
  /** The name of the tool. */
  name: string;
  /** The id of the call this answers. */
  callId: string;
  result: Json;
  /** True where `result` is an error of the tool's. */
  isError?: true;
}

/** A message of a conversation. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** One question to a chat model, or one text to an embedding model. Nothing of it changes once it is asked, but that `messages` grows. */
export interface ChatRequest {
  /** An `embedding` has one user message, the text, and neither system prompt nor tools. */
  kind: 'chat' | 'embedding';
  /** The wire family's or built-in provider's name, never an alias of the project's. */
  provider: string;
  /** The base URL without trailing slash, only where it is not the provider's own. */
  endpoint?: string;
  model: string;
  /** All that is sent besides messages and tools, top-level names in code-unit order, values verbatim. */
  params?: JsonObject;
  system?: string;
  tools?: ToolDefinition[];
  /** Append-only: a conversation pushes onto this array and never changes what stands in it (fingerprints are chained). */
  messages: Message[];
}

/** One question to something outside. */
export type Request = ChatRequest;

/** Why the model stopped. `error` is a reason we do not know; `Response.stopDetail` then holds it. */
export type Stop = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'error';

/** Tokens as the provider counts and bills them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** The part of `inputTokens` that was read from the provider's cache. */
  cachedInputTokens?: number;
  /** The part of `inputTokens` that was written to the provider's cache. */
  cacheWriteTokens?: number;
  /** The part of `outputTokens` that was reasoning. */
  reasoningTokens?: number;
}

/** A model's answer. */
export interface ChatResponse {
  content: AssistantBlock[];
  /** The vector of an `embedding` request, little-endian float32 as base64; the content is then empty. */
  embedding?: string;
  stop: Stop;
  /** The provider's own word for the stop, where `stop` is `error` or the word says more. */
  stopDetail?: string;
  usage?: Usage;
  /** From sending the request to the end of the answer, of the attempt that succeeded, in whole milliseconds. */
  latencyMs: number;
  /** The model the provider says it served. */
  servedModel?: string;
}

/** An answer to a Request. */
export type Response = ChatResponse;

/** The text of an answer or of what a user says: its text blocks joined. */
export function textOf(content: readonly (AssistantBlock | UserBlock)[]): string {
  if (content.length === 1 && content[0]?.type === 'text') return content[0].text;
  let text = '';
  for (const block of content) if (block.type === 'text') text += block.text;
  return text;
}

/** What is not asked in messages is told of them: one of a user's as its text, a conversation as JSON. */
export function inputText(input: readonly Message[]): string {
  const [first] = input;
  if (input.length === 1 && first?.role === 'user') return textOf(first.content);
  const messages = input.map((message) =>
    message.role === 'tool' ? message : { role: message.role, content: textOf(message.content) },
  );
  return JSON.stringify(messages);
}

/** The tool calls of an answer, in order. */
export function toolCallsOf(content: readonly AssistantBlock[]): ToolCallBlock[] {
  return content.filter((block) => block.type === 'tool_call');
}
