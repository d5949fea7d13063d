// A run's report for the job summary: Markdown, verdict first, always below what GitHub takes.

import type { RunResult } from '../run/result.ts';
import { fillTemplate } from '../templates.ts';
import { fitted } from './fit.ts';
import { type ReportView, reportViewer } from './report-view.ts';
import type { ReportContext } from './verdict.ts';

/** The most a summary may take, in UTF-8 bytes; GitHub drops a step's summary over 1 MiB whole. */
export const SUMMARY_BYTES = 900 * 1024;

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
