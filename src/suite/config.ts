// retake.yaml: what holds for the whole project.

import type { z } from 'zod';
import { quoted } from './faults.ts';
import { type Gates, gatesSchema } from './gate-schema.ts';
import { complain, type Reading, readParts, readPiece } from './issues.ts';
import { type PriceTable, readPrices } from './prices.ts';
import { type CustomProvider, isReserved, type KnownProviders } from './providers.ts';
import { type Level, readLevel } from './read.ts';
import { configHeadSchema, defaultsSchema, type modeSchema } from './schema.ts';
import { refuseSecrets } from './secrets.ts';
import { describeValue } from './wording.ts';
import type { YamlNode } from './yaml-node.ts';

/** Where a run's answers come from. */
export type Mode = z.output<typeof modeSchema>;

/** A project's configuration, with what is built in. */
export interface Config {
  /** Relative to the project's root, POSIX separators; absent where the project has none. */
  path?: string;
  /** Relative to the project's root, POSIX separators, no slash at its end. */
  cassettesDir: string;
  mode?: Mode;
  concurrency: number;
  /** What the project says models cost, by `provider/model`. */
  prices?: PriceTable;
  /** USD a run may spend live. */
  budgetUsd?: number;
  /** What must hold of all cases of all suites. */
  gates?: Gates;
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[];
  /** The variables that hold keys of the entries of `providers:`. */
  keyNames?: readonly string[];
}

/** What retake.yaml says. */
export interface ReadConfig extends Config {
  defaults: Level;
  /** The globs of `suites:`. */
  suites?: string[];
  providers: KnownProviders;
  /** The secret variables it names. */
  secrets?: ReadonlySet<string>;
  /** False where it has faults: what depends on it must not be complained of. */
  sound: boolean;
}

/** The configuration of a project without retake.yaml. */
export function builtInConfig(): ReadConfig {
  return {
    cassettesDir: 'cassettes',
    concurrency: 4,
    defaults: {},
    providers: { custom: new Map(), complete: true },
    sound: true,
  };
}

type File = z.output<typeof configHeadSchema>;

/** What reports call a service or command under test. */
const NO_PROVIDERS = ['http', 'command'];

function readProviders(reading: Reading, node: YamlNode, providers: File['providers']): Map<string, CustomProvider> {
  const custom = new Map<string, CustomProvider>();
  const entries = node.entries?.get('providers')?.node.entries;
  for (const [name, { base_url: url, wire, api_key_env: apiKeyEnv }] of Object.entries(providers ?? {})) {
    if (isReserved(name) || NO_PROVIDERS.includes(name)) {
      const remedy = 'Give the entry another name, such as `my-llm`.';
      complain(
        reading,
        entries?.get(name)?.keyStart ?? node.start,
        NO_PROVIDERS.includes(name)
          ? `${quoted(name)} names what is under test`
          : `${quoted(name)} is the name of a built-in provider`,
        { remedy },
      );
    }
    custom.set(name, {
      endpoint: url.replace(/\/+$/, ''),
      ...(wire && { wire }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    });
  }
  return custom;
}

function normalFolder(folder: string): string {
  return folder
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Reads retake.yaml. Whatever is wrong is among the faults. */
export function readConfig(reading: Reading, root: YamlNode): ReadConfig {
  const config = builtInConfig();
  const before = reading.faults.length;
  if (!root.entries) {
    complain(reading, root.start, `retake.yaml must be a mapping, not ${describeValue(root)}`);
    return { ...config, sound: false };
  }
  refuseSecrets(reading, root, 'config');
  const file = readParts(reading, 'config', configHeadSchema, root);
  const providers = {
    custom: readProviders(reading, root, file.providers),
    complete: reading.faults.length === before,
  };
  const defaultsNode = root.entries.get('defaults')?.node;
  if (defaultsNode) refuseSecrets(reading, defaultsNode, 'defaults');
  const defaultsHead = defaultsNode && readParts(reading, 'defaults', defaultsSchema, defaultsNode);
  const gatesNode = root.entries.get('gates')?.node;
  const gates = gatesNode && readPiece(reading, 'gates', gatesSchema, gatesNode);
  const defaults = defaultsNode && defaultsHead ? readLevel(reading, defaultsNode, defaultsHead, providers) : {};
  return {
    path: reading.source.file,
    cassettesDir: normalFolder(file.cassettes?.dir ?? config.cassettesDir),
    ...(file.cassettes?.mode && { mode: file.cassettes.mode }),
    concurrency: file.concurrency ?? config.concurrency,
    ...(file.prices && { prices: readPrices(reading, root, { prices: file.prices, providers }) }),
    ...(file.budget_usd !== undefined && { budgetUsd: file.budget_usd }),
    ...(file.redact && { redact: file.redact }),
    ...(gates && { gates }),
    defaults,
    ...(file.suites && { suites: file.suites }),
    providers,
    sound: reading.faults.length === before,
  };
}

/** What a run needs to know of the configuration; a mode that is given wins. */
export function configOf(read: ReadConfig, given: Mode | undefined): Config {
  const { path, cassettesDir, concurrency, prices, budgetUsd, redact, gates } = read;
  const mode = given ?? read.mode;
  const keyNames = [...read.providers.custom.values()].flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return {
    ...(path !== undefined && { path }),
    cassettesDir,
    ...(mode && { mode }),
    concurrency,
    ...(prices && { prices }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(redact && { redact }),
    ...(keyNames.length > 0 && { keyNames }),
    ...(gates && { gates }),
  };
}
