// How many of a case's takes must pass, and what is said of it.

import { TOLERANCE } from '../score/verdict.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';
import type { Outcome, PassRate } from './result.ts';
import { wilsonInterval } from './statistics.ts';

/** Below so many takes a rate says little. */
const FEW_TAKES = 5;

/** How many of `takes` takes must pass. */
export function passesNeeded({ required }: Pick<PlannedCase, 'required'>, takes: number): number {
  if (required === undefined) return takes;
  if (required === 'any') return 1;
  if (required === 'majority') return Math.floor(takes / 2) + 1;
  return Math.ceil(required * takes - TOLERANCE);
}

/** How often a case of several takes passed; `outcomes` are passed or failed. */
export function passRateOf(planned: Pick<PlannedCase, 'required'>, outcomes: readonly Outcome[]): PassRate {
  const { required } = planned;
  const takes = outcomes.length;
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const share = typeof required === 'number' ? required : passesNeeded(planned, takes) / takes;
  return { passed, takes, required: share, ...wilsonInterval(passed, takes) };
}

/** Warns of rates that too few takes are held against, a note a suite. */
export function fewTakesNotes(suites: readonly PlannedSuite[]): string[] {
  return suites.flatMap(({ name, cases }) => {
    const few = cases.filter(({ required, repeat }) => typeof required === 'number' && repeat < FEW_TAKES);
    const [first] = few;
    if (!first) return [];
    const who = few.length === 1 ? `${name} › ${first.name}` : `${name}: ${few.length} cases, ${first.name} first`;
    return [
      `${who}: \`require_pass_rate\` is below 1 and \`repeat\` below ${FEW_TAKES}; so few takes say little of a rate.`,
    ];
  });
}
