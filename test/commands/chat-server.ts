// A chat model on this machine that says "Hello" and bills what a test wants, and the command line against it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { writeProject } from '../suite/project.ts';

/** What each answer bills, in the wire's words; absent for none. */
export interface Bill {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: { cached_tokens: number };
}

/** A running model. */
export interface ChatServer {
  /** The base URL. */
  url: string;
  /** Requests received. */
  asked(): number;
  /** Changes what is billed. */
  bill(bill: Bill | undefined): void;
}

/** Starts a model that stops with the test. It answers a moment later, so that requests overlap. */
export async function startChat(first: Bill | undefined): Promise<ChatServer> {
  let asked = 0;
  let bill = first;
  const server = createServer((request, response) => {
    asked++;
    request.resume().on('end', () =>
      setTimeout(() => {
        const message = { role: 'assistant', content: 'Hello' };
        const body = { model: 'm-2026', choices: [{ message, finish_reason: 'stop' }], ...(bill && { usage: bill }) };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      }, 5),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    bill: (next) => {
      bill = next;
    },
  };
}

/** A project whose provider `my-llm` is the server. */
export function chatProject(server: ChatServer, config: string, suites: Record<string, string>): string {
  return writeProject({
    'retake.yaml': `version: 1\nproviders: {my-llm: {base_url: "${server.url}"}}\n${config}`,
    ...suites,
  });
}

/** A suite of `count` cases that ask `my-llm/m`. */
export function suiteOf(name: string, count: number, more = ''): string {
  const cases = Array.from({ length: count }, (_, at) => `  - {name: c${at + 1}, input: Hi}`);
  return `name: ${name}\nprovider: my-llm\nmodel: m\n${more}cases:\n${cases.join('\n')}\n`;
}

/** What one command line came to. */
interface Done {
  out: string;
  err: string;
  exitCode: number;
}

/** Runs one command line in this process with the project's own commands. */
export function retake(cwd: string, ...argv: string[]): Promise<Done> {
  return retakeWith({}, cwd, ...argv);
}

/** `retake` with variables set. */
export async function retakeWith(env: Record<string, string>, cwd: string, ...argv: string[]): Promise<Done> {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const exitCode = await cli({ argv, cwd, env, stdout: into('out'), stderr: into('err') });
  return { ...said, exitCode };
}
