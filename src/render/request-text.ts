// A request written readably, line by line, so that two of them can be compared line by line.

import { describeImage } from '../request/fingerprint.ts';
import type { AssistantBlock, ChatRequest, ImageBlock, Json, Message, ToolDefinition } from '../request/request.ts';

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function jsonLines(value: Json): string[] {
  return indented(JSON.stringify(value, null, 2));
}

function toolLines({ name, description, inputSchema }: ToolDefinition): string[] {
  return [
    `tool ${name}`,
    ...(description === undefined ? [] : indented(description)),
    ...(inputSchema ? jsonLines(inputSchema) : []),
    '',
  ];
}

function blockLines(block: AssistantBlock | ImageBlock): string[] {
  switch (block.type) {
    case 'image':
      return [`  (an image: ${describeImage(block)})`];
    case 'text':
      return indented(block.text);
    case 'reasoning':
      return ['  (reasoning)', ...indented(block.text)];
    case 'tool_call': {
      const given = block.malformedArguments ?? block.argumentsJson;
      const head = `  → ${block.name} (${block.id})`;
      return [
        head,
        ...(given === undefined ? jsonLines(block.arguments ?? null) : indented(given)).map((line) => `  ${line}`),
      ];
    }
    case 'opaque':
      return ['  (a block of the provider’s own)'];
  }
}

const ROLES = { user: 'user', assistant: 'model' } as const;

function messageLines(message: Message): string[] {
  if (message.role === 'tool') {
    const head = `tool ${message.isError ? 'error' : 'result'} of ${message.name} (${message.callId})`;
    return [head, ...jsonLines(message.result), ''];
  }
  return [
    ROLES[message.role],
    ...message.content.flatMap((block: AssistantBlock | ImageBlock) => blockLines(block)),
    '',
  ];
}

/** All of a request that reaches the model, as lines; what a user or a model wrote is indented. */
export function requestLines({ provider, endpoint, model, params, system, tools, messages }: ChatRequest): string[] {
  return [
    `model ${provider}/${model}`,
    ...(endpoint === undefined ? [] : [`endpoint ${endpoint}`]),
    '',
    ...(params ? ['params', ...jsonLines(params), ''] : []),
    ...(system === undefined ? [] : ['system', ...indented(system), '']),
    ...(tools ?? []).flatMap(toolLines),
    ...messages.flatMap(messageLines),
  ];
}
