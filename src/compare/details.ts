// What differs between two trajectories: calls aligned, arguments by path, the answer word by word.

import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Json, ToolCallBlock } from '../request/request.ts';
import { callsOf, finalText, type PlacedCall, type Trajectory } from '../target/trajectory.ts';
import { argumentsIdentity, type LooseArguments } from './behaviour.ts';
import type { AnswerChange, CallChange, TextPart } from './comparison.ts';
import { valueChanges } from './values.ts';

function argumentsText(call: ToolCallBlock): string {
  return call.malformedArguments ?? call.argumentsJson ?? JSON.stringify(call.arguments ?? null);
}

function parsed(call: ToolCallBlock): Json | undefined {
  if (call.malformedArguments !== undefined) return undefined;
  if (call.argumentsJson === undefined) return call.arguments ?? null;
  try {
    return JSON.parse(call.argumentsJson) as Json;
  } catch {
    return undefined;
  }
}

function pairOf(before: PlacedCall, after: PlacedCall, loose: LooseArguments): CallChange {
  const { name } = before.call;
  const texts = [argumentsText(before.call), argumentsText(after.call)] as const;
  const placed = {
    tool: name,
    turnBefore: before.turn,
    turnAfter: after.turn,
    argumentsBefore: texts[0],
    argumentsAfter: texts[1],
  };
  if (texts[0] === texts[1]) return { status: 'kept', ...placed };
  const isKept = argumentsIdentity(before.call, loose) === argumentsIdentity(after.call, loose);
  const values = [parsed(before.call), parsed(after.call)] as const;
  if (values[0] === undefined || values[1] === undefined) return { status: 'changed', ...placed };
  const changes = valueChanges(values[0], values[1]).map((change) =>
    loose.has(`${name}.${change.path}`) ? { ...change, loose: true as const } : change,
  );
  return { status: isKept ? 'kept' : 'changed', ...placed, ...(changes.length > 0 && { changes }) };
}

/** More calls than are aligned one by one; beyond it the order alone decides. */
const MOST_ALIGNED = 500;

/** Both trajectories' calls, aligned by the longest common run of tools. */
export function alignCalls(before: Trajectory, after: Trajectory, loose: LooseArguments): CallChange[] {
  const olds = callsOf(before);
  const news = callsOf(after);
  const removed = ({ call, turn }: PlacedCall): CallChange => ({
    status: 'removed',
    tool: call.name,
    turnBefore: turn,
    argumentsBefore: argumentsText(call),
  });
  const added = ({ call, turn }: PlacedCall): CallChange => ({
    status: 'added',
    tool: call.name,
    turnAfter: turn,
    argumentsAfter: argumentsText(call),
  });
  if (olds.length > MOST_ALIGNED || news.length > MOST_ALIGNED) return [...olds.map(removed), ...news.map(added)];
  const names = (calls: readonly PlacedCall[]) => calls.map(({ call }) => call.name);
  const old = olds.values();
  const now = news.values();
  return diffArrays(names(olds), names(news)).flatMap((part) =>
    part.value.map(() => {
      if (part.removed) return removed(old.next().value as PlacedCall);
      if (part.added) return added(now.next().value as PlacedCall);
      return pairOf(old.next().value as PlacedCall, now.next().value as PlacedCall, loose);
    }),
  );
}

/** Edits after which two texts are taken to have nothing in common. */
const MOST_EDITS = 2000;
/** UTF-16 units of a text that is compared word by word. */
const MOST_TEXT = 50_000;

function jsonOf(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The share of two texts that must be common to them for a word diff to be readable. */
const FEWEST_SHARED = 0.4;

function letters(text: string): number {
  return text.replace(/[\s\p{P}]/gu, '').length;
}

function words(before: string, after: string): TextPart[] {
  const short = before.length <= MOST_TEXT && after.length <= MOST_TEXT;
  const parts = short ? diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS }) : undefined;
  const whole: TextPart[] = [
    { op: 'removed', text: before },
    { op: 'added', text: after },
  ];
  const shared = letters(
    (parts ?? []).flatMap(({ value, added, removed }) => (added || removed ? [] : value)).join(''),
  );
  const isRelated = shared * 2 >= FEWEST_SHARED * (letters(before) + letters(after));
  if (!parts || !isRelated) return whole.filter(({ text }) => text !== '');
  return parts.map(({ value, added, removed }) => ({
    op: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** How the final answers differ; undefined where they are equal. */
export function answerChange(before: Trajectory, after: Trajectory): AnswerChange | undefined {
  const old = finalText(before);
  const now = finalText(after);
  if (old === now) return undefined;
  const oldJson = jsonOf(old);
  const nowJson = jsonOf(now);
  if (oldJson !== undefined && nowJson !== undefined) {
    const changes = valueChanges(oldJson, nowJson);
    // Only layout or the order of keys: then the words say what differs.
    if (changes.length > 0) return { kind: 'json', changes };
  }
  return { kind: 'words', parts: words(old, now) };
}
