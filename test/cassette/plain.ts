// What any YAML tool should see in a cassette, built from the value without the writer.

import type { Cassette, Interaction, Prompt } from '../../src/cassette/cassette.ts';
import { formatJson, keepsNumbers } from '../../src/request/json.ts';
import type {
  AssistantBlock,
  ChatResponse,
  ImageBlock,
  Json,
  Message,
  ToolCallBlock,
} from '../../src/request/request.ts';

/** A mapping of a YAML document. */
export type Plain = Record<string, unknown>;

/** The document of a cassette, its digest left out. */
export function plainCassette(cassette: Cassette): Plain {
  return {
    retake: 1,
    suite: cassette.suite,
    case: cassette.case,
    takes: cassette.takes.map((take) => ({
      recorded: take.recorded,
      interactions: take.interactions.map(plainInteraction),
    })),
  };
}

/** The document of a prompt file, its digest left out. */
export function plainPrompt(prompt: Prompt): Plain {
  return { retake: 1, ...promptFields(prompt) };
}

function promptFields(prompt: Prompt): Plain {
  return defined({
    system: prompt.system,
    tools: prompt.tools?.map((tool) =>
      defined({
        name: tool.name,
        description: tool.description,
        ...(tool.inputSchema && free('input_schema', tool.inputSchema)),
      }),
    ),
    ...(prompt.params && free('params', prompt.params)),
  });
}

function plainInteraction({ fingerprint, start, messages, response }: Interaction): Plain {
  return {
    fingerprint,
    ...(start &&
      defined({
        model: `${start.provider}/${start.model}`,
        endpoint: start.endpoint,
        ...(start.params && free('params', start.params)),
        prompt: start.prompt,
        inline_prompt: start.inlinePrompt && promptFields(start.inlinePrompt),
      })),
    messages: messages.map(plainMessage),
    response: plainResponse(response),
  };
}

function plainMessage(message: Message): Plain {
  if (message.role === 'tool') {
    return { tool: message.name, id: message.callId, ...free(message.isError ? 'error' : 'result', message.result) };
  }
  const [only] = message.content;
  const isText = message.content.length === 1 && only?.type === 'text';
  return {
    [message.role]: isText ? only.text : message.content.map((block: AssistantBlock | ImageBlock) => plainBlock(block)),
  };
}

function plainResponse(response: ChatResponse): Plain {
  const { content, usage } = response;
  const [only] = content;
  let body: Plain = { content: content.map(plainBlock) };
  if (content.length === 1 && only?.type === 'text') body = { text: only.text };
  else if (only && content.every((block) => block.type === 'tool_call')) body = { tool_calls: content.map(plainCall) };
  return defined({
    ...body,
    stop: response.stop,
    stop_detail: response.stopDetail,
    usage:
      usage &&
      defined({
        input: usage.inputTokens,
        output: usage.outputTokens,
        cached_input: usage.cachedInputTokens,
        cache_write: usage.cacheWriteTokens,
        reasoning: usage.reasoningTokens,
      }),
    latency_ms: response.latencyMs,
    served_model: response.servedModel,
  });
}

function plainBlock(block: AssistantBlock | ImageBlock): Plain {
  if (block.type === 'image') {
    return { image: { media_type: block.mediaType, bytes: block.bytes, sha256: block.digest } };
  }
  if (block.type === 'tool_call') return { tool_call: plainCall(block) };
  return block.type === 'opaque' ? free('opaque', block.data) : { [block.type]: block.text };
}

function plainCall(call: ToolCallBlock): Plain {
  const head = { id: call.id, name: call.name };
  if (call.malformedArguments !== undefined) return { ...head, malformed_arguments: call.malformedArguments };
  if (call.argumentsJson !== undefined && !keepsNumbers(call.argumentsJson)) {
    return { ...head, arguments_json: call.argumentsJson };
  }
  return { ...head, ...free('arguments', call.arguments as Json) };
}

function free(name: string, value: Json): Plain {
  return longestKey(value) > 1000 ? { [`${name}_json`]: formatJson(value) } : { [name]: value };
}

/** Good for keys whose length in quotes is plain to see: the values made here have very long keys of letters only. */
function longestKey(value: Json): number {
  if (value === null || typeof value !== 'object') return 0;
  if (Array.isArray(value)) return Math.max(0, ...value.map(longestKey));
  return Math.max(0, ...Object.entries(value).flatMap(([key, item]) => [key.length, longestKey(item)]));
}

function defined(fields: Plain): Plain {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
