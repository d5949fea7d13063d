// Which provider and model a case asks, from what the levels say.

import { BUILT_IN_NAMES, builtIn, WIRES, type Wire } from '../responder/providers/table.ts';
import { didYouMean, quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import type { YamlNode } from './yaml-node.ts';

/** An entry of `providers:`. */
export interface CustomProvider {
  endpoint: string;
  wire?: Wire;
  apiKeyEnv?: string;
}

// `fake` is an alias of `script`.
const SCRIPTED = ['script', 'fake'];

/** The providers a project knows. */
export interface KnownProviders {
  custom: Map<string, CustomProvider>;
  /** False where retake.yaml is faulty: then an unknown name may be the faulty entry's. */
  complete: boolean;
}

/** What one level says of provider and model. */
export interface ModelLevel {
  provider?: string | undefined;
  model?: string | undefined;
}

/** The provider and model of a case. */
export interface ModelChoice {
  provider?: string;
  model?: string;
  /** What stands before the first slash of a model that has no provider; no provider that can be asked. */
  unknownPrefix?: string;
}

/** Whether a name is that of a provider that is built in. */
function isBuiltIn(name: string): boolean {
  return builtIn(name) !== undefined || SCRIPTED.includes(name);
}

/** Whether an entry of `providers:` may not have this name: one that is built in may only get the base URL it lacks. */
export function isReserved(name: string): boolean {
  return isBuiltIn(name) && !lacksBaseUrl(name);
}

function lacksBaseUrl(name: string): boolean {
  const own = builtIn(name);
  return own !== undefined && own.baseUrl === undefined;
}

/** Whether a name is that of a provider that can be asked. */
export function isUsable(name: string, known: KnownProviders): boolean {
  return isReserved(name) || known.custom.has(name);
}

/** Says what is wrong with a provider's name; false where nothing is. */
export function refuseProvider(reading: Reading, offset: number, name: string, known: KnownProviders): boolean {
  if (isUsable(name, known)) return false;
  if (known.complete && lacksBaseUrl(name)) {
    const remedy = `Give it yours in retake.yaml: \`providers: {${name}: {base_url: https://my-resource.openai.azure.com/openai/v1}}\`.`;
    complain(reading, offset, `the provider ${quoted(name)} has no base URL, every resource has its own`, { remedy });
  } else if (known.complete) {
    const names = [...new Set([...BUILT_IN_NAMES, ...SCRIPTED, ...known.custom.keys()])];
    const remedy = `Known providers: ${names.join(', ')}. Others go under \`providers:\` in retake.yaml.`;
    complain(reading, offset, `unknown provider ${quoted(name)}${didYouMean(name, names)}`, { remedy });
  }
  return true;
}

/**
 * Chooses from levels, most specific first. A model's prefix names the provider where it is one and no provider is set on
 * the model's own or a more specific level: `openai/gpt-4.1-mini` alone, but `org/model` under an explicit provider.
 */
export function chooseModel(levels: readonly ModelLevel[], known: KnownProviders): ModelChoice {
  const modelAt = levels.findIndex((level) => level.model !== undefined);
  const providerAt = levels.findIndex((level) => level.provider !== undefined);
  const provider = levels[providerAt]?.provider;
  const model = levels[modelAt]?.model;
  const slash = model?.indexOf('/') ?? -1;
  const prefix = model === undefined || slash <= 0 ? undefined : model.slice(0, slash);
  if (model === undefined || prefix === undefined) {
    return { ...(provider !== undefined && { provider }), ...(model !== undefined && { model }) };
  }
  const explicit = provider !== undefined && providerAt <= modelAt;
  const isProvider = isBuiltIn(prefix) || known.custom.has(prefix);
  // Some providers have models whose own names begin with theirs, as `openrouter/auto`.
  if (isProvider && (!explicit || (prefix === provider && Object.hasOwn(WIRES, prefix)))) {
    const name = model.slice(slash + 1);
    return isUsable(prefix, known) ? { provider: prefix, model: name } : { model: name, unknownPrefix: prefix };
  }
  if (provider !== undefined) return { provider, model };
  return { model, unknownPrefix: prefix };
}

/** Where a level says something of a model, for faults. */
export function placeOf(node: YamlNode | undefined, key: string): number | undefined {
  return node?.entries?.get(key)?.node.start;
}
