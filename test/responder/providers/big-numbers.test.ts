// A 64-bit id in a tool's arguments comes from every wire and goes back to it with all its digits.

import { expect, test } from 'vitest';
import { roundTripResponse } from '../../../src/cassette/text.ts';
import type { ChatRequest } from '../../../src/request/request.ts';
import { provider } from '../../../src/responder/providers/index.ts';
import { WIRE_NAMES, type Wire } from '../../../src/responder/providers/table.ts';
import { serve } from './wire-server.ts';

const ARGUMENTS = '{"order_id":12345678901234567890,"n":1}';
const QUOTED = JSON.stringify(ARGUMENTS);

const CALLS = {
  openai: `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":${QUOTED}}}]},"finish_reason":"tool_calls"}]}`,
  'openai-responses': `{"status":"completed","output":[{"type":"function_call","call_id":"a","name":"f","arguments":${QUOTED}}]}`,
  anthropic: `{"content":[{"type":"tool_use","id":"a","name":"f","input":${ARGUMENTS}}],"stop_reason":"tool_use"}`,
  gemini: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${ARGUMENTS}}}]},"finishReason":"STOP"}]}`,
} satisfies Record<Wire, string>;

test.each(WIRE_NAMES)('%s', async (wire) => {
  const { url, asked } = await serve([{ body: CALLS[wire] }]);
  const live = provider({ name: 'here', wire, endpoint: url, timeoutS: 5, maxRetries: 0 });
  const request: ChatRequest = {
    kind: 'chat',
    provider: wire,
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  };
  const answer = await live.respond(request);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const kept = roundTripResponse(answer.response);
  expect(kept.content).toMatchObject([{ type: 'tool_call', argumentsJson: ARGUMENTS }]);

  await live.respond({
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: kept.content },
      { role: 'tool', name: 'f', callId: 'a', result: 'ok' },
    ],
  });
  const sent = asked[1]?.text ?? '';
  expect(() => JSON.parse(sent)).not.toThrow();
  expect(sent).toContain(wire.startsWith('openai') ? QUOTED.slice(1, -1) : ARGUMENTS);
});
