// Comments and pages as a reader sees them. `LOOKS=<folder> npx vitest run test/render/looks.test.ts` writes them there, to be opened in a browser.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderComment } from '../../src/render/comment.ts';
import { renderHtml } from '../../src/render/html.ts';
import { renderSummary } from '../../src/render/summary.ts';
import { gfmPage } from '../helpers/gfm.ts';
import { CONTEXT, huge, readerRuns } from './report-samples.ts';

const folder = process.env['LOOKS'];

function keep(name: string, page: string): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), page);
}

it.each(Object.entries(readerRuns()))('%s', (name, { result, context }) => {
  const comment = renderComment(result, context);
  for (const theme of ['light', 'dark'] as const) {
    const page = gfmPage(comment, theme);
    keep(`comment-${name}-${theme}.html`, page);
    keep(`summary-${name}-${theme}.html`, gfmPage(renderSummary(result, context), theme));
    const blocks = [...comment.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) => body.split('\n'));
    expect(page.match(/<span class="deletion">/g)?.length ?? 0).toBe(
      blocks.filter((line) => line.startsWith('-')).length,
    );
  }
  keep(`report-${name}.html`, renderHtml(result, context));
});

it('of 3,000 failures', () => {
  const page = gfmPage(renderComment(huge(), CONTEXT), 'light');
  keep('comment-huge-light.html', page);
  expect(page.match(/<details open>/g)).toHaveLength(3);
});
