// Writes what a cassette and a prompt file hold as canonical text; text.ts seals it with a digest.

import { formatJson, keepsNumbers } from '../request/json.ts';
import type {
  AssistantBlock,
  ChatResponse,
  ImageBlock,
  Json,
  JsonObject,
  Message,
  ToolCallBlock,
  ToolDefinition,
  Usage,
} from '../request/request.ts';
import {
  type Cassette,
  type ConversationStart,
  everyInteraction,
  type Grading,
  type Interaction,
  type Prompt,
} from './cassette.ts';
import { hasLongKey, pad, writeKey } from './scalar.ts';
import { checkDepth, free, freeText, keyed, mapping, sequence, string } from './write-value.ts';

// Entries of a mapping are texts without the first line's indentation: `key: value`, or `key:` and indented lines.

/** Suite, case and takes as entries of the outermost mapping. */
export function cassetteEntries(cassette: Cassette): string[] {
  const takes = cassette.takes.map((take) => {
    if (take.interactions[0] && !take.interactions[0].start) {
      throw new Error('the first interaction of a take has no start');
    }
    const interactions = everyInteraction(take).map((interaction) => mapping(interactionEntries(interaction), 8));
    return mapping([string('recorded', take.recorded, 4), sequence('interactions', interactions, 4)], 4);
  });
  return [string('suite', cassette.suite, 0), string('case', cassette.case, 0), sequence('takes', takes, 0)];
}

/** System prompt, tools and parameters as entries of a mapping whose keys stand at `indent`. */
export function promptEntries(prompt: Prompt, indent: number): string[] {
  const entries: string[] = [];
  if (prompt.system !== undefined) entries.push(string('system', prompt.system, indent));
  if (prompt.tools) {
    entries.push(
      sequence(
        'tools',
        prompt.tools.map((tool) => mapping(toolEntries(tool, indent + 4), indent + 4)),
        indent,
      ),
    );
  }
  if (prompt.params) entries.push(promptParams(prompt.params, indent));
  return entries;
}

/** A response as entries of a mapping whose keys stand at `indent`. */
export function responseEntries(response: ChatResponse, indent: number): string[] {
  const entries =
    response.embedding === undefined
      ? [contentEntry(response.content, indent), string('stop', response.stop, indent)]
      : [string('embedding', response.embedding, indent)];
  if (response.stopDetail !== undefined) entries.push(string('stop_detail', response.stopDetail, indent));
  if (response.usage) entries.push(`usage: ${usageText(response.usage)}`);
  entries.push(`latency_ms: ${numberText(response.latencyMs)}`);
  if (response.servedModel !== undefined) entries.push(string('served_model', response.servedModel, indent));
  return entries;
}

function interactionEntries(interaction: Interaction | Grading): string[] {
  const entries = [string('fingerprint', interaction.fingerprint, 8)];
  if ('for' in interaction) entries.push(string('for', interaction.for, 8));
  if (interaction.start) entries.push(...startEntries(interaction.start));
  entries.push(sequence('messages', interaction.messages.map(messageText), 8));
  entries.push(`response:\n${pad(10)}${mapping(responseEntries(interaction.response, 10), 10)}`);
  return entries;
}

function startEntries(start: ConversationStart): string[] {
  if (start.provider.includes('/')) throw new Error(`a provider's name holds a slash: ${start.provider}`);
  if (start.prompt !== undefined && start.inlinePrompt) throw new Error('a conversation has two prompts');
  const entries = [string('model', `${start.provider}/${start.model}`, 8)];
  if (start.endpoint !== undefined) entries.push(string('endpoint', start.endpoint, 8));
  if (start.params) entries.push(free('params', start.params, 8));
  if (start.prompt !== undefined) {
    if (!/^[0-9a-f]{16}$/.test(start.prompt)) throw new Error(`not a prompt's digest: ${start.prompt}`);
    entries.push(string('prompt', start.prompt, 8));
  }
  if (start.inlinePrompt) {
    const prompt = promptEntries(start.inlinePrompt, 10);
    entries.push(prompt.length === 0 ? 'inline_prompt: {}' : `inline_prompt:\n${pad(10)}${mapping(prompt, 10)}`);
  }
  return entries;
}

