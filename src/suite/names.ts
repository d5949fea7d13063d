// `suite::case`: how the command line names a case.

import { type UserError, userError } from '../errors.ts';
import { didYouMean, quoted } from './faults.ts';
import type { PlannedCase, PlannedSuite } from './plan.ts';

/** A case by its names. */
export interface CaseKey {
  suite: string;
  case: string;
}

/** `suite::case`. */
export function caseName(key: CaseKey): string {
  return `${key.suite}::${key.case}`;
}

/** Reads `suite::case`; undefined where it is no such name. A suite's name never holds `::`, a case's may. */
export function readCaseName(text: string): CaseKey | undefined {
  const at = text.indexOf('::');
  return at < 1 || at + 2 === text.length ? undefined : { suite: text.slice(0, at), case: text.slice(at + 2) };
}

/** A name as one word of a shell's, to be pasted into a command. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!%]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** The mistake of a name that names nothing; `known` are those that would. */
export function unknownName(text: string, what: string, known: readonly string[]): UserError {
  const listed = known.slice(0, 10).map((name) => `  ${name}`);
  const more = known.length > listed.length ? [`  … and ${known.length - listed.length} more`] : [];
  return userError('bad_argument', `${what} ${quoted(text)}${didYouMean(text, known)}`, {
    remedy: known.length === 0 ? 'There are none.' : ['There are:', ...listed, ...more].join('\n'),
  });
}

/** The case that `suite::case` names. Throws UserError. */
export function findCase(suites: readonly PlannedSuite[], text: string): PlannedCase {
  const cases = suites.flatMap((suite) => suite.cases);
  const found = cases.find((one) => `${one.suite}::${one.name}` === text);
  if (found) return found;
  const names = cases.map((one) => `${one.suite}::${one.name}`);
  throw unknownName(text, readCaseName(text) ? 'there is no case' : 'a case is named `suite::case`, not', names);
}
