// How far a run is, on one line of a terminal that is drawn over and over; nothing where nobody watches.

import type { Progress } from '../commands/run.ts';
import { grouped, usd } from '../render/terminal-figures.ts';
import type { RunMode } from '../run/result.ts';

/** What a shell writes to. */
export interface Out {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** A replay shorter than this, in milliseconds, shows nothing. */
const QUIET_MS = 1000;
const REDRAW_MS = 100;

const WORDS: Record<RunMode, string> = { replay: 'replaying', record: 'recording', auto: 'recording', off: 'asking' };

/** The line: `recording 12/48 · 1 failed · 10,233 → 2,120 tokens · spent unknown`. */
export function progressLine(progress: Progress, mode: RunMode | undefined): string {
  const { total, done, failed, live, inputTokens, outputTokens, costUsd } = progress;
  const parts = [`${WORDS[mode ?? (live > 0 ? 'record' : 'replay')]} ${grouped(done)}/${grouped(total)}`];
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  if (live > 0) {
    parts.push(`${grouped(inputTokens)} → ${grouped(outputTokens)} tokens`);
    parts.push(`spent ${costUsd === null ? 'unknown' : usd(costUsd)}`);
  }
  return parts.join(' · ');
}

/** Whether somebody watches: a terminal that can draw over a line, and no CI log. */
export function isWatched(out: Out, env: Record<string, string | undefined>): boolean {
  const ci = env.CI;
  return out.isTTY === true && env.TERM !== 'dumb' && (ci === undefined || ci === '' || ci === 'false');
}

/** A progress line and its undoing. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Takes the line off the terminal. */
  clear(): void;
}

/** Draws the line on `out`; live turns show at once, a replay only when it lasts. */
export function drawProgress(out: Out, mode: RunMode | undefined): ProgressLine {
  const begun = performance.now();
  let latest: Progress | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = '';
  const draw = () => {
    if (!latest) return;
    const now = performance.now();
    const live = latest.live > 0 || (mode !== undefined && mode !== 'replay');
    if (!live && now - begun < QUIET_MS) return;
    // One column is left free: a full line makes some terminals wrap.
    const line = progressLine(latest, mode).slice(0, Math.max(0, (out.columns ?? 80) - 1));
    if (line === drawn || now - drawnAt < REDRAW_MS) return;
    out.write(`\r\u001b[2K${line}`);
    drawn = line;
    drawnAt = now;
  };
  // The last of a burst is drawn by the timer; it must not keep a finished process alive.
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    show(progress) {
      latest = progress;
      draw();
    },
    clear() {
      clearInterval(timer);
      if (drawn !== '') out.write('\r\u001b[2K');
      drawn = '';
      latest = undefined;
    },
  };
}
