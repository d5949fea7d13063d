// A run's report for the job summary: Markdown, verdict first, always below what GitHub takes.

import type { Counts, RunResult } from '../run/result.ts';
import { fillTemplate } from '../templates.ts';
import { fitted } from './fit.ts';
import { type ReportView, reportViewer } from './report-view.ts';
import { counted, grouped } from './terminal-figures.ts';
import type { ReportContext } from './verdict.ts';

/** The most a summary may take, in UTF-8 bytes; GitHub drops a step's summary over 1 MiB whole. */
export const SUMMARY_BYTES = 900 * 1024;

/** The counts of a run in one line without Markdown: `2 failed, 1 unrecorded, 45 passed, of 48 cases`. */
export function countsText(counts: Counts): string {
  const parts = (['failed', 'unrecorded', 'errored', 'passed', 'skipped'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${grouped(counts[outcome])} ${outcome}`);
  return `${parts.join(', ') || '0 passed'}, of ${counted(counts.total, 'case')}`;
}

/** The view of a whole summary, nothing left out. */
export function summaryView(result: RunResult | undefined, context: ReportContext = {}): ReportView {
  const { rungs, view } = reportViewer(result, context, { maxBytes: Number.MAX_SAFE_INTEGER, passedRows: true });
  return view(Object.fromEntries(rungs.map(({ part, most }) => [part, most])) as Parameters<typeof view>[0]);
}

/** The Markdown of a run, of `maxBytes` UTF-8 bytes at most; what is left out is counted in it. Throws UserError for a user's template that is wrong. */
export function renderSummary(
  result: RunResult | undefined,
  context: ReportContext = {},
  maxBytes: number = SUMMARY_BYTES,
): string {
  const { rungs, view } = reportViewer(result, context, { maxBytes, passedRows: true });
  return fitted({ maxBytes, rungs, draw: (room) => fillTemplate('summary', view(room), context.templates) });
}
