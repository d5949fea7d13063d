// Where two JSON values differ, path by path.

import type { Json } from '../request/request.ts';
import type { ValueChange } from './comparison.ts';

/** More differences than a person reads. */
const MOST_CHANGES = 200;

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

function below(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function walk(before: Json | undefined, after: Json | undefined, path: string, found: ValueChange[]): void {
  if (found.length >= MOST_CHANGES) return;
  if (isObject(before) && isObject(after)) {
    const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))];
    const at = (value: { [key: string]: Json }, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
    for (const key of keys) walk(at(before, key), at(after, key), below(path, key), found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const most = Math.max(before.length, after.length);
    for (let at = 0; at < most; at++) walk(before[at], after[at], `${path}[${at}]`, found);
    return;
  }
  if (before === after) return;
  if (before !== undefined && after !== undefined && JSON.stringify(before) === JSON.stringify(after)) return;
  found.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
}

/** The differences in the order of the older value's keys, then the newer one's; the order of keys itself is none. 200 at most. */
export function valueChanges(before: Json, after: Json): ValueChange[] {
  const found: ValueChange[] = [];
  walk(before, after, '', found);
  return found;
}
