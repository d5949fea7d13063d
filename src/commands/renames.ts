// Renamed cases: a cassette that no case reads, and a case without one that it answers in full.

import type { Cassette } from '../cassette/cassette.ts';
import { identify } from '../request/fingerprint.ts';
import { player } from '../responder/player.ts';
import { requestOf } from '../run/case.ts';
import { type CaseKey, caseName, shellWord } from '../suite/names.ts';
import type { PlannedCase } from '../suite/plan.ts';
import { agentTarget } from '../target/agent.ts';
import type { Orphan } from './stock.ts';

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
      const { fingerprint } = identify(requestOf(planned));
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
