// `retake drift`: every case asked live once more, compared with what is committed; the fresh recordings wait in a folder of their own.

import { layered } from '../cassette/layers.ts';
import { openStore, type Store } from '../cassette/store.ts';
import { compare } from '../compare/compare.ts';
import type { CaseChange, Comparison } from '../compare/comparison.ts';
import { caseSignature, casesByName, driftDigest, driftOf, isDrift, type Threshold } from '../compare/drift.ts';
import type { CaseResult, RunResult, SuiteResult } from '../run/result.ts';
import { loadProject, type Project } from '../suite/load.ts';
import { VERSION } from '../version.ts';
import { type RunOptions, run } from './run.ts';

/** Where fresh recordings wait at the desk, relative to the project; git ignores it. */
export const PENDING_DIR = '.retake/drift';

/** What to take. */
export interface DriftOptions
  extends Pick<
    RunOptions,
    'cwd' | 'globs' | 'filter' | 'tags' | 'concurrency' | 'maxCostUsd' | 'env' | 'signal' | 'onProgress'
  > {
  /** The folder for the fresh recordings, relative to the project. What is in it is replaced. */
  into: string;
  /** How often a changed case is taken again. */
  confirm: number;
  /** The share of cases, 0..1, that may stay without an answer before nothing can be told. */
  maxIncomparable: number;
  threshold: Threshold;
}

/** One case that counts as drift. */
export interface DriftedCase {
  suite: string;
  case: string;
  kind: CaseChange['kind'];
  /** Fresh takes, all of which behave so, where the case has one take. */
  takes: number;
  stillPasses: boolean;
  /** How it behaves now, 64 hexadecimal digits. */
  signature: string;
}

/** What the night came to. */
export interface DriftReport {
  document: 'retake/drift';
  version: 1;
  retake: string;
  /** `unknown`: too much had no answer. */
  outcome: 'none' | 'drift' | 'unknown';
  /** 0 none, 4 drift, 5 could not be told. */
  exitCode: 0 | 4 | 5;
  threshold: Threshold;
  /** Identity of the drift, 64 hexadecimal digits. */
  digest: string;
  drifted: DriftedCase[];
  /** Cases without an answer, and why. */
  incomparable: { suite: string; case: string; why: string }[];
  /** Cases the budget left no room for, as `suite::case`. */
  unchecked: string[];
  /** Cases that were asked. */
  attempted: number;
  /** USD that was spent; null where a price is unknown, and then `spentKnownUsd` is the least. */
  spentUsd: number | null;
  spentKnownUsd: number;
  /** Folder of the fresh recordings, relative to the project. */
  into: string;
  comparison: Comparison;
}

type Shared = Omit<RunOptions, 'mode'>;

