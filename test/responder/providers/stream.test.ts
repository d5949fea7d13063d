// Every wire through a server that only streams: the recording is the one of a server that does not.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatRequest } from '../../../src/request/request.ts';
import { provider } from '../../../src/responder/providers/index.ts';
import { WIRE_NAMES, type Wire } from '../../../src/responder/providers/table.ts';
import { cassetteOf, project, runCase } from './loop-project.ts';
import { serve } from './wire-server.ts';

async function emulator(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  const calls = ['A-1', 'B-2'].map((id) => ({ name: 'lookup_order', arguments: `{"order_id": "${id}"}` }));
  const thinking = { reasoning: 'Two orders.', reasoningSignature: 'EqQBCkYI+/==' };
  mock.on({ userMessage: 'Where are my orders', hasToolResult: false }, { toolCalls: calls, ...thinking });
  mock.on({ userMessage: 'Where are my orders', hasToolResult: true }, { content: 'A-1 is on its way, B-2 is lost.' });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

/** Passes on what asks for a stream, refuses all else. */
async function onlyStreams(to: string): Promise<{ url: string; refused: () => number }> {
  let refused = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (JSON.parse(body).stream !== true && !request.url?.includes(':streamGenerateContent?alt=sse')) {
        refused++;
        response.writeHead(400).end('{"error":{"message":"This model only supports streaming."}}');
        return;
      }
      const headers = { 'content-type': 'application/json' };
      for (const name of ['anthropic-version', 'x-api-key', 'authorization', 'x-goog-api-key']) {
        const value = request.headers[name];
        if (typeof value === 'string') Object.assign(headers, { [name]: value });
      }
      const answer = await fetch(`${to}${request.url}`, { method: 'POST', headers, body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused: () => refused };
}

/** A recording without what depends on the address, on time and on chance. */
const plain = (cassette: string) =>
  cassette.replace(
    /^ *(?:- )?(?:endpoint: |fingerprint: |latency_ms: |digest: |encrypted_content: |id: "rs-).*\n/gm,
    '',
  );

test.each(WIRE_NAMES)('%s: a tool loop is recorded as from a server that does not stream', async (wire) => {
  const mock = await emulator();
  const whole = project(wire, mock.url);
  expect((await runCase(whole, 'record')).outcome).toBe('passed');

  const streaming = await onlyStreams(mock.url);
  const cwd = project(wire, streaming.url);
  const recorded = await runCase(cwd, 'record');
  expect(recorded.problem).toBeUndefined();
  expect(recorded.path).toBe('lookup_order → lookup_order → (end_turn)');
  expect(streaming.refused()).toBe(1);
  expect(plain(cassetteOf(cwd))).toBe(plain(cassetteOf(whole)));
});

const BROKEN = {
  openai: ['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n', 'finish_reason'],
  'openai-responses': ['data: {"type":"response.output_text.delta","delta":"Hel"}\n\n', 'response.completed'],
  anthropic: ['data: {"type":"message_start","message":{"content":[]}}\n\n', 'message_stop'],
  gemini: ['data: {"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}\n\n', 'finishReason'],
} satisfies Record<Wire, [string, string]>;

const request = (wire: Wire): ChatRequest => ({
  kind: 'chat',
  provider: wire,
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
});

test.each(WIRE_NAMES)('%s: a stream that breaks off is no answer', async (wire) => {
  const [body, missing] = BROKEN[wire];
  const { url } = await serve([{ type: 'text/event-stream', body }]);
  const live = provider({ name: 'here', wire, endpoint: url, timeoutS: 5, maxRetries: 0 });
  expect(await live.respond(request(wire))).toEqual({
    ok: false,
    failure: { kind: 'provider', message: `here: the stream broke off before its ${missing}` },
  });
});

test('what a stream says is wrong is told: of Anthropic', async () => {
  const body = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
  const { url } = await serve([{ type: 'text/event-stream', body }]);
  const live = provider({ name: 'here', wire: 'anthropic', endpoint: url, timeoutS: 5, maxRetries: 0 });
  expect(await live.respond(request('anthropic'))).toMatchObject({ failure: { message: 'here: Overloaded' } });
});
