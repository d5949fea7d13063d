// `retake resolve`: mends cassettes that a merge left in conflict with whichever whole side answers the suites as they stand; asks nobody, stages nothing.

import { join } from 'node:path';
import { sidesOf } from '../cassette/conflict.ts';
import { copyAside } from '../cassette/folder.ts';
import { openStore } from '../cassette/store.ts';
import { writePrompt } from '../cassette/text.ts';
import type { Resolved, ResolveReport, Side } from '../render/resolve.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import { caseName } from '../suite/names.ts';
import type { PlannedCase } from '../suite/plan.ts';
import {
  type Conflict,
  chosen,
  type Facts,
  findConflicts,
  PROMPT,
  promptAtEnds,
  type ResolveOptions,
  SIDES,
  type Whole,
  wholePrompt,
  wholeSide,
} from './conflicts.ts';
import { run } from './run.ts';

/** Where sides wait while they are replayed, and where files go whose sides git does not hold; git ignores both. */
const SCRATCH = '.retake/resolve';
const COPIES = '.retake/conflicts';

const nameOf = ({ suite, name }: PlannedCase) => caseName({ suite, case: name });

/** The cases that replay without a miss from these cassettes alone, with what is left over of each. */
async function answered(facts: Facts, side: string, cassettes: readonly Whole[]): Promise<Map<string, number>> {
  const { options, project } = facts;
  if (cassettes.length === 0) return new Map();
  const store = openStore(project.root, `${SCRATCH}/${side}`);
  store.removeFiles(store.files());
  try {
    for (const { cassette, prompts } of cassettes) store.write(cassette, prompts);
    const result = await run({
      cwd: project.root,
      globs: [],
      env: options.env,
      mode: 'replay',
      filter: cassettes.map(({ cassette }) => caseName(cassette)),
      tags: [],
      failFast: false,
      resume: false,
      openCassettes: () => store,
    });
    const cases = result.suites.flatMap((suite) => suite.cases);
    const replayed = cases.filter(({ outcome }) => outcome !== 'unrecorded' && outcome !== 'skipped');
    return new Map(replayed.map((one) => [caseName(one), one.tally.unused]));
  } finally {
    store.removeFiles(store.files());
  }
}

/** The side to take of those that answer: the one with nothing left over, then the preferred one. */
function better(unused: Partial<Record<Side, number>>, preferred: Side): Side {
  const { ours, theirs } = unused;
  if (ours === undefined || theirs === undefined) return ours === undefined ? 'theirs' : 'ours';
  return ours === theirs ? preferred : ours < theirs ? 'ours' : 'theirs';
}

async function mendPrompt(facts: Facts, { path, sides, now, isIndexed }: Conflict): Promise<Resolved> {
  const { own, dir } = facts;
  const file = `${dir}/${path}`;
  const [, digest = ''] = PROMPT.exec(path) ?? [];
  const marked = now === undefined ? undefined : sidesOf(now);
  const texts = [now, sides.ours, sides.theirs, marked?.ours, marked?.theirs].filter((text) => text !== undefined);
  const prompt = wholePrompt(texts, digest) ?? (await promptAtEnds(facts, path));
  if (!prompt) return { file, as: 'broken' };
  const { text } = writePrompt(prompt);
  if (now === text) return { file, as: 'prompt' };
  const copy = isIndexed || now === undefined ? {} : copied(facts, path);
  own.writeAt(path, text);
  return { file, as: 'prompt', ...copy };
}

function copied({ project: { root }, dir }: Facts, path: string): { copy: string } {
  copyAside(join(root, dir), join(root, COPIES), path);
  return { copy: `${COPIES}/${path}` };
}

/** A cassette in conflict with its sides as far as they are whole. */
interface Judged {
  conflict: Conflict;
  /** The case that reads it; absent where none does. */
  planned?: PlannedCase;
  whole: Partial<Record<Side, Whole>>;
  /** What stands there and is whole, and neither side. */
  own?: Whole;
}

async function judge(facts: Facts, conflict: Conflict, planned: PlannedCase | undefined): Promise<Judged> {
  const { path, sides, now } = conflict;
  const found: Partial<Record<Side, Whole>> = {};
  for (const side of SIDES) {
    const one = await wholeSide(facts, path, sides[side]);
    if (one) found[side] = one;
  }
  const isSide = now === undefined || now === sides.ours || now === sides.theirs;
  const own = isSide ? undefined : await wholeSide(facts, path, now);
  return { conflict, ...(planned && { planned }), whole: found, ...(own && { own }) };
}

