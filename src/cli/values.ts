// Readers of option values: what is allowed, and what is said to the rest.

import { userError } from '../errors.ts';

/** `a, b or c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Reads one of some words; throws UserError with all of them. */
export function oneOf<T>(flag: string, allowed: Record<string, T>): (value: string) => T {
  return (value) => {
    if (Object.hasOwn(allowed, value)) return allowed[value] as T;
    throw userError('bad_argument', `${flag} does not take ${JSON.stringify(value)}`, {
      remedy: `It takes ${listed(Object.keys(allowed))}.`,
    });
  };
}

/** Reads a whole number from 1 to `most`; throws UserError. */
export function wholeNumber(flag: string, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    if (number >= 1 && number <= most) return number;
    throw userError('bad_argument', `${flag} does not take ${JSON.stringify(value)}`, {
      remedy: `It takes a whole number from 1 to ${most}.`,
    });
  };
}

/** Reads a text that is not blank; throws UserError. */
export function text(flag: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== '') return value;
    throw userError('bad_argument', `${flag} is given an empty value`, {
      remedy: `Give ${flag} a value, or leave it out.`,
    });
  };
}

/** Reads an option that may be given many times. */
export function collect(flag: string): (value: string, before?: string[]) => string[] {
  const read = text(flag);
  return (value, before = []) => [...before, read(value)];
}
