// The provider and model of each case, or what the user must set.

import type { JsonObject } from '../request/request.ts';
import type { ProviderChoice } from '../responder/choice.ts';
import type { Codec } from '../responder/providers/codec.ts';
import { builtIn, WIRES } from '../responder/providers/table.ts';
import { quoted } from './faults.ts';
import { complain } from './issues.ts';
import { mergeParams } from './params.ts';
import { chooseModel, isUsable, type KnownProviders, placeOf, refuseProvider } from './providers.ts';
import type { Level, ReadCase, ReadSuite } from './read.ts';

/** What stands over every level, but for scripted cases: a model or a system prompt that is tried. */
export interface Override {
  /** `provider/model`, or a model of the case's own provider. */
  model?: string;
  system?: string;
}

/** What a plan takes from the project. */
export interface PlanBase {
  defaults: Level;
  providers: KnownProviders;
  /** False where retake.yaml is faulty, so that a provider or model that is missing may stand there. */
  sound: boolean;
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[];
  override?: Override;
}

/** What is built in, below every level. */
const BUILT_IN = { timeoutS: 120, maxRetries: 3 } as const;

/** What the most specific level says that says anything. */
export function firstOf<Key extends keyof Level>(levels: readonly Level[], key: Key): Level[Key] {
  return levels.find((level) => level[key] !== undefined)?.[key];
}

/** A provider by its name, with the transport that the levels set. */
export function providerOf(name: string, levels: readonly Level[], known: KnownProviders): ProviderChoice {
  const transport = {
    timeoutS: firstOf(levels, 'timeoutS') ?? BUILT_IN.timeoutS,
    maxRetries: firstOf(levels, 'maxRetries') ?? BUILT_IN.maxRetries,
  };
  if (name === 'script' || name === 'fake') return { name: 'script', wire: 'script', ...transport };
  const own = builtIn(name);
  const custom = known.custom.get(name);
  const apiKeyEnv = custom?.apiKeyEnv ?? own?.apiKeyEnv;
  return {
    name,
    wire: custom?.wire ?? own?.wire ?? 'openai',
    ...(custom && { endpoint: custom.endpoint }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...transport,
  };
}

/** The parameters of a case: what its wire sends unless told otherwise, then the levels. */
export function paramsOf({ wire }: ProviderChoice, model: string, levels: readonly Level[]): JsonObject | undefined {
  const codec: Codec | undefined = wire === 'script' || wire === 'http' ? undefined : WIRES[wire];
  return mergeParams([codec?.defaults?.(model), ...levels.map(({ params }) => params).reverse()]);
}

/** Stands for the model where none is asked. */
const SCRIPTED_MODEL = 'script';

/** What choosing needs besides the case. */
export interface Choosing {
  base: PlanBase;
  /** The offsets that were complained of. */
  told: Set<string>;
}

/** What a case asks. */
export interface Chosen {
  provider: string;
  model: string;
}

const HOW_TO_SET =
  'Set it in the case, in the suite, or under `defaults:` in retake.yaml: `model: openai/gpt-4.1-mini`.';

/** Where the model stands that a case uses; the suite's beginning where it is set elsewhere. */
function modelPlace(suite: ReadSuite, one: ReadCase): number {
  return placeOf(one.node, 'model') ?? placeOf(suite.node, 'model') ?? suite.node.start;
}

/**
 * The provider and model of a case. Adds a fault at most once for each place: what the suite lacks, all its cases
 * lack.
 */
export function chooseFor(suite: ReadSuite, one: ReadCase, { base, told }: Choosing): Chosen | undefined {
  const levels = [one.level, suite.level, base.defaults];
  const own = chooseModel(levels, base.providers);
  const isTried = base.override?.model !== undefined && own.provider !== 'script' && own.provider !== 'fake';
  const { provider, model, unknownPrefix } = isTried
    ? chooseModel([{ model: base.override?.model }, ...levels], base.providers)
    : own;
  const tell = (offset: number, message: string, remedy: string) => {
    if (!base.sound || told.has(`${offset}`)) return;
    told.add(`${offset}`);
    complain(suite.reading, offset, message, { remedy });
  };
  const place = modelPlace(suite, one);
  if (unknownPrefix !== undefined && base.sound) {
    if (!told.has(`${place}`) && refuseProvider(suite.reading, place, unknownPrefix, base.providers))
      told.add(`${place}`);
    return undefined;
  }
  const scripted = provider === 'script' || provider === 'fake';
  // A level whose provider or model is faulty has it left out; that is said where it stands.
  const faulty = (key: string) =>
    [one.node, suite.node].some((node) => node.entries?.has(key)) &&
    !one.level[key as 'model'] &&
    !suite.level[key as 'model'];
  if (provider === undefined) {
    if (!faulty('provider') && !faulty('model'))
      tell(
        place,
        model === undefined ? 'no model is set' : `no provider is set for the model ${quoted(model)}`,
        HOW_TO_SET,
      );
    return undefined;
  }
  if (!isUsable(provider, base.providers)) return undefined;
  if (model === undefined && !scripted) {
    if (!faulty('model'))
      tell(
        placeOf(one.node, 'provider') ?? placeOf(suite.node, 'provider') ?? suite.node.start,
        'no model is set',
        HOW_TO_SET,
      );
    return undefined;
  }
  if (model === '') {
    tell(place, 'the model has no name after the provider', HOW_TO_SET);
    return undefined;
  }
  return { provider, model: model ?? SCRIPTED_MODEL };
}
