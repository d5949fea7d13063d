// Credentials out of requests and answers: what everyone but the provider's wire sees.

import { RE2JS } from 're2js';
import type { AssistantBlock, ChatRequest, ChatResponse, ImageBlock, Message } from './request.ts';
import { mapTexts, mapTextsAndKeys, wordsForMarks } from './secret.ts';
import { findShapes } from './shapes.ts';

/** What a conversation's words stand for. */
interface Words {
  patterns: readonly RE2JS[];
  /** Words by secret, for what the suite says: numbered by first appearance, so that every run gives the same. */
  asked: Map<string, string>;
  /** Words by secret, for what only the model says: a replay does not know these secrets, so they take no number of the others. */
  answered: Map<string, string>;
  counts: Map<string, number>;
}

/** Redacts one take. */
export interface Redactor {
  /** The redacted twin of a first request, with a `messages` array of its own; what holds no secret stays the same object. */
  request(real: ChatRequest): ChatRequest;
  /** The redacted twin of a message that is about to be appended to the twin's; the message itself where it holds no secret. */
  message<M extends Message>(real: M): M;
}

const WORD = /\[redacted:[^\]\s]{1,200}\]/g;

/** A text with its marks and credentials replaced; what was replaced before stays as it is. */
function redactText(text: string, words: Words, side: 'asked' | 'answered'): string {
  const worded = wordsForMarks(text);
  if (!worded.includes('[redacted:')) return redactPlain(worded, words, side);
  let result = '';
  let at = 0;
  for (const match of worded.matchAll(WORD)) {
    result += redactPlain(worded.slice(at, match.index), words, side) + match[0];
    at = match.index + match[0].length;
  }
  return result + redactPlain(worded.slice(at), words, side);
}

interface Piece {
  id: string;
  start: number;
  end: number;
}

/** What the project's patterns and our shapes find, in order; where two overlap, what begins first. */
function findPieces(text: string, { patterns }: Words): Piece[] {
  const pieces: Piece[] = findShapes(text);
  if (patterns.length === 0) return pieces;
  for (const pattern of patterns) {
    const matcher = pattern.matcher(text);
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) pieces.push({ id: 'project', start: matcher.start(), end: matcher.end() });
    }
  }
  return pieces.sort((one, other) => one.start - other.start || other.end - one.end);
}

function redactPlain(text: string, words: Words, side: 'asked' | 'answered'): string {
  const pieces = findPieces(text, words);
  if (pieces.length === 0) return text;
  let result = '';
  let at = 0;
  for (const { id, start, end } of pieces) {
    // What overlaps a piece before it is hidden up to its own end.
    const from = Math.max(start, at);
    if (end <= from) continue;
    result += text.slice(at, from) + wordFor(text.slice(from, end), id, { words, side });
    at = end;
  }
  return result + text.slice(at);
}

function wordFor(secret: string, id: string, { words, side }: { words: Words; side: 'asked' | 'answered' }): string {
  const known = words.asked.get(secret) ?? (side === 'answered' ? words.answered.get(secret) : undefined);
  if (known !== undefined) return known;
  const name = side === 'asked' ? id : `${id}-of-model`;
  const count = (words.counts.get(name) ?? 0) + 1;
  words.counts.set(name, count);
  const word = `[redacted:${name}-${count}]`;
  words[side].set(secret, word);
  return word;
}

type Head = Pick<ChatRequest, 'system' | 'tools' | 'params'>;

interface RedactedHead {
  real: Head;
  patterns: readonly string[];
  shown: Head;
  words: Words;
}

// A suite's cases share system prompt, tools and parameters as the same objects.
let lastHead: RedactedHead | undefined;

const compiled = new Map<string, RE2JS>();

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known;
}

function sameHead({ real, patterns }: RedactedHead, head: Head, now: readonly string[]): boolean {
  return real.system === head.system && real.tools === head.tools && real.params === head.params && patterns === now;
}

function redactHead({ system, tools, params }: ChatRequest, patterns: readonly string[]): RedactedHead {
  const real: Head = {
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    ...(params && { params }),
  };
  if (lastHead && sameHead(lastHead, { system, tools, params } as Head, patterns)) return lastHead;
  const words: Words = { patterns: patterns.map(compile), asked: new Map(), answered: new Map(), counts: new Map() };
  const redact = (text: string) => redactText(text, words, 'asked');
  const shown: Head = { ...real };
  if (system !== undefined) shown.system = redact(system);
  // A tool's name is a key: mocks and calls find it by that.
  if (tools) shown.tools = mapTexts(tools, redact);
  if (params) shown.params = mapTexts(params, redact);
  lastHead = { real, patterns, shown, words };
  return lastHead;
}

