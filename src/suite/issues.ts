// What zod finds wrong, as faults in the user's words at the place in the file.

import { z } from 'zod';
import type { ErrorCode, Fault } from '../errors.ts';
import { type Complaint, didYouMean, faultAt, nearest, quoted, type Source } from './faults.ts';
import type { Refs } from './refs.ts';
import { foreignWord, isUnsupportedKey, type Piece, unsupportedValue } from './unsupported.ts';
import { describeValue, type Issue, TYPE_NAMES, wrongValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

/** A piece of a file with where its faults go. */
export interface Reading {
  source: Source;
  code: ErrorCode;
  faults: Fault[];
  /** The files it may refer to. */
  refs?: Refs;
  /** Whether variables were replaced in the file. */
  interpolated?: boolean;
}

type Path = readonly PropertyKey[];

/** Adds a fault at an offset. */
export function complain(reading: Reading, offset: number, message: string, more: Partial<Complaint> = {}): void {
  reading.faults.push(faultAt(reading.source, offset, { code: reading.code, message, ...more }));
}

function childAt(node: YamlNode, step: PropertyKey): YamlNode | undefined {
  return typeof step === 'number' ? node.items?.[step] : node.entries?.get(String(step))?.node;
}

/** The node at a path, or the last one on the way to it. */
function follow(node: YamlNode, path: Path): { node: YamlNode; missing: boolean } {
  let at = node;
  for (const step of path) {
    const child = childAt(at, step);
    if (!child) return { node: at, missing: true };
    at = child;
  }
  return { node: at, missing: false };
}

function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step)}`),
    '',
  );
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = schema as z.ZodType & { def: Record<string, unknown> };
  const inner = (def as { innerType?: z.core.$ZodType }).innerType;
  if (inner) return unwrap(inner);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unwrap(option as z.core.$ZodType));
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in as z.core.$ZodType);
  return [schema];
}

/** The keys that a schema allows at a path, for "did you mean". */
function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  let at = unwrap(schema);
  for (const step of path) {
    at = at.flatMap((one) => {
      if (one instanceof z.ZodArray) return unwrap(one.element as z.core.$ZodType);
      if (one instanceof z.ZodRecord) return unwrap(one.valueType as z.core.$ZodType);
      const child = one instanceof z.ZodObject ? one.shape[String(step)] : undefined;
      return child ? unwrap(child as z.core.$ZodType) : [];
    });
  }
  return at.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

/** The piece that a path within a piece leads to, where that one has names of its own. */
function pieceAt(piece: Piece, path: Path): Piece {
  if (piece === 'config' && path[0] === 'providers') return 'provider';
  if (piece === 'config' && path[0] === 'prices') return 'price';
  if (piece === 'config' && path[0] === 'cassettes') return 'cassettes';
  if ((piece === 'case' || piece === 'row') && path[0] === 'input') return 'message';
  if (piece === 'rule' && path[0] === 'sequence') return 'outcome';
  if (piece === 'script step' && path.length > 0) return 'call';
  return piece;
}

/** Says of one key that it is not known or not supported yet. */
function refuseKey(
  reading: Reading,
  { key, offset, piece, allowed }: { key: string; offset: number; piece: Piece; allowed: string[] },
): void {
  if (isUnsupportedKey(piece, key)) {
    complain(reading, offset, `${quoted(key)} is not supported yet`, { code: 'not_supported' });
    return;
  }
  const foreign = foreignWord(key, allowed);
  const hint = foreign === undefined ? didYouMean(key, allowed) : `, did you mean \`${foreign}\`?`;
  const remedy = allowed.length === 0 || hint !== '' ? {} : { remedy: `Known here: ${allowed.join(', ')}.` };
  complain(reading, offset, `unknown key ${quoted(key)}${hint}`, remedy);
}

/** The one branch of a union whose type the value has; undefined where none fits or it does not matter. */
function branchOf(issues: readonly Issue[][]): readonly Issue[] | undefined {
  const offType = (issue: Issue) => issue.path.length === 0 && issue.code === 'invalid_type';
  return issues.find((branch) => !branch.some(offType));
}

function subjectOf(piece: Piece): string {
  if (piece.startsWith('expectation ')) return `\`${piece.slice('expectation '.length)}\``;
  return piece === 'defaults' || piece === 'gates' ? `\`${piece}\`` : `${piece === 'outcome' ? 'an' : 'a'} ${piece}`;
}

