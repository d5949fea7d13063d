// Builds dist/: the action, the command line and the library, each bundled with all it needs.
// `--out <folder>` builds elsewhere. Equal sources give equal bytes, whatever folder the repository lies in.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { minifySync, build as roll } from 'vite';

// It brings no types.
const ncc = createRequire(import.meta.url)('@vercel/ncc');

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Plain JavaScript between TypeScript and the bundler: ncc's own TypeScript loader cannot read NodeNext without type checking. */
const PLAIN = join(ROOT, 'build');
const MAX_BYTES = 3 * 1024 * 1024;

/** What is bundled: file in dist without its suffix, and the entry in src. */
const ENTRIES = { retake: 'cli/main', index: 'index' };

/** @type {ts.CompilerOptions} */
const TRANSPILE = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  rewriteRelativeImportExtensions: true,
  newLine: ts.NewLineKind.LineFeed,
};

/**
 * @param {string} folder
 * @returns {string[]} all files below it, POSIX separators, in code-unit order
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/**
 * Writes a file whole, and only where it differs: two builds at once then disturb each other no more than two editors do.
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** @param {string} source */
function plain(source) {
  const text = readFileSync(join(ROOT, 'src', source), 'utf8').replaceAll('\r\n', '\n');
  const { outputText, diagnostics } = ts.transpileModule(text, {
    fileName: source,
    compilerOptions: TRANSPILE,
    reportDiagnostics: true,
  });
  const fault = diagnostics?.[0];
  if (fault) throw new Error(`src/${source}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  return outputText;
}

/** Brings build/ up to date with src/. */
function transpile() {
  const sources = filesBelow(join(ROOT, 'src')).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  const wanted = new Set(sources.map((source) => source.replace(/\.ts$/, '.js')));
  for (const file of filesBelow(PLAIN)) if (file.endsWith('.js') && !wanted.has(file)) rmSync(join(PLAIN, file));
  for (const source of sources) write(join(PLAIN, source.replace(/\.ts$/, '.js')), plain(source));
}

/**
 * @param {string} name
 * @param {string} code
 */
function minify(name, code) {
  // Names stay: they are in stack traces, and libraries compare them.
  const { code: small, errors } = minifySync(name, code, {
    module: true,
    compress: { target: 'es2022', keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map((error) => error.message).join('\n')}`);
  return `${small.replaceAll('\r\n', '\n').trimEnd()}\n`;
}

/**
 * @param {string} name
 * @param {string} entry
 * @returns {Promise<Map<string, string>>} the files of one bundle
 */
async function bundle(name, entry) {
  const filename = `${name}.js`;
  const { code, assets } = await ncc(join(PLAIN, `${entry}.js`), {
    cache: false,
    filename,
    esm: true,
    target: 'es2022',
    quiet: true,
  });
  const files = new Map([[filename, minify(filename, code)]]);
  for (const [asset, { source }] of Object.entries(assets)) {
    if (asset === 'package.json') continue;
    if (!asset.endsWith('.js')) throw new Error(`${filename} would ship ${asset}, which no code of ours asked for`);
    files.set(asset, minify(asset, String(source)));
  }
  for (const [file, text] of files) {
    if (/webpackMissingModule|Cannot find module '/.test(text))
      throw new Error(`${file} lacks a module: see ncc's output`);
    if (text.includes(ROOT)) throw new Error(`${file} holds this machine's path`);
  }
  return files;
}

/**
 * The command line and the library in one bundle: they share their chunks, hold no library's unused parts, and start
 * quickly because modules are joined, not wrapped in functions that are compiled one by one.
 * @returns {Promise<Map<string, string>>}
 */
async function bundleShared() {
  const result = await roll({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    // A package that is installed finds no other.
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'es2022',
      rollupOptions: {
        input: Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, join(PLAIN, `${entry}.js`)])),
        external: [/^node:/],
        output: { entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' },
      },
    },
  });
  /** @type {Map<string, string>} */
  const files = new Map();
  const { output } = /** @type {{ output: { fileName: string, code?: string }[] }} */ (/** @type {unknown} */ (result));
  for (const { fileName, code } of output) {
    if (code === undefined) throw new Error(`the bundle would ship ${fileName}, which no code of ours asked for`);
    if (code.includes(ROOT)) throw new Error(`${fileName} holds this machine's path`);
    files.set(fileName, minify(fileName, code));
  }
  return files;
}

/** The command itself: no bundle, so that `retake --version` starts as quickly as Node does. */
function bin() {
  const version = plain('version.ts').match(/VERSION = '([^']+)'/)?.[1];
  if (version === undefined) throw new Error('src/version.ts has no VERSION');
  const code = plain('cli/bin.ts');
  const bound = code
    .replace('import { VERSION } from "../version.js";', `const VERSION = '${version}';`)
    .replace('import("./main.js")', "import('./retake.js')");
  if (/version\.js|main\.js/.test(bound)) throw new Error('src/cli/bin.ts imports more than its version and main.ts');
  return bound;
}

/** @param {string} out */
async function build(out) {
  // Module numbers depend on paths relative to the working directory.
  process.chdir(ROOT);
  transpile();
  /** @type {Map<string, string>} */
  const files = new Map([
    ['cli.js', bin()],
    ['package.json', `${JSON.stringify({ type: 'module' })}\n`],
  ]);
  for (const bundled of [await bundle('action', 'action/main'), await bundleShared()]) {
    for (const [file, text] of bundled) {
      if ((files.get(file) ?? text) !== text) throw new Error(`two bundles want to write ${file}`);
      files.set(file, text);
    }
  }
  for (const [file, text] of files) {
    if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes`);
    write(join(out, file), text);
  }
  for (const file of filesBelow(out)) if (!files.has(file)) rmSync(join(out, file));
  chmodSync(join(out, 'cli.js'), 0o755);
  for (const file of [...files.keys()].sort())
    console.log(`${String(statSync(join(out, file)).size).padStart(9)}  ${file}`);
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
await build(resolve(values.out ?? join(ROOT, 'dist')));
