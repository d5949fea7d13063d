// Verdicts of structural expectations and the words they share.

import type { Json } from '../request/request.ts';
import type { Failure } from '../responder/responder.ts';
import { callsOf, type PlacedCall, type Trajectory } from '../target/trajectory.ts';
import type { Judged, Verdict } from './scorer.ts';

/** Figures are compared with limits to this precision: sums of decimal fractions are off by less. */
export const TOLERANCE = 1e-9;

/** The expectation holds. */
export function pass(reason: string): Verdict {
  return { passed: true, value: 1, reason };
}

/** The expectation does not hold; `turn` is the 1-based turn that broke it. */
export function fail(reason: string, turn?: number): Verdict {
  return { passed: false, value: 0, reason, ...(turn !== undefined && { turn }) };
}

/** There is no verdict: the judge could not be asked. */
export function unjudged(failure: Failure, judged: Judged): Verdict {
  const message = failure.kind === 'unrecorded' ? 'its question is not recorded' : failure.message;
  return { passed: false, value: 0, reason: message, error: message, judged };
}

/** `1 turn`, `3 turns`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** An amount of USD in full, to a hundred-millionth: `$0.0042`, `$5`. */
export function dollars(amount: number): string {
  const text = amount.toFixed(8).replace(/\.?0+$/, '');
  return amount > 0 && text === '0' ? '<$0.00000001' : `$${text}`;
}

/** A value on one line, shortened to `limit` characters. */
export function show(value: Json | undefined, limit = 200): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** The calls of one tool, in order. */
export function callsOfTool(trajectory: Trajectory, tool: string): PlacedCall[] {
  return callsOf(trajectory).filter(({ call }) => call.name === tool);
}
