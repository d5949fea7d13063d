// One folder of cassettes over another: read from both, written to the upper alone.

import { UserError } from '../errors.ts';
import { type Cassette, type OpenPrompt, type Prompt, promptDigestsOf } from './cassette.ts';
import type { Store } from './store.ts';

/** The prompts that a cassette's takes refer to and `given` does not hold. */
function promptsBelow(cassette: Cassette, given: ReadonlyMap<string, Prompt>, open: OpenPrompt): Map<string, Prompt> {
  const prompts = new Map(given);
  for (const digest of promptDigestsOf(cassette)) if (!prompts.has(digest)) prompts.set(digest, open(digest));
  return prompts;
}

/** The upper folder, and where it has no cassette of a case, the lower one's. Nothing is ever written to the lower. */
export function layered(upper: Store, lower: Store): Store {
  function openPrompt(suite: string): OpenPrompt {
    const above = upper.openPrompt(suite);
    const below = lower.openPrompt(suite);
    // A prompt's name is the digest of what it holds: whichever has it has the same.
    return (digest) => {
      try {
        return above(digest);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        try {
          return below(digest);
        } catch {
          throw error;
        }
      }
    };
  }
  return {
    ...upper,
    read: (suite, name) => upper.read(suite, name) ?? lower.read(suite, name),
    openPrompt,
    // A take kept from below comes up with its prompts: the upper folder must stand when the lower one changes.
    write: (cassette, prompts) => upper.write(cassette, promptsBelow(cassette, prompts, openPrompt(cassette.suite))),
  };
}
