// The entries under `expect:`, read and given the identity that lasts across runs.

import { createHash } from 'node:crypto';
import type { Json } from '../request/request.ts';
import { mapTexts, wordsForMarks } from '../request/secret.ts';
import { KIND_ALIASES, SCORERS, scorerOf } from '../score/index.ts';
import type { Expectation } from '../score/scorer.ts';
import { withSchema } from './answer-schema.ts';
import { didYouMean, lineAt, quoted } from './faults.ts';
import { complain, type Reading, readPiece } from './issues.ts';
import { describeValue } from './wording.ts';
import type { YamlEntry, YamlNode } from './yaml-node.ts';

/** An expectation before it is known which of a case's it is. */
export interface ReadExpectation extends Omit<Expectation, 'key'> {
  /** Kind and digest of the arguments. */
  digest: string;
  /** Tools it names that the suite must declare. */
  tools: string[];
  node: YamlNode;
}

/** Longest text of an expectation in reports, in UTF-16 units. */
const LONGEST_TEXT = 300;

const PLAIN = /^[A-Za-z_][A-Za-z0-9_ .-]*$/;
const RESERVED = /^(?:null|true|false)$/i;

function flow(value: Json): string {
  if (typeof value === 'string')
    return PLAIN.test(value) && !RESERVED.test(value) && value === value.trim() ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, child]) => `${flow(key)}: ${flow(child)}`)
    .join(', ')}}`;
}

function textOf(kind: string, args: Json): string {
  const text = args === null ? `${kind}:` : `${kind}: ${flow(args)}`;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/**
 * The value as it stands in the file, before variables were replaced: identity must not depend on a machine's
 * environment.
 */
function writtenOf(node: YamlNode): Json {
  if (node.written !== undefined) return node.written;
  if (node.items) return node.items.map(writtenOf);
  if (node.entries) return Object.fromEntries([...node.entries].map(([key, entry]) => [key, writtenOf(entry.node)]));
  return node.value;
}

type Sound = Pick<ReadExpectation, 'kind' | 'args' | 'text' | 'digest' | 'tools'>;

/** Expectations already read, by kind and the text of their arguments: most suites say the same thing in many cases. */
export type Known = Map<string, Sound>;

/** Equal texts on one line mean the same, unless anchors are in play. Undefined where the text does not tell. */
function identityOf({ source }: Reading, kind: string, { start, end }: YamlNode): string | undefined {
  const text = source.text.slice(start, end);
  // Paths in two folders are two files.
  if (text.includes('schema')) return undefined;
  return end - start < 200 && !/[&*\r\n]/.test(text) ? `${kind}:${text}` : undefined;
}

function readArgs(reading: Reading, kind: string, node: YamlNode): Sound | undefined {
  const scorer = scorerOf(kind);
  if (!scorer) return undefined;
  const read = readPiece<unknown>(reading, `expectation ${kind}`, scorer.schema, node);
  if (read === undefined) return undefined;
  // What a model says reaches a scorer with words for secrets.
  const said = reading.interpolated ? mapTexts(read, wordsForMarks) : read;
  const args = kind === 'final_json' ? withSchema(reading, node, said) : said;
  if (args === undefined) return undefined;
  const written = reading.interpolated ? writtenOf(node) : node.value;
  const hash = createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 8);
  const undeclared = typeof args === 'object' && args !== null && 'undeclared' in args && args.undeclared === true;
  return {
    kind,
    args,
    text: textOf(kind, written),
    digest: `${kind}:${hash}`,
    tools: undeclared ? [] : scorer.tools(args),
  };
}

function readEntry(reading: Reading, node: YamlNode, known: Known): ReadExpectation | undefined {
  if (typeof node.value === 'string') {
    const hint = scorerOf(node.value)
      ? `; write \`${node.value}:\` with a colon`
      : didYouMean(node.value, Object.keys(SCORERS));
    complain(
      reading,
      node.start,
      `an expectation must be a mapping such as \`calls_tool: name\`, not ${describeValue(node)}${hint}`,
    );
    return undefined;
  }
  const first = node.entries?.first();
  if (!first) {
    complain(
      reading,
      node.start,
      `an expectation must be a mapping such as \`calls_tool: name\`, not ${node.entries ? 'an empty one' : describeValue(node)}`,
    );
    return undefined;
  }
  const [word, { keyStart, node: argsNode }] = first;
  const kind = Object.hasOwn(KIND_ALIASES, word) ? KIND_ALIASES[word as keyof typeof KIND_ALIASES] : word;
  if (!scorerOf(kind)) {
    const hint = didYouMean(kind, Object.keys(SCORERS));
    const remedy = hint === '' ? { remedy: `Known kinds: ${Object.keys(SCORERS).join(', ')}.` } : {};
    complain(reading, keyStart, `unknown kind of expectation ${quoted(kind)}${hint}`, remedy);
    return undefined;
  }
  if (node.entries && node.entries.size > 1) {
    const [, second] = [...node.entries] as [unknown, [string, YamlEntry]];
    const remedy = 'Begin another entry with `-`, or indent what belongs to the first.';
    complain(
      reading,
      second[1].keyStart,
      `one expectation holds one kind: ${quoted(second[0])} stands beside ${quoted(kind)}`,
      { remedy },
    );
    return undefined;
  }
  const identity = identityOf(reading, kind, argsNode);
  const sound = (identity === undefined ? undefined : known.get(identity)) ?? readArgs(reading, kind, argsNode);
  if (!sound) return undefined;
  if (identity !== undefined) known.set(identity, sound);
  const { args, text, digest, tools } = sound;
  return { kind, args, text, digest, tools, line: lineAt(reading.source, node.start), node: argsNode };
}

/** Reads a list of expectations; those that are wrong are left out and their faults added. */
export function readExpectations(reading: Reading, node: YamlNode | undefined, known: Known): ReadExpectation[] {
  if (!node) return [];
  if (!node.items) {
    complain(reading, node.start, `\`expect\` must be a list, not ${describeValue(node)}`);
    return [];
  }
  return node.items.flatMap((item) => readEntry(reading, item, known) ?? []);
}

/**
 * The expectations of a case with their keys: kind, digest of the arguments and ordinal among equals. Those of `suite`,
 * where the case stands in another file, say in which file they stand.
 */
export function withKeys(
  expectations: readonly ReadExpectation[],
  suite?: { expect: readonly ReadExpectation[]; reading: Reading },
): Expectation[] {
  const seen = new Map<string, number>();
  return expectations.map((one, at) => {
    const { kind, args, text, line, digest } = one;
    const ordinal = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, ordinal);
    const path = suite?.expect[at] === one ? suite.reading.source.file : undefined;
    return { kind, args, text, key: `${digest}:${ordinal}`, ...(path !== undefined && { path }), line };
  });
}
