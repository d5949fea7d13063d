// What a model's answers cost: by the project's own prices, else by a dated list, else unknown.

import type { Usage } from '../request/request.ts';
import type { TakeCost } from '../score/scorer.ts';
import type { PriceTable, Rates } from '../suite/prices.ts';
import type { Turn } from '../target/trajectory.ts';

/** Who was asked, and when. */
export interface Asked {
  /** As the project names the provider. */
  provider: string;
  /** The base URL where it is not the provider's own. */
  endpoint?: string;
  model: string;
  /** The UTC day, YYYY-MM-DD: prices change. */
  day: string;
}

/** A dated list of prices. */
export interface PriceList {
  /** Name, version and date, for reports. */
  name: string;
  /** USD on the day; null where the list knows no price. */
  cost(asked: Asked, usage: Usage): number | null;
}

/** Prices a run's answers. */
export interface Prices {
  /** USD; null where no price is known or the figures do not add up. `served` is the model the provider says it was. */
  cost(asked: Asked, usage: Usage, served?: string): Promise<number | null>;
  /** The list's name, once it gave a price. */
  usedList(): string | undefined;
}

const PER = 1_000_000;

/** Cached and written tokens are parts of the input; a report that says otherwise cannot be priced. */
function addsUp({ inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 }: Usage): boolean {
  return cachedInputTokens + cacheWriteTokens <= inputTokens;
}

/** A server on this machine has no list price, whatever model it says it serves. */
function isLocal(endpoint: string): boolean {
  const { hostname } = new URL(endpoint);
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|\[::\])$/.test(hostname);
}

/** USD of `usage` at `rates`. Reasoning is part of the output and billed as such. */
function costAt(rates: Rates, usage: Usage): number {
  const read = usage.cachedInputTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const plain = usage.inputTokens - read - written;
  const { input, output, cacheRead = input, cacheWrite = input } = rates;
  return (plain * input + read * cacheRead + written * cacheWrite + usage.outputTokens * output) / PER;
}

/**
 * Prices by `table`, then by the list. Within each the model that was asked for comes first, then the one that was
 * served: an alias such as `auto` has no price of its own. The list is loaded when the table does not do.
 */
export function pricesOf(table: PriceTable, loadList: () => Promise<PriceList>): Prices {
  let list: Promise<PriceList> | undefined;
  let used: string | undefined;
  return {
    async cost(asked, usage, served) {
      if (!addsUp(usage)) return null;
      const models = served === undefined || served === asked.model ? [asked.model] : [asked.model, served];
      for (const model of models) {
        const rates = table.get(`${asked.provider}/${model}`);
        if (rates) return costAt(rates, usage);
      }
      if (asked.endpoint !== undefined && isLocal(asked.endpoint)) return null;
      list ??= loadList();
      const { name, cost } = await list;
      for (const model of models) {
        const usd = cost({ ...asked, model }, usage);
        if (usd === null) continue;
        used = name;
        return usd;
      }
      return null;
    },
    usedList: () => used,
  };
}

/** When answers were given, as UTC days, YYYY-MM-DD: those on the cassette, and live ones. */
export interface AnswerDays {
  recorded?: string | undefined;
  today?: string | undefined;
}

/** What the turns of a take cost: USD each, null where unknown, and the sum with the reasons. */
export async function costOfTurns(
  turns: readonly Turn[],
  { recorded, today, ...asked }: Omit<Asked, 'day'> & AnswerDays,
  prices: Prices,
): Promise<{ each: (number | null)[]; take: TakeCost }> {
  const each: (number | null)[] = [];
  const unknown = new Set<string>();
  const model = `${asked.provider}/${asked.model}`;
  for (const { source, usage, servedModel } of turns) {
    // An HTTP service under test, or a command: neither says what it spends.
    if (source === 'code' || asked.provider === 'http') {
      each.push(0);
      unknown.add(`what ${source === 'code' ? 'a command of the project' : 'the service'} spends is not known`);
      continue;
    }
    const day = source === 'cassette' ? recorded : today;
    const priced = source !== 'script' && usage && day !== undefined;
    const usd = source === 'script' ? 0 : priced ? await prices.cost({ ...asked, day }, usage, servedModel) : null;
    each.push(usd);
    if (usd !== null) continue;
    unknown.add(usage ? `no price is known for ${model}` : `${model} reported no tokens`);
  }
  return { each, take: { usd: each.reduce<number>((sum, usd) => sum + (usd ?? 0), 0), unknown: [...unknown] } };
}
