import { readFileSync } from 'node:fs';

/** @type {Record<string, any>} */
const { input, output, expected, trajectory } = JSON.parse(readFileSync(0, 'utf8'));
const results = trajectory.turns.flatMap((/** @type {any} */ turn) => turn.results);
const ticket = results.find((/** @type {any} */ { result }) => result.ticket)?.result.ticket;
const named = ticket !== undefined && output.includes(ticket) && (expected === undefined || expected === ticket);
console.log(JSON.stringify({ score: named ? 1 : 0, reason: `${input} ${named ? 'names' : 'does not name'} ${ticket}` }));
