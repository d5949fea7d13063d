// Markdown as GitHub shows it: its dialect, its mentions and references, its stylesheet.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import remarkGithub from 'remark-github';
import { remarkAlert } from 'remark-github-blockquote-alert';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** The HTML of a comment. HTML within the Markdown is passed on as it stands, so that a test sees all of it. */
export function gfmHtml(markdown: string): string {
  return String(
    unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(remarkBreaks)
      .use(remarkGithub, { repository: 'acme/shop' })
      .use(remarkAlert)
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeStringify, { allowDangerousHtml: true })
      .processSync(markdown),
  );
}

/** A whole page with GitHub's stylesheet, to be looked at. */
export function gfmPage(markdown: string, theme: 'light' | 'dark'): string {
  const css = readFileSync(
    createRequire(import.meta.url).resolve(`github-markdown-css/github-markdown-${theme}.css`),
    'utf8',
  );
  const back = theme === 'dark' ? '#0d1117' : '#ffffff';
  return `<!doctype html><meta charset="utf-8"><style>${css}
body{margin:0;background:${back}}.markdown-body{max-width:830px;margin:0 auto;padding:16px;font-size:14px}
.language-diff .deletion{color:${theme === 'dark' ? '#ffa198;background:#490202' : '#82071e;background:#ffebe9'}}
.language-diff .addition{color:${theme === 'dark' ? '#7ee787;background:#04260f' : '#116329;background:#dafbe1'}}</style>
<article class="markdown-body">${coloured(gfmHtml(markdown))}</article>
`;
}

/** The colours GitHub gives to lines of the `diff` language. */
function coloured(html: string): string {
  return html.replace(/<code class="language-diff">([\s\S]*?)<\/code>/g, (_, body: string) => {
    const lines = body.split('\n').map((line) => {
      if (line.startsWith('-')) return `<span class="deletion">${line}</span>`;
      return line.startsWith('+') ? `<span class="addition">${line}</span>` : line;
    });
    return `<code class="language-diff">${lines.join('\n')}</code>`;
  });
}
