// What a re-record keeps: where the model said the same, the old recording stands, byte for byte.

import type { ChatResponse } from '../request/request.ts';
import type { Interaction, Take } from './cassette.ts';

/** What decides whether a model said the same: blocks (opaque bytes aside), stop and served model. */
function said({ content, stop, stopDetail, servedModel }: ChatResponse): string {
  const blocks = content.map((block) => (block.type === 'opaque' ? { type: 'opaque' } : block));
  return JSON.stringify([blocks, stop, stopDetail ?? null, servedModel ?? null]);
}

function saysTheSame(a: Interaction, b: Interaction | undefined): b is Interaction {
  return b !== undefined && a.fingerprint === b.fingerprint && said(a.response) === said(b.response);
}

/** The fresh take with every interaction that says what the old one said kept whole; the old take itself where all do. */
export function keepUnchanged(fresh: Take, old: Take | undefined): Take {
  if (!old) return fresh;
  const interactions = fresh.interactions.map((interaction, at) => {
    const before = old.interactions[at];
    return saysTheSame(interaction, before) ? before : interaction;
  });
  const isSame =
    interactions.length === old.interactions.length && interactions.every((one, at) => one === old.interactions[at]);
  return isSame ? old : { recorded: fresh.recorded, interactions };
}
