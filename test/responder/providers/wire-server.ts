// A server on this machine that answers with what a test gives it, one after the other, and keeps what it was asked.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One answer. */
export interface Said {
  status?: number;
  /** `application/json` unless given. */
  type?: string;
  body: unknown;
}

/** One request as it arrived. */
export interface Asked {
  path: string;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** Answers with each of `answers` once; the last repeats. Ends with the test. */
export async function serve(answers: readonly Said[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({ path: request.url ?? '', headers: request.headers, text: Buffer.concat(chunks).toString('utf8') });
      const {
        status = 200,
        type = 'application/json',
        body,
      } = answers[Math.min(asked.length, answers.length) - 1] as Said;
      response.writeHead(status, { 'content-type': type });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
