// Whom the expectations of a case ask: a judge, an embedding model.

import type { JsonObject } from '../request/request.ts';
import type { GraderChoice } from '../responder/choice.ts';
import { WIRES } from '../responder/providers/table.ts';
import { scorerOf } from '../score/index.ts';
import type { Expectation } from '../score/scorer.ts';
import { type Chosen, type PlanBase, providerOf } from './choose.ts';
import type { ReadExpectation } from './expectations.ts';
import { quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';
import { mergeParams } from './params.ts';
import { chooseModel, isUsable, placeOf, refuseProvider } from './providers.ts';
import type { Level } from './read.ts';

/** What choosing a grader needs besides the expectation. */
export interface GraderScope {
  base: PlanBase;
  /** Most specific first. */
  levels: readonly Level[];
  /** Whom the case itself asks. */
  chosen: Chosen;
  /** The places that were complained of. */
  told: Set<string>;
}

interface Asking {
  model?: string;
  params?: JsonObject;
}

/** Models that refuse a temperature: https://platform.openai.com/docs/guides/reasoning */
const WITHOUT_TEMPERATURE = /^(?:o\d|gpt-5)/;

/** Whether a place is to be complained of: not twice, and not where retake.yaml may be to blame. */
function isNew({ source }: Reading, offset: number, { base, told }: GraderScope): boolean {
  const place = `${source.file}:${source.firstLine ?? 0}:${offset}`;
  if (!base.sound || told.has(place)) return false;
  told.add(place);
  return true;
}

/** Whom an expectation asks; undefined where that cannot be told, which is then among the faults. */
function chooseGrader(reading: Reading, one: ReadExpectation, scope: GraderScope): GraderChoice | undefined {
  const { base, levels, chosen } = scope;
  const { model: named, params } = one.args as Asking;
  const offset = placeOf(one.node, 'model') ?? one.node.start;
  const isLive = chosen.provider !== 'script' && chosen.provider !== 'fake';
  // Of a name with a prefix, the prefix must be a provider: a misspelt one would be asked of the case's own.
  const own = isLive && !named?.includes('/') ? [{ provider: chosen.provider, model: chosen.model }] : [];
  const { provider, model, unknownPrefix } = chooseModel(
    [...(named === undefined ? [] : [{ model: named }]), ...own],
    base.providers,
  );
  const refuse = (message: string, remedy: string) => {
    if (isNew(reading, offset, scope)) complain(reading, offset, message, { remedy });
  };
  const remedy = `Name it in full: \`${one.kind}: {…, model: openai/gpt-4.1-mini}\`.`;
  if (unknownPrefix !== undefined) {
    if (isNew(reading, offset, scope)) refuseProvider(reading, offset, unknownPrefix, base.providers);
    return undefined;
  }
  if (provider === undefined || model === undefined || model === '') {
    const message =
      named === undefined
        ? `\`${one.kind}\` has no \`model\`, and the case asks none that could judge`
        : `no provider is set for the model ${quoted(named)}`;
    refuse(message, remedy);
    return undefined;
  }
  if (provider === 'script' || provider === 'fake') {
    refuse(`${quoted(provider)} cannot answer \`${one.kind}\``, remedy);
    return undefined;
  }
  if (!isUsable(provider, base.providers)) return undefined;
  const choice = providerOf(provider, levels, base.providers);
  if (choice.wire === 'script' || choice.wire === 'http') throw new Error('what answers no question was refused');
  const codec = WIRES[choice.wire];
  if (one.kind === 'similar' && !codec.embedding) {
    const message = `the provider ${quoted(provider)} has no embeddings`;
    refuse(message, 'Name a model that embeds: `openai/text-embedding-3-small`.');
    return undefined;
  }
  const isCold = one.kind === 'judge' && !WITHOUT_TEMPERATURE.test(model);
  const defaults = one.kind === 'judge' ? codec.defaults?.(model) : undefined;
  const all = mergeParams([defaults, isCold ? { temperature: 0 } : undefined, params]);
  return { provider: choice, model, ...(all && { params: all }) };
}

// Equal arguments of cases that ask the same are one object, however many cases there are.
const resolved = new WeakMap<object, Map<string, object>>();

/** The expectations of a case with whom they ask, as `by` of their arguments; `read` are the same, as they were read. */
export function withGraders(
  expect: Expectation[],
  read: readonly { one: ReadExpectation; reading: Reading }[],
  scope: GraderScope,
): Expectation[] {
  if (!read.some(({ one }) => scorerOf(one.kind)?.asks)) return expect;
  return expect.map((expectation, at) => {
    const { one, reading } = read[at] as (typeof read)[number];
    if (!scorerOf(one.kind)?.asks) return expectation;
    const by = chooseGrader(reading, one, scope);
    if (!by) return expectation;
    const args = one.args as object;
    const known = resolved.get(args) ?? new Map<string, object>();
    resolved.set(args, known);
    const key = JSON.stringify(by);
    const withBy = known.get(key) ?? { ...args, by };
    known.set(key, withBy);
    return { ...expectation, args: withBy };
  });
}

/** Whom a case's expectations ask. */
export function gradersOf(expect: readonly Expectation[]): GraderChoice[] {
  return expect.flatMap(({ kind, args }) => (scorerOf(kind)?.asks ? ((args as { by?: GraderChoice }).by ?? []) : []));
}
