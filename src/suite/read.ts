// A suite's file, piece by piece: a fault in one piece hides none of another.

import type { z } from 'zod';
import type { Json, JsonObject, Message, ToolDefinition } from '../request/request.ts';
import { mapTexts, wordsForMarks } from '../request/secret.ts';
import type { ScriptStep } from '../responder/scripted.ts';
import type { Mocks } from '../target/mocks.ts';
import type { target } from './code-schema.ts';
import { type Dataset, openDataset, type ReadLines } from './dataset.ts';
import { type Known, type ReadExpectation, readExpectations } from './expectations.ts';
import { lineAt, quoted } from './faults.ts';
import { type Gates, gatesSchema } from './gate-schema.ts';
import type { ImageFiles } from './images.ts';
import { isParts, readInput } from './input.ts';
import { complain, type Reading, readParts, readPiece } from './issues.ts';
import { readMocks } from './mocks.ts';
import { readParams } from './params.ts';
import { type KnownProviders, placeOf, refuseProvider } from './providers.ts';
import { type Refs, resolvePath } from './refs.ts';
import { caseHeadSchema, casePartsSchema, type REQUIRED, suiteHeadSchema } from './schema.ts';
import { readScript } from './script.ts';
import { refuseSecrets } from './secrets.ts';
import { readTools } from './tools.ts';
import { variableText } from './vars.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

/** What a level of precedence may set. */
export interface Level {
  provider?: string | undefined;
  model?: string | undefined;
  params?: JsonObject | undefined;
  maxTurns?: number | undefined;
  onUnmocked?: 'error' | 'null' | undefined;
  timeoutS?: number | undefined;
  maxRetries?: number | undefined;
  target?: z.output<typeof target> | undefined;
  repeat?: number | undefined;
  /** A share of takes, or a word for one. */
  required?: number | (typeof REQUIRED)[number] | undefined;
}

/** A case as its file says it: a suite's, or a dataset's. */
export interface ReadCase {
  name: string;
  tags: string[];
  node: YamlNode;
  /** Its own file, where it is a row of a dataset. */
  reading?: Reading;
  /** Its variables as texts by name; undefined where it has none of its own. */
  vars?: () => ReadonlyMap<string, string>;
  level: Level;
  input: Message[];
  images: ImageFiles;
  expected?: string;
  context?: Json;
  mocks: Mocks;
  expect: ReadExpectation[];
  script?: ScriptStep[];
}

/** A suite as its file says it. */
export interface ReadSuite {
  reading: Reading;
  node: YamlNode;
  name: string;
  description?: string;
  tags: string[];
  level: Level;
  system?: string;
  /** Absent where there are none or they are wrong. */
  tools?: ToolDefinition[];
  /** `tool.path` of arguments whose strings count as wording in comparisons. */
  looseArgs?: string[];
  /** Whether the names of the declared tools are known. */
  toolsKnown: boolean;
  mocks: Mocks;
  expect: ReadExpectation[];
  vars: ReadonlyMap<string, string>;
  cases: ReadCase[];
  /** More cases, read as they are planned. */
  dataset?: Dataset;
  gates?: Gates;
}

/** What reading a suite needs besides its file. */
export interface Surroundings {
  refs: Refs;
  readLines: ReadLines;
  providers: KnownProviders;
  known: Known;
}

type SuiteHead = Partial<z.output<typeof suiteHeadSchema>>;

function readRequired(reading: Reading, node: YamlNode, head: Omit<SuiteHead, 'cases'>): Level['required'] {
  const { require: word, require_pass_rate: share } = head;
  const second = node.entries?.has('require') ? placeOf(node, 'require_pass_rate') : undefined;
  if (second !== undefined) complain(reading, second, '`require` and `require_pass_rate` exclude each other');
  return share ?? word;
}

/** What a mapping says of the settings that have levels. */
export function readLevel(
  reading: Reading,
  node: YamlNode,
  head: Omit<SuiteHead, 'cases'>,
  providers: KnownProviders,
): Level {
  const {
    provider,
    model,
    max_turns: maxTurns,
    on_unmocked: onUnmocked,
    timeout_s: timeoutS,
    max_retries: maxRetries,
    target,
    repeat,
  } = head;
  if (provider !== undefined) refuseProvider(reading, placeOf(node, 'provider') ?? node.start, provider, providers);
  const params = readParams(reading, node, head);
  return {
    provider,
    model,
    params,
    maxTurns,
    onUnmocked: onUnmocked === null ? 'null' : onUnmocked,
    timeoutS,
    maxRetries,
    target,
    repeat,
    required: readRequired(reading, node, head),
  };
}

function textsOf(vars: z.output<typeof caseHeadSchema>['vars']): ReadonlyMap<string, string> {
  return new Map(Object.entries(vars ?? {}).map(([name, value]) => [name, variableText(value)]));
}

/** What scorers are told of a case, with words for secrets: what a model says holds the words too. */
export function readAnswers({ expected, context }: { expected?: unknown; context?: unknown }): {
  expected?: string;
  context?: Json;
} {
  return {
    ...(expected !== undefined && expected !== null && { expected: wordsForMarks(variableText(expected)) }),
    ...(context !== undefined && context !== null && { context: mapTexts(context as Json, wordsForMarks) }),
  };
}

