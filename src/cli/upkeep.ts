// The commands that look after recordings: their words, and what each prints.

import type { Command } from 'commander';
import type { Args, GlobalArgs } from './args.ts';

/** `retake prune`. */
interface PruneArgs extends GlobalArgs {
  command: 'prune';
  yes: boolean;
}

/** What these commands ask for. */
export type UpkeepArgs = PruneArgs;

/** What a shell lends to them. */
interface Surroundings {
  /** Absolute path of the folder to work in. */
  cwd: string;
  env: Record<string, string | undefined>;
  look: { color: boolean; width: number };
  signal?: AbortSignal;
}

/** What goes to stdout, and the exit code. */
interface Said {
  text: string;
  exitCode: number;
}

const EXAMPLES = {
  prune: `
It reads the suites that \`suites:\` of retake.yaml finds, and takes no filter:
what a filter hides is not unused. A recording of a renamed case is kept, and
the command that renames it is printed. Only files that Retake wrote are
touched.

Examples:
  retake prune                       list what nothing uses
  retake prune --yes                 remove it`,
};

/** Adds the commands to the program; `done` gets what the command line asks for. */
export function addUpkeep(program: Command, globals: () => GlobalArgs, done: (args: UpkeepArgs) => void): void {
  program
    .command('prune')
    .description('list recordings that nothing uses')
    .option('--yes', 'remove them')
    .addHelpText('after', EXAMPLES.prune)
    .action(({ yes = false }: { yes?: boolean }) => done({ command: 'prune', ...globals(), yes }));
}

// Written out, not computed: a bundler follows these imports, and each command loads its own alone.
const RUNS: { [Name in UpkeepArgs['command']]: (args: never, around: Surroundings) => Promise<Said> } = {
  async prune({ yes }: PruneArgs, { cwd, env, look }) {
    const { prune } = await import('../commands/prune.ts');
    const { renderPrune } = await import('../render/upkeep.ts');
    return { text: renderPrune(await prune({ cwd, env, yes }), look), exitCode: 0 };
  },
};

/** Whether a command line asks for one of these. */
export function isUpkeep(args: Args): args is UpkeepArgs {
  return Object.hasOwn(RUNS, args.command);
}

/** Runs one of these commands. Throws UserError. */
export function upkeep(args: UpkeepArgs, around: Surroundings): Promise<Said> {
  return RUNS[args.command](args as never, around);
}