function sharedOf({ cwd, globs, filter, tags, concurrency, env, signal, onProgress }: DriftOptions): Shared {
  return {
    cwd,
    globs,
    filter,
    tags,
    env,
    failFast: false,
    resume: false,
    ...(concurrency !== undefined && { concurrency }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  };
}

/** The fresh recordings over the committed ones, which are only read. */
export function pendingOver({ root, config }: Project, into: string): Store {
  return layered(openStore(root, into), openStore(root, config.cassettesDir, { refuseCredentials: true }));
}

/** A run without some cases; suites that are left empty go. */
function without(result: RunResult, names: ReadonlySet<string>): RunResult {
  if (names.size === 0) return result;
  const suites = result.suites.flatMap((suite): SuiteResult[] => {
    const cases = suite.cases.filter((one) => !names.has(nameOf(one)));
    return cases.length === 0 ? [] : [{ ...suite, cases }];
  });
  return { ...result, suites };
}

const nameOf = ({ suite, case: name }: { suite: string; case: string }) => `${suite}::${name}`;
const casesOf = ({ suites }: RunResult) => suites.flatMap(({ cases }) => cases);

/** A pattern that matches one name alone is not to be had where it holds a `*`: then all of its suite is taken. */
function filterOf(name: string, suite: string): string {
  return name.includes('*') ? suite : name;
}

/** Adds the takes of a second run to the first's; a case that met a failure there stays as it is. */
function withTakes(fresh: RunResult, again: RunResult, names: ReadonlySet<string>): RunResult {
  const more = new Map(casesOf(again).map((one) => [nameOf(one), one]));
  const add = (one: CaseResult): CaseResult => {
    const other = names.has(nameOf(one)) ? more.get(nameOf(one)) : undefined;
    if (!other || (other.outcome !== 'passed' && other.outcome !== 'failed')) return one;
    const takes = [...one.takes, ...other.takes].map((take, at) => ({ ...take, take: at + 1 }));
    return { ...one, takes };
  };
  return { ...fresh, suites: fresh.suites.map((suite) => ({ ...suite, cases: suite.cases.map(add) })) };
}

interface Spent {
  usd: number | null;
  knownUsd: number;
}

function spend(spent: Spent, { tally }: RunResult): void {
  spent.knownUsd = Number((spent.knownUsd + tally.liveCostKnownUsd).toFixed(10));
  spent.usd = spent.usd === null || tally.liveCostUsd === null ? null : spent.knownUsd;
}

/** Takes every selected case live and says what drifted. Throws UserError. */
export async function drift(options: DriftOptions): Promise<DriftReport> {
  const { into, confirm, maxIncomparable, threshold, maxCostUsd } = options;
  const shared = sharedOf(options);
  const project = loadProject({ cwd: options.cwd, globs: options.globs, env: options.env });
  const pending = openStore(project.root, into);
  pending.removeFiles(pending.files());
  const { onProgress: _quiet, ...quiet } = shared;
  const before = await run({ ...quiet, mode: 'replay' });
  const budget = maxCostUsd ?? project.config.budgetUsd;
  const spent: Spent = { usd: 0, knownUsd: 0 };
  const left = () => (budget === undefined ? {} : { maxCostUsd: Math.max(0, budget - spent.knownUsd) });
  let after = await run({
    ...shared,
    ...left(),
    mode: 'record',
    openCassettes: (one) => pendingOver(one, into),
  });
  spend(spent, after);
  const unchecked = new Set(
    casesOf(after)
      .filter(({ takes }) => takes.some(({ trajectory }) => trajectory.failure?.kind === 'aborted'))
      .map(nameOf),
  );
  const sides = () => [without(before, unchecked), without(after, unchecked)] as const;
  const doubtful = new Set(
    compare(...sides())
      .changes.filter(({ kind }) => kind === 'unsettled' || isDrift(kind, 'rescored'))
      .map(nameOf),
  );
  for (let time = 0; time < confirm && doubtful.size > 0 && !options.signal?.aborted; time++) {
    const filter = [...doubtful].map((name) => filterOf(name, name.slice(0, name.indexOf('::'))));
    const again = await run({ ...shared, ...left(), filter, tags: [], mode: 'off' });
    spend(spent, again);
    after = withTakes(after, again, doubtful);
  }
  return reportOf({ options, sides: sides(), unchecked, spent, threshold, maxIncomparable });
}

function reportOf(facts: {
  options: DriftOptions;
  sides: readonly [RunResult, RunResult];
  unchecked: ReadonlySet<string>;
  spent: Spent;
  threshold: Threshold;
  maxIncomparable: number;
}): DriftReport {
  const { options, sides, unchecked, spent, threshold, maxIncomparable } = facts;
  const [before, after] = sides;
  const comparison = compare(before, after);
  const fresh = casesByName(after);
  const attempted = fresh.size;
  const incomparable = comparison.changes
    .filter(({ kind }) => kind === 'incomparable')
    .map(({ suite, case: name, why = '' }) => ({ suite, case: name, why }));
  const untaken = [...fresh.values()].filter(({ one }) => one.outcome === 'errored' || one.outcome === 'unrecorded');
  const changes = driftOf(comparison, threshold);
  const isUnknown = attempted === 0 ? unchecked.size > 0 : untaken.length > maxIncomparable * attempted;
  const outcome = isUnknown ? 'unknown' : changes.length > 0 ? 'drift' : 'none';
  return {
    document: 'retake/drift',
    version: 1,
    retake: VERSION,
    outcome,
    exitCode: { none: 0, drift: 4, unknown: 5 }[outcome] as 0 | 4 | 5,
    threshold,
    digest: driftDigest(changes, after),
    drifted: changes.map(({ suite, case: name, kind }) => {
      const { one, loose } = fresh.get(JSON.stringify([suite, name])) as { one: CaseResult; loose: Set<string> };
      return {
        suite,
        case: name,
        kind,
        takes: one.takes.length,
        stillPasses: one.outcome === 'passed',
        signature: caseSignature(one, loose),
      };
    }),
    incomparable,
    unchecked: [...unchecked].sort(),
    attempted,
    spentUsd: spent.usd,
    spentKnownUsd: spent.knownUsd,
    into: options.into,
    comparison,
  };
}
