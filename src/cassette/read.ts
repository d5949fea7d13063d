// Reads what a cassette and a prompt file hold, strictly: every field in its place, nothing the writer would not write.

import type {
  AssistantBlock,
  AssistantMessage,
  ChatResponse,
  ImageBlock,
  Message,
  Stop,
  TextBlock,
  ToolDefinition,
  ToolMessage,
  Usage,
  UserBlock,
  UserMessage,
} from '../request/request.ts';
import { isVector } from '../request/vector.ts';
import {
  type Cassette,
  type ConversationStart,
  GRADERS,
  type GraderKind,
  type Grading,
  type Interaction,
  type Prompt,
  type Take,
} from './cassette.ts';
import { type Cursor, endLine, fail, failField, needField, needIndent, readList, take, takeField } from './cursor.ts';
import { readNumber, readString } from './read-scalar.ts';
import { readToolCall, readToolCallBlock, readToolCallLine } from './read-tool-call.ts';
import { readFree, readFreeObject, readMapping } from './read-value.ts';

// `indent` is where a mapping's keys stand; after an item's dash its first key stands at the cursor, at 0.

/** Suite, case and takes. */
export function readCassetteFields(c: Cursor): Cassette {
  needField(c, 0, 'suite: ');
  const suite = readString(c, 2);
  needField(c, 0, 'case: ');
  const name = readString(c, 2);
  needField(c, 0, 'takes');
  return { suite, case: name, takes: readList(c, 0, readTake) };
}

/** System prompt, tools and parameters of a prompt. */
export function readPromptFields(c: Cursor, indent: number): Prompt {
  const prompt: Prompt = {};
  if (takeField(c, indent, 'system: ')) prompt.system = readString(c, indent + 2);
  if (takeField(c, indent, 'tools')) prompt.tools = readList(c, indent, readTool);
  // Each parameter stands on lines of its own, however short they are together.
  if (takeField(c, indent, 'params:\n')) {
    needIndent(c, indent + 2);
    prompt.params = readMapping(c, indent + 2, 1);
  } else if (takeField(c, indent, 'params: {}\n')) prompt.params = {};
  else if (c.text.startsWith('params_json: ', c.at + indent) && takeField(c, indent, 'params')) {
    prompt.params = readFreeObject(c, indent);
  }
  return prompt;
}

function readTool(c: Cursor, indent: number): ToolDefinition {
  needField(c, 0, 'name: ');
  const tool: ToolDefinition = { name: readString(c, indent + 2) };
  if (takeField(c, indent, 'description: ')) tool.description = readString(c, indent + 2);
  if (takeField(c, indent, 'input_schema')) tool.inputSchema = readFreeObject(c, indent);
  return tool;
}

function readTake(c: Cursor, indent: number): Take {
  needField(c, 0, 'recorded: ');
  const recorded = readString(c, indent + 2);
  needField(c, indent, 'interactions');
  const interactions: Interaction[] = [];
  const graders: Grading[] = [];
  readList(c, indent, (_, column) => {
    const begin = c.at;
    const interaction = readInteraction(c, column, interactions.length === 0);
    if ('for' in interaction) graders.push(interaction);
    else if (graders.length === 0) interactions.push(interaction);
    else fail(c, 'the conversation stands before what its expectations asked', begin);
  });
  return graders.length === 0 ? { recorded, interactions } : { recorded, interactions, graders };
}

function readInteraction(c: Cursor, indent: number, isFirst: boolean): Interaction | Grading {
  needField(c, 0, 'fingerprint: ');
  const fingerprint = readString(c, indent + 2);
  const grader = takeField(c, indent, 'for: ') ? readGrader(c, indent) : undefined;
  const start = takeField(c, indent, 'model: ') ? readStart(c, indent) : undefined;
  if ((isFirst || grader) && !start) failField(c, indent, ['model: ']);
  if (!takeField(c, indent, 'messages')) failField(c, indent, start ? ['messages: '] : ['model: ', 'messages: ']);
  const messages = readList(c, indent, readMessage);
  needField(c, indent, 'response:\n');
  const response = readResponse(c, indent + 2);
  if (grader && start) return { for: grader, fingerprint, start, messages, response };
  return start ? { fingerprint, start, messages, response } : { fingerprint, messages, response };
}

