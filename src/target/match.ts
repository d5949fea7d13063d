// Deep subset matching of arguments, for mocks and expectations.

import { isObject } from '../request/json.ts';
import type { Json } from '../request/request.ts';

/** The first place where `value` does not hold `pattern`. */
export interface Mismatch {
  /** `order.items[1].id`; empty at the root. */
  path: string;
  expected: Json;
  /** Absent where nothing stands there. */
  actual?: Json;
}

/** Finds where `value` does not contain `pattern`: objects may hold more keys, arrays are compared whole and in order. Undefined where it does. */
export function findMismatch(pattern: Json, value: Json | undefined, path = ''): Mismatch | undefined {
  if (isObject(pattern) && isObject(value)) {
    for (const key of Object.keys(pattern)) {
      const below = path === '' ? key : `${path}.${key}`;
      const inner = Object.hasOwn(value, key) ? value[key] : undefined;
      const mismatch = findMismatch(pattern[key] as Json, inner, below);
      if (mismatch) return mismatch;
    }
    return undefined;
  }
  if (Array.isArray(pattern) && Array.isArray(value) && pattern.length === value.length) {
    for (let at = 0; at < pattern.length; at++) {
      const mismatch = findMismatch(pattern[at] as Json, value[at], `${path}[${at}]`);
      if (mismatch) return mismatch;
    }
    return undefined;
  }
  if (value !== undefined && pattern === value) return undefined;
  return { path, expected: pattern, ...(value !== undefined && { actual: value }) };
}
