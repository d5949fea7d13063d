// The price list that is built in. Large: imported when a price is asked for, in a bundle of its own.

import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices';
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
    return price?.total_price ?? null;
  },
};
