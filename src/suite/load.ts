// A project from disk: retake.yaml, its suites, the files they refer to, and every fault of all of them. [edge]

import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { type Fault, UserError } from '../errors.ts';
import { checkSuite, refuseTwin } from './check.ts';
import type { Override } from './choose.ts';
import { builtInConfig, type Config, configOf, type Mode, type ReadConfig, readConfig } from './config.ts';
import { makeSource, quoted, sortFaults } from './faults.ts';
import { LARGEST_IMAGE } from './images.ts';
import type { Environment } from './interpolate.ts';
import type { Reading } from './issues.ts';
import { linesReaderOf } from './lines.ts';
import { CONFIG_FILE, DEFAULT_GLOBS, IGNORED, MINIMAL_SUITE, toPosix, within } from './paths.ts';
import { type PlannedSuite, planSuite } from './plan.ts';
import { readSuite } from './read.ts';
import { makeRefs, type ReadImage, type ReadText } from './refs.ts';
import { parseYaml } from './yaml.ts';

/** What to load. */
export interface LoadOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  /** Globs, files or folders relative to `cwd`; empty means the project's own `suites:`. */
  globs: readonly string[];
  env: Environment;
  /** Wins over `cassettes.mode`. */
  mode?: Mode;
  /** Wins over the suites. */
  override?: Override;
}

/** A project, ready to run. */
export interface Project {
  /** Absolute path of the folder of retake.yaml, else of the working directory. */
  root: string;
  config: Config;
  /** By name in code-unit order. */
  suites: PlannedSuite[];
  /** The secret variables that its files name, in code-unit order. */
  secrets: string[];
}

const LARGEST_FILE = 10 * 1024 * 1024;

/** The word for a failure of the file system's, as the end of a sentence. */
function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  const words: Record<string, string> = {
    ENOENT: 'does not exist',
    EACCES: 'may not be read',
    EPERM: 'may not be read',
    EISDIR: 'is a directory',
    ENOTDIR: 'does not exist',
    ELOOP: 'is a link that leads back to itself',
    ENAMETOOLONG: 'has too long a name',
  };
  return words[code] ?? `cannot be read (${code})`;
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    if (!isUtf8(bytes.subarray(start, stop))) return line;
    start = stop + 1;
  }
  return line;
}

type Unread = { ok: false; message: string; line?: number };
type ReadFile = { ok: true; text: string } | Unread;

function readText(file: string): ReadFile {
  try {
    const { size } = statSync(file);
    if (size > LARGEST_FILE) return { ok: false, message: 'is larger than 10 MB' };
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) return { ok: false, message: 'is not UTF-8', line: firstBadLine(bytes) };
    return { ok: true, text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    return { ok: false, message: reasonOf(error) };
  }
}