interface Found {
  root: YamlNode;
  schema: z.core.$ZodType;
  piece: Piece;
}

function addIssue(reading: Reading, found: Found, issue: Issue): void {
  const { root, schema, piece } = found;
  const { node, missing } = follow(root, issue.path);
  if (node.broken) return;
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path);
    for (const key of issue.keys) {
      const offset = node.entries?.get(key)?.keyStart ?? node.start;
      refuseKey(reading, { key, offset, piece: pieceAt(piece, issue.path), allowed });
    }
    return;
  }
  if (issue.code === 'invalid_union') {
    const branch = branchOf(issue.errors);
    if (branch && !missing) {
      for (const inner of branch) addIssue(reading, found, { ...inner, path: [...issue.path, ...inner.path] });
      return;
    }
  }
  const unsupported = missing
    ? undefined
    : unsupportedValue(pieceAt(piece, issue.path), String(issue.path.at(-1)), node.value);
  if (unsupported !== undefined) {
    complain(reading, node.start, `${unsupported} is not supported yet`, { code: 'not_supported' });
    return;
  }
  const label = issue.path.length === 0 ? undefined : quoted(pathText(issue.path));
  if (missing) {
    complain(reading, node.start, `${label} is missing`);
    return;
  }
  if (issue.code === 'invalid_key') {
    const why = issue.issues.map((inner) => inner.message).join('; ');
    const key = String(issue.path.at(-1));
    const parent = follow(root, issue.path.slice(0, -1)).node;
    complain(reading, parent.entries?.get(key)?.keyStart ?? node.start, `the name ${quoted(key)} ${why}`);
    return;
  }
  const subject = label ?? subjectOf(piece);
  if (issue.code === 'invalid_union') {
    const types = issue.errors
      .flat()
      .flatMap((inner) =>
        inner.code === 'invalid_type' && inner.path.length === 0 ? [TYPE_NAMES[inner.expected] ?? inner.expected] : [],
      );
    complain(reading, node.start, `${subject} must be ${[...new Set(types)].join(' or ')}, not ${describeValue(node)}`);
    return;
  }
  const said = wrongValue(issue, node);
  complain(
    reading,
    node.start,
    issue.code === 'custom' && !said.startsWith('must') ? `${subject}: ${said}` : `${subject} ${said}`,
  );
}

/** One fault per mistake: the first issue of a value, and no missing key where a misspelt one stands for it. */
function addIssues(reading: Reading, found: Found, issues: readonly Issue[]): void {
  const seen = new Set<string>();
  const meant = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const allowed = keysAt(found.schema, issue.path);
    for (const key of issue.keys)
      meant.add(pathText([...issue.path, foreignWord(key, allowed) ?? nearest(key, allowed) ?? '']));
  }
  for (const issue of issues) {
    const path = pathText(issue.path);
    const stray = issue.code === 'unrecognized_keys';
    if (!stray && (seen.has(path) || (meant.has(path) && follow(found.root, issue.path).missing))) continue;
    if (!stray) seen.add(path);
    addIssue(reading, found, issue);
  }
}

/** Reads one piece. Undefined where it is wrong; what is wrong is then among the faults. */
export function readPiece<Output>(
  reading: Reading,
  piece: Piece,
  schema: z.ZodType<Output>,
  root: YamlNode,
): Output | undefined {
  const result = schema.safeParse(root.value);
  if (result.success) return result.data;
  addIssues(reading, { root, schema, piece }, result.error.issues);
  return undefined;
}

/**
 * Reads a mapping of which parts may be wrong: those are left out and their faults added. The schema must not
 * transform.
 */
export function readParts<Output extends object>(
  reading: Reading,
  piece: Piece,
  schema: z.ZodType<Output>,
  root: YamlNode,
): Partial<Output> {
  const result = schema.safeParse(root.value);
  if (!result.success) addIssues(reading, { root, schema, piece }, result.error.issues);
  if (!root.entries) return {};
  const wrong = new Set(result.error?.issues.map((issue) => issue.path[0]));
  const broken = root.entries.values().some((entry) => entry.node.broken);
  if (result.success && !broken) return result.data;
  if (broken) for (const [key, entry] of root.entries) if (entry.node.broken) wrong.add(key);
  return Object.fromEntries(Object.entries(root.value as object).filter(([key]) => !wrong.has(key))) as Partial<Output>;
}
