// The checker of the house's two rules: imports go one way, and only [edge] files touch the world.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Source files by path below src/, POSIX separators. */
export type Sources = ReadonlyMap<string, string>;

/** Rooms in the order they may import: each only from rows above. Rooms of one row do not import each other. */
const ORDER: readonly (readonly string[])[] = [
  ['errors', 'version'],
  ['templates'],
  ['request'],
  ['cassette'],
  ['responder'],
  ['target'],
  ['score'],
  ['suite'],
  ['run'],
  ['compare'],
  ['render'],
  ['import'],
  ['commands'],
  ['cli', 'action', 'index'],
];

/** Rooms beside the pipeline: what they may import, and who may import them. */
const ASIDE: Record<string, { from: readonly string[]; by: readonly string[] }> = {
  git: { from: ['errors'], by: ['commands', 'action'] },
  github: { from: ['errors'], by: ['commands', 'action'] },
};

/** The only files that may touch disk, network, clock, environment, randomness and child processes. */
const EDGE: readonly RegExp[] = [
  /^templates\.ts$/,
  /^cassette\/(?:store|atomic|folder)\.ts$/,
  /^responder\/(?:retry|http|proxy)\.ts$/,
  /^responder\/providers\//,
  /^target\/command\.ts$/,
  /^suite\/(?:load|lines)\.ts$/,
  /^(?:git|github|import|cli|action)\//,
];

/** Builtins that only compute. */
const PURE_BUILTINS = ['crypto', 'path', 'path/posix', 'path/win32'];
/** Packages that touch the world. */
const EDGE_PACKAGES = /^(?:@actions\/|tinyglobby$)/;

const WORLD = ['fetch', 'process', 'performance', 'console', 'globalThis', 'global', 'WebSocket', 'EventSource'];
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];
const GLOBALS = new Set([...WORLD, ...TIMERS]);
const MEMBERS = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout']);
/** Of node:crypto and of the platform's. */
const RANDOM = new Set(['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues']);

function roomOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.ts$/, '');
}

function isEdge(file: string): boolean {
  return EDGE.some((pattern) => pattern.test(file));
}

/** Why one room may not import another; undefined where it may. */
function refusal(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const known = (room: string) => room in ASIDE || ORDER.some((row) => row.includes(room));
  for (const room of [from, to]) if (!known(room)) return `${room} is no room of the table`;
  const aside = ASIDE[from];
  if (aside) return aside.from.includes(to) ? undefined : `${from} may import ${aside.from.join(', ')} only`;
  const beside = ASIDE[to];
  if (beside) return beside.by.includes(from) ? undefined : `${to} may be imported by ${beside.by.join(', ')} only`;
  const rank = (room: string) => ORDER.findIndex((row) => row.includes(room));
  return rank(to) < rank(from) ? undefined : `${from} stands before ${to} or beside it`;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function importFault(file: string, specifier: string): string | undefined {
  if (isBuiltin(specifier)) {
    if (isEdge(file) || PURE_BUILTINS.includes(specifier.replace(/^node:/, ''))) return undefined;
    return `${file}: imports ${specifier}, which only [edge] files may`;
  }
  if (!specifier.startsWith('.')) {
    return EDGE_PACKAGES.test(specifier) && !isEdge(file)
      ? `${file}: imports ${specifier}, which only [edge] files may`
      : undefined;
  }
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith('../')) return `${file}: imports ${specifier}, which is outside of src/`;
  const why = refusal(roomOf(file), roomOf(target));
  return why && `${file}: imports ${specifier}: ${why}`;
}

/** Every import, static or dynamic, that breaks the order or the edge rule. */
export function importFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => importFault(file, fileName) ?? []),
  );
}

/** What a node reaches for in the world, as it is written; undefined where nothing. */
function worldly(node: ts.Node, isGlobal: (id: ts.Identifier) => boolean): string | undefined {
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) return 'import.meta';
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const { expression } = node;
    const bare = ts.isIdentifier(expression) && expression.text === 'Date' && isGlobal(expression);
    // Called without `new`, Date tells the time whatever it is given.
    if (bare && (ts.isCallExpression(node) || !node.arguments?.length)) return 'Date()';
  }
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    if (RANDOM.has(node.text)) return node.text;
    const path = `${parent.expression.getText()}.${node.text}`;
    return MEMBERS.has(path) ? path : undefined;
  }
  if (RANDOM.has(node.text) && !ts.isPropertyAssignment(parent)) return node.text;
  return GLOBALS.has(node.text) && isGlobal(node) ? node.text : undefined;
}

/** Every use of the platform's clock, network, environment and randomness outside of [edge] files. */
export function worldFaults(sources: Sources): string[] {
  // Without any library or import, a name that resolves to nothing is a global.
  const options: ts.CompilerOptions = { noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ES2022 };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (name, target) => {
      const text = sources.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, target, true);
    },
    fileExists: (name) => sources.has(name),
    readFile: (name) => sources.get(name),
  };
  const program = ts.createProgram(
    [...sources.keys()].filter((file) => !isEdge(file)),
    options,
    host,
  );
  const checker = program.getTypeChecker();
  const isGlobal = (id: ts.Identifier): boolean => {
    if (id.text.startsWith('global')) return true;
    const { parent } = id;
    if (ts.isPropertyAssignment(parent) && parent.name === id) return false;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : checker.getSymbolAtLocation(id);
    return !symbol?.declarations?.length;
  };
  const faults: string[] = [];
  for (const file of program.getSourceFiles()) {
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      const found = worldly(node, isGlobal);
      if (found !== undefined) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        faults.push(`${file.fileName}:${line + 1}: uses ${found}, which only [edge] files may`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return faults;
}

/** The project's own src/. */
export function readSources(): Sources {
  const root = fileURLToPath(new URL('../../src', import.meta.url));
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
    }),
  );
}
