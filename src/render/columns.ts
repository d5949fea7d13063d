// A comparison of models or prompts for the terminal, for Markdown and as a page.

import pc from 'picocolors';
import { type ColumnsView, columnsView, type ShownColumns } from './columns-view.ts';
import { markupLine } from './html-text.ts';
import { inline, sentence } from './markdown.ts';
import { paint } from './terminal-table.ts';
import { cutMiddle, defuse, fill, safeLine, widthOf } from './terminal-text.ts';

const NARROWEST = 12;
const GAP = 3;
/** Findings that are told in full. */
const MOST_FINDINGS = 20;

function moreOf({ findings }: ColumnsView): string[] {
  return findings.length > MOST_FINDINGS ? [`and ${findings.length - MOST_FINDINGS} more`] : [];
}

/** The table as text. */
export function renderColumns(shown: ShownColumns, look: { color: boolean; width: number }): string {
  const view = columnsView(shown);
  const colors = pc.createColors(look.color);
  const titles = [...view.rows.map((row) => safeLine(row.case, 200)), ...view.sums.map(({ title }) => title)];
  const wanted = Math.max(...titles.map(widthOf)) + 4;
  const room = Math.floor((look.width - Math.min(wanted, 40)) / view.names.length) - GAP;
  const longest = view.names.map((name, at) =>
    Math.max(
      widthOf(safeLine(name)),
      ...view.rows.map(({ cells }) => widthOf(cells[at]?.text ?? '')),
      ...view.sums.map(({ cells }) => widthOf(cells[at] ?? '')),
    ),
  );
  const widths = longest.map((width) => Math.max(NARROWEST, Math.min(width, room)));
  const left = Math.max(16, Math.min(wanted, look.width - widths.reduce((sum, width) => sum + width + GAP, 0)));
  const pad = (text: string, width: number) => text + fill(text, width);
  const line = (head: string, cells: string[]) => `${pad(head, left)}${cells.join('')}`.trimEnd();
  const gap = ' '.repeat(GAP);
  const lines = [
    line(
      '',
      view.names.map((name, at) => `${gap}${pad(cutMiddle(safeLine(name), widths[at] ?? 0), widths[at] ?? 0)}`),
    ),
  ];
  let suite: string | undefined;
  for (const row of view.rows) {
    if (row.suite !== suite) lines.push('', colors.bold(safeLine(row.suite, 200)));
    suite = row.suite;
    const cells = row.cells.map(({ outcome, text }, at) => {
      const cut = cutMiddle(text, widths[at] ?? 0);
      return `${gap}${paint(outcome, cut, colors)}${fill(cut, widths[at] ?? 0)}`;
    });
    const head = `${pad(row.mark, 1)} ${cutMiddle(safeLine(row.case, 200), left - 2)}`;
    lines.push(line(head, cells));
  }
  lines.push(
    '',
    ...view.sums.map(({ title, cells }) =>
      line(
        colors.dim(title) + fill(title, left),
        cells.map((cell, at) => `${gap}${pad(cutMiddle(cell, widths[at] ?? 0), widths[at] ?? 0)}`),
      ),
    ),
  );
  if (view.legend.length > 0) lines.push('', ...view.legend);
  for (const { suite: of, case: name, reasons } of view.findings.slice(0, MOST_FINDINGS)) {
    lines.push('', `${colors.bold('≠')} ${safeLine(of, 200)} › ${safeLine(name, 200)}`);
    for (const { column, text } of reasons) lines.push(`    ${safeLine(column, 200)}: ${safeLine(text, 400)}`);
  }
  lines.push(...moreOf(view).map((more) => `\n${more}`));
  if (view.missing.length > 0) {
    lines.push(
      '',
      ...view.missing.map((missing) => safeLine(missing, 400)),
      'Add --yes to ask the providers for them.',
    );
  }
  return defuse(`${view.headline}\n\n${lines.join('\n').trimEnd()}\n`);
}

