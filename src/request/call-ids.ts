// Tool-call ids by position: what a provider calls `call_8fK…` is `call_0` everywhere but on the wire.

import type { AssistantBlock, Message } from './request.ts';

/** How many tool calls stand in these messages. */
export function countCalls(messages: readonly Message[]): number {
  let calls = 0;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) if (block.type === 'tool_call') calls++;
  }
  return calls;
}

/** The blocks of an answer with ids made positional, counted on from the calls before it. */
export function withPositionalIds(content: AssistantBlock[], before: number): AssistantBlock[] {
  let next = before;
  return content.map((block) => (block.type === 'tool_call' ? { ...block, id: `call_${next++}` } : block));
}