/** How many recorded answers are left over, by what answers the case. */
type Unused = Partial<Record<Side | 'own', number>>;

/** Replays what is whole of the cases in conflict. */
async function replayAll(facts: Facts, judged: readonly Judged[]): Promise<(one: Judged) => Unused> {
  const owned = judged.filter(({ planned }) => planned);
  const sideOf = (side: Side) => owned.flatMap(({ whole: found }) => found[side] ?? []);
  const answers = {
    ours: await answered(facts, 'ours', sideOf('ours')),
    theirs: await answered(facts, 'theirs', sideOf('theirs')),
    own: await answered(
      facts,
      'own',
      owned.flatMap(({ own }) => own ?? []),
    ),
  };
  return ({ planned }) => {
    const name = planned ? nameOf(planned) : '';
    const unused: Unused = {};
    for (const by of ['ours', 'theirs', 'own'] as const) {
      const left = answers[by].get(name);
      if (left !== undefined) unused[by] = left;
    }
    return unused;
  };
}

/** Puts a side into the working tree. */
function put(facts: Facts, { conflict, whole: found }: Judged, side: Side): { side: Side; copy?: string } {
  const { path, isIndexed, now } = conflict;
  const { cassette, prompts } = found[side] as Whole;
  const copy = isIndexed || now === undefined ? {} : copied(facts, path);
  facts.own.write(cassette, prompts);
  return { side, ...copy };
}

/** Mends one cassette. */
function mend(facts: Facts, judged: Judged, unused: Unused): Resolved {
  const { preferred } = facts.options;
  const { conflict, planned, whole: found, own } = judged;
  const one = { file: `${facts.dir}/${conflict.path}`, ...(planned && { name: nameOf(planned) }) };
  // Whoever wrote it has resolved the conflict by hand.
  if (own) return { ...one, as: planned === undefined || unused.own !== undefined ? 'kept' : 'stale' };
  const there = SIDES.filter((side) => found[side]);
  const any = there.includes(preferred) ? preferred : there[0];
  if (any === undefined) return { ...one, as: 'broken' };
  if (planned === undefined) return { ...one, as: 'unowned', ...put(facts, judged, any) };
  // A whole recording that does not fit can be recorded again; one with markers cannot even be read.
  if (unused.ours === undefined && unused.theirs === undefined)
    return { ...one, as: 'stale', ...put(facts, judged, any) };
  const isBoth = unused.ours !== undefined && unused.ours === unused.theirs;
  return { ...one, as: isBoth ? 'both' : 'alone', ...put(facts, judged, better(unused, preferred)) };
}

/** Mends what is in conflict. Throws UserError, among others where a suite does not load: the suites decide. */
export async function resolve(options: ResolveOptions): Promise<ResolveReport> {
  const { cwd, env, preferred } = options;
  const project = loadProject({ cwd, globs: [], env });
  const dir = project.config.cassettesDir;
  const facts: Facts = { options, project, own: openStore(project.root, dir), dir };
  const conflicts = chosen(await findConflicts(facts), facts);
  const files: Resolved[] = [];
  for (const conflict of conflicts) if (PROMPT.test(conflict.path)) files.push(await mendPrompt(facts, conflict));
  const owners = new Map(
    project.suites
      .flatMap(({ cases }) => cases)
      .filter(isRecorded)
      .map((planned) => [facts.own.path(planned.suite, planned.name).slice(dir.length + 1), planned]),
  );
  const judged: Judged[] = [];
  for (const conflict of conflicts)
    if (!PROMPT.test(conflict.path)) judged.push(await judge(facts, conflict, owners.get(conflict.path)));
  const unlock: (() => void)[] = [];
  try {
    for (const { planned } of judged) if (planned) unlock.push(facts.own.lock(planned.suite, planned.name));
    const unusedOf = await replayAll(facts, judged);
    for (const one of judged) files.push(mend(facts, one, unusedOf(one)));
  } finally {
    for (const release of unlock) release();
  }
  return { files, preferred, folder: dir };
}