/** The table as Markdown. */
export function renderColumnsMarkdown(shown: ShownColumns): string {
  const view = columnsView(shown);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [
    `## ${view.headline}`,
    '',
    row(['', 'case', ...view.names.map((name) => inline(name))]),
    row(['---', '---', ...view.names.map(() => '---')]),
    ...view.rows.map(({ mark, suite, case: name, cells }) =>
      row([
        mark === '~' ? '&#126;' : mark,
        `${inline(suite)} › ${inline(name)}`,
        ...cells.map(({ text }) => inline(text)),
      ]),
    ),
    ...view.sums.map(({ title, cells }) => row(['', `**${title}**`, ...cells.map((cell) => inline(cell))])),
  ];
  if (view.legend.length > 0) lines.push('', ...view.legend.map((text) => `- ${inline(text)}`));
  for (const { suite, case: name, reasons } of view.findings.slice(0, MOST_FINDINGS)) {
    lines.push('', `**${inline(suite)} › ${inline(name)}**`, '');
    for (const { column, text } of reasons) lines.push(`- ${inline(column)}: ${sentence(text)}`);
  }
  lines.push(...moreOf(view).map((more) => `\n${more}`));
  if (view.missing.length > 0) lines.push('', ...view.missing.map((missing) => `- ${inline(missing)}`));
  return `${lines.join('\n')}\n`;
}

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
h1{font-size:1.3rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .7rem;border-bottom:1px solid #8884;vertical-align:top}
thead th{position:sticky;top:0;background:Canvas}tbody th{font-weight:400}tfoot td,tfoot th{border:0;color:GrayText}
tr.suite th{font-weight:600;padding-top:1rem}.differs{background:#d2992233}
.passed{color:#1a7f37}.failed{color:#cf222e}.unrecorded,.errored{color:#9a6700}.skipped{color:GrayText}
@media(prefers-color-scheme:dark){.passed{color:#3fb950}.failed{color:#f85149}.unrecorded,.errored{color:#d29922}}`;

/** The table as a page that needs nothing else. */
export function renderColumnsHtml(shown: ShownColumns): string {
  const view = columnsView(shown);
  const heads = view.names.map((name) => `<th scope="col">${markupLine(name)}</th>`).join('');
  const body: string[] = [];
  let suite: string | undefined;
  for (const row of view.rows) {
    if (row.suite !== suite)
      body.push(
        `<tr class="suite"><th scope="rowgroup" colspan="${view.names.length + 2}">${markupLine(row.suite)}</th></tr>`,
      );
    suite = row.suite;
    const cells = row.cells.map(({ outcome, text }) => `<td class="${outcome}">${markupLine(text)}</td>`).join('');
    body.push(
      `<tr${row.mark === '≠' ? ' class="differs"' : ''}><td>${markupLine(row.mark)}</td><th scope="row">${markupLine(row.case)}</th>${cells}</tr>`,
    );
  }
  const sums = view.sums.map(
    ({ title, cells }) =>
      `<tr><td></td><th scope="row">${markupLine(title)}</th>${cells.map((cell) => `<td>${markupLine(cell)}</td>`).join('')}</tr>`,
  );
  const findings = view.findings.map(
    ({ suite: of, case: name, reasons }) =>
      `<h2>${markupLine(of)} › ${markupLine(name)}</h2><ul>${reasons.map(({ column, text }) => `<li>${markupLine(column)}: ${markupLine(text)}</li>`).join('')}</ul>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${markupLine(view.headline)}</title><style>
${STYLE}
h2{font-size:1rem;margin-bottom:.2rem}
</style></head><body><main>
<h1>${markupLine(view.headline)}</h1>
<table><thead><tr><td></td><th scope="col">case</th>${heads}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
<tfoot>
${sums.join('\n')}
</tfoot></table>
${[...view.legend, ...view.missing].map((line) => `<p>${markupLine(line)}</p>`).join('\n')}
${findings.join('\n')}
</main></body></html>
`;
}
