// A provider on this machine that says what a test wants: OpenAI-compatible, with a journal of what it was asked.

import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool call of an answer; arguments given as text are sent as they are. */
export interface CalledTool {
  name: string;
  arguments: object | string;
}

/** What the model says. */
export interface Said {
  text?: string;
  calls?: CalledTool[];
  /** The vector of a text that is to be embedded. */
  embedding?: number[];
  /** `tool_calls` where it calls, else `stop`. */
  finish?: string;
}

/** An answer that no model gives. */
export interface Raw {
  /** 200 unless given. */
  status?: number;
  body: string | Buffer;
}

/** One request as it arrived. */
export interface Asked {
  /** What the first message of the user says. */
  input: string;
  /** 1-based: the answers in the request and one. */
  turn: number;
  /** How often this input began a conversation, this one included; 1-based. */
  conversation: number;
  /** The whole body. */
  body: { messages: { role: string; content?: unknown; tool_calls?: { id: string }[] }[] } & Record<string, unknown>;
  authorization: string | undefined;
}

/** Decides an answer; it may wait. */
export type Decide = (asked: Asked) => Said | Raw | Promise<Said | Raw>;

/** The server: its base URL, its journal, its end. */
export interface ProviderServer extends AsyncDisposable {
  baseUrl: string;
  /** Everything asked so far, in order of arrival. */
  journal: Asked[];
  /** Puts another in the place of what decides. */
  decide: Decide;
}

/** Answers with `latency` milliseconds of waiting before. */
export function after(latency: number, decide: Decide): Decide {
  return async (asked) => {
    await new Promise((resolve) => setTimeout(resolve, latency));
    return decide(asked);
  };
}

/** The body of a request; a text to be embedded stands there as what a user says. */
async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked['body'];
  return 'messages' in body ? body : { ...(body as object), messages: [{ role: 'user', content: body['input'] }] };
}

/** Ids as providers make them: never the same twice. */
function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('base64url')}`;
}

function completion({ text, calls = [], finish, embedding }: Said): object {
  if (embedding)
    return { object: 'list', data: [{ object: 'embedding', index: 0, embedding }], usage: { prompt_tokens: 5 } };
  return {
    id: newId('chatcmpl-'),
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: 'small-1.0',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ name, arguments: given }) => ({
              id: newId('call_'),
              type: 'function',
              function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
            })),
          }),
        },
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

/** Starts the server on a free port, or on `port`. */
export async function startProvider(decide: Decide, port = 0): Promise<ProviderServer> {
  const begun = new Map<string, number>();
  const server: Pick<ProviderServer, 'journal' | 'decide'> = { journal: [], decide };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const first = body.messages.find(({ role }) => role === 'user');
    const input = String(first?.content);
    const turn = body.messages.filter(({ role }) => role === 'assistant').length + 1;
    if (turn === 1) begun.set(input, (begun.get(input) ?? 0) + 1);
    const conversation = begun.get(input) ?? 0;
    const asked: Asked = { input, turn, conversation, body, authorization: request.headers.authorization };
    server.journal.push(asked);
    const said = await server.decide(asked);
    const { status = 200, body: sent } = 'body' in said ? said : { body: JSON.stringify(completion(said)) };
    // A process that was killed in the meantime takes no answer.
    response.on('error', () => {});
    response.writeHead(status, { 'content-type': 'application/json' }).end(sent);
  }

  const listener = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(599);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return Object.assign(server, {
    baseUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => listener.close(resolve));
      listener.closeAllConnections();
      await closed;
    },
  });
}
