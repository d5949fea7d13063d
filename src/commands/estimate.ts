// `retake record --estimate`: what asking everything again would cost, from recorded tokens; asks nobody, writes nothing.

import type { Cassette } from '../cassette/cassette.ts';
import { openStore, today } from '../cassette/store.ts';
import { type Fault, UserError } from '../errors.ts';
import type { Usage } from '../request/request.ts';
import { type GraderChoice, identityOf } from '../responder/choice.ts';
import type { Prices } from '../run/cost.ts';
import { gradersOf } from '../suite/graders.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import type { PlannedCase } from '../suite/plan.ts';
import { selectCases } from '../suite/plan.ts';
import { nothingSelected, type RunOptions } from './run.ts';
import { askedOf, isPriced, projectPrices } from './spending.ts';

/** What to estimate. */
export type EstimateOptions = Pick<RunOptions, 'cwd' | 'globs' | 'filter' | 'tags' | 'env' | 'maxCostUsd'>;

/** Sums over recorded turns. */
export interface EstimateSum {
  cases: number;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  /** USD at today's prices; null where some of it is unknown. */
  costUsd: number | null;
  /** The part of `costUsd` that is known. */
  costKnownUsd: number;
  /** Cases of which at least one take was never recorded. */
  unrecorded: number;
}

/** What a re-record will cost. */
export interface Estimate {
  document: 'retake/estimate';
  version: 1;
  suites: (EstimateSum & { suite: string; path: string })[];
  total: EstimateSum;
  /** Models without a known price, in code-unit order. */
  unpriced: string[];
  /** Turns whose provider reported no tokens. */
  turnsWithoutUsage: number;
  /** USD a run may spend, where a budget is set. */
  budgetUsd?: number;
  /** The price list, where it gave a price. */
  priceList?: string;
}

/** What was asked, and the tokens it took where they were reported. */
interface FoundTurn {
  asked: Pick<GraderChoice, 'provider' | 'model'>;
  usage: Usage | undefined;
}

interface Found {
  turns: FoundTurn[];
  isWhole: boolean;
}

/** The questions and answers of the takes that a record would replace, judges' among them. */
export function recordedTurns(planned: PlannedCase, cassette: Cassette | undefined): Found {
  const takes = cassette?.takes.slice(0, planned.repeat) ?? [];
  const by = gradersOf(planned.expect);
  // Both texts are embedded.
  const questions = planned.expect.reduce(
    (sum, { kind }) => sum + (kind === 'similar' ? 2 : kind === 'judge' ? 1 : 0),
    0,
  );
  const turns = takes.flatMap(({ interactions, graders = [] }): FoundTurn[] => [
    ...(isPriced(planned) ? interactions.map(({ response }) => ({ asked: planned, usage: response.usage })) : []),
    ...graders.map(({ start, response }) => ({
      // What nobody asks any more costs what the case itself would.
      asked:
        by.find(({ provider, model }) => identityOf(provider).provider === start.provider && model === start.model) ??
        planned,
      usage: response.usage,
    })),
  ]);
  const isWhole = takes.length === planned.repeat && takes.every(({ graders = [] }) => graders.length >= questions);
  return { turns, isWhole };
}

function emptySum(): EstimateSum {
  return { cases: 0, turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, costKnownUsd: 0, unrecorded: 0 };
}

function add(sum: EstimateSum, more: EstimateSum): void {
  for (const name of ['cases', 'turns', 'inputTokens', 'outputTokens', 'unrecorded'] as const) sum[name] += more[name];
  sum.costKnownUsd = Number((sum.costKnownUsd + more.costKnownUsd).toFixed(10));
  sum.costUsd = sum.costUsd === null || more.costUsd === null ? null : sum.costKnownUsd;
}

/** The sum of one case, and the models it asks that have no price. */
async function estimateCase(
  planned: PlannedCase,
  found: Found,
  { prices, day }: { prices: Prices; day: string },
): Promise<{ sum: EstimateSum; unpriced: ReadonlySet<string> }> {
  const sum = { ...emptySum(), cases: 1, turns: found.turns.length, unrecorded: found.isWhole ? 0 : 1 };
  const unpriced = new Set<string>();
  for (const one of [...(isPriced(planned) ? [planned] : []), ...gradersOf(planned.expect)]) {
    const usd = await prices.cost(askedOf(one, day), { inputTokens: 1, outputTokens: 1 });
    if (usd === null) unpriced.add(`${one.provider.name}/${one.model}`);
  }
  for (const { asked, usage } of found.turns) {
    if (!usage) continue;
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    const usd = await prices.cost(askedOf(asked, day), usage);
    if (usd === null) unpriced.add(`${asked.provider.name}/${asked.model}`);
    else sum.costKnownUsd += usd;
  }
  const isKnown = unpriced.size === 0 && found.isWhole && found.turns.every(({ usage }) => usage);
  return { sum: { ...sum, costUsd: isKnown ? sum.costKnownUsd : null }, unpriced };
}

/** Estimates a whole re-record of the selected cases. Throws UserError for the user's mistakes. */
export async function estimate(options: EstimateOptions): Promise<Estimate> {
  const { cwd, globs, env, filter, tags } = options;
  const project = loadProject({ cwd, globs, env });
  const selected = selectCases(project.suites, { filter, tags });
  if (selected.length === 0) throw nothingSelected(project.suites, options);
  const store = openStore(project.root, project.config.cassettesDir);
  const facts = { prices: projectPrices(project.config), day: today() };
  const unpriced = new Set<string>();
  const faults = new Map<string, Fault>();
  const suites: Estimate['suites'] = [];
  const total = emptySum();
  let turnsWithoutUsage = 0;
  for (const { name: suite, path, cases } of selected) {
    const sum = emptySum();
    for (const planned of cases) {
      if (!isRecorded(planned)) continue;
      try {
        const found = recordedTurns(planned, store.read(suite, planned.name));
        const one = await estimateCase(planned, found, facts);
        for (const model of one.unpriced) unpriced.add(model);
        turnsWithoutUsage += found.turns.filter(({ usage }) => !usage).length;
        add(sum, one.sum);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        for (const fault of error.faults) faults.set(JSON.stringify(fault), fault);
      }
    }
    if (sum.cases > 0) suites.push({ suite, path, ...sum });
    add(total, sum);
  }
  if (faults.size > 0) throw new UserError([...faults.values()]);
  const budgetUsd = options.maxCostUsd ?? project.config.budgetUsd;
  const priceList = facts.prices.usedList();
  return {
    document: 'retake/estimate',
    version: 1,
    suites,
    total,
    unpriced: [...unpriced].sort(),
    turnsWithoutUsage,
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(priceList !== undefined && { priceList }),
  };
}
