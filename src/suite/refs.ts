// `$ref` to other files of the project, where a tool, a schema or a mock's rules may stand elsewhere.

import { posix } from 'node:path';
import type { Fault } from '../errors.ts';
import type { ImageBlock, Json, JsonObject } from '../request/request.ts';
import { faultAt, makeSource, quoted, type Source } from './faults.ts';
import { parseYaml } from './yaml.ts';
import type { YamlNode } from './yaml-node.ts';

/** A text of the project, or why there is none, as the end of a sentence. */
export type ReadText = (file: string) => { ok: true; text: string } | { ok: false; message: string };

/** An image of the project, or why there is none, as the end of a sentence. */
export type ReadImage = (file: string) => { ok: true; bytes: Uint8Array } | { ok: false; message: string };

/** A value and the file it stands in. */
export interface Located {
  source: Source;
  node: YamlNode;
}

/** The files that were referred to so far, and what is wrong with them. */
export interface Refs {
  readText: ReadText;
  readImage: ReadImage;
  faults: Fault[];
  /** By path; of a file that cannot be read why not, of one with faults of its own nothing more to say. */
  opened: Map<string, Located | { message: string }>;
  /** Images by path. */
  images: Map<string, ImageBlock | { message: string }>;
}

// Far more than any schema has; references that double at every level stop here.
const MOST_EXPANSIONS = 10_000;

/** Begins a project's references. */
export function makeRefs({ readText, readImage }: Pick<Refs, 'readText' | 'readImage'>, faults: Fault[]): Refs {
  return { readText, readImage, faults, opened: new Map(), images: new Map() };
}

function complain(refs: Refs, { source, node }: Located, message: string): undefined {
  refs.faults.push(faultAt(source, node.start, { code: 'suite_invalid', message }));
}

/** The path of a file named in another, relative to the project's root, or why it may not be read. */
export function resolvePath(source: Source, path: string): { ok: true; file: string } | { ok: false; message: string } {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path))
    return { ok: false, message: `${quoted(path)} is remote; only files of the project are read` };
  if (path.includes('\\')) return { ok: false, message: `${quoted(path)} must be written with \`/\`` };
  if (path.includes('\u0000')) return { ok: false, message: `${quoted(path)} is no file name` };
  const absolute = posix.isAbsolute(path) || /^[a-z]:/i.test(path);
  const file = posix.normalize(posix.join(posix.dirname(source.file), path));
  if (absolute || file === '..' || file.startsWith('../'))
    return { ok: false, message: `${quoted(path)} leaves the project` };
  return { ok: true, file };
}

function open(refs: Refs, file: string): Located | { message: string } {
  const read = refs.readText(file);
  if (!read.ok) return read;
  const source = makeSource(file, read.text);
  const { root, faults } = parseYaml(source, { code: 'suite_invalid' });
  refs.faults.push(...faults);
  return root && faults.length === 0 ? { source, node: root } : { message: '' };
}

/** Walks a JSON Pointer (RFC 6901) in its fragment form. */
function point(root: YamlNode, fragment: string): YamlNode | undefined {
  let pointer: string;
  try {
    pointer = decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
  if (pointer === '') return root;
  if (!pointer.startsWith('/')) return undefined;
  let node: YamlNode | undefined = root;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node?.items) node = /^(?:0|[1-9][0-9]*)$/.test(key) ? node.items[Number(key)] : undefined;
    else node = node?.entries?.get(key)?.node;
  }
  return node;
}

