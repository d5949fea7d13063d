// What will run: the project's cases with every default applied, in an order that depends on names alone.

import type { Json, JsonObject, Message, ToolDefinition } from '../request/request.ts';
import type { ProviderChoice } from '../responder/choice.ts';
import type { ScriptStep } from '../responder/scripted.ts';
import type { Expectation } from '../score/scorer.ts';
import type { CommandLine } from '../target/command-line.ts';
import type { Mocks } from '../target/mocks.ts';
import { rowChecker } from './check.ts';
import { type Chosen, chooseFor, firstOf, type PlanBase, paramsOf, providerOf } from './choose.ts';
import { readRows } from './dataset.ts';
import { withKeys } from './expectations.ts';
import { lineAt, quoted } from './faults.ts';
import { type Fill, fillCase } from './fill.ts';
import type { Gates } from './gate-schema.ts';
import { type GraderScope, withGraders } from './graders.ts';
import { serviceOf } from './http-schema.ts';
import type { ImageFiles } from './images.ts';
import { complain, type Reading } from './issues.ts';
import type { Level, ReadCase, ReadSuite } from './read.ts';

/** One case, ready to run. */
export interface PlannedCase {
  suite: string;
  name: string;
  tags: string[];
  /** The file of its lines where that is not the suite's: a row stands in its dataset. Relative to the root, POSIX separators. */
  path?: string;
  /** 1-based first and last line in its file. */
  line: number;
  endLine: number;
  provider: ProviderChoice;
  model: string;
  /** Merged down the levels, names in code-unit order; absent where empty. */
  params?: JsonObject;
  system?: string;
  /** Whether the system prompt depends on this one case, so that no other shares it. */
  ownPrompt?: true;
  tools?: ToolDefinition[];
  input: Message[];
  /** The paths of the input's images below the project's root, by digest; absent where there are none. */
  images?: ImageFiles;
  expected?: string;
  /** What judges may know besides. */
  context?: Json;
  mocks: Mocks;
  maxTurns: number;
  onUnmocked: 'error' | 'null';
  /** The suite's expectations, then the case's. */
  expect: Expectation[];
  script?: ScriptStep[];
  /** The command under test, in place of prompt and tools. */
  command?: CommandLine;
  /** How many takes. */
  repeat: number;
  /** How many takes must pass, as a share or a word; absent where all must. */
  required?: number | 'majority' | 'any';
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[];
}

/** One suite, ready to run. */
export interface PlannedSuite {
  name: string;
  description?: string;
  tags: string[];
  /** The suite's file, relative to the project's root, POSIX separators. */
  path: string;
  /** `tool.path` of arguments whose strings count as wording in comparisons. */
  looseArgs?: string[];
  cases: PlannedCase[];
  gates?: Gates;
}

/** What is built in, below every level. */
const BUILT_IN = { maxTurns: 10, onUnmocked: 'error' } as const;

function checkScript(suite: ReadSuite, one: ReadCase, provider: ProviderChoice): void {
  const script = one.node.entries?.get('script');
  if (provider.wire === 'script' && !script) {
    complain(
      suite.reading,
      one.node.start,
      `the case ${quoted(one.name)} has no \`script\`, which \`provider: script\` needs`,
      {
        remedy: 'Add the model’s answers: `script: [{text: Hello}]`.',
      },
    );
  } else if (provider.wire !== 'script' && script) {
    complain(
      suite.reading,
      script.keyStart,
      `\`script\` stands beside the provider ${quoted(provider.name)}, which would never read it`,
      {
        remedy: 'Remove it, or set `provider: script`.',
      },
    );
  }
}

/** A script takes a model's place, and a command asks none. */
function refuseScript(suite: ReadSuite, one: ReadCase): void {
  const script = one.node.entries?.get('script');
  if (!script) return;
  const message = '`script` stands beside a target, which would never read it';
  complain(suite.reading, script.keyStart, message, { remedy: 'Remove one of them.' });
}

