// `dataset:`: a JSONL file of cases, read line by line, each row let go once it is planned.

import { sha256 } from '../request/fingerprint.ts';
import { checkRowName, type Names } from './case-names.ts';
import { type Known, readExpectations } from './expectations.ts';
import { quoted, type Source } from './faults.ts';
import { readInput } from './input.ts';
import { complain, type Reading, readParts } from './issues.ts';
import { readJsonLine } from './json-node.ts';
import { placeOf } from './providers.ts';
import { type ReadCase, readAnswers } from './read.ts';
import { type Refs, resolvePath } from './refs.ts';
import { rowHeadSchema } from './schema.ts';
import { variableText } from './vars.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

/** One line of a file without its end; no text where its bytes are no UTF-8 or too many. */
export type Line = { text: string } | { text?: undefined; tooLong?: true };

/** Opens a file of the project by lines, or says why not, as the end of a sentence. */
export type ReadLines = (file: string) => { ok: true; lines: Iterable<Line> } | { ok: false; message: string };

/** A suite's dataset. */
export interface Dataset {
  /** Relative to the project's root, POSIX separators. */
  file: string;
  /** Where the suite names it. */
  offset: number;
  lines: Iterable<Line>;
}

/** So many faults show what is wrong; a file of ten thousand wrong rows need not be told in full. */
const MOST_FAULTS = 50;
/** Expectations of rows seldom repeat: what is remembered of them must not grow with the file. */
const MOST_KNOWN = 1000;

/** Columns that are no variables. */
const NO_VARIABLES = new Set(['input', 'expect', 'tags']);

/** The dataset that a suite names; what is wrong with its name is among the faults. */
export function openDataset(
  reading: Reading,
  root: YamlNode,
  { path, readLines }: { path: string | undefined; readLines: ReadLines },
): Dataset | undefined {
  if (path === undefined) return undefined;
  const offset = placeOf(root, 'dataset') ?? root.start;
  const resolved = resolvePath(reading.source, path);
  const opened = resolved.ok ? readLines(resolved.file) : resolved;
  if (resolved.ok && opened.ok) return { file: resolved.file, offset, lines: opened.lines };
  const { message } = (resolved.ok ? opened : resolved) as { message: string };
  complain(reading, offset, resolved.ok ? `the dataset ${quoted(resolved.file)} ${message}` : message);
  return undefined;
}

/** What a row without a name is called; nothing where its input is wrong, which is said already. */
function nameOf(input: unknown): string {
  if (input === undefined) return '';
  return `row-${sha256(typeof input === 'string' ? input : JSON.stringify(input)).slice(0, 8)}`;
}

function variablesOf(node: YamlNode): ReadonlyMap<string, string> {
  const columns = [...(node.entries ?? [])].filter(([name]) => !NO_VARIABLES.has(name));
  return new Map(
    columns.map(
      ([
        name,
        {
          node: { value },
        },
      ]) => [name, variableText(value)],
    ),
  );
}

function readRow(reading: Reading, node: YamlNode, { names, known }: { names: Names; known: Known }): ReadCase {
  const head = readParts(reading, 'row', rowHeadSchema, node);
  const given = head.name ?? head.id;
  const name = given === undefined ? nameOf(head.input) : String(given);
  const isNamed = node.entries?.has('name') === true || node.entries?.has('id') === true;
  const offset = placeOf(node, 'name') ?? placeOf(node, 'id') ?? node.start;
  // A name or input that is wrong is said already.
  if (isNamed ? given !== undefined : head.input !== undefined) checkRowName(reading, offset, { name, isNamed, names });
  return {
    name,
    tags: head.tags ?? [],
    node,
    reading,
    vars: () => variablesOf(node),
    level: {},
    ...readInput({ reading, refs: reading.refs as Refs }, node, head.input),
    ...readAnswers({ expected: head.expected, context: node.entries?.get('context')?.node.value }),
    mocks: {},
    expect: readExpectations(reading, node.entries?.get('expect')?.node, known),
  };
}

/** The rows of a dataset as cases, one at a time; what is wrong goes among the suite's faults. */
export function* readRows(suite: Reading, { file, offset, lines }: Dataset, names: Names): Generator<ReadCase> {
  const before = suite.faults.length;
  let known: Known = new Map();
  let number = 0;
  let rows = 0;
  for (const line of lines) {
    number++;
    if (suite.faults.length - before >= MOST_FAULTS) {
      complain(suite, offset, `${quoted(file)} has too many mistakes: it was read to line ${number - 1}`);
      return;
    }
    const source: Source = { file, text: line.text ?? '', lineStarts: [0], firstLine: number };
    const reading: Reading = {
      source,
      code: suite.code,
      faults: suite.faults,
      ...(suite.refs && { refs: suite.refs }),
    };
    if (line.text === undefined) {
      complain(reading, 0, 'tooLong' in line ? 'the line is longer than 10 MB' : 'the line is not UTF-8');
      rows++;
      continue;
    }
    if (line.text.trim() === '') continue;
    rows++;
    const read = readJsonLine(line.text);
    if (!read.ok)
      complain(reading, read.offset, read.message, read.remedy === undefined ? {} : { remedy: read.remedy });
    else if (!read.node.entries) {
      complain(reading, read.node.start, `a row must be a JSON object, not ${describeValue(read.node)}`);
    } else {
      if (known.size > MOST_KNOWN) known = new Map();
      yield readRow(reading, read.node, { names, known });
    }
  }
  if (rows === 0) complain(suite, offset, `the dataset ${quoted(file)} has no rows`);
}
