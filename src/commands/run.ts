// `retake run` and `retake record`: loads the project, runs its cases, returns the result; prints nothing.

import { openPending, openStore, type Store, today } from '../cassette/store.ts';
import { type Fault, UserError, userError } from '../errors.ts';
import { budgetOf } from '../run/budget.ts';
import { runCase, unrun } from '../run/case.ts';
import { fewTakesNotes } from '../run/require.ts';
import type { CaseResult, RunMode, RunResult } from '../run/result.ts';
import { resultOf, runPlan } from '../run/run.ts';
import { dollars } from '../score/verdict.ts';
import type { Override } from '../suite/choose.ts';
import { isRecorded, needsProvider } from '../suite/live-code.ts';
import { loadProject, type Project } from '../suite/load.ts';
import { type PlannedCase, type PlannedSuite, selectCases } from '../suite/plan.ts';
import { VERSION } from '../version.ts';
import { codeRunner, type LiveCode, liveCodeProblem } from './live-code.ts';
import { lookForRenames, tellRenames } from './renames.ts';
import { checkSchemas } from './schemas.ts';
import { secretValues, withoutValues } from './secrets.ts';
import { openCase, type SessionFacts } from './sessions.ts';
import { checkPrices, projectPrices } from './spending.ts';

/** What the shells pass down, resolved once. */
export interface RunOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  /** Globs of suite files relative to `cwd`; empty means the project's own `suites:`. */
  globs: string[];
  /** Wins over `cassettes.mode`. */
  mode?: RunMode;
  /** Keep cases one of these patterns matches (`suite::case`, `*` any text). */
  filter: string[];
  /** Keep cases with one of these tags. */
  tags: string[];
  /** Wins over `concurrency:`. */
  concurrency?: number;
  /** Stop starting cases after the first that did not pass. */
  failFast: boolean;
  /** USD that live answers may cost; wins over `budget_usd:`. */
  maxCostUsd?: number;
  /** Use finished takes of an interrupted recording. */
  resume: boolean;
  /** Ask all judges and embedding models again; conversations are still replayed. False unless set. */
  rejudge?: boolean;
  /** Wins over the suites. */
  override?: Override;
  /** Opens the cassettes, where they are not those of the project's own folder. */
  openCassettes?: (project: Project) => Store;
  /** Whether the suites' own code may run. */
  liveCode?: LiveCode;
  env: Record<string, string | undefined>;
  /** Aborted on Ctrl-C: what is finished is kept. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  total: number;
  done: number;
  /** Cases that did not pass. */
  failed: number;
  /** Turns answered live so far. */
  live: number;
  /** Tokens of the live turns so far. */
  inputTokens: number;
  outputTokens: number;
  /** USD of the live turns so far; null where a price is unknown. */
  costUsd: number | null;
}

/** The mistake of a selection that no case is in. */
export function nothingSelected(
  suites: readonly PlannedSuite[],
  { filter, tags }: Pick<RunOptions, 'filter' | 'tags'>,
): UserError {
  const asked = [...filter.map((pattern) => `--filter ${pattern}`), ...tags.map((tag) => `--tag ${tag}`)].join(' ');
  const total = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
  const none = total === 1 ? 'does not match the only case' : `matches none of the ${total} cases`;
  return userError('no_cases', `${asked} ${none}`, {
    remedy: 'A filter matches `suite::case`, a suite or a case, with `*` for any text; a tag matches exactly.',
  });
}

/** The cases of a suite that have cassettes. */
function namesOf({ cases }: PlannedSuite): string[] {
  return cases.filter(isRecorded).map(({ name }) => name);
}

/** The suites with the cases for which somebody may be asked live. */
function askedIn(
  suites: readonly PlannedSuite[],
  { mode, rejudge }: { mode: RunMode; rejudge: boolean },
): PlannedSuite[] {
  const isAsked = (planned: PlannedCase) =>
    needsProvider(planned) || (isRecorded(planned) && (mode !== 'replay' || rejudge));
  return suites.map((suite) => ({ ...suite, cases: suite.cases.filter(isAsked) }));
}

