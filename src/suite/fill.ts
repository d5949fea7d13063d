// Puts a case's variables into its prompt and its input.

import type { Message } from '../request/request.ts';
import { faultAt, quoted } from './faults.ts';
import { placeOf } from './providers.ts';
import type { ReadCase, ReadSuite } from './read.ts';
import { type Filled, fillVariables, type Variables } from './vars.ts';

/** What filling needs besides the case. */
export interface Fill {
  suite: ReadSuite;
  /** What was complained of in the suite's own text: what one case lacks, ten thousand rows lack. */
  told: Set<string>;
}

/** A case's texts with variables put in. */
export interface FilledCase {
  system?: string;
  /** Set where the prompt holds what no other case shares. */
  ownPrompt?: true;
  input: Message[];
}

type Fault = Extract<Filled, { ok: false }>;

function complainOfSystem({ suite, told }: Fill, one: ReadCase, { name, at, message, remedy }: Fault): void {
  if (told.has(name)) return;
  told.add(name);
  const { source, code, faults } = suite.reading;
  const key = suite.node.entries?.has('system') ? 'system' : 'system_file';
  const of = one.reading ? `the row ${quoted(one.name)}` : `the case ${quoted(one.name)}`;
  const text = `in \`${key}\`, for ${of}: ${message}`;
  const node = suite.node.entries?.get(key)?.node;
  const found = node && key === 'system' ? source.text.indexOf(at, node.start) : -1;
  const offset = node && found !== -1 && found < node.end ? found : (placeOf(suite.node, key) ?? suite.node.start);
  faults.push(faultAt(source, offset, { code, message: text, remedy }));
}

function complainOfInput({ suite }: Fill, { node, reading = suite.reading }: ReadCase, fault: Fault): void {
  const { source, code, faults } = reading;
  const input = node.entries?.get('input')?.node ?? node;
  const found = source.text.indexOf(fault.at, input.start);
  const offset = found !== -1 && found < input.end ? found : input.start;
  faults.push(faultAt(source, offset, { code, message: fault.message, remedy: fault.remedy }));
}

/** Whether a case has variables at all: braces in the texts of others are but text. */
function hasVariables({ vars: shared }: ReadSuite, { vars }: ReadCase): boolean {
  return vars !== undefined || shared.size > 0;
}

const NONE: ReadonlyMap<string, string> = new Map();
const hasBraces = (text: string) => text.includes('{{');

/** The case's system prompt and input as they are sent; what names no variable is among the faults. */
export function fillCase(fill: Fill, one: ReadCase): FilledCase {
  const { suite } = fill;
  const { system } = suite;
  const plain = { ...(system !== undefined && { system }), input: one.input };
  const inSystem = system !== undefined && hasBraces(system);
  const inInput = one.input.some(
    (message) =>
      message.role !== 'tool' && message.content.some((block) => block.type === 'text' && hasBraces(block.text)),
  );
  if ((!inSystem && !inInput) || !hasVariables(suite, one)) return plain;
  const variables: Variables = { own: one.vars?.() ?? NONE, shared: suite.vars };
  const filled: FilledCase = { ...plain };
  if (inSystem) {
    const text = fillVariables(system, variables);
    if (text.ok) {
      filled.system = text.text;
      if (text.usesOwn) filled.ownPrompt = true;
    } else complainOfSystem(fill, one, text);
  }
  if (inInput) filled.input = fillMessages(fill, one, variables);
  return filled;
}

function fillMessages(fill: Fill, one: ReadCase, variables: Variables): Message[] {
  const seen = new Set<string>();
  return one.input.map((message) => {
    if (message.role === 'tool') return message;
    const content = message.content.map((block) => {
      if (block.type !== 'text') return block;
      const text = fillVariables(block.text, variables);
      if (text.ok) return { ...block, text: text.text };
      if (!seen.has(text.message)) complainOfInput(fill, one, text);
      seen.add(text.message);
      return block;
    });
    return { ...message, content } as Message;
  });
}
