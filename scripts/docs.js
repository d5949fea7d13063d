// Writes the README's tables of the action's inputs and outputs from action.yml, between their markers.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = new URL('..', import.meta.url);

/** @param {string} text */
const cell = (text) => text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** @param {string[][]} rows */
const table = (rows) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

/** @param {Record<string, {description: string, default?: string}>} inputs */
function inputsTable(inputs) {
  const rows = Object.entries(inputs).map(([name, { description, default: value }]) => [
    `\`${name}\``,
    cell(description),
    value ? `\`${value}\`` : '',
  ]);
  return table([['input', 'what it does', 'default'], ['---', '---', '---'], ...rows]);
}

/** @param {Record<string, {description: string}>} outputs */
function outputsTable(outputs) {
  const rows = Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, cell(description)]);
  return table([['output', 'what it holds'], ['---', '---'], ...rows]);
}

/**
 * The text with the tables renewed; unchanged where it has no markers.
 * @param {string} text
 * @param {string} actionYml
 */
export function withTables(text, actionYml) {
  const action = parse(actionYml);
  const tables = { inputs: inputsTable(action.inputs), outputs: outputsTable(action.outputs) };
  let renewed = text;
  for (const [name, lines] of Object.entries(tables)) {
    const between = new RegExp(`(<!-- ${name}:start -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
    renewed = renewed.replace(between, (_, start, end) => `${start}${lines}\n${end}`);
  }
  return renewed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = new URL('README.md', ROOT);
  const text = readFileSync(readme, 'utf8');
  writeFileSync(readme, withTables(text, readFileSync(new URL('action.yml', ROOT), 'utf8')));
}