function messageText(message: Message): string {
  if (message.role === 'tool') {
    const result = free(message.isError ? 'error' : 'result', message.result, 12);
    return mapping([string('tool', message.name, 12), string('id', message.callId, 12), result], 12);
  }
  const [only, second] = message.content;
  if (only?.type === 'text' && !second) return string(message.role, only.text, 12);
  return blocks(message.role, message.content, 12);
}

function contentEntry(content: AssistantBlock[], indent: number): string {
  const [only, second] = content;
  if (only?.type === 'text' && !second) return string('text', only.text, indent);
  if (only && content.every((block) => block.type === 'tool_call')) {
    return sequence(
      'tool_calls',
      content.map((call) => freeText(toolCallValue(call), indent + 4).text),
      indent,
    );
  }
  return blocks('content', content, indent);
}

function blocks(name: string, content: readonly (AssistantBlock | ImageBlock)[], indent: number): string {
  return sequence(
    name,
    content.map((block) => blockText(block, indent + 4)),
    indent,
  );
}

function imageText({ mediaType, bytes, digest }: ImageBlock, indent: number): string {
  const entries = [
    string('media_type', mediaType, indent),
    `bytes: ${numberText(bytes)}`,
    string('sha256', digest, indent),
  ];
  return `image:\n${pad(indent)}${mapping(entries, indent)}`;
}

function blockText(block: AssistantBlock | ImageBlock, indent: number): string {
  if (block.type === 'image') return imageText(block, indent + 2);
  if (block.type === 'tool_call') return keyed('tool_call', freeText(toolCallValue(block), indent + 2), indent);
  if (block.type === 'opaque') return free('opaque', block.data, indent);
  return string(block.type, block.text, indent);
}

function toolCallValue(call: ToolCallBlock): JsonObject {
  return { id: call.id, name: call.name, ...argumentsValue(call) };
}

function argumentsValue(call: ToolCallBlock): JsonObject {
  if (call.malformedArguments !== undefined) return { malformed_arguments: call.malformedArguments };
  if (call.argumentsJson !== undefined && !keepsNumbers(call.argumentsJson)) {
    checkDepth(JSON.parse(call.argumentsJson) as Json);
    return { arguments_json: call.argumentsJson };
  }
  const value = call.argumentsJson === undefined ? call.arguments : (JSON.parse(call.argumentsJson) as Json);
  if (value === undefined) throw new Error(`the tool call ${call.id} has no arguments`);
  checkDepth(value);
  return hasLongKey(value) ? { arguments_json: formatJson(value) } : { arguments: value };
}

function toolEntries(tool: ToolDefinition, indent: number): string[] {
  const entries = [string('name', tool.name, indent)];
  if (tool.description !== undefined) entries.push(string('description', tool.description, indent));
  if (tool.inputSchema) entries.push(free('input_schema', tool.inputSchema, indent));
  return entries;
}

function promptParams(params: JsonObject, indent: number): string {
  checkDepth(params);
  const names = Object.keys(params);
  if (names.length === 0 || hasLongKey(params)) return free('params', params, indent);
  const entries = names.map((name) => keyed(writeKey(name), freeText(params[name] as Json, indent + 4), indent + 2));
  return `params:\n${pad(indent + 2)}${mapping(entries, indent + 2)}`;
}

function usageText(usage: Usage): string {
  let text = `{"input": ${numberText(usage.inputTokens)}, "output": ${numberText(usage.outputTokens)}`;
  if (usage.cachedInputTokens !== undefined) text += `, "cached_input": ${numberText(usage.cachedInputTokens)}`;
  if (usage.cacheWriteTokens !== undefined) text += `, "cache_write": ${numberText(usage.cacheWriteTokens)}`;
  if (usage.reasoningTokens !== undefined) text += `, "reasoning": ${numberText(usage.reasoningTokens)}`;
  return `${text}}`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`not a number that can be recorded: ${value}`);
  return JSON.stringify(value);
}