function readGrader(c: Cursor, indent: number): GraderKind {
  const at = c.at;
  const kind = readString(c, indent + 2);
  return GRADERS.find((grader) => grader === kind) ?? fail(c, `one of ${GRADERS.join(', ')} belongs here`, at);
}

function readStart(c: Cursor, indent: number): ConversationStart {
  const at = c.at;
  const name = readString(c, indent + 2);
  const slash = name.indexOf('/');
  if (slash === -1) fail(c, 'a provider, a slash and a model belong here', at);
  const start: ConversationStart = { provider: name.slice(0, slash), model: name.slice(slash + 1) };
  if (takeField(c, indent, 'endpoint: ')) start.endpoint = readString(c, indent + 2);
  if (takeField(c, indent, 'params')) start.params = readFreeObject(c, indent);
  if (takeField(c, indent, 'prompt: ')) {
    const digestAt = c.at;
    start.prompt = readString(c, indent + 2);
    if (!/^[0-9a-f]{16}$/.test(start.prompt))
      fail(c, "a prompt's digest of 16 hexadecimal digits belongs here", digestAt);
  } else if (takeField(c, indent, 'inline_prompt: {}\n')) {
    start.inlinePrompt = {};
  } else if (takeField(c, indent, 'inline_prompt:\n')) {
    start.inlinePrompt = readPromptFields(c, indent + 2);
    if (Object.keys(start.inlinePrompt).length === 0) failField(c, indent + 2, ['system: ', 'tools: ', 'params: ']);
  }
  return start;
}

function readMessage(c: Cursor, indent: number): Message {
  if (take(c, 'user')) return readUserMessage(c, indent);
  if (take(c, 'assistant'))
    return { role: 'assistant', content: readContent(c, indent, readContentBlock) } satisfies AssistantMessage;
  if (!take(c, 'tool: ')) failField(c, 0, ['user: ', 'assistant: ', 'tool: ']);
  const name = readString(c, indent + 2);
  needField(c, indent, 'id: ');
  const callId = readString(c, indent + 2);
  if (takeField(c, indent, 'result')) return { role: 'tool', name, callId, result: readFree(c, indent) };
  if (!takeField(c, indent, 'error')) failField(c, indent, ['result: ', 'error: ']);
  return { role: 'tool', name, callId, result: readFree(c, indent), isError: true } satisfies ToolMessage;
}

function readUserMessage(c: Cursor, indent: number): UserMessage {
  return { role: 'user', content: readContent(c, indent, readUserBlock) };
}

function readUserBlock(c: Cursor, indent: number): UserBlock {
  if (take(c, 'text: ')) return { type: 'text', text: readString(c, indent + 2) };
  if (take(c, 'image:\n')) return readImage(c, indent + 2);
  return failField(c, 0, ['text: ', 'image: ']);
}

const MEDIA_TYPES = new Set<string>([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
] satisfies ImageBlock['mediaType'][]);

function readImage(c: Cursor, indent: number): ImageBlock {
  needField(c, indent, 'media_type: ');
  const typeAt = c.at;
  const mediaType = readString(c, indent + 2);
  if (!MEDIA_TYPES.has(mediaType)) fail(c, `one of ${[...MEDIA_TYPES].join(', ')} belongs here`, typeAt);
  needField(c, indent, 'bytes: ');
  const bytesAt = c.at;
  const bytes = readNumber(c);
  if (!Number.isSafeInteger(bytes) || bytes < 0) fail(c, 'a count of bytes belongs here', bytesAt);
  endLine(c);
  needField(c, indent, 'sha256: ');
  const digestAt = c.at;
  const digest = readString(c, indent + 2);
  if (!/^[0-9a-f]{64}$/.test(digest)) fail(c, "an image's SHA-256 of 64 hexadecimal digits belongs here", digestAt);
  return { type: 'image', mediaType: mediaType as ImageBlock['mediaType'], bytes, digest };
}

/** What a message says: one text after the role, or blocks. */
function readContent<Block extends UserBlock | AssistantBlock>(
  c: Cursor,
  indent: number,
  readBlock: (c: Cursor, indent: number) => Block | TextBlock,
): (Block | TextBlock)[] {
  const start = c.at;
  if (c.text.startsWith(': "', start) || c.text.startsWith(': |', start)) {
    c.at += 2;
    return [{ type: 'text', text: readString(c, indent + 2) }];
  }
  const content = readList(c, indent, readBlock);
  if (isOneText(content)) fail(c, 'a message of one text must hold it without a list', start);
  return content;
}

