// Renamed cases: a cassette that no case reads, and a case without one that it answers in full.

import type { Cassette } from '../cassette/cassette.ts';
import type { Store } from '../cassette/store.ts';
import { UserError } from '../errors.ts';
import { identify } from '../request/fingerprint.ts';
import { redactor } from '../request/redact.ts';
import { player } from '../responder/player.ts';
import { requestOf } from '../run/case.ts';
import type { CaseResult } from '../run/result.ts';
import { type CaseKey, caseName, shellWord } from '../suite/names.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import { agentTarget } from '../target/agent.ts';
import { type Orphan, takeStock } from './stock.ts';

/** A recording under an old name, and the case it answers now. */
export interface Rename {
  /** The orphan's path below the cassette folder. */
  path: string;
  from: CaseKey;
  to: CaseKey;
  /** The command that renames it; one for a whole suite where all of it was renamed. */
  command: string;
}

/** Whether a cassette answers every request of a case, and nothing of it is left over. */
async function replays(cassette: Cassette, planned: PlannedCase): Promise<boolean> {
  if (cassette.takes.length < planned.repeat) return false;
  const target = agentTarget({ ...planned, request: requestOf(planned) });
  for (const take of cassette.takes.slice(0, planned.repeat)) {
    const playing = player(take, () => ({ reason: 'differs', take: 1, turn: 1, fingerprint: '' }));
    const { failure } = await target.run(playing);
    if (failure || playing.unused() > 0) return false;
  }
  return true;
}

/** `retake mv OLD NEW`. */
function moveCommand(from: string, to: string): string {
  const end = from.startsWith('-') || to.startsWith('-') ? '-- ' : '';
  return `retake mv ${end}${shellWord(from)} ${shellWord(to)}`;
}

/** Whether all of an orphaned suite answers one suite of another name, case by case. */
function isWhole({ from, to }: Omit<Rename, 'command'>, total: Found, orphans: readonly Orphan[]): boolean {
  if (from.suite === to.suite) return false;
  const together = total.filter((other) => other.from.suite === from.suite);
  return (
    together.length === orphans.filter(({ cassette }) => cassette.suite === from.suite).length &&
    together.every((other) => other.to.suite === to.suite && other.to.case === other.from.case)
  );
}

type Found = readonly Omit<Rename, 'command'>[];

/** Pairs orphans with the cases they answer, each at most once; of several that fit, names that agree win. In the order of the cases. */
export async function findRenames(orphans: readonly Orphan[], bare: readonly PlannedCase[]): Promise<Rename[]> {
  const byFirst = new Map<string | undefined, Orphan[]>();
  for (const orphan of orphans) {
    const first = orphan.cassette.takes[0]?.interactions[0]?.fingerprint;
    const known = byFirst.get(first);
    if (known) known.push(orphan);
    else byFirst.set(first, [orphan]);
  }
  const used = new Set<Orphan>();
  const found = new Map<PlannedCase, Omit<Rename, 'command'>>();
  const LIKELY: ((cassette: Cassette, planned: PlannedCase) => boolean)[] = [
    (cassette, planned) => cassette.case === planned.name,
    (cassette, planned) => cassette.suite === planned.suite,
    () => true,
  ];
  for (const isLikely of LIKELY) {
    for (const planned of bare) {
      if (found.has(planned)) continue;
      const { fingerprint } = identify(redactor(planned.redact).request(requestOf(planned)));
      for (const orphan of byFirst.get(fingerprint) ?? []) {
        const { path, cassette } = orphan;
        if (used.has(orphan) || !isLikely(cassette, planned) || !(await replays(cassette, planned))) continue;
        used.add(orphan);
        const from = { suite: cassette.suite, case: cassette.case };
        found.set(planned, { path, from, to: { suite: planned.suite, case: planned.name } });
        break;
      }
    }
  }
  const pairs: Found = bare.flatMap((planned) => found.get(planned) ?? []);
  return pairs.map((rename) => {
    const { from, to } = rename;
    const names = isWhole(rename, pairs, orphans) ? [from.suite, to.suite] : [caseName(from), caseName(to)];
    return { ...rename, command: moveCommand(names[0] as string, names[1] as string) };
  });
}

/** The renames that a store and its suites show. `partial` where only some of the project's suites are loaded: then a cassette of another suite may have an owner. What is damaged is passed over. */
export async function lookForRenames(
  store: Store,
  suites: readonly PlannedSuite[],
  { partial }: { partial: boolean },
): Promise<Rename[]> {
  const { unowned, bare } = takeStock(store, suites);
  const orphans = unowned.flatMap((path) => {
    try {
      return [{ path, cassette: store.readAt(path) }];
    } catch (error) {
      if (error instanceof UserError) return [];
      throw error;
    }
  });
  const known = new Set(suites.map(({ name }) => name));
  return findRenames(
    orphans.filter(({ cassette }) => !partial || known.has(cassette.suite)),
    bare,
  );
}

/** Gives the cases of a run that have no cassette, yet were renamed, that as their problem. Looks at files only where there are such cases. */
export async function tellRenames(
  results: readonly CaseResult[],
  look: () => Promise<readonly Rename[]>,
): Promise<void> {
  const bare = results.filter(({ problem }) => problem?.miss?.reason === 'no_cassette');
  if (bare.length === 0) return;
  const renames = new Map((await look()).map((rename) => [caseName(rename.to), rename]));
  for (const result of bare) {
    const rename = renames.get(caseName(result));
    if (!rename || !result.problem?.miss) continue;
    const from = caseName(rename.from);
    // The trajectory holds the same miss.
    result.problem.miss.renamed = from;
    result.problem.message = `${result.problem.message}, but that of ${from} answers it: it was renamed`;
    result.problem.remedy = rename.command;
  }
}