/** The expectations of a case, the suite's first; a case in a file of its own says of the suite's where they stand. */
function expectOf(
  suite: ReadSuite,
  { expect, reading }: Pick<ReadCase, 'expect' | 'reading'>,
  scope: GraderScope & { elsewhere: boolean },
): Expectation[] {
  const read = [
    ...suite.expect.map((one) => ({ one, reading: suite.reading })),
    ...expect.map((one) => ({ one, reading: reading ?? suite.reading })),
  ];
  const keyed = withKeys(
    read.map(({ one }) => one),
    scope.elsewhere ? suite : undefined,
  );
  return withGraders(keyed, read, scope);
}

/** Stands for a provider and model where what is under test is no model. */
function underTest({ command = 'http' }: NonNullable<Level['target']>): Chosen {
  return { provider: 'script', model: command };
}

function planCase(fill: Fill, one: ReadCase, base: PlanBase, chosen: Chosen): PlannedCase {
  const { suite } = fill;
  const levels = [one.level, suite.level, base.defaults];
  const target = firstOf(levels, 'target');
  const command = target?.command;
  const own = providerOf(chosen.provider, levels, base.providers);
  const service = target?.http && serviceOf(target.http, own);
  const provider = service?.provider ?? (target ? { ...own, name: 'command' } : own);
  const params = target ? service?.params : paramsOf(provider, chosen.model, levels);
  const { source } = suite.reading;
  const { system, ownPrompt, input } = fillCase(fill, one);
  const required = firstOf(levels, 'required');
  return {
    suite: suite.name,
    name: one.name,
    tags: one.tags,
    line: lineAt(source, one.node.start),
    endLine: lineAt(source, Math.max(one.node.start, one.node.end - 1)),
    provider,
    model: service?.model ?? chosen.model,
    ...(params && { params }),
    ...(!target && system !== undefined && { system }),
    ...(!target && ownPrompt && { ownPrompt }),
    ...(!target && suite.tools && { tools: suite.tools }),
    input,
    ...(one.images.size > 0 && { images: one.images }),
    ...(one.expected !== undefined && { expected: one.expected }),
    ...(one.context !== undefined && { context: one.context }),
    mocks: Object.keys(one.mocks).length === 0 ? suite.mocks : { ...suite.mocks, ...one.mocks },
    maxTurns: firstOf(levels, 'maxTurns') ?? BUILT_IN.maxTurns,
    onUnmocked: firstOf(levels, 'onUnmocked') ?? BUILT_IN.onUnmocked,
    expect: expectOf(suite, one, { base, levels, chosen, told: fill.told, elsewhere: false }),
    ...(one.script && { script: one.script }),
    ...(command !== undefined && {
      command: { command, timeoutS: provider.timeoutS, ...(target?.env && { env: target.env }) },
    }),
    repeat: firstOf(levels, 'repeat') ?? 1,
    ...(required !== undefined && required !== 'all' && required !== 1 && { required }),
    ...(base.redact && { redact: base.redact }),
  };
}

/** Gives the object of an earlier case where it is equal: a shared head is hashed once, and ten thousand cases fit. */
function sharing(): <Value extends object>(value: Value) => Value {
  const known = new Map<string, object>();
  return <Value extends object>(value: Value) => {
    const text = JSON.stringify(value);
    const equal = known.get(text);
    if (!equal) known.set(text, value);
    return (equal ?? value) as Value;
  };
}

/** A row as a case, by what all rows of its dataset share. */
function planRow(
  fill: Fill,
  row: ReadCase,
  { shared, scope }: { shared: PlannedCase; scope: GraderScope },
): PlannedCase {
  const line = (row.reading as Reading).source.firstLine as number;
  const { system, ownPrompt, input } = fillCase(fill, row);
  return {
    ...shared,
    name: row.name,
    tags: row.tags.length === 0 ? shared.tags : row.tags,
    line,
    endLine: line,
    ...(system !== undefined && { system }),
    ...(ownPrompt && { ownPrompt }),
    input,
    ...(row.expected !== undefined && { expected: row.expected }),
    ...(row.context !== undefined && { context: row.context }),
    ...(row.expect.length > 0 && { expect: expectOf(fill.suite, row, { ...scope, elsewhere: true }) }),
  };
}

