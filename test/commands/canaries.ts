// Keys that must turn up nowhere, a provider that repeats whatever it is told, and a project that is full of both.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cli } from '../../src/cli/cli.ts';

const letters = 'Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fL';

/** One canary for each place; every one is of a shape of its own or the value of a variable. */
export const CANARIES = {
  apiKey: 'plain-provider-key-0001/+x',
  variable: 'no-known-shape-value-77',
  prompt: `sk-proj-PROMPT${letters}`,
  input: `ghp_INPUT${letters}`,
  tool: `sk-ant-TOOL${letters}`,
  description: `xoxb-1234567890-DESC${letters}`,
  params: `AIza${'PARAMS'.padEnd(35, '3')}`,
  project: 'ACME-12345678',
  url: 'passw0rd-in-url',
  response: `hf_RESPONSE${letters}`,
  argument: `gsk_ARGUMENT${letters}`,
  key: 'AKIAIOSFODNN7CANARYZ',
  error: `npm_ERROR${letters}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.${letters}`,
} as const;

/** Half of each canary is enough to be a leak. */
export function leaksIn(text: string): string[] {
  return Object.entries(CANARIES).flatMap(([place, canary]) => {
    const middle = Math.floor(canary.length / 2);
    const parts = [canary.slice(0, middle), canary.slice(middle), encodeURIComponent(canary)];
    return parts.some((part) => text.includes(part)) ? [place] : [];
  });
}

/** Every file below a folder but the suites and the configuration, which are the user's own. */
export function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/(?:\.eval|retake)\.yaml$/.test(entry.name));
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

/** What the model answers, and the requests it got as their bodies. */
export interface FakeModel {
  url: string;
  requests: string[];
  /** What the next answers are, in order: a message, or a status with a body. */
  answers: ({ message: object } | { status: number; body: string })[];
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => resolve(body));
  });
}

/** A provider on this machine. */
export async function fakeModel(): Promise<FakeModel> {
  const model: FakeModel = { url: '', requests: [], answers: [] };
  const server = createServer(async (request, response) => {
    model.requests.push(`${request.headers.authorization}\n${await bodyOf(request)}`);
    const answer = model.answers.shift() ?? { message: { content: 'Fine.' } };
    if ('status' in answer) {
      response.writeHead(answer.status).end(answer.body);
      return;
    }
    const finish_reason = 'tool_calls' in answer.message ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    response.end(JSON.stringify({ model: 'm', choices: [{ message: answer.message, finish_reason }], usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

/** A project's configuration. */
export function configFor(url: string): string {
  return [
    'version: 1',
    'defaults: {provider: local, model: m, max_retries: 0}',
    `providers: {local: {base_url: "${url}", api_key_env: MODEL_KEY}}`,
    'redact: ["ACME-[0-9]{8}"]',
    '',
  ].join('\n');
}

/** Runs one command line in this process and gives all it printed. */
export async function retake(cwd: string, argv: string[], env: Record<string, string> = {}) {
  const ran = { exitCode: -1, stdout: '', stderr: '' };
  const out = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      ran[name] += text;
    },
  });
  ran.exitCode = await cli({ argv, cwd, env, stdout: out('stdout'), stderr: out('stderr') });
  return ran;
}
