// The comment on a pull request: verdict first, one glance when all is well, always below what GitHub takes.

import type { RunResult } from '../run/result.ts';
import { fillTemplate } from '../templates.ts';
import { fitted } from './fit.ts';
import { type ReportView, reportViewer } from './report-view.ts';
import type { ReportContext } from './verdict.ts';

/** The most a comment may take, in UTF-8 bytes; GitHub takes 65,536 characters of it. */
export const COMMENT_BYTES = 60_000;

/** What a comment says beside the result. */
export interface CommentContext extends ReportContext {
  /** The first line, an HTML comment by which the comment is found again. */
  marker: string;
}

function viewer(result: RunResult | undefined, context: CommentContext, maxBytes: number) {
  return reportViewer(result, context, { maxBytes, marker: context.marker, passedRows: false });
}

/** The view of a whole comment, nothing left out. */
export function commentView(result: RunResult | undefined, context: CommentContext): ReportView {
  const { rungs, view } = viewer(result, context, Number.MAX_SAFE_INTEGER);
  return view(Object.fromEntries(rungs.map(({ part, most }) => [part, most])) as Parameters<typeof view>[0]);
}

/** The Markdown of a comment, of `maxBytes` UTF-8 bytes at most; what is left out is counted in it. Without a result it tells the mistakes of the context alone. Throws UserError for a user's template that is wrong. */
export function renderComment(
  result: RunResult | undefined,
  context: CommentContext,
  maxBytes: number = COMMENT_BYTES,
): string {
  const { rungs, view } = viewer(result, context, maxBytes);
  return fitted({ maxBytes, rungs, draw: (room) => fillTemplate('comment', view(room), context.templates) });
}