/** The cases of a suite's dataset. Each row is let go once it is planned: what they share, they share as objects. */
function planDataset(fill: Fill, base: PlanBase, told: Set<string>): PlannedCase[] {
  const { suite } = fill;
  const { dataset, reading } = suite;
  if (!dataset) return [];
  const node = { value: null, start: suite.node.start, end: suite.node.start, size: 1 };
  const nothing: ReadCase = {
    name: '',
    tags: [],
    node,
    level: {},
    input: [],
    images: new Map(),
    mocks: {},
    expect: [],
  };
  const { target } = suite.level;
  const chosen = target ? underTest(target) : chooseFor(suite, nothing, { base, told });
  const scope = chosen && { base, levels: [suite.level, base.defaults], chosen, told: fill.told };
  const shared: PlannedCase | undefined = scope && {
    ...planCase({ suite: { ...suite, system: '', expect: [] }, told: new Set() }, nothing, base, chosen),
    path: dataset.file,
    expect: expectOf(suite, nothing, { ...scope, elsewhere: true }),
  };
  if (!target && shared?.provider.wire === 'script')
    complain(reading, dataset.offset, '`provider: script` needs a `script` in each case, which no row can have', {
      remedy: 'Write the cases under `cases:`, or set another provider.',
    });
  const names = {
    file: reading.source.file,
    cases: new Map(suite.cases.map(({ name, node: { start } }) => [name, lineAt(reading.source, start)])),
    rows: new Map<string, number>(),
  };
  const check = rowChecker(suite);
  const cases: PlannedCase[] = [];
  for (const row of readRows(reading, dataset, names)) {
    check(row);
    if (shared && scope) cases.push(planRow(fill, row, { shared, scope }));
  }
  return cases;
}

/**
 * Applies every level to the cases of a suite: case, suite, retake.yaml, built-in. What is wrong is added to the
 * suite's faults.
 */
export function planSuite(given: ReadSuite, base: PlanBase): PlannedSuite {
  const { system } = base.override ?? {};
  const suite = system === undefined ? given : { ...given, system };
  const told = new Set<string>();
  const fill: Fill = { suite, told: new Set() };
  const share = sharing();
  const cases = suite.cases.flatMap((one) => {
    const target = one.level.target ?? suite.level.target;
    const chosen = target ? underTest(target) : chooseFor(suite, one, { base, told });
    if (!chosen) return [];
    const planned = planCase(fill, one, base, chosen);
    planned.provider = share(planned.provider);
    if (planned.params) planned.params = share(planned.params);
    if (target) refuseScript(suite, one);
    else checkScript(suite, one, planned.provider);
    return [planned];
  });
  for (const row of planDataset(fill, base, told)) cases.push(row);
  return {
    name: suite.name,
    ...(suite.description !== undefined && { description: suite.description }),
    tags: suite.tags,
    path: suite.reading.source.file,
    ...(suite.looseArgs && { looseArgs: suite.looseArgs }),
    cases,
    ...(suite.gates && { gates: suite.gates }),
  };
}

/** Whether a pattern in which `*` is any text matches a whole text; case counts. Linear in the pattern's parts. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] as string;
  if (parts.length === 1) return text === first;
  const last = parts[parts.length - 1] as string;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** What to keep; an empty list keeps all. */
export interface Selection {
  /** Patterns of `suite::case`, a case's or a suite's name; `*` is any text, case counts. */
  filter: readonly string[];
  /** A case is kept if it or its suite has any of them. */
  tags: readonly string[];
}

/** The suites with the cases that are selected; suites without any are left out. */
export function selectCases(suites: readonly PlannedSuite[], { filter, tags }: Selection): PlannedSuite[] {
  if (filter.length === 0 && tags.length === 0) return [...suites];
  const named = (suite: string, name: string) =>
    filter.length === 0 ||
    filter.some((pattern) => [`${suite}::${name}`, name, suite].some((text) => matches(pattern, text)));
  const tagged = (own: readonly string[]) => tags.length === 0 || tags.some((tag) => own.includes(tag));
  return suites.flatMap((suite) => {
    const cases = suite.cases.filter((one) => named(suite.name, one.name) && tagged([...suite.tags, ...one.tags]));
    return cases.length === 0 ? [] : [{ ...suite, cases }];
  });
}
