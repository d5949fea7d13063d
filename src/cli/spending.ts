// Options about money: a budget of a run, and an estimate in place of a run.

import { Option } from 'commander';
import type { Estimate, EstimateOptions } from '../commands/estimate.ts';
import { userError } from '../errors.ts';
import type { RunArgs } from './args.ts';
import { jsonText } from './json-out.ts';
import { refuseReports } from './reports.ts';

/** `retake record --estimate`. */
export interface EstimateArgs extends Omit<RunArgs, 'command'> {
  command: 'estimate';
}

/** These options as commander gives them. */
export interface SpendingGiven {
  maxCostUsd?: number;
  estimate?: true;
}

/** The budget that is given, where one is. */
export function budgetOf({ maxCostUsd }: SpendingGiven): Pick<RunArgs, 'maxCostUsd'> {
  return maxCostUsd === undefined ? {} : { maxCostUsd };
}

/** `--max-cost-usd`. */
export function budgetOption(): Option {
  return new Option(
    '--max-cost-usd <usd>',
    'stop before live answers cost more (default: `budget_usd` of retake.yaml)',
  ).argParser((value: string) => {
    const usd = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isFinite(usd)) return usd;
    throw userError('bad_argument', `--max-cost-usd does not take ${JSON.stringify(value)}`, {
      remedy: 'It takes an amount of USD, such as 5 or 0.50.',
    });
  });
}

/** What `record` does: an estimate where it is asked for. An estimate counts a whole re-record, so what would record a part does not go with it. Throws UserError. */
export function recordArgs(args: RunArgs, { estimate }: SpendingGiven): RunArgs | EstimateArgs {
  if (!estimate) return args;
  refuseReports('--estimate', args.reporter, args);
  const against = args.mode === 'auto' ? '--missing' : args.resume ? '--resume' : undefined;
  if (against !== undefined) {
    throw userError('bad_argument', `--estimate does not go with ${against}`, {
      remedy: `It counts a whole re-record from recorded tokens. Leave out ${against}, or choose with --filter.`,
    });
  }
  return { ...args, command: 'estimate' };
}

/** What the command is asked. */
export function estimateOptions(args: EstimateArgs, cwd: string, env: EstimateOptions['env']): EstimateOptions {
  const { globs, filter, tags, maxCostUsd } = args;
  return { cwd, globs, filter, tags, env, ...(maxCostUsd !== undefined && { maxCostUsd }) };
}

/** What goes to stdout. */
export async function estimateText(estimate: Estimate, args: EstimateArgs, color: boolean): Promise<string> {
  if (args.reporter === 'json') return jsonText(estimate);
  const { renderEstimate } = await import('../render/estimate.ts');
  return renderEstimate(estimate, { color });
}
