// `retake compare`: the same cases with several models or prompts, a column each, every column with cassettes of its own.

import { layered } from '../cassette/layers.ts';
import { slugOf } from '../cassette/paths.ts';
import { openStore, type Store, today } from '../cassette/store.ts';
import { userError } from '../errors.ts';
import type { Prices } from '../run/cost.ts';
import type { CaseResult, Outcome, RunResult } from '../run/result.ts';
import type { Override } from '../suite/choose.ts';
import { loadProject, type Project } from '../suite/load.ts';
import { type PlannedCase, selectCases } from '../suite/plan.ts';
import { pathOf } from '../target/trajectory.ts';
import { recordedTurns } from './estimate.ts';
import { nothingSelected, type RunOptions, run } from './run.ts';
import { askedOf, projectPrices } from './spending.ts';

/** What one column tries. */
export interface ColumnAsked extends Override {
  /** As it is given: a model, or the file of a prompt. */
  name: string;
}

/** What to compare. */
export interface ColumnsOptions
  extends Pick<
    RunOptions,
    'cwd' | 'globs' | 'filter' | 'tags' | 'concurrency' | 'maxCostUsd' | 'env' | 'signal' | 'onProgress'
  > {
  columns: readonly ColumnAsked[];
  /** Whether to ask the providers for what has no recording. */
  yes: boolean;
}

/** How the columns of one case differ: in their verdicts, or in the way there alone. */
export type Disagreement = 'verdict' | 'path';

/** One case over all columns. */
export interface ComparedCase {
  suite: string;
  case: string;
  outcomes: Outcome[];
  disagreement?: Disagreement;
}

/** What a column lacks. */
export interface MissingColumn {
  cases: number;
  /** USD that recording them is expected to cost, by the tokens of the project's own recordings; null where it cannot be told. */
  costUsd: number | null;
}

/** The same cases, column by column. */
export interface ColumnsResult {
  document: 'retake/columns';
  version: 1;
  columns: { name: string; cassettes: string; result: RunResult; missing?: MissingColumn }[];
  cases: ComparedCase[];
}

/** The folder of a column's cassettes, relative to the project. */
function folderOf(project: Project, name: string): string {
  return `${project.config.cassettesDir}-compare/${slugOf(name)}`;
}

function storesOf(project: Project, name: string): Store {
  const own = openStore(project.root, folderOf(project, name), { refuseCredentials: true });
  // The column that is what the project does already has been paid for.
  return layered(own, openStore(project.root, project.config.cassettesDir, { refuseCredentials: true }));
}

function overrideOf({ model, system }: ColumnAsked): Override {
  return { ...(model !== undefined && { model }), ...(system !== undefined && { system }) };
}

const keyOf = ({ suite, case: name }: { suite: string; case: string }) => JSON.stringify([suite, name]);

const casesOf = ({ suites }: RunResult) => suites.flatMap(({ cases }) => cases);

function disagreementOf(cells: readonly CaseResult[]): Disagreement | undefined {
  const told = cells.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  if (new Set(told.map(({ outcome }) => outcome)).size > 1) return 'verdict';
  const paths = told.map(({ takes }) => takes.map(({ trajectory }) => pathOf(trajectory)).join('\n'));
  return new Set(paths).size > 1 ? 'path' : undefined;
}

function comparedCases(results: readonly RunResult[]): ComparedCase[] {
  const columns = results.map((result) => new Map(casesOf(result).map((one) => [keyOf(one), one])));
  return casesOf(results[0] as RunResult).map((first) => {
    const cells = columns.map((column) => column.get(keyOf(first)) as CaseResult);
    const disagreement = disagreementOf(cells);
    return {
      suite: first.suite,
      case: first.case,
      outcomes: cells.map(({ outcome }) => outcome),
      ...(disagreement && { disagreement }),
    };
  });
}

/** What recording a case is expected to cost by the tokens of what is recorded of it; null where nothing says. */
async function expectedCost(planned: PlannedCase, own: Store, prices: Prices): Promise<number | null> {
  const cassette = own.read(planned.suite, planned.name);
  const turns = recordedTurns(planned, cassette).turns.filter(({ usage }) => usage);
  if (!cassette || turns.length === 0) return null;
  let sum = 0;
  for (const { asked, usage } of turns) {
    const usd = usage ? await prices.cost(askedOf(asked, today()), usage) : null;
    if (usd === null) return null;
    sum += usd;
  }
  return (sum / Math.min(cassette.takes.length, planned.repeat)) * planned.repeat;
}

async function missingOf(
  result: RunResult,
  asked: ColumnAsked,
  options: ColumnsOptions,
): Promise<MissingColumn | undefined> {
  const lacking = new Set(casesOf(result).flatMap((one) => (one.outcome === 'unrecorded' ? keyOf(one) : [])));
  if (lacking.size === 0) return undefined;
  const { cwd, globs, env } = options;
  const project = loadProject({ cwd, globs, env, override: overrideOf(asked) });
  const own = openStore(project.root, project.config.cassettesDir);
  const prices = projectPrices(project.config);
  let costUsd: number | null = 0;
  for (const planned of project.suites.flatMap(({ cases }) => cases)) {
    if (!lacking.has(keyOf({ suite: planned.suite, case: planned.name }))) continue;
    const usd = await expectedCost(planned, own, prices);
    costUsd = usd === null || costUsd === null ? null : costUsd + usd;
  }
  return { cases: lacking.size, costUsd: costUsd === null ? null : Number(costUsd.toFixed(10)) };
}

function checkColumns(columns: readonly ColumnAsked[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (!seen.has(slugOf(name))) seen.add(slugOf(name));
    else {
      throw userError('bad_argument', `the column ${JSON.stringify(name)} is given twice`, {
        remedy: 'Give each model or prompt once.',
      });
    }
  }
}

/**
 * Replays the selected cases once for each column, and with `yes` records what has no recording, into folders of the
 * columns' own. Throws UserError.
 */
export async function compareColumns(options: ColumnsOptions): Promise<ColumnsResult> {
  const { columns, cwd, globs, env, filter, tags, yes } = options;
  checkColumns(columns);
  const project = loadProject({ cwd, globs, env });
  const selected = selectCases(project.suites, { filter, tags });
  if (selected.length === 0) throw nothingSelected(project.suites, options);
  const { maxCostUsd: limitUsd = project.config.budgetUsd, ...shared } = options;
  let leftUsd = limitUsd;
  const drawn: ColumnsResult['columns'] = [];
  for (const asked of columns) {
    const { name } = asked;
    const runColumn = (mode: 'replay' | 'auto') =>
      run({
        ...shared,
        mode,
        failFast: false,
        resume: false,
        override: overrideOf(asked),
        openCassettes: () => storesOf(project, name),
        ...(leftUsd !== undefined && { maxCostUsd: leftUsd }),
      });
    let result = await runColumn('replay');
    let missing = await missingOf(result, asked, options);
    if (missing && yes && !options.signal?.aborted) {
      result = await runColumn('auto');
      missing = await missingOf(result, asked, options);
      if (leftUsd !== undefined) leftUsd = Math.max(0, leftUsd - result.tally.liveCostKnownUsd);
    }
    drawn.push({ name, cassettes: folderOf(project, name), result, ...(missing && { missing }) });
  }
  return {
    document: 'retake/columns',
    version: 1,
    columns: drawn,
    cases: comparedCases(drawn.map(({ result }) => result)),
  };
}
