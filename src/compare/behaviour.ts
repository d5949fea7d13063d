// What of a take is its behaviour: the way it takes and how it is judged, not the words it uses.

import { createHash } from 'node:crypto';
import type { Json, ToolCallBlock } from '../request/request.ts';
import type { TakeResult } from '../run/result.ts';
import { callsOf, type Trajectory } from '../target/trajectory.ts';

/** `tool.path` of arguments that count as wording. */
export type LooseArguments = ReadonlySet<string>;

/** A value with its keys in code-unit order: a model that changes their order does the same thing. */
function ordered(value: Json, leave: (path: string) => boolean, path = ''): Json {
  if (Array.isArray(value)) return value.map((item) => ordered(item, leave, path));
  if (typeof value !== 'object' || value === null) return value;
  const kept: { [key: string]: Json } = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    const below = path === '' ? key : `${path}.${key}`;
    const item = value[key] as Json;
    // Only words are loose: another number or another shape is another argument.
    if (!(typeof item === 'string' && leave(below))) kept[key] = ordered(item, leave, below);
  }
  return kept;
}

/** A call's arguments as one text that is equal where they mean the same. */
export function argumentsIdentity(call: ToolCallBlock, loose: LooseArguments): string {
  if (call.malformedArguments !== undefined) return `malformed ${call.malformedArguments}`;
  if (call.argumentsJson !== undefined) return call.argumentsJson;
  const leave = (path: string) => loose.has(`${call.name}.${path}`);
  return JSON.stringify(ordered(call.arguments ?? null, leave));
}

/** The tools in order and why it stopped. */
export function toolPath(trajectory: Trajectory): string[] {
  return [...callsOf(trajectory).map(({ call }) => call.name), `(${trajectory.stopped})`];
}

/** The way a take goes, as one text: its calls with what they are given, and why it stops. */
export function routeOf(trajectory: Trajectory, loose: LooseArguments): string {
  const calls = callsOf(trajectory).map(({ call }) => [call.name, argumentsIdentity(call, loose)]);
  return JSON.stringify([calls, trajectory.stopped]);
}

/** The verdicts of a take by the keys of its expectations. */
export function verdictsOf({ scores }: TakeResult): [string, boolean][] {
  return scores.map(({ key, passed }) => [key, passed]);
}

/** A take's behaviour as 64 hexadecimal digits: equal where tools, arguments, stop and verdicts are. */
export function behaviourSignature(take: TakeResult, loose: LooseArguments = new Set()): string {
  const behaviour = JSON.stringify([routeOf(take.trajectory, loose), verdictsOf(take)]);
  return createHash('sha256').update(behaviour).digest('hex');
}
