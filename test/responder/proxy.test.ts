// Proxies: who is asked through one, who is not.

import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatRequest } from '../../src/request/request.ts';
import { provider } from '../../src/responder/providers/index.ts';
import { proxiesOf } from '../../src/responder/proxy.ts';
import { takeRefused } from '../helpers/no-network.ts';
import { listen } from './raw-server.ts';

const REQUEST: ChatRequest = {
  kind: 'chat',
  provider: 'openai',
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
};
const HELLO = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});

/** A proxy that leads wherever it is asked for to `port` of this machine, and keeps what it was asked for. */
async function startProxy(port: number): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer((_, response) => response.writeHead(501).end());
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const through = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket]) end.on('error', () => {}).on('close', () => socket.destroy());
    onTestFinished(() => {
      through.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function setUp() {
  const behind = await listen((response) => response.end(HELLO));
  const proxy = await startProxy(Number(new URL(behind.url).port));
  const ask = async (env: Record<string, string>, endpoint = 'http://llm.example/v1') => {
    const proxies = proxiesOf(env);
    const live = provider({ name: 'my-llm', wire: 'openai', endpoint, timeoutS: 5, maxRetries: 0, proxies });
    return live.respond(REQUEST);
  };
  return { behind, proxy, ask };
}

test.each([
  ['HTTP_PROXY', 'http://'],
  ['http_proxy', 'http://'],
  ['HTTP_PROXY', ''],
])('%s with %j before the address is asked', async (name, scheme) => {
  const warned = vi.spyOn(process, 'emitWarning');
  const { behind, proxy, ask } = await setUp();
  expect(await ask({ [name]: `${scheme}${proxy.address}` })).toMatchObject({ ok: true });
  expect([proxy.asked, behind.attempts()]).toEqual([['llm.example:80'], 1]);
  expect(warned).not.toHaveBeenCalled();
});

test('HTTPS_PROXY is asked for https', async () => {
  const { proxy, ask } = await setUp();
  // What stands behind speaks no TLS, so the asking is all there is to see.
  expect(await ask({ HTTPS_PROXY: `http://${proxy.address}` }, 'https://llm.example/v1')).toMatchObject({ ok: false });
  expect(proxy.asked).toEqual(['llm.example:443']);
});

test.each(['127.0.0.1', 'localhost'])('this machine (%s) is asked directly', async (host) => {
  const { behind, proxy, ask } = await setUp();
  const endpoint = behind.url.replace('127.0.0.1', host);
  expect(await ask({ HTTP_PROXY: `http://${proxy.address}` }, endpoint)).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual([]);
});

test.each(['llm.example', 'other.example, .example', '*'])('NO_PROXY %j: the host is asked directly', async (no) => {
  const { proxy, ask } = await setUp();
  expect(await ask({ HTTP_PROXY: `http://${proxy.address}`, no_proxy: no })).toMatchObject({ ok: false });
  expect(proxy.asked).toEqual([]);
  // No test gets there, but it was tried.
  expect(new Set(takeRefused())).toEqual(new Set(['llm.example']));
});

test('a proxy whose address is none is told', async () => {
  const { ask } = await setUp();
  expect(await ask({ HTTP_PROXY: 'http://' })).toMatchObject({
    failure: { kind: 'provider', message: expect.stringContaining('my-llm: the proxy cannot be used: ') },
  });
});

test('without a variable, or with an empty one, there is no proxy', () => {
  expect(proxiesOf({})).toBeUndefined();
  expect(proxiesOf({ HTTPS_PROXY: '', NO_PROXY: 'x' })).toBeUndefined();
});