function readCase(reading: Reading, node: YamlNode, surroundings: Surroundings): ReadCase | undefined {
  if (!node.entries) {
    complain(reading, node.start, `a case must be a mapping, not ${describeValue(node)}`);
    return undefined;
  }
  const { refs, providers, known } = surroundings;
  refuseSecrets(reading, node, 'case');
  const head = isParts(node)
    ? readParts(reading, 'case', casePartsSchema, node)
    : readParts(reading, 'case', caseHeadSchema, node);
  const child = (key: string) => node.entries?.get(key)?.node;
  const script = readScript(reading, child('script'));
  return {
    name: head.name ?? '',
    tags: head.tags ?? [],
    node,
    level: readLevel(reading, node, head, providers),
    ...readInput({ reading, refs }, node, head.input),
    ...readAnswers(head),
    ...(head.vars && { vars: () => textsOf(head.vars) }),
    mocks: readMocks(reading, refs, child('mocks')),
    expect: readExpectations(reading, child('expect'), known),
    ...(script && { script }),
  };
}

function readCases(reading: Reading, root: YamlNode, surroundings: Surroundings): ReadCase[] {
  const node = root.entries?.get('cases')?.node;
  const example = 'cases:\n  - name: greets\n    input: Hello\n    expect:\n      - final_contains: hello';
  if (!node) {
    if (root.entries?.has('dataset')) return [];
    // A misspelt `cases` is said already.
    if (!reading.faults.some(({ message }) => message.endsWith('did you mean `cases`?'))) {
      complain(reading, root.start, 'the suite has no cases', { remedy: `Add some:\n${example}` });
    }
    return [];
  }
  if (!node.items) {
    if (node.value === null)
      complain(reading, node.start, 'the suite has no cases', { remedy: `Add some:\n${example}` });
    else complain(reading, node.start, `\`cases\` must be a list, not ${describeValue(node)}`);
    return [];
  }
  if (node.items.length === 0)
    complain(reading, node.start, 'the suite has no cases', { remedy: `Add some:\n${example}` });
  const cases = node.items.flatMap((item) => readCase(reading, item, surroundings) ?? []);
  refuseTwins(reading, cases);
  return cases;
}

function refuseTwins(reading: Reading, cases: readonly ReadCase[]): void {
  const lines = new Map<string, number>();
  for (const { name, node } of cases) {
    if (name === '') continue;
    const offset = placeOf(node, 'name') ?? node.start;
    const first = lines.get(name);
    if (first === undefined) lines.set(name, lineAt(reading.source, offset));
    else
      complain(reading, offset, `duplicate case name ${quoted(name)}, first on line ${first}`, {
        remedy: 'Give one of them another name: a name is the key of a cassette.',
      });
  }
}

function readSystem(reading: Reading, root: YamlNode, head: SuiteHead, refs: Refs): string | undefined {
  const { system, system_file: path } = head;
  if (path === undefined) return system;
  const offset = placeOf(root, 'system_file') ?? root.start;
  if (root.entries?.has('system')) {
    complain(reading, offset, '`system` and `system_file` exclude each other');
    return undefined;
  }
  const resolved = resolvePath(reading.source, path);
  const read = resolved.ok ? refs.readText(resolved.file) : resolved;
  if (read.ok) return read.text.replace(/\r\n?/g, '\n');
  complain(reading, offset, resolved.ok ? `${quoted(resolved.file)} ${read.message}` : read.message);
  return undefined;
}

/** Reads a suite. Undefined where the document is no mapping; all that is wrong is among the faults. */
export function readSuite(reading: Reading, root: YamlNode, surroundings: Surroundings): ReadSuite | undefined {
  if (!root.entries) {
    complain(reading, root.start, `a suite must be a mapping, not ${describeValue(root)}`);
    return undefined;
  }
  const { refs, providers, known } = surroundings;
  refuseSecrets(reading, root, 'suite');
  const head = readParts(reading, 'suite', suiteHeadSchema, root);
  const child = (key: string) => root.entries?.get(key)?.node;
  const system = readSystem(reading, root, head, refs);
  const { tools, names } = readTools(reading, refs, child('tools'));
  const dataset = openDataset(reading, root, { path: head.dataset, readLines: surroundings.readLines });
  const gatesNode = child('gates');
  const gates = gatesNode && readPiece(reading, 'gates', gatesSchema, gatesNode);
  return {
    reading,
    node: root,
    name: head.name ?? '',
    ...(head.description !== undefined && { description: head.description }),
    tags: head.tags ?? [],
    level: readLevel(reading, root, head, providers),
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    ...(head.loose_args && { looseArgs: head.loose_args }),
    toolsKnown: names,
    mocks: readMocks(reading, refs, child('mocks')),
    expect: readExpectations(reading, child('expect'), known),
    vars: textsOf(head.vars),
    cases: readCases(reading, root, surroundings),
    ...(dataset && { dataset }),
    ...(gates && { gates }),
  };
}
