// What is wrong with a value, in words: zod's issue as the end of a sentence.

import type { z } from 'zod';
import { didYouMean, quoted } from './faults.ts';
import type { YamlNode } from './yaml-node.ts';

/** What zod found wrong. */
export type Issue = z.core.$ZodIssue;

/** Zod's types in words. */
export const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'nothing',
};

/** What a value is, in a few words. */
export function describeValue({ value }: YamlNode): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? `the text ${quoted(value)}` : quoted(String(value));
}

function sizeText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const { origin } = issue;
  const least = issue.code === 'too_small';
  const bound = Number(least ? issue.minimum : issue.maximum);
  if (origin === 'string')
    return least && bound === 1 ? 'must not be empty' : `must have at ${least ? 'least' : 'most'} ${bound} characters`;
  if (origin === 'array')
    return least && bound === 1 ? 'must not be empty' : `must have at ${least ? 'least' : 'most'} ${bound} entries`;
  if (least && bound === 0 && issue.inclusive === false) return 'must be more than 0';
  return `must be at ${least ? 'least' : 'most'} ${bound}`;
}

/** What must hold of a value and does not: `must be text, not …`. */
export function wrongValue(issue: Issue, node: YamlNode): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}, not ${describeValue(node)}`;
    case 'too_small':
    case 'too_big':
      return `${sizeText(issue)}${typeof node.value === 'number' ? `, not ${node.value}` : ''}`;
    case 'invalid_value': {
      if (issue.message.startsWith('must')) return `${issue.message}, not ${describeValue(node)}`;
      const values = issue.values.map(String);
      const meant = typeof node.value === 'string' ? didYouMean(node.value, values) : '';
      return `must be ${values.map((value) => `\`${value}\``).join(' or ')}, not ${describeValue(node)}${meant}`;
    }
    default:
      return issue.message;
  }
}
