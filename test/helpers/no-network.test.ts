// The guard itself: a connection to the outside never leaves, one to this machine does.

import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { isLoopback, takeRefused } from './no-network.ts';

it('refuses an address outside and remembers it even where the error is caught', async () => {
  const socket = net.connect(80, '192.0.2.1');
  const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
  expect(error.message).toContain('tests must not reach 192.0.2.1');
  expect(takeRefused()).toEqual(['192.0.2.1']);
});

it('refuses a host by name, from fetch as well', async () => {
  await expect(fetch('http://example.com/')).rejects.toThrow();
  expect(takeRefused()).toContain('example.com');
});

it('lets a connection to this machine through', async () => {
  const server = http.createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe('here');
  server.close();
  expect(takeRefused()).toEqual([]);
});

it('knows what is this machine', () => {
  expect(
    ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'].filter((host) => !isLoopback(host)),
  ).toEqual([]);
  expect(
    ['127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1', '::2', 'example.com'].filter(isLoopback),
  ).toEqual([]);
});
