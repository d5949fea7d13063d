// A provider on this machine with three models: one that answers, one that judges it, one that embeds.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a request of a judge looks like on the wire. */
interface Sent {
  model: string;
  input?: string;
  temperature?: number;
  messages?: { role: string; content: string }[];
}

/** A running provider. */
export interface GraderServer {
  /** The base URL. */
  url: string;
  /** What the model under test says; the question is given. */
  answer: (question: string) => string;
  /** What the judge says; what it was sent is given. */
  verdict: (question: string) => string;
  /** The embedding of a text. */
  embed: (text: string) => number[];
  /** Requests received, by kind. */
  asked: { answer: number; judge: number; embedding: number };
  /** The bodies of the judge's requests. */
  judged: Sent[];
  /** The texts that were embedded. */
  embedded: string[];
}

/** Starts a provider that stops with the test. */
export async function startGraders(): Promise<GraderServer> {
  const state: GraderServer = {
    url: '',
    answer: () => 'Paris is the capital.',
    verdict: () => '{"reasoning": "It names Paris.", "score": 0.85}',
    embed: () => [1, 0],
    asked: { answer: 0, judge: 0, embedding: 0 },
    judged: [],
    embedded: [],
  };
  function chat(sent: Sent): object {
    const { model, messages = [] } = sent;
    const last = messages.at(-1)?.content ?? '';
    const isJudge = messages[0]?.role === 'system' && messages[0].content.startsWith('You grade');
    state.asked[isJudge ? 'judge' : 'answer']++;
    if (isJudge) state.judged.push(sent);
    const content = isJudge ? state.verdict(last) : state.answer(last);
    return {
      model: `${model}-2026`,
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    };
  }
  function embedding({ model, input = '' }: Sent): object {
    state.asked.embedding++;
    state.embedded.push(input);
    return {
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding: state.embed(input) }],
      usage: { prompt_tokens: 10, total_tokens: 10 },
    };
  }
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const sent = JSON.parse(body) as Sent;
      const reply = request.url?.endsWith('/embeddings') ? embedding(sent) : chat(sent);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return state;
}
