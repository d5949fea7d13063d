// What one drift pull request shall hold: its cases, their files, its commits.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptDigestsOf } from '../cassette/cassette.ts';
import { openStore } from '../cassette/store.ts';
import { caseKey, shortSignature, writeTrailers } from '../commands/drift-trailers.ts';
import type { Proposed } from '../commands/propose-plan.ts';
import type { CaseChange } from '../compare/comparison.ts';
import { caseSignature, casesByName, driftDigest, driftOf } from '../compare/drift.ts';
import { blobId, blobText, type FileChange, type NewCommit } from '../github/branch.ts';
import type { DriftLane } from '../render/drift-body.ts';
import { plainLine } from '../render/markdown.ts';
import { counted } from '../render/terminal-figures.ts';
import { type Facts, type Found, type ProposeOptions, pathsOf } from './propose-look.ts';

/** `suite::case` */
export const keyOf = (one: { suite: string; case: string }): string => `${one.suite}::${one.case}`;

/** One case that goes into a pull request. */
export interface Entry {
  suite: string;
  case: string;
  signature: string;
  /** The change, where it was taken tonight; else it is carried over. */
  change?: CaseChange;
  files: FileChange[];
}

/** What one pull request shall hold. */
export interface Plan {
  entries: Entry[];
  carried: Entry[];
  rejected: string[];
  proposed: Proposed;
}

function repositoryPath({ folder }: ProposeOptions, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The files of a fresh recording: the cassette and the prompts it refers to. */
function freshFiles({ options, waits }: Facts, { suite, case: name }: { suite: string; case: string }): FileChange[] {
  const pending = openStore(options.root, options.report.into);
  const cassette = pending.read(suite, name);
  const one = waits.before.suites
    .flatMap(({ cases }) => cases)
    .find((found) => found.suite === suite && found.case === name);
  if (!cassette || one?.cassette === undefined) return [];
  const ownDir = one.cassette.slice(
    0,
    one.cassette.length - pending.path(suite, name).length + options.report.into.length,
  );
  const relative = pending.path(suite, name).slice(options.report.into.length + 1);
  const folder = relative.slice(0, relative.lastIndexOf('/'));
  const paths = [relative, ...[...promptDigestsOf(cassette)].map((digest) => `${folder}/prompts/${digest}.yaml`)];
  return paths.flatMap((path) => {
    try {
      const text = readFileSync(join(options.root, options.report.into, path), 'utf8');
      return { path: repositoryPath(options, `${ownDir}/${path}`), text };
    } catch {
      // A prompt that only the committed folder has did not change.
      return [];
    }
  });
}

/** The prompts in the folder of a cassette, with their ids. */
function promptsBeside(files: ReadonlyMap<string, string>, path: string): string[] {
  const folder = `${path.slice(0, path.lastIndexOf('/'))}/prompts/`;
  return [...files].filter(([file]) => file.startsWith(folder)).map(([file, id]) => `${file} ${id}`);
}

/** What the cases of a proposal stand on: suites, cassettes and prompts of the base. */
function inputsDigest({ options, baseFiles, waits }: Facts, entries: readonly Entry[]): string {
  const suites = new Set(entries.map(({ suite }) => suite));
  const lines = waits.before.suites
    .filter(({ suite }) => suites.has(suite))
    .flatMap(({ path, cases }) => [
      path,
      ...cases.flatMap((one) => [one.path, ...(one.cassette ? [one.cassette] : [])]),
    ])
    .map((path) => repositoryPath(options, path))
    .flatMap((path) => [`${path} ${baseFiles.get(path) ?? ''}`, ...promptsBeside(baseFiles, path)]);
  return createHash('sha256')
    .update([...new Set(lines)].sort().join('\n'))
    .digest('hex');
}

/** Decides what goes into one pull request; reads carried files, writes nothing. */
export async function planLane(facts: Facts, lane: DriftLane, found: Found): Promise<Plan> {
  const { options, waits } = facts;
  const { report, github } = options;
  const settled = new Set(report.drifted.map(keyOf));
  const after = casesByName(waits.after);
  const caseOf = (one: { suite: string; case: string }) => after.get(JSON.stringify([one.suite, one.case]));
  const changes = driftOf(waits.comparison, report.threshold).filter((change) => settled.has(keyOf(change)));
  const ofLane = changes.filter((change) => (caseOf(change)?.one.outcome === 'passed') === (lane === 'accept'));
  const rejected: string[] = [];
  const entries: Entry[] = [];
  for (const change of ofLane) {
    const fresh = caseOf(change);
    if (!fresh) continue;
    const signature = caseSignature(fresh.one, fresh.loose);
    if (found.rejected.get(caseKey(change)) === shortSignature(signature)) {
      rejected.push(keyOf(change));
      continue;
    }
    const files = freshFiles(facts, change).filter(
      ({ path, text }) => text === null || facts.baseFiles.get(path) !== blobId(text),
    );
    if (files.length > 0) entries.push({ suite: change.suite, case: change.case, signature, change, files });
  }
  const missed = new Set([...report.unchecked, ...report.incomparable.map(keyOf)]);
  const carried: Entry[] = [];
  const paths = pathsOf(facts);
  for (const [key, signature] of found.trailers?.cases ?? []) {
    const at = paths.get(key);
    const id = at && found.files.get(at.path);
    if (!at || !id || found.rejected.has(key) || !missed.has(keyOf(at)) || id === facts.baseFiles.get(at.path))
      continue;
    const text = await blobText(github.api, github.where, id);
    carried.push({ suite: at.suite, case: at.case, signature, files: [{ path: at.path, text }] });
  }
  const all = [...entries, ...carried];
  const ids = carried.map(({ suite, case: name, signature }) => JSON.stringify([suite, name, signature])).sort();
  const digest = createHash('sha256')
    .update(
      [
        driftDigest(
          entries.flatMap(({ change }) => change ?? []),
          waits.after,
        ),
        ...ids,
      ].join('\n'),
    )
    .digest('hex');
  return {
    entries,
    carried,
    rejected,
    proposed: { isEmpty: all.length === 0, digest, inputs: inputsDigest(facts, all) },
  };
}

/** The commits of a plan, one a suite. */
export function commitsOf({ entries, carried, proposed }: Plan): NewCommit[] {
  const all = [...entries, ...carried];
  const suites = [...new Set(all.map(({ suite }) => suite))].sort();
  return suites.map((suite) => {
    const cases = all.filter((one) => one.suite === suite);
    const listed = cases
      .slice(0, 50)
      .map(({ case: name, change }) => `- ${plainLine(name)}: ${change?.kind ?? 'carried over'}`);
    const more = cases.length > 50 ? [`- and ${cases.length - 50} more`] : [];
    const files = new Map(cases.flatMap((one) => one.files.map((file) => [file.path, file] as const)));
    return {
      message: [
        `Retake ${plainLine(suite)}: ${counted(cases.length, 'case')} ${cases.length === 1 ? 'behaves' : 'behave'} differently`,
        [...listed, ...more].join('\n'),
        writeTrailers({ ...proposed, cases }),
      ].join('\n\n'),
      files: [...files.values()],
    };
  });
}
