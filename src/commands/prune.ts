// `retake prune`: finds recordings that nothing uses, and removes them when told to; prints nothing.

import type { Cassette } from '../cassette/cassette.ts';
import { openStore, type Store } from '../cassette/store.ts';
import { type Fault, UserError } from '../errors.ts';
import type { PruneReport, Unused, WhyUnowned } from '../render/upkeep.ts';
import { loadProject } from '../suite/load.ts';
import type { PlannedSuite } from '../suite/plan.ts';
import { findRenames } from './renames.ts';
import { type Orphan, promptsOf, type Stock, takeStock } from './stock.ts';

/** What to prune. There is no filter: what a filter hides is not unused. */
export interface PruneOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** Remove what is found. */
  yes: boolean;
}

/** Reads a cassette; gives the version of one of another format, undefined where it is damaged. */
function readInto(faults: Fault[], read: () => Cassette | undefined): Cassette | number | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const [first] = error.faults;
    if (first?.code === 'cassette_version') return Number(/\d+/.exec(first.source ?? '')?.[0]);
    faults.push(...error.faults);
    return undefined;
  }
}

function whyUnowned({ suite, case: name }: Cassette, suites: readonly PlannedSuite[]): WhyUnowned {
  const owner = suites.find((one) => one.name === suite);
  if (!owner) return 'no_suite';
  return owner.cases.some((one) => one.name === name) ? 'script' : 'no_case';
}

const folderOf = (path: string) => path.slice(0, path.indexOf('/'));

/** Every cassette of the stock, read. Throws UserError with all that are damaged: they may need any prompt. */
function readStock(store: Store, stock: Stock) {
  const faults: Fault[] = [];
  const orphans: Orphan[] = [];
  const versions: { path: string; version: number }[] = [];
  const owned = stock.owned.flatMap(({ planned, path }) => {
    const cassette = readInto(faults, () => store.read(planned.suite, planned.name));
    if (typeof cassette === 'number') versions.push({ path, version: cassette });
    return typeof cassette === 'object' ? [{ planned, path, cassette }] : [];
  });
  for (const path of stock.unowned) {
    const cassette = readInto(faults, () => store.readAt(path));
    if (typeof cassette === 'number') versions.push({ path, version: cassette });
    else if (cassette) orphans.push({ path, cassette });
  }
  if (faults.length > 0) throw new UserError(faults);
  return { owned, orphans, versions };
}

/** Finds what nothing uses, and removes it with `yes`. Throws UserError where a suite or a cassette is faulty. */
export async function prune({ cwd, env, yes }: PruneOptions): Promise<PruneReport> {
  const project = loadProject({ cwd, globs: [], env });
  const { suites } = project;
  const store = openStore(project.root, project.config.cassettesDir);
  const unlock: (() => void)[] = [];
  try {
    // A recording under way writes its prompts before the cassette that refers to them.
    if (yes) for (const { suite, name } of recordedCases(suites)) unlock.push(store.lock(suite, name));
    return await pruneStore(store, suites, { dir: project.config.cassettesDir, yes });
  } finally {
    for (const release of unlock) release();
  }
}

function recordedCases(suites: readonly PlannedSuite[]) {
  return suites.flatMap(({ cases }) => cases.filter(({ script }) => !script));
}

async function pruneStore(
  store: Store,
  suites: readonly PlannedSuite[],
  { dir, yes }: { dir: string; yes: boolean },
): Promise<PruneReport> {
  const stock = takeStock(store, suites);
  const { owned, orphans, versions } = readStock(store, stock);
  const renames = await findRenames(orphans, stock.bare);
  const renamed = new Set(renames.map(({ path }) => path));
  const unused: Unused[] = [];
  const gone: string[] = [];
  const cut: Cassette[] = [];
  const needed = new Set<string>();
  const keep = (cassette: Cassette, path: string) => {
    for (const prompt of promptsOf(cassette, folderOf(path))) needed.add(prompt);
  };
  const shown = (path: string) => `${dir}/${path}`;

  for (const { path, cassette } of orphans) {
    if (renamed.has(path)) {
      keep(cassette, path);
      continue;
    }
    const { suite, case: name } = cassette;
    unused.push({ kind: 'cassette', file: shown(path), suite, case: name, why: whyUnowned(cassette, suites) });
    gone.push(path);
  }
  for (const { planned, path, cassette } of owned) {
    const { repeat } = planned;
    const { suite, case: name, takes } = cassette;
    const kept = { ...cassette, takes: takes.slice(0, repeat) };
    keep(kept, path);
    if (takes.length <= repeat) continue;
    unused.push({ kind: 'takes', file: shown(path), suite, case: name, takes: takes.length, repeat });
    cut.push(kept);
  }
  for (const { path, version } of versions) unused.push({ kind: 'version', file: shown(path), version });
  gone.push(...versions.map(({ path }) => path));
  const prompts = stock.prompts.filter((path) => !needed.has(path.toLowerCase()));
  for (const path of prompts) unused.push({ kind: 'prompt', file: shown(path) });

  if (yes) {
    for (const cassette of cut) store.write(cassette, new Map());
    // A prompt goes after the cassettes that referred to it.
    store.removeFiles([...gone, ...prompts]);
  }
  return {
    removed: yes,
    unused,
    renames: renames.map(({ path, command }) => ({ file: shown(path), command })),
    used: owned.length,
    foreign: stock.foreign,
  };
}
