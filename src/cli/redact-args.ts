// The command line's words for `retake redact`.

import type { Command } from 'commander';
import type { GlobalArgs } from './args.ts';

/** `retake redact`. */
export interface RedactArgs extends GlobalArgs {
  command: 'redact';
  globs: string[];
  /** Rewrite, not only list. */
  write: boolean;
}

const EXAMPLES = `
Examples:
  retake redact                      list what looks like a credential
  retake redact --yes                take it out; no provider is asked`;

/** Adds the command; `done` gets what its words ask for. */
export function addRedact(program: Command, globals: () => GlobalArgs, done: (args: RedactArgs) => void): void {
  program
    .command('redact')
    .description('list credentials in cassettes; take them out')
    .argument('[globs...]', 'suite files whose cassettes to take (default: `suites:` of retake.yaml)')
    .option('--yes', 'rewrite the cassettes')
    .addHelpText('after', EXAMPLES)
    .action((globs: string[], { yes }: { yes?: true }) =>
      done({ command: 'redact', ...globals(), globs, write: yes ?? false }),
    );
}