function readImage(file: string): ReturnType<ReadImage> {
  try {
    const { size } = statSync(file);
    if (size > LARGEST_IMAGE) return { ok: false, message: 'is larger than 20 MB' };
    return { ok: true, bytes: readFileSync(file) };
  } catch (error) {
    return { ok: false, message: reasonOf(error) };
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Looks for retake.yaml upwards. A retake.yml on the way would otherwise go unseen. */
function findConfig(cwd: string, faults: Fault[]): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const file = path.join(folder, CONFIG_FILE);
    if (statSync(file, { throwIfNoEntry: false })) return folder;
    if (isFile(path.join(folder, 'retake.yml'))) {
      faults.push({
        code: 'config_invalid',
        message: '`retake.yml` is not read',
        place: { file: 'retake.yml' },
        remedy: `Rename it to ${CONFIG_FILE}.`,
      });
      return undefined;
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Reads files of the project alone: whatever links lead out of it is not read. */
function readerOf<Read>(root: string, read: (file: string) => Read): (file: string) => Read | Unread {
  const realRoot = realpathSync(root);
  return (file) => {
    try {
      if (within(realRoot, realpathSync(path.join(root, file))) === undefined)
        return { ok: false, message: 'leaves the project' };
    } catch (error) {
      return { ok: false, message: reasonOf(error) };
    }
    return read(path.join(root, file));
  };
}

interface Search {
  cwd: string;
  patterns: readonly string[];
  code: 'bad_argument' | 'config_invalid';
}

function expand(cwd: string, pattern: string): string[] {
  const exact = path.resolve(cwd, pattern);
  const there = statSync(exact, { throwIfNoEntry: false });
  if (there?.isFile()) return [exact];
  const glob = path.sep === '/' ? pattern : pattern.replaceAll('\\', '/');
  const options = {
    cwd: there?.isDirectory() ? exact : cwd,
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    ignore: IGNORED,
  };
  return globSync(there?.isDirectory() ? DEFAULT_GLOBS : [glob], options).map((file) => path.normalize(file));
}

/** The suites' files relative to the root, sorted. A pattern that finds nothing is a fault. */
function findSuites(root: string, { cwd, patterns, code }: Search, faults: Fault[]): string[] {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const blank = pattern.trim() === '' || pattern.includes('\u0000');
    const found = blank ? [] : expand(cwd, pattern);
    if (found.length === 0) {
      const place = code === 'config_invalid' ? { place: { file: CONFIG_FILE } } : {};
      faults.push({
        code,
        message: `no suite matches ${quoted(pattern)}`,
        remedy: 'Suites are files named *.eval.yaml.',
        ...place,
      });
    }
    for (const file of found) {
      const inside = within(root, file);
      if (inside !== undefined) files.add(inside);
      else
        faults.push({
          code,
          message: `the suite ${quoted(toPosix(path.relative(cwd, file)))} is outside the project`,
          remedy: `The project is the folder of ${CONFIG_FILE}, else the working directory.`,
        });
    }
  }
  return [...files].sort();
}

function loadConfig(read: ReadText, env: Environment, faults: Fault[]): ReadConfig {
  const file = read(CONFIG_FILE);
  if (!file.ok) {
    faults.push({
      code: 'config_invalid',
      message: `${CONFIG_FILE} ${file.message}`,
      place: placeOfFile(CONFIG_FILE, file),
    });
    return { ...builtInConfig(), sound: false };
  }
  const source = makeSource(CONFIG_FILE, file.text);
  const parsed = parseYaml(source, { code: 'config_invalid', env });
  faults.push(...parsed.faults);
  if (!parsed.root) return { ...builtInConfig(), sound: false };
  const { secrets } = parsed;
  const config = { ...readConfig({ source, code: 'config_invalid', faults }, parsed.root), secrets };
  return parsed.faults.length === 0 ? config : { ...config, sound: false };
}

function placeOfFile(file: string, failure: object): { file: string; line?: number } {
  const { line } = failure as { line?: number };
  return { file, ...(line !== undefined && { line }) };
}

function byName(one: PlannedSuite, other: PlannedSuite): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}

/** Loads a project. Throws one UserError with every fault of all files, sorted by place. */
export function loadProject({ cwd, globs, env, mode, override }: LoadOptions): Project {
  const faults: Fault[] = [];
  const configFolder = findConfig(cwd, faults);
  const root = configFolder ?? cwd;
  const read: ReadText = readerOf(root, readText);
  const config =
    configFolder === undefined ? { ...builtInConfig(), sound: faults.length === 0 } : loadConfig(read, env, faults);

  const given = globs.length > 0;
  const search: Search = given
    ? { cwd, patterns: globs, code: 'bad_argument' }
    : { cwd: root, patterns: config.suites ?? [], code: 'config_invalid' };
  // A faulty retake.yaml may be what says where the suites are: they are still read where they usually stand.
  const useDefault = !given && config.suites === undefined;
  const files = useDefault
    ? expand(root, '.')
        .flatMap((file) => within(root, file) ?? [])
        .sort()
    : findSuites(root, search, faults);
  if (files.length === 0 && faults.length === 0)
    faults.push({ code: 'no_suites', message: 'no suites found', remedy: MINIMAL_SUITE });

  const refs = makeRefs({ readText: read, readImage: readerOf(root, readImage) }, faults);
  const readLines = linesReaderOf(root, reasonOf);
  const surroundings = { refs, readLines, providers: config.providers, known: new Map() };
  const names = new Map<string, string>();
  const secrets = new Set(config.secrets);
  const planned = files.flatMap((file) => {
    const text = read(file);
    if (!text.ok) {
      faults.push({ code: 'suite_unreadable', message: `the suite ${text.message}`, place: placeOfFile(file, text) });
      return [];
    }
    const source = makeSource(file, text.text);
    const parsed = parseYaml(source, { code: 'suite_invalid', env });
    faults.push(...parsed.faults);
    for (const name of parsed.secrets) secrets.add(name);
    const reading: Reading = { source, code: 'suite_invalid', faults, refs, interpolated: parsed.interpolated };
    const suite = parsed.root && readSuite(reading, parsed.root, surroundings);
    if (!suite) return [];
    checkSuite(suite);
    refuseTwin(suite, names);
    // Planned at once, so that a file's nodes can go before the next one's come.
    return [planSuite(suite, override ? { ...config, override } : config)];
  });
  if (faults.length > 0) throw new UserError(sortFaults(faults));
  return {
    root,
    config: configOf(config, mode),
    suites: planned.sort(byName),
    secrets: [...secrets].sort(),
  };
}

/** The absolute folder that paths in results are relative to: that of retake.yaml, else `cwd` itself. */
export function projectRoot(cwd: string): string {
  return findConfig(cwd, []) ?? cwd;
}
