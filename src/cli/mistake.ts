// What the parser of the command line complains of, in our words.

import type { CommanderError } from 'commander';
import { type UserError, userError } from '../errors.ts';

const SUITE_LIKE = /[/\\*]|\.ya?ml$/;

/** A parser's complaint as a mistake of the user's; `commands` are those there are. */
export function mistake(error: CommanderError, commands: readonly string[]): UserError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.+?)\?\)/.exec(rest.join(' '))?.[1];
  const word = /^unknown command '([\s\S]*)'$/.exec(first)?.[1];
  const help = 'See retake --help.';
  if (suggestion !== undefined) return userError('bad_argument', first, { remedy: `Did you mean ${suggestion}?` });
  if (word !== undefined && SUITE_LIKE.test(word)) {
    return userError('bad_argument', first, { remedy: `Did you mean retake run ${word}?` });
  }
  if (word !== undefined) {
    const all = `${commands.slice(0, -1).join(', ')} and ${commands.at(-1)}`;
    return userError('bad_argument', first, { remedy: `Commands are ${all}. ${help}` });
  }
  return userError('bad_argument', first, { remedy: help });
}
