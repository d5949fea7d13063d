// A server on this machine that does with each request what a test says: answers, breaks off, never ends.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What to do with one request; `attempt` counts from 1. */
export type Handle = (response: ServerResponse, attempt: number, request: IncomingMessage) => void;

/** Starts the server; it ends with the test. `attempts` is how many requests came in. */
export async function listen(handle: Handle): Promise<{ url: string; attempts: () => number }> {
  let attempts = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => handle(response, ++attempts, request));
    response.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, attempts: () => attempts };
}