/** What one reference leads to, with its identity for finding cycles. */
function target(refs: Refs, at: Located, ref: string): (Located & { identity: string }) | undefined {
  const hash = ref.indexOf('#');
  const path = hash === -1 ? ref : ref.slice(0, hash);
  const fragment = hash === -1 ? '' : ref.slice(hash + 1);
  const resolved = resolvePath(at.source, path === '' ? posix.basename(at.source.file) : path);
  if (!resolved.ok) return complain(refs, at, resolved.message);
  const opened = refs.opened.get(resolved.file) ?? open(refs, resolved.file);
  refs.opened.set(resolved.file, opened);
  if ('message' in opened)
    return opened.message === '' ? undefined : complain(refs, at, `${quoted(resolved.file)} ${opened.message}`);
  const node = point(opened.node, fragment);
  if (!node) return complain(refs, at, `${quoted(opened.source.file)} holds nothing at ${quoted(`#${fragment}`)}`);
  return { source: opened.source, node, identity: `${opened.source.file}#${fragment}` };
}

function refOf(node: YamlNode): YamlNode | undefined {
  return node.entries?.get('$ref')?.node;
}

/** Follows `$ref` until something else stands there; undefined where that fails, which is then among the faults. */
export function followRef(refs: Refs, at: Located): Located | undefined {
  const seen = new Set<string>();
  let located = at;
  for (let ref = refOf(at.node); ref; ref = refOf(located.node)) {
    const here = { source: located.source, node: ref };
    if (typeof ref.value !== 'string' || ref.value === '')
      return complain(refs, here, '`$ref` must be the path of a file');
    if ((located.node.entries?.size ?? 0) > 1)
      return complain(refs, here, '`$ref` must stand alone, without other keys beside it');
    const next = target(refs, here, ref.value);
    if (!next) return undefined;
    if (seen.has(next.identity))
      return complain(
        refs,
        { source: at.source, node: refOf(at.node) as YamlNode },
        `\`$ref\` leads back to itself, by ${quoted(next.identity)}`,
      );
    seen.add(next.identity);
    located = next;
  }
  return located;
}

function hasRef(node: YamlNode): boolean {
  if (node.items) return node.items.some(hasRef);
  if (!node.entries) return false;
  for (const [key, entry] of node.entries) {
    if ((key === '$ref' && typeof entry.node.value === 'string') || hasRef(entry.node)) return true;
  }
  return false;
}

interface Expansion {
  /** Whether `#…` means the schema as a whole and so stays: true until a part of another file is put in. */
  keepLocal: boolean;
  stack: readonly string[];
  budget: { left: number };
}

function expandRef(refs: Refs, at: Located, ref: Located, expansion: Expansion): Json | undefined {
  if ((at.node.entries?.size ?? 0) > 1)
    return complain(refs, ref, 'a `$ref` to a file must stand alone, without other keys beside it');
  const next = target(refs, ref, ref.node.value as string);
  if (!next) return undefined;
  if (expansion.stack.includes(next.identity))
    return complain(refs, ref, `\`$ref\` leads back to itself, by ${quoted(next.identity)}`);
  if (expansion.budget.left-- === 0) return complain(refs, ref, `\`$ref\` expands more than ${MOST_EXPANSIONS} times`);
  const whole = expansion.keepLocal && expansion.stack.length === 0 && next.identity.endsWith('#');
  return expand(refs, next, { ...expansion, keepLocal: whole, stack: [...expansion.stack, next.identity] });
}

function expand(refs: Refs, at: Located, expansion: Expansion): Json | undefined {
  const { node, source } = at;
  if (expansion.budget.left < 0) return undefined;
  if (node.items) {
    const items = node.items.map((item) =>
      expand(refs, { source, node: item }, { ...expansion, stack: [...expansion.stack, ''] }),
    );
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!node.entries) return node.value;
  const ref = refOf(node);
  if (typeof ref?.value === 'string' && !(expansion.keepLocal && ref.value.startsWith('#'))) {
    return expandRef(refs, at, { source, node: ref }, expansion);
  }
  const pairs: [string, Json][] = [];
  let sound = true;
  for (const [key, entry] of node.entries) {
    const value = expand(refs, { source, node: entry.node }, { ...expansion, stack: [...expansion.stack, ''] });
    if (value === undefined) sound = false;
    else pairs.push([key, value]);
  }
  return sound ? (Object.fromEntries(pairs) as JsonObject) : undefined;
}

/**
 * A JSON Schema with the files it refers to put in. `#…` stays where it means the schema itself. Undefined where a
 * reference fails.
 */
export function expandSchema(refs: Refs, at: Located): Json | undefined {
  if (!hasRef(at.node)) return at.node.value;
  return expand(refs, at, { keepLocal: true, stack: [], budget: { left: MOST_EXPANSIONS } });
}
