// Images in what a user says: files of the project, known to a request by what they hold.

import { sha256 } from '../request/fingerprint.ts';
import type { ImageBlock, UserBlock } from '../request/request.ts';
import { hasMark } from '../request/secret.ts';
import { quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import { type Refs, resolvePath } from './refs.ts';
import type { YamlNode } from './yaml-node.ts';

/** A part of what a user says, as a suite writes it: exactly one is set. */
export interface WrittenPart {
  text?: string | undefined;
  image?: string | undefined;
}

/** The largest image, in bytes. */
export const LARGEST_IMAGE = 20 * 1024 * 1024;

/** The paths of a case's images below the project's root, by digest. */
export type ImageFiles = Map<string, string>;

/** The first bytes of each kind, as Latin-1. */
const KINDS: readonly [kind: RegExp, mediaType: ImageBlock['mediaType']][] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells a PNG
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
];

/** What a file holds, by its first bytes; undefined where it is no image that models take. */
export function mediaTypeOf(bytes: Uint8Array): ImageBlock['mediaType'] | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return KINDS.find(([kind]) => kind.test(head))?.[1];
}

function openImage(refs: Refs, file: string): ImageBlock | { message: string } {
  const read = refs.readImage(file);
  if (!read.ok) return read;
  const mediaType = mediaTypeOf(read.bytes);
  if (!mediaType) return { message: 'is no PNG, JPEG, GIF or WebP image' };
  return { type: 'image', mediaType, bytes: read.bytes.length, digest: sha256(read.bytes) };
}

/** Where images are read and their paths are kept. */
export interface ImageReading {
  reading: Reading;
  refs: Refs;
  files: ImageFiles;
}

function readImage({ reading, refs, files }: ImageReading, path: string, node: YamlNode): ImageBlock[] {
  const refuse = (message: string): [] => {
    complain(reading, node.start, message);
    return [];
  };
  if (hasMark(path)) return refuse('the path of an image may hold no secret');
  const resolved = resolvePath(reading.source, path);
  if (!resolved.ok) return refuse(resolved.message);
  const image = refs.images.get(resolved.file) ?? openImage(refs, resolved.file);
  refs.images.set(resolved.file, image);
  if ('message' in image) return refuse(`${quoted(resolved.file)} ${image.message}`);
  files.set(image.digest, resolved.file);
  return [image];
}

/** What the parts at `node` say. What is wrong with their images is added to the faults. */
export function readUserParts(
  images: ImageReading,
  parts: readonly WrittenPart[],
  node: YamlNode | undefined,
): UserBlock[] {
  return parts.flatMap((part, at): UserBlock[] => {
    const item = node?.items?.[at];
    if (item && Object.keys(part).length !== 1) {
      complain(images.reading, item.start, 'a part must hold either `text` or `image`');
      return [];
    }
    const { text, image } = part;
    const entry = item?.entries?.get('image')?.node;
    if (image === undefined || !entry) return [{ type: 'text', text: text ?? '' }];
    return readImage(images, image, entry);
  });
}

/** The images of a list of paths at `node`. */
export function readImages(images: ImageReading, paths: readonly string[], node: YamlNode | undefined): UserBlock[] {
  return paths.flatMap((path, at) => {
    const item = node?.items?.[at];
    return item ? readImage(images, path, item) : [];
  });
}