/** The twins' originals, known to this module alone: no copy, no JSON and no report of a request holds them. */
const realHeads = new WeakMap<ChatRequest, Head>();
const realMessages = new WeakMap<Message, Message>();
const wordsOf = new WeakMap<ChatRequest, Words>();

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function redactBlock<Block extends AssistantBlock | ImageBlock>(block: Block, map: (text: string) => string): Block {
  return (block.type === 'image' ? block : redactSaid(block, map)) as Block;
}

function redactSaid(block: AssistantBlock, map: (text: string) => string): AssistantBlock {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return mapTexts(block, map);
    case 'opaque':
      // Signed: it must go back byte for byte.
      return block;
    case 'tool_call': {
      const { type, id, name, ...given } = block;
      const said = { name: map(name), ...given };
      if (given.arguments !== undefined) said.arguments = mapTextsAndKeys(given.arguments, map);
      if (given.argumentsJson !== undefined) {
        said.argumentsJson = map(given.argumentsJson);
        // A pattern may have taken a number, of which no text of JSON is left.
        if (said.argumentsJson !== given.argumentsJson && !isJson(said.argumentsJson)) delete said.argumentsJson;
      }
      if (given.malformedArguments !== undefined) said.malformedArguments = map(given.malformedArguments);
      const isSame = (Object.keys(said) as (keyof typeof said)[]).every((key) => said[key] === block[key]);
      return isSame ? block : { type, id, ...said };
    }
  }
}

function redactMessage<M extends Message>(message: M, words: Words): M {
  const redact = (text: string) => redactText(text, words, 'asked');
  if (message.role === 'tool') {
    const result = mapTexts(message.result, redact);
    return result === message.result ? message : { ...message, result };
  }
  const content = message.content.map((block: AssistantBlock | ImageBlock) => redactBlock(block, redact));
  return content.every((block, at) => block === message.content[at]) ? message : { ...message, content };
}

const NO_PATTERNS: readonly string[] = [];

/** Begins to redact a take; `patterns` are the project's own, in RE2 syntax. */
export function redactor(patterns: readonly string[] = NO_PATTERNS): Redactor {
  let words: Words | undefined;
  function message<M extends Message>(real: M): M {
    if (!words) throw new Error('a message is redacted before the request it belongs to');
    const shown = redactMessage(real, words);
    if (shown !== real) realMessages.set(shown, real);
    return shown;
  }
  return {
    request(real) {
      const head = redactHead(real, patterns);
      words = {
        ...head.words,
        asked: new Map(head.words.asked),
        counts: new Map(head.words.counts),
        answered: new Map(),
      };
      const shown = { ...real, ...head.shown, messages: real.messages.map(message) };
      realHeads.set(shown, head.real);
      wordsOf.set(shown, words);
      return shown;
    },
    message,
  };
}

/** What a redacted request stands for, marks of variables still in it: for the wire alone. */
export function unredacted(request: ChatRequest): ChatRequest {
  const messages = request.messages.map((message) => realMessages.get(message) ?? message);
  return { ...request, ...realHeads.get(request), messages };
}

/** Redacts texts of an answer to a request: a secret that the request holds has the same word in both. */
export function answerRedactor(request: ChatRequest): (text: string) => string {
  const words = wordsOf.get(request) ?? { patterns: [], asked: new Map(), answered: new Map(), counts: new Map() };
  return (text) => redactText(text, words, 'answered');
}

/** An answer with its texts mapped: what the model said, names and values alike. */
export function mapResponse(response: ChatResponse, map: (text: string) => string): ChatResponse {
  const { content, stopDetail, servedModel } = response;
  const mapped = content.map((block) => redactBlock(block, map));
  return {
    ...response,
    ...(mapped.some((block, at) => block !== content[at]) && { content: mapped }),
    ...(stopDetail !== undefined && { stopDetail: map(stopDetail) }),
    ...(servedModel !== undefined && { servedModel: map(servedModel) }),
  };
}
