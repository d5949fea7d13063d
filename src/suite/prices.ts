// `prices:` of retake.yaml: what models cost, where the list that is built in does not know or is not right.

import type { z } from 'zod';
import { BUILT_IN_NAMES } from '../responder/providers/table.ts';
import { didYouMean, quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import type { priceSchema } from './price-schema.ts';
import { isReserved, type KnownProviders } from './providers.ts';

import type { YamlNode } from './yaml-node.ts';

/** What a model charges, in USD per million tokens. */
export interface Rates {
  input: number;
  output: number;
  /** For input tokens read from the provider's cache; as `input` where absent. */
  cacheRead?: number;
  /** For input tokens written to the provider's cache; as `input` where absent. */
  cacheWrite?: number;
}

/** Rates by `provider/model`. */
export type PriceTable = ReadonlyMap<string, Rates>;

interface Given {
  prices: Record<string, z.output<typeof priceSchema>>;
  providers: KnownProviders;
}

/** Reads the prices. One for a provider that nobody can ask would never be used, so it is a fault. */
export function readPrices(reading: Reading, root: YamlNode, { prices, providers }: Given): PriceTable {
  const table = new Map<string, Rates>();
  const entries = root.entries?.get('prices')?.node.entries;
  for (const [key, { input, output, cache_read: cacheRead, cache_write: cacheWrite }] of Object.entries(prices)) {
    const provider = key.slice(0, key.indexOf('/'));
    if (!isReserved(provider) && !providers.custom.has(provider) && providers.complete) {
      const names = [...BUILT_IN_NAMES, ...providers.custom.keys()];
      const remedy = `Known providers: ${names.join(', ')}. Others go under \`providers:\`.`;
      const at = entries?.get(key)?.keyStart ?? root.start;
      complain(reading, at, `a price of the unknown provider ${quoted(provider)}${didYouMean(provider, names)}`, {
        remedy,
      });
    }
    table.set(key, {
      input,
      output,
      ...(cacheRead !== undefined && { cacheRead }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    });
  }
  return table;
}
