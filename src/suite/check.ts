// What holds between the pieces of a suite: tools that are named are declared, a value to compare with is there.

import type { ReadExpectation } from './expectations.ts';
import { didYouMean, lineAt, quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import { placeOf } from './providers.ts';
import type { ReadCase, ReadSuite } from './read.ts';
import type { YamlNode } from './yaml-node.ts';

/** The keys of an expectation under which tools are named. */
const NAMING = ['tool', 'tools', 'after', 'before'];

/** Where an expectation names a tool. */
function find(node: YamlNode, text: string): YamlNode | undefined {
  if (node.value === text) return node;
  const children = node.items ?? NAMING.flatMap((key) => node.entries?.get(key)?.node ?? []);
  for (const child of children) {
    const found = find(child, text);
    if (found) return found;
  }
  return undefined;
}

/** A place in the suite's own file or in its dataset. */
interface Spot {
  reading: Reading;
  offset: number;
}

function refuseTool(suite: ReadSuite, name: string, { reading, offset }: Spot, remedy: string): void {
  const names = (suite.tools ?? []).map((tool) => tool.name);
  const said = names.length === 0 ? ': it declares none' : didYouMean(name, names);
  complain(reading, offset, `the suite declares no tool ${quoted(name)}${said}`, { remedy });
}

function checkExpectations(
  suite: ReadSuite,
  { expect, reading = suite.reading }: Pick<ReadCase, 'expect' | 'reading'>,
  declared: ReadonlySet<string>,
): void {
  for (const { tools, node, kind } of expect) {
    if (tools.every((name) => declared.has(name))) continue;
    for (const name of new Set(tools)) {
      if (declared.has(name)) continue;
      const allow = kind === 'call_order' ? '`{tools: […], undeclared: true}`' : '`undeclared: true` beside `tool:`';
      const remedy = `Declare it under \`tools:\`, or allow it with ${allow}.`;
      refuseTool(suite, name, { reading, offset: (find(node, name) ?? node).start }, remedy);
    }
  }
}

function checkMocks(suite: ReadSuite, owner: YamlNode, declared: ReadonlySet<string>): void {
  const mocks = owner.entries?.get('mocks')?.node;
  // Mocks of a file of their own may serve several suites.
  if (!mocks?.entries || mocks.entries.has('$ref')) return;
  for (const [name, { keyStart }] of mocks.entries) {
    if (!declared.has(name))
      refuseTool(
        suite,
        name,
        { reading: suite.reading, offset: keyStart },
        'Declare it under `tools:`, or remove its mock.',
      );
  }
}

/** What a kind lacks that compares with the case's `expected`; undefined where it does not. */
function lackOf({ kind, args }: ReadExpectation): string | undefined {
  if (kind === 'similar') return '`similar` has nothing to compare with';
  return kind === 'final_equals' && args === null ? '`final_equals` has no text' : undefined;
}

function checkExpected(suite: ReadSuite, { name, node, expect, reading = suite.reading }: ReadCase): void {
  if ((node.entries?.get('expected')?.node.value ?? null) !== null) return;
  for (const one of expect) {
    const lack = lackOf(one);
    if (lack === undefined) continue;
    complain(reading, one.node.start, `${lack}, and the case no \`expected\``, { remedy: remedyOf(one) });
    return;
  }
  for (const one of suite.expect) {
    const lack = lackOf(one);
    if (lack === undefined) continue;
    const place = node.entries?.get('name')?.node.start ?? node.start;
    const message = `the suite’s ${lack}, and the case ${quoted(name)} no \`expected\``;
    complain(reading, place, message, { remedy: remedyOf(one) });
    return;
  }
}

function remedyOf({ kind }: ReadExpectation): string {
  const text = kind === 'final_equals' ? 'Give the text after `final_equals:`, or add' : 'Add';
  return `${text} \`expected:\` to the case.`;
}

function checkLooseArgs(suite: ReadSuite, declared: ReadonlySet<string>): void {
  const items = suite.node.entries?.get('loose_args')?.node.items ?? [];
  for (const [at, argument] of (suite.looseArgs ?? []).entries()) {
    const tool = argument.slice(0, argument.indexOf('.'));
    const offset = items[at]?.start ?? suite.node.start;
    if (!declared.has(tool))
      refuseTool(suite, tool, { reading: suite.reading, offset }, 'Name a declared tool and an argument of it.');
  }
}

/** Adds the faults that only show between pieces. */
export function checkSuite(suite: ReadSuite): void {
  for (const one of suite.cases) checkExpected(suite, one);
  if (!suite.toolsKnown) return;
  const declared = new Set((suite.tools ?? []).map((tool) => tool.name));
  checkLooseArgs(suite, declared);
  checkMocks(suite, suite.node, declared);
  checkExpectations(suite, { expect: suite.expect }, declared);
  for (const one of suite.cases) {
    checkMocks(suite, one.node, declared);
    checkExpectations(suite, one, declared);
  }
}

/** Checks the rows of a dataset one by one, as `checkSuite` does cases. */
export function rowChecker(suite: ReadSuite): (row: ReadCase) => void {
  const declared = new Set((suite.tools ?? []).map((tool) => tool.name));
  return (row) => {
    checkExpected(suite, row);
    if (suite.toolsKnown) checkExpectations(suite, row, declared);
  };
}

/** Refuses a suite whose name another has: they would share cassettes. `names` keeps where each name was seen. */
export function refuseTwin(suite: ReadSuite, names: Map<string, string>): void {
  if (suite.name === '') return;
  const { source } = suite.reading;
  const offset = placeOf(suite.node, 'name') ?? 0;
  const other = names.get(suite.name);
  if (other === undefined) {
    names.set(suite.name, `${source.file}:${lineAt(source, offset)}`);
    return;
  }
  const remedy = 'Give one of them another name: a name is the folder of its cassettes.';
  complain(suite.reading, offset, `two suites are named ${quoted(suite.name)}, the other in ${other}`, { remedy });
}
