// What a run comes to for those who wait for it: red or not, and why, in one line.

import type { Fault } from '../errors.ts';
import type { CaseResult, Counts, GateResult, RunResult, Tally } from '../run/result.ts';
import { caseName } from '../suite/names.ts';
import { counted, grouped } from './terminal-figures.ts';

/** Which failures make a check red. */
export type FailOn = 'any' | 'regressions' | 'never';

/** What the base of a change came to. */
export interface BaseRun {
  /** As people call it: a branch, or a short commit. */
  label: string;
  tally: Tally;
  suites: readonly { suite: string; tally: Tally; counts: Counts }[];
  /** `suite::case` of every case that fails there. */
  failing: readonly string[];
}

/** A case that behaves otherwise than at base. All is Markdown, escaped. */
export interface ChangeBlock {
  /** The kind of change, as a key: `rerouted`. */
  kind: string;
  suite: string;
  case: string;
  /** What changed in one line, fit for `<summary>`. */
  row: string;
  /** Before and after. */
  details: string;
}

/** What a report says beside the result. */
export interface ReportContext {
  /** The commit that was judged. */
  commit?: string;
  runUrl?: string;
  /** Where the whole report is. */
  reportUrl?: string;
  /** Changes of behaviour against base, most serious first, with a line that counts them. */
  changes?: { line: string; blocks: readonly ChangeBlock[] };
  /** What base came to, or why it could not be told. */
  base?: BaseRun | { missing: string };
  /** Mistakes of the user's: nothing, or not everything, could be run. */
  invalid?: readonly Fault[];
  /** More to say, as plain sentences. */
  notes?: readonly string[];
  /** `any` where absent. */
  failOn?: FailOn;
  /** A folder of the user's templates. */
  templates?: string;
}

/** What base came to, where it is known. */
export function baseOf({ base }: ReportContext): BaseRun | undefined {
  return base && 'tally' in base ? base : undefined;
}

/** Every case of a run, in order. */
export function casesOf(result: RunResult | undefined): CaseResult[] {
  return result?.suites.flatMap(({ cases }) => cases) ?? [];
}

/** Every gate of a run that was missed, with its suite. */
export function missedGates(result: RunResult | undefined): { suite?: string; gate: GateResult }[] {
  const missed = (gates: readonly GateResult[] = []) => gates.filter(({ passed }) => !passed);
  return [
    ...missed(result?.gates).map((gate) => ({ gate })),
    ...(result?.suites.flatMap(({ suite, gates }) => missed(gates).map((gate) => ({ suite, gate }))) ?? []),
  ];
}

/** Whether a failed case fails at base too. What has no recording is never taken for that: nobody knows what it does. */
export function failsAtBase(context: ReportContext): (one: CaseResult) => boolean {
  const failing = new Set(baseOf(context)?.failing);
  return (one) => one.outcome === 'failed' && failing.has(caseName(one));
}

/** Whether the check must be red. A mistake of the user's always is; `regressions` tolerates only what fails at base too. */
export function isRed(result: RunResult | undefined, context: ReportContext): boolean {
  if (!result || (context.invalid?.length ?? 0) > 0) return true;
  const { failOn = 'any' } = context;
  if (result.exitCode === 0 || failOn === 'never') return false;
  if (failOn === 'any' || !baseOf(context) || missedGates(result).length > 0) return true;
  const broken = casesOf(result).filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  return broken.length === 0 || !broken.every(failsAtBase(context));
}

function partsOf(result: RunResult, context: ReportContext): string[] {
  const { counts } = result;
  const old = casesOf(result).filter(failsAtBase(context)).length;
  const fresh = counts.failed - old;
  const base = baseOf(context);
  const failed = base ? counted(fresh, 'new failure') : `${grouped(fresh)} failed`;
  const gates = missedGates(result).length;
  return [
    fresh > 0 ? failed : '',
    counts.unrecorded > 0 ? `${grouped(counts.unrecorded)} without a recording` : '',
    counts.errored > 0 ? `${grouped(counts.errored)} with a provider error` : '',
    gates > 0 ? `${counted(gates, 'gate')} missed` : '',
    old > 0 ? `${grouped(old)} failing at base too` : '',
    `${grouped(counts.passed)} passed`,
    counts.skipped > 0 ? `${grouped(counts.skipped)} skipped` : '',
  ].filter((part) => part !== '');
}

/** The verdict with its counts, verdict first; no text from outside is in it. */
export function verdictLine(result: RunResult | undefined, context: ReportContext): string {
  const faults = context.invalid?.length ?? 0;
  if (!result) return `❌ Nothing was run: ${counted(faults, 'mistake')} to mend`;
  const { counts, exitCode } = result;
  if (faults > 0) return `❌ ${counted(faults, 'mistake')} to mend, ${partsOf(result, context).join(', ')}`;
  if (exitCode === 0) {
    const failed = counts.failed > 0 ? `, ${grouped(counts.failed)} failed within the gates` : '';
    const skipped = counts.skipped > 0 ? `, ${grouped(counts.skipped)} skipped` : '';
    return `✅ ${grouped(counts.passed)} of ${counted(counts.total, 'case')} passed${failed}${skipped}`;
  }
  const mark = isRed(result, context) ? '❌' : '⚠️';
  return `${mark} ${partsOf(result, context).join(', ')}, of ${counted(counts.total, 'case')}`;
}

/** Why a check is green although not all passed; empty where that is not so. */
export function toleranceLine(result: RunResult | undefined, context: ReportContext): string {
  if (!result || result.exitCode === 0 || isRed(result, context)) return '';
  return context.failOn === 'never'
    ? 'The check stays green: `fail-on` is `never`.'
    : 'The check stays green: every failing case fails at base too, and `fail-on` is `regressions`.';
}