/** Reads every cassette before anything is spent, so that damage is told at once. */
function checkCassettes(suites: readonly PlannedSuite[], facts: SessionFacts): void {
  const faults: Fault[] = [];
  for (const planned of suites.flatMap(({ cases }) => cases)) collect(faults, () => openCase(planned, facts));
  if (faults.length > 0) throw new UserError(distinct(faults));
}

/** What `open` gives; undefined where the user's mistake went among the faults. */
function collect<T>(faults: Fault[], open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

/** One damaged prompt file is one fault, however many cases refer to it. */
function distinct(faults: readonly Fault[]): Fault[] {
  const seen = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return [...seen.values()];
}

function progressOf(total: number, show: (progress: Progress) => void): (result: CaseResult) => void {
  const progress: Progress = { total, done: 0, failed: 0, live: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return ({ outcome, takes, tally }) => {
    progress.done++;
    if (outcome !== 'passed') progress.failed++;
    for (const turn of takes.flatMap(({ trajectory }) => trajectory.turns)) {
      if (turn.source !== 'live') continue;
      progress.live++;
      progress.inputTokens += turn.usage?.inputTokens ?? 0;
      progress.outputTokens += turn.usage?.outputTokens ?? 0;
    }
    const { costUsd } = progress;
    progress.costUsd = costUsd === null || tally.liveCostUsd === null ? null : costUsd + tally.liveCostUsd;
    show({ ...progress });
  };
}

/** Removes prompts nothing refers to any more, and what dead processes left. Gives notes on what it had to leave. */
function sweep(store: Store, suites: readonly PlannedSuite[], root: string): string[] {
  const notes: string[] = [];
  for (const { name, cases } of suites) {
    const takes = Math.max(...cases.map(({ repeat }) => repeat));
    const stores = [store, ...Array.from({ length: takes }, (_, at) => openPending(root, at + 1))];
    for (const each of stores) {
      // A cassette that cannot be read may need any prompt; that must not cost the report of what was recorded.
      const faults: Fault[] = [];
      collect(faults, () => each.sweep(name));
      for (const { place } of faults)
        notes.push(`No prompt file of ${name} was removed: ${place?.file} is damaged. Restore or delete it.`);
    }
  }
  return notes;
}

function budgetNote({ limitUsd, budget }: { limitUsd: number; budget: { spent(): number } }): string {
  const spent = `stopped at the budget of ${dollars(limitUsd)}: ${dollars(budget.spent())} spent`;
  return `${spent}; raise --max-cost-usd or \`budget_usd\` to run the rest`;
}

/** How much of the project was run, which decides what gates are judged, and a note where one is not. */
function gateScope(
  { filter, tags, globs }: RunOptions,
  { config }: Project,
  { suites, results }: { suites: readonly PlannedSuite[]; results: readonly CaseResult[][] },
): { extent: 'all' | 'suites' | 'part'; notes: string[] } {
  const isSelected = filter.length > 0 || tags.length > 0;
  const isCut = results.flat().some(({ outcome, liveCode }) => outcome === 'skipped' && !liveCode);
  if (isSelected || isCut) {
    const has = config.gates !== undefined || suites.some(({ gates }) => gates);
    const why = isSelected ? 'a filter or tag leaves cases out' : 'not every case was run';
    return { extent: 'part', notes: has ? [`Gates are not judged: ${why}.`] : [] };
  }
  if (globs.length === 0) return { extent: 'all', notes: [] };
  const notes = config.gates ? ['The gates of retake.yaml are not judged: only the suites that were named ran.'] : [];
  return { extent: 'suites', notes };
}

/** Runs the project's cases. Throws UserError for the user's mistakes. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { cwd, globs, env, filter, tags, signal } = options;
  const project = loadProject({
    cwd,
    globs,
    env,
    ...(options.mode && { mode: options.mode }),
    ...(options.override && { override: options.override }),
  });
  const mode = project.config.mode ?? 'replay';
  const rejudge = options.rejudge ?? false;
  const suites = selectCases(project.suites, { filter, tags });
  if (suites.length === 0) throw nothingSelected(project.suites, options);
  await checkSchemas(suites);
  const store =
    options.openCassettes?.(project) ??
    openStore(project.root, project.config.cassettesDir, { refuseCredentials: true });
  const prices = projectPrices(project.config);
  const limitUsd =
    mode === 'replay' && options.liveCode !== 'ask' && !rejudge
      ? undefined
      : (options.maxCostUsd ?? project.config.budgetUsd);
  const spending = limitUsd === undefined ? undefined : { prices, budget: budgetOf(limitUsd), limitUsd, day: today() };
  if (spending) await checkPrices(askedIn(suites, { mode, rejudge }), spending);
  const secrets = secretValues(project, env);
  const facts: SessionFacts = {
    root: project.root,
    store,
    mode,
    resume: options.resume,
    rejudge,
    ...(spending && { spending }),
    env,
    secrets,
  };
  const records = mode === 'record' || mode === 'auto' || rejudge;
  const recorded = suites.filter((suite) => suite.cases.some(isRecorded));
  // What `auto` cannot write it cannot read either, and reading tells more of it.
  if (records) for (const suite of recorded) store.checkWritable(suite.name, mode === 'record' ? namesOf(suite) : []);
  if (records) checkCassettes(suites, facts);
  const faults: Fault[] = [];

  async function runOne(suite: PlannedSuite, planned: PlannedCase): Promise<CaseResult> {
    const refused = liveCodeProblem(planned, { mode, liveCode: options.liveCode });
    if (refused) return { ...unrun(suite, planned), problem: refused };
    const sessions = collect(faults, () => openCase(planned, facts));
    if (!sessions) return unrun(suite, planned);
    try {
      const ran = await runCase({
        suite,
        planned,
        open: sessions.open,
        prices,
        ...(isRecorded(planned) && mode !== 'off' && { cassette: store.path(suite.name, planned.name) }),
        recordCommand: `retake record ${suite.path}`,
        code: codeRunner(project, suite, env),
        secrets,
        ...(signal && { signal }),
      });
      const result = withoutValues(ran, secrets);
      // Only a case whose every take came to its own end is written; else the old cassette stands.
      if (result.outcome === 'passed' || result.outcome === 'failed') sessions.save();
      return result;
    } finally {
      sessions.close();
    }
  }

  const results = await runPlan({
    suites,
    concurrency: options.failFast && mode === 'replay' ? 1 : (options.concurrency ?? project.config.concurrency),
    failFast: options.failFast,
    runOne,
    ...(signal && { signal }),
    ...(options.onProgress && {
      onCase: progressOf(
        suites.reduce((sum, suite) => sum + suite.cases.length, 0),
        options.onProgress,
      ),
    }),
  });
  if (faults.length > 0) throw new UserError(distinct(faults));
  await tellRenames(results.flat(), () => lookForRenames(store, project.suites, { partial: globs.length > 0 }));
  // A filter may hide the case a prompt belongs to, so only whole suites are swept.
  const isWhole = filter.length === 0 && tags.length === 0;
  const swept = records && isWhole && !signal?.aborted ? sweep(store, recorded, project.root) : [];
  const budgetEnded = spending?.budget.hasEnded() ?? false;
  const gates = gateScope(options, project, { suites, results });
  return resultOf(suites, results, {
    mode,
    retake: VERSION,
    notes: [
      ...(spending && budgetEnded ? [budgetNote(spending)] : []),
      ...swept,
      ...fewTakesNotes(suites),
      ...gates.notes,
    ],
    gates: project.config.gates,
    extent: gates.extent,
    priceList: prices.usedList(),
    budgetEnded,
  });
}
