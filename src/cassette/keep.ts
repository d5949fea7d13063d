// What a re-record keeps: where the model said the same, the old recording stands, byte for byte.

import type { ChatResponse } from '../request/request.ts';
import { cosine } from '../request/vector.ts';
import type { Grading, Interaction, Take } from './cassette.ts';

/** Embeddings as alike as this say the same: providers' last digits differ from day to day. */
const SAME_COSINE = 0.9999;

/** What decides whether a model said the same: blocks (opaque bytes aside), stop and served model. */
function said({ content, stop, stopDetail, servedModel }: ChatResponse): string {
  const blocks = content.map((block) => (block.type === 'opaque' ? { type: 'opaque' } : block));
  return JSON.stringify([blocks, stop, stopDetail ?? null, servedModel ?? null]);
}

function isSaid(a: ChatResponse, b: ChatResponse): boolean {
  if (said(a) !== said(b)) return false;
  if (a.embedding === undefined || b.embedding === undefined) return a.embedding === b.embedding;
  return a.embedding === b.embedding || (cosine(a.embedding, b.embedding) ?? 0) >= SAME_COSINE;
}

function saysTheSame<One extends Interaction>(a: One, b: One | undefined): b is One {
  return b !== undefined && a.fingerprint === b.fingerprint && isSaid(a.response, b.response);
}

/** Graders found singly: a question that was asked before in the take is compared with its own answer, wherever that stands. */
function keepGraders(fresh: readonly Grading[], old: readonly Grading[]): Grading[] {
  const left = [...old];
  return fresh.map((grading) => {
    const at = left.findIndex((before) => before.fingerprint === grading.fingerprint);
    const [before] = at === -1 ? [] : left.splice(at, 1);
    return saysTheSame(grading, before) ? before : grading;
  });
}

function isSameList<One>(one: readonly One[], other: readonly One[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

/** The fresh take with every interaction that says what the old one said kept whole; the old take itself where all do. */
export function keepUnchanged(fresh: Take, old: Take | undefined): Take {
  if (!old) return fresh;
  const interactions = fresh.interactions.map((interaction, at) => {
    const before = old.interactions[at];
    return saysTheSame(interaction, before) ? before : interaction;
  });
  const graders = keepGraders(fresh.graders ?? [], old.graders ?? []);
  const isSame = isSameList(interactions, old.interactions) && isSameList(graders, old.graders ?? []);
  return isSame ? old : { recorded: fresh.recorded, interactions, ...(graders.length > 0 && { graders }) };
}
