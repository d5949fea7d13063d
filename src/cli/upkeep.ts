// The commands that look after recordings: their words, and what each prints.

import { type Command, Option } from 'commander';
import { userError } from '../errors.ts';
import type { Outcome } from '../run/result.ts';
import type { Args, GlobalArgs } from './args.ts';
import { oneOf, text, wholeNumber } from './values.ts';

/** `retake prune`. */
interface PruneArgs extends GlobalArgs {
  command: 'prune';
  yes: boolean;
}

/** `retake mv`. */
interface MoveArgs extends GlobalArgs {
  command: 'mv';
  from: string;
  to: string;
}

/** `retake trace`. */
interface TraceArgs extends GlobalArgs {
  command: 'trace';
  name: string;
  mode: 'replay' | 'off';
  take?: number;
}

/** `retake explain`. */
interface ExplainArgs extends GlobalArgs {
  command: 'explain';
  name: string;
}

/** `retake resolve`. */
interface ResolveArgs extends GlobalArgs {
  command: 'resolve';
  paths: string[];
  preferred: 'ours' | 'theirs';
}

/** What these commands ask for. */
export type UpkeepArgs = PruneArgs | ResolveArgs | MoveArgs | TraceArgs | ExplainArgs;

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
  mv: `
It gives a recording the new name of its case; nobody is asked. It does not edit
suites: rename the case or the suite there first. Takes and their dates stay as
they are. Another recording is never overwritten.

Examples:
  retake mv refunds::old_name refunds::new_name
  retake mv refunds::a_case returns::a_case
  retake mv old_suite new_suite`,
  resolve: `
Both sides of each cassette that a merge left in conflict are replayed with the
suites as they stand, so mend the suites first. The whole side that answers
stays; where both do, ours. Nothing is staged and nothing is lost: git keeps both
sides until you \`git add\`. In a rebase, ours is what you rebase onto.
Exit code 0 where all is mended, 3 where something is to be recorded.

Examples:
  retake resolve
  retake resolve cassettes/refunds
  retake resolve cassettes/refunds/over_limit.yaml --theirs`,
  trace: `
It shows what the model is told, then every message, call, result and answer in
full, and the scores. Nothing is written.

Examples:
  retake trace refunds::over_limit
  retake trace refunds::over_limit --take 2
  retake trace refunds::over_limit --mode off`,
  explain: `
It replays the case to the first request without an answer, lists all that
differs from the recording, and shows both requests line against line. Exit code
0 where all is recorded, 3 where something is not.

Examples:
  retake explain refunds::over_limit`,
};

const TRACE_MODES: Record<string, TraceArgs['mode']> = { replay: 'replay', off: 'off' };
const MOST_TAKES = 1000;
/** The exit code of a case by what became of it. */
const EXITS: Record<Outcome, number> = { passed: 0, failed: 1, unrecorded: 3, errored: 3, skipped: 3 };

function takeOption(): Option {
  return new Option('--take <number>', 'only this take').argParser(wholeNumber('--take', MOST_TAKES));
}

function preferredOf({ ours, theirs }: { ours?: true; theirs?: true }): ResolveArgs['preferred'] {
  if (!ours || !theirs) return theirs ? 'theirs' : 'ours';
  throw userError('bad_argument', '--ours and --theirs are both given', { remedy: 'Give one of them.' });
}

/** Adds the commands to the program; `done` gets what the command line asks for. */
export function addUpkeep(program: Command, globals: () => GlobalArgs, done: (args: UpkeepArgs) => void): void {
  program
    .command('prune')
    .description('list recordings that nothing uses')
    .option('--yes', 'remove them')
    .addHelpText('after', EXAMPLES.prune)
    .action(({ yes = false }: { yes?: boolean }) => done({ command: 'prune', ...globals(), yes }));
  program
    .command('mv')
    .description('give recordings the new name of a case or suite')
    .argument('<old>', 'the name they have: `suite::case` or a suite', text('old'))
    .argument('<new>', 'the name the suites have now', text('new'))
    .addHelpText('after', EXAMPLES.mv)
    .action((from: string, to: string) => done({ command: 'mv', ...globals(), from, to }));
  program
    .command('resolve')
    .description('mend cassettes that a merge left in conflict')
    .argument('[paths...]', 'files or folders of cassettes (default: all that are in conflict)')
    .option('--theirs', 'where both sides answer, take theirs')
    .option('--ours', 'where both sides answer, take ours (the default)')
    .addHelpText('after', EXAMPLES.resolve)
    .action((paths: string[], given: { ours?: true; theirs?: true }) =>
      done({ command: 'resolve', ...globals(), paths, preferred: preferredOf(given) }),
    );
  program
    .command('trace')
    .description('show all that is said in a case')
    .argument('<case>', 'the case as `suite::case`', text('case'))
    .addOption(
      new Option('--mode <mode>', 'replay: from the cassette; off: ask the provider, write nothing')
        .argParser(oneOf('--mode', TRACE_MODES))
        .default('replay'),
    )
    .addOption(takeOption())
    .addHelpText('after', EXAMPLES.trace)
    .action((name: string, given: { mode: TraceArgs['mode']; take?: number }) =>
      done({ command: 'trace', ...globals(), name, ...given }),
    );
  program
    .command('explain')
    .description('show why a case has no recording that fits')
    .argument('<case>', 'the case as `suite::case`', text('case'))
    .addHelpText('after', EXAMPLES.explain)
    .action((name: string) => done({ command: 'explain', ...globals(), name }));
}

// Written out, not computed: a bundler follows these imports, and each command loads its own alone.
const RUNS: { [Name in UpkeepArgs['command']]: (args: never, around: Surroundings) => Promise<Said> } = {
  async prune({ yes }: PruneArgs, { cwd, env, look }) {
    const { prune } = await import('../commands/prune.ts');
    const { renderPrune } = await import('../render/upkeep.ts');
    return { text: renderPrune(await prune({ cwd, env, yes }), look), exitCode: 0 };
  },
  async mv({ from, to }: MoveArgs, { cwd, env, look }) {
    const { mv } = await import('../commands/mv.ts');
    const { renderMove } = await import('../render/upkeep.ts');
    return { text: renderMove(await mv({ cwd, env, from, to }), look), exitCode: 0 };
  },
  async resolve({ paths, preferred }: ResolveArgs, { cwd, env, look }) {
    const { resolve } = await import('../commands/resolve.ts');
    const { renderResolve } = await import('../render/resolve.ts');
    const report = await resolve({ cwd, env, paths, preferred });
    const isLeft = report.files.some(({ as }) => as === 'stale' || as === 'broken');
    return { text: renderResolve(report, look), exitCode: isLeft ? 3 : 0 };
  },
  async trace({ name, mode, take }: TraceArgs, { cwd, env, look, signal }) {
    const { trace } = await import('../commands/trace.ts');
    const { renderTranscript } = await import('../render/transcript.ts');
    const options = { cwd, env, name, mode, ...(take !== undefined && { take }), ...(signal && { signal }) };
    const transcript = await trace(options);
    return { text: renderTranscript(transcript, look), exitCode: EXITS[transcript.result.outcome] };
  },
  async explain({ name }: ExplainArgs, { cwd, env, look }) {
    const { explain } = await import('../commands/explain.ts');
    const { renderExplanation } = await import('../render/explain.ts');
    const explanation = await explain({ cwd, env, name });
    return { text: renderExplanation(explanation, look), exitCode: explanation.unanswered ? 3 : 0 };
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