function isOneText(content: readonly { type: string }[]): boolean {
  return content.length === 1 && content[0]?.type === 'text';
}

function readContentBlock(c: Cursor, indent: number): AssistantBlock {
  if (take(c, 'text: ')) return { type: 'text', text: readString(c, indent + 2) };
  if (take(c, 'reasoning: ')) return { type: 'reasoning', text: readString(c, indent + 2) };
  if (take(c, 'tool_call:\n')) {
    needIndent(c, indent + 2);
    return readToolCallBlock(c, indent + 2);
  }
  if (take(c, 'tool_call: ')) return readToolCallLine(c);
  if (take(c, 'opaque')) return { type: 'opaque', data: readFree(c, indent) };
  return failField(c, 0, ['text: ', 'reasoning: ', 'tool_call: ', 'opaque: ']);
}

const STOPS = new Set<string>(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'error'] satisfies Stop[]);

/** A response whose keys stand at `indent`. */
export function readResponse(c: Cursor, indent: number): ChatResponse {
  if (takeField(c, indent, 'embedding: ')) return readEmbedding(c, indent);
  const content = readResponseContent(c, indent);
  needField(c, indent, 'stop: ');
  const stopAt = c.at;
  const stop = readString(c, indent + 2);
  if (!STOPS.has(stop)) fail(c, `one of ${[...STOPS].join(', ')} belongs here`, stopAt);
  const stopDetail = takeField(c, indent, 'stop_detail: ') ? readString(c, indent + 2) : undefined;
  const response: ChatResponse = { content, stop: stop as Stop, latencyMs: 0 };
  if (stopDetail !== undefined) response.stopDetail = stopDetail;
  return withFigures(c, indent, response);
}

function readEmbedding(c: Cursor, indent: number): ChatResponse {
  const at = c.at;
  const embedding = readString(c, indent + 2);
  if (!isVector(embedding)) fail(c, 'float32 numbers as base64 belong here', at);
  return withFigures(c, indent, { content: [], embedding, stop: 'end_turn', latencyMs: 0 });
}

/** What a provider says of an answer besides the answer. */
function withFigures(c: Cursor, indent: number, response: ChatResponse): ChatResponse {
  const usage = takeField(c, indent, 'usage: ') ? readUsage(c) : undefined;
  needField(c, indent, 'latency_ms: ');
  response.latencyMs = readNumber(c);
  endLine(c);
  if (usage) response.usage = usage;
  if (takeField(c, indent, 'served_model: ')) response.servedModel = readString(c, indent + 2);
  return response;
}

function readResponseContent(c: Cursor, indent: number): AssistantBlock[] {
  const start = c.at;
  if (takeField(c, indent, 'text: ')) return [{ type: 'text', text: readString(c, indent + 2) }];
  if (takeField(c, indent, 'tool_calls')) {
    const calls = readList(c, indent, readToolCall);
    if (calls.length === 0) fail(c, 'an empty answer is written `content: []`', start);
    return calls;
  }
  if (!takeField(c, indent, 'content')) failField(c, indent, ['text: ', 'tool_calls: ', 'content: ']);
  const content = readList(c, indent, readContentBlock);
  if (isOneText(content)) fail(c, 'an answer of one text is written as `text`', start);
  if (content.length > 0 && content.every((block) => block.type === 'tool_call')) {
    fail(c, 'an answer of tool calls alone is written as `tool_calls`', start);
  }
  return content;
}

function readUsage(c: Cursor): Usage {
  if (!take(c, '{"input": ')) fail(c, 'usage with `"input"` first belongs here');
  const inputTokens = readNumber(c);
  if (!take(c, ', "output": ')) fail(c, 'usage with `"output"` second belongs here');
  const usage: Usage = { inputTokens, outputTokens: readNumber(c) };
  if (take(c, ', "cached_input": ')) usage.cachedInputTokens = readNumber(c);
  if (take(c, ', "cache_write": ')) usage.cacheWriteTokens = readNumber(c);
  if (take(c, ', "reasoning": ')) usage.reasoningTokens = readNumber(c);
  if (!take(c, '}\n')) fail(c, 'usage of known counts in fixed order belongs here');
  return usage;
}
