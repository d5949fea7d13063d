// The price list that is built in. Large: imported when a price is asked for, in a bundle of its own.

import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices';
import type { Usage } from '../request/request.ts';
import type { PriceList } from './cost.ts';

/** The package's version and the day it was published. */
export const LIST = { version: '0.1.8', date: '2026-09-23' } as const;

/** The list's names of our providers. Others are known by their endpoint alone, or not at all. */
const LISTED: Record<string, string> = {
  openai: 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  xai: 'x-ai',
  moonshot: 'moonshotai',
  deepseek: 'deepseek',
  openrouter: 'openrouter',
  mistral: 'mistral',
  groq: 'groq',
  together: 'together',
  azure: 'azure',
};

const known = new Map<string, Provider | undefined>();

// Finding a model among a provider's takes far longer than pricing its tokens, and a run asks for few models often.
const narrowed = new Map<Provider, Map<string, Provider>>();

/** USD for a million tokens, as the list names them, in the list's order. */
type FlatPrice = [kind: 'input' | 'cachedInput' | 'cacheWrite' | 'output', usd: number][];

const FLAT_KINDS: Record<string, FlatPrice[number][0]> = {
  input_mtok: 'input',
  cache_read_mtok: 'cachedInput',
  cache_write_mtok: 'cacheWrite',
  output_mtok: 'output',
};

/** Prices of what no usage of ours counts: they add nothing. */
const UNCOUNTED = new Set([
  'web_searches_kcount',
  'storage_searches_kcount',
  'input_audio_mtok',
  'input_image_mtok',
  'output_audio_mtok',
  'output_image_mtok',
  'cache_audio_read_mtok',
  'cache_image_read_mtok',
]);

// The package takes a tenth of a millisecond to price an answer, whatever its price: most prices are flat, and for
// those the same sum is made here. By provider, model and day.
const flats = new Map<string, FlatPrice | undefined>();

/** A price without tiers and further units; undefined for every other. */
function flatOf(price: object): FlatPrice | undefined {
  const flat: FlatPrice = [];
  for (const [name, usd] of Object.entries(price)) {
    if (UNCOUNTED.has(name)) continue;
    const kind = FLAT_KINDS[name];
    if (kind === undefined || typeof usd !== 'number') return undefined;
    flat.push([kind, usd]);
  }
  return 'input_mtok' in price && 'output_mtok' in price ? flat : undefined;
}

/** What the package computes for a flat price, in its order of summing: the last digits are the same too. */
function costAtFlat(flat: FlatPrice, usage: Usage): number {
  const tokens = { input: usage.inputTokens, cachedInput: 0, cacheWrite: 0, output: usage.outputTokens };
  for (const [kind] of flat) {
    if (kind === 'cachedInput') tokens.cachedInput = usage.cachedInputTokens ?? 0;
    if (kind === 'cacheWrite') tokens.cacheWrite = usage.cacheWriteTokens ?? 0;
  }
  tokens.input -= tokens.cachedInput + tokens.cacheWrite;
  let input = 0;
  let output = 0;
  for (const [kind, usd] of flat) {
    const cost = (usd * tokens[kind]) / 1_000_000;
    if (kind === 'output') output += cost;
    else input += cost;
  }
  return input + output;
}

function providerOf(name: string, endpoint: string | undefined): Provider | undefined {
  const key = `${name} ${endpoint ?? ''}`;
  if (known.has(key)) return known.get(key);
  const providerId = Object.hasOwn(LISTED, name) ? LISTED[name] : undefined;
  const byName = providerId === undefined ? undefined : findProvider({ providerId });
  const found = byName ?? (endpoint === undefined ? undefined : findProvider({ providerApiUrl: endpoint }));
  known.set(key, found);
  return found;
}

/** Prices of the package `@pydantic/genai-prices` as they stood at noon UTC of the day: night tariffs are not assumed. */
export const priceList: PriceList = {
  name: `genai-prices ${LIST.version} of ${LIST.date}`,
  cost({ provider: name, endpoint, model, day }, usage) {
    const listed = providerOf(name, endpoint);
    if (!listed) return null;
    const key = JSON.stringify([listed.id, model, day]);
    const flat = flats.get(key);
    if (flat) return costAtFlat(flat, usage);
    const provider = narrowed.get(listed)?.get(model) ?? listed;
    const tokens = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(usage.cachedInputTokens !== undefined && { cache_read_tokens: usage.cachedInputTokens }),
      ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
    };
    const price = calcPrice(tokens, model, { provider, timestamp: new Date(`${day}T12:00:00Z`) });
    if (price && provider === listed) {
      const ofProvider = narrowed.get(listed) ?? new Map<string, Provider>();
      narrowed.set(listed, ofProvider.set(model, { ...listed, models: [price.model] }));
    }
    if (price) flats.set(key, flatOf(price.model_price));
    return price?.total_price ?? null;
  },
};
