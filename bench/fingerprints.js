// All fingerprints of one long conversation, asked turn by turn as the agent loop does.

import { median, time } from './measure.js';

const WORDS = 'The order was delivered on Monday and the customer reports that it arrived broken. '.repeat(8);
// A conversation takes about a millisecond: several make one measurement.
const CONVERSATIONS = 20;

/**
 * @param {number} turns
 * @returns {import('../src/request/request.ts').Message[][]} what each turn adds
 */
function conversation(turns) {
  return Array.from({ length: turns }, (_, at) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_call', id: `call_${at}`, name: 'look_up', arguments: { page: at, query: WORDS } }],
    },
    { role: 'tool', name: 'look_up', callId: `call_${at}`, result: { page: at, text: WORDS } },
  ]);
}

/**
 * @param {typeof import('./engine.js')} engine
 * @param {number} turns
 * @param {number} rounds
 */
function measure({ identify }, turns, rounds) {
  const added = conversation(turns);
  const once = () => {
    /** @type {import('../src/request/request.ts').ChatRequest} */
    const request = { kind: 'chat', provider: 'openai', model: 'm-1', messages: [] };
    for (const messages of added) {
      request.messages.push(...messages);
      identify(request);
    }
  };
  const all = Array.from({ length: rounds + 2 }, () => time(once, CONVERSATIONS) / CONVERSATIONS);
  return { turns, bytes: JSON.stringify(added).length, ms: median(all.slice(2)) };
}

/**
 * The same conversation at 50 and at 100 turns.
 * @param {typeof import('./engine.js')} engine
 * @param {number} rounds
 */
export function measureFingerprints(engine, rounds) {
  return { half: measure(engine, 50, rounds), whole: measure(engine, 100, rounds) };
}
