// Numbers as people read them: counts, tokens, cost and recorded time.

import type { Tally } from '../run/result.ts';

/** A whole number with commas: `10,233`. The same in every locale. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 case`, `2,100 cases`. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

type Asked = Pick<Tally, 'turns' | 'scripted'>;

/** Whether a model was asked, by us or by the recording: a script's turns cost nothing and take no time. */
function wasAsked(tally: Asked): boolean {
  return tally.turns > tally.scripted;
}

/** Tokens in and out; `≥` where some turns reported none, `unknown` where none did, `–` where no model was asked. */
export function tokensOf(tally: Asked & Pick<Tally, 'usage' | 'turnsWithoutUsage'>): string {
  if (!wasAsked(tally)) return '–';
  if (tally.turnsWithoutUsage >= tally.turns) return 'unknown';
  const sum = `${grouped(tally.usage.inputTokens)} → ${grouped(tally.usage.outputTokens)}`;
  return tally.turnsWithoutUsage > 0 ? `≥ ${sum}` : sum;
}

/** The sum of many cases' tokens, in the words of `tokensOf`. */
export function totalTokens(tallies: readonly Tally[]): string {
  const asked = tallies.filter(wasAsked);
  const sum = { turns: 0, scripted: 0, turnsWithoutUsage: 0, usage: { inputTokens: 0, outputTokens: 0 } };
  for (const tally of asked) {
    sum.turns += tally.turns;
    sum.turnsWithoutUsage += tally.turnsWithoutUsage;
    sum.usage.inputTokens += tally.usage.inputTokens;
    sum.usage.outputTokens += tally.usage.outputTokens;
  }
  return tokensOf(sum);
}

/** USD: `$0.0042`, `$12.40`, `<$0.0001`. */
export function usd(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001';
  return `$${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)}`;
}

/** A sum of which `known` is known and the whole may be: `$1.20`, `≥ $1.20`, `unknown`. */
export function atLeastUsd(whole: number | null, known: number): string {
  if (whole !== null) return usd(whole);
  return known > 0 ? `≥ ${usd(known)}` : 'unknown';
}

type Priced = Asked & Pick<Tally, 'costUsd' | 'costKnownUsd'>;

/** A case's cost; `≥` where only a part is known, `unknown` where nothing is, `–` where no model was asked. */
export function costOf(tally: Priced): string {
  return wasAsked(tally) ? atLeastUsd(tally.costUsd, tally.costKnownUsd) : '–';
}

/** The sum of many costs; `≥` where only some are known. */
export function totalCost(tallies: readonly Priced[]): string {
  const asked = tallies.filter(wasAsked);
  if (asked.length === 0) return '–';
  const known = asked.reduce((total, { costUsd, costKnownUsd }) => total + (costUsd ?? costKnownUsd), 0);
  return atLeastUsd(asked.some(({ costUsd }) => costUsd === null) ? null : known, known);
}

/** A duration given in milliseconds: `830 ms`, `2.0 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** The recorded time of a case; `–` where no model was asked. */
export function timeOf(tally: Asked & Pick<Tally, 'latencyMs'>): string {
  return wasAsked(tally) ? duration(tally.latencyMs) : '–';
}
