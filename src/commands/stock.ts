// What lies in the cassette folder, told apart: recordings of the project's cases, recordings of none, prompts, the rest.

import { type Cassette, promptDigestsOf } from '../cassette/cassette.ts';
import { cassettePath } from '../cassette/paths.ts';
import type { Store } from '../cassette/store.ts';
import { isRecorded } from '../suite/live-code.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';

/** A case and the path of its cassette below the folder, whether or not there is one. */
export interface Owner {
  planned: PlannedCase;
  path: string;
}

/** A cassette that no case of the project reads. */
export interface Orphan {
  path: string;
  cassette: Cassette;
}

/** Paths below the cassette folder by what they are. */
export interface Stock {
  /** The cases that read cassettes and have one. */
  owned: Owner[];
  /** The cases that read cassettes and have none. */
  bare: PlannedCase[];
  /** Retake's own files where cassettes lie, read by no case. */
  unowned: string[];
  /** Retake's own files where prompts lie. */
  prompts: string[];
  /** How many files are not Retake's. */
  foreign: number;
}

const CASSETTE = /^[^/]+\/[^/]+\.yaml$/;
const PROMPT = /^[^/]+\/prompts\/[^/]+\.yaml$/;

/** Tells the files of a store apart. */
export function takeStock(store: Store, suites: readonly PlannedSuite[]): Stock {
  const owners = new Map<string, PlannedCase>();
  for (const planned of suites.flatMap(({ cases }) => cases)) {
    if (isRecorded(planned)) owners.set(cassettePath(planned.suite, planned.name), planned);
  }
  const stock: Stock = { owned: [], bare: [], unowned: [], prompts: [], foreign: 0 };
  const found = new Set<string>();
  for (const path of store.files()) {
    // Where case does not count on the disk, a file of another case is the same file.
    const own = path.toLowerCase();
    const planned = owners.get(own);
    if (planned) {
      if (!found.has(own)) stock.owned.push({ planned, path: own });
      found.add(own);
    } else if (CASSETTE.test(path) && store.isOurs(path)) stock.unowned.push(path);
    else if (PROMPT.test(path) && store.isOurs(path)) stock.prompts.push(path);
    else stock.foreign++;
  }
  for (const [path, planned] of owners) if (!found.has(path)) stock.bare.push(planned);
  return stock;
}

/** The prompt files that a cassette refers to, as paths below the folder; `folder` is the one the cassette lies in. */
export function promptsOf(cassette: Cassette, folder: string): string[] {
  return [...promptDigestsOf(cassette)].map((digest) => `${folder}/prompts/${digest}.yaml`);
}
