// What a case asks: a text, parts of one message, or a conversation that ends with the user.

import type { Message } from '../request/request.ts';
import { type ImageFiles, type ImageReading, readImages, readUserParts, type WrittenPart } from './images.ts';
import { complain, type Reading } from './issues.ts';
import type { Refs } from './refs.ts';
import type { YamlNode } from './yaml-node.ts';

interface WrittenMessage {
  role: 'user' | 'assistant';
  content: string | WrittenPart[];
  images?: string[] | undefined;
}

/** `input` as a suite writes it. */
export type WrittenInput = string | WrittenMessage[] | WrittenPart[];

/** What a case asks, and where its images are. */
export interface ReadInput {
  input: Message[];
  images: ImageFiles;
}

function isMessages(input: WrittenMessage[] | WrittenPart[]): input is WrittenMessage[] {
  return input.some((item) => 'role' in item);
}

/** Whether the input of the case at `node` is a list of parts, by the keys of its items. */
export function isParts(node: YamlNode): boolean {
  const items = node.entries?.get('input')?.node.items ?? [];
  const holds = (key: string) => items.some(({ entries }) => entries?.has(key));
  return (holds('text') || holds('image')) && !holds('role') && !holds('content');
}

function readMessage(images: ImageReading, message: WrittenMessage, node: YamlNode | undefined): Message {
  const { role, content, images: paths = [] } = message;
  const child = (key: string) => node?.entries?.get(key)?.node;
  if (role === 'assistant') {
    const parts = typeof content === 'string' ? [{ text: content }] : content;
    const place = child('images') ?? (parts.some(({ image }) => image !== undefined) ? child('content') : undefined);
    if (place) complain(images.reading, place.start, 'only a message of the user may hold images');
    return { role, content: parts.map(({ text = '' }) => ({ type: 'text', text })) };
  }
  const said = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : undefined;
  const blocks = said ?? readUserParts(images, content as WrittenPart[], child('content'));
  return { role, content: [...blocks, ...readImages(images, paths, child('images'))] };
}

/** Reads a case's `input`; `node` is the case. */
export function readInput(
  { reading, refs }: { reading: Reading; refs: Refs },
  node: YamlNode,
  input: WrittenInput | undefined,
): ReadInput {
  const images: ImageFiles = new Map();
  if (input === undefined) return { input: [], images };
  if (typeof input === 'string') return { input: [{ role: 'user', content: [{ type: 'text', text: input }] }], images };
  const inputNode = node.entries?.get('input')?.node;
  const all: ImageReading = { reading, refs, files: images };
  if (!isMessages(input)) {
    return { input: [{ role: 'user', content: readUserParts(all, input, inputNode) }], images };
  }
  if (input.at(-1)?.role !== 'user') {
    complain(reading, inputNode?.items?.at(-1)?.start ?? node.start, '`input` must end with a message of the user');
  }
  return { input: input.map((message, at) => readMessage(all, message, inputNode?.items?.[at])), images };
}
