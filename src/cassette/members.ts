// Collects the members of an object that is read, in the order in which JavaScript keeps them.

import type { Json, JsonObject } from '../request/request.ts';

/** An object being read. */
export interface Members {
  readonly object: JsonObject;
  /** The last key that is an array index, -1 before any, Infinity after a key that is none. */
  index: number;
}

/** Whether a key may come next: it is new, and JavaScript would keep it at this place. */
export function takesKey(members: Members, key: string): boolean {
  // No member is undefined, so the common question needs no call.
  if (members.object[key] !== undefined && Object.hasOwn(members.object, key)) return false;
  const code = key.charCodeAt(0);
  if (!(code >= 48 && code <= 57 && isArrayIndex(key))) {
    members.index = Number.POSITIVE_INFINITY;
    return true;
  }
  const isNext = Number(key) > members.index;
  members.index = Number(key);
  return isNext;
}

/** Adds a member of any name, `__proto__` too. */
export function addMember(members: Members, key: string, value: Json): void {
  if (key !== '__proto__') members.object[key] = value;
  else Object.defineProperty(members.object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether JavaScript puts a key before all others, in numeric order. */
function isArrayIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 4294967295;
}
