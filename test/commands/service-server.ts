// A service on this machine that answers what a test wants and remembers what it was sent.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came. */
export interface Came {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An answer. */
export interface Said {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

/** A running service. */
export interface ServiceServer {
  /** Scheme, host and port. */
  url: string;
  came: Came[];
  /** What is answered. */
  answer: (came: Came) => Said;
}

/** Starts a service that stops with the test. */
export async function startService(answer: ServiceServer['answer']): Promise<ServiceServer> {
  const state: ServiceServer = { url: '', came: [], answer };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      const came = { method, path, headers: request.headers as Record<string, string>, body };
      state.came.push(came);
      const { status = 200, headers = {}, body: said } = state.answer(came);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(said);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
