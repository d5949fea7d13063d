// Puts the bytes of images into a request, right before it goes on the wire. [edge]

import { readFileSync } from 'node:fs';
import { sha256 } from '../../request/fingerprint.ts';
import type { ChatRequest, ImageBlock, Message } from '../../request/request.ts';

function filledImage(image: ImageBlock, files: ReadonlyMap<string, string>): ImageBlock | { problem: string } {
  const file = files.get(image.digest);
  if (file === undefined) return { problem: `no file is known for the image sha256:${image.digest}` };
  let bytes: Uint8Array & { toString(encoding: 'base64'): string };
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return { problem: `an image cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  // What is asked must be what is recorded.
  if (sha256(bytes) !== image.digest) return { problem: `the image ${file} changed during the run` };
  return { ...image, base64: bytes.toString('base64') };
}

/** A request whose images hold their bytes, read from `files` (paths by digest); or why it cannot be asked. */
export function withImages(
  request: ChatRequest,
  files: ReadonlyMap<string, string> = new Map(),
): ChatRequest | { problem: string } {
  const messages: Message[] = [];
  for (const message of request.messages) {
    if (message.role !== 'user' || message.content.every(({ type }) => type === 'text')) {
      messages.push(message);
      continue;
    }
    const content: typeof message.content = [];
    for (const block of message.content) {
      const filled = block.type === 'image' ? filledImage(block, files) : block;
      if ('problem' in filled) return filled;
      content.push(filled);
    }
    messages.push({ role: 'user', content });
  }
  return { ...request, messages };
}
