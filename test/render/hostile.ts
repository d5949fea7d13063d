// Texts that a model, a cassette or a pull request's author may bring, and what GitHub would make of a text.

/** Each tries to do something where it is shown. */
export const HOSTILE: readonly string[] = [
  '@octocat please look, cc @acme/owners',
  'mail octocat@github.com',
  'fixes #1',
  'Closes: acme/shop#12, resolves GH-7',
  'closes https://github.com/acme/shop/issues/3',
  'see https://evil.example/x?y=1 and www.evil.example',
  'ftp://evil.example mailto:a@b.example xmpp:a@b.example',
  'commit 0123456789abcdef0123456789abcdef01234567 and 0123abc',
  'acme/shop@0123456789abcdef0123456789abcdef01234567',
  '[skip ci] [ci skip] [no ci] [skip actions] [actions skip]',
  '[SKIP CI]',
  'skip-checks: true',
  '\n\nskip-checks:true',
  '<!-- retake:comment -->',
  '--> <!--',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<details open><summary>x</summary>',
  '</details></details></summary></code></pre>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1)) [y](https://evil.example) ![z](https://evil.example/p.png)',
  '[ref]: https://evil.example\n\n[ref]',
  '[^1]\n\n[^1]: note @octocat',
  '<https://evil.example>',
  '```\n@octocat #1\n```',
  '~~~~\nout\n~~~~',
  '`````` a `````',
  '`',
  '\\`',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  'a \\| b | c \\\\| d',
  '# title\n## title',
  '> quote\n> [!WARNING]\n> alert',
  '- [x] task\n- item\n1. one',
  'line one  \nline two\\\nline three',
  '---\n***\n===',
  '*bold* _em_ **b** __u__ ~~del~~',
  '$E=mc^2$ $$x$$ $`y`$',
  ':tada: :+1:',
  '&lt;b&gt; &#64;octocat &commat;octocat &#x23;1 &#35;1',
  '&#60;img src=x&#62;',
  '\u202eecalper\u202c \u200b@octocat \ufeff\u2066x\u2069',
  '\u001b[31mred\u001b[0m \u0007 \u0000 \u009b31m',
  '\ud800 lone \udfff',
  '::error::gotcha\n::set-output name=x::y',
  '##[error]gotcha ##[add-mask]x',
  '%0A::warning::x %25',
  '{{constructor}} {{{this}}} {{> sections}}',
  ']]> <![CDATA[ x ]]>',
  '\uff20octocat \uff03\uff11',
  '👩‍👩‍👧 𝕏 長い文字',
  ' leading and trailing ',
  '',
  ' ',
  '\r\n\r\n    indented code',
  'x'.repeat(3000),
  '`'.repeat(200),
  '|'.repeat(200),
];

/** The text of HTML outside of code and links, entities decoded: where GitHub looks for mentions and references. */
function proseOf(html: string): string {
  return html
    .replace(/<(code|pre|a)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

const ALIVE: readonly [string, RegExp][] = [
  ['a mention', /(?:^|[^\w`])@[a-z\d]/i],
  ['a mail address', /\w@\w/],
  ['a reference', /#\d/],
  ['a reference', /\bGH-\d/i],
  ['a commit', /\b[0-9a-f]{7,40}\b/],
  ['an address', /\b(?:https?|ftp):\/\/|\bwww\.\w|\bmailto:\w/i],
];

const IN_RAW: readonly [string, RegExp][] = [
  ['a skip-CI word', /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i],
  ['a skip-checks trailer', /skip-checks\s*:/i],
  [
    'a closing keyword',
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?(?:#\d|GH-\d|https?:\/\/)/i,
  ],
  ['an HTML comment', /<!--/],
];

/** Tags that our own templates and Markdown give. */
const OURS = /^(?:details|summary|code|sub|pre|p|h[1-6]|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|br|a|hr)$/;

/** What of a report's Markdown is alive that must not be. `links` are those we put in ourselves. */
export function aliveIn(markdown: string, html: string, links: readonly string[] = []): string[] {
  const prose = proseOf(html);
  const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)\b([^>]*)>/gi)];
  const hrefs = tags.flatMap(([, tag, rest = '']) => (tag === 'a' ? [/href="([^"]*)"/.exec(rest)?.[1] ?? ''] : []));
  return [
    ...ALIVE.filter(([, pattern]) => pattern.test(prose)).map(([what]) => what),
    ...IN_RAW.filter(([, pattern]) => pattern.test(markdown)).map(([what]) => `${what} in raw text`),
    ...tags.filter(([, tag = '']) => !OURS.test(tag)).map(([tag]) => `a tag ${tag}`),
    ...hrefs.filter((href) => href !== '' && !links.includes(href)).map((href) => `a link to ${href}`),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these
    ...(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u.test(markdown)
      ? ['a control character']
      : []),
  ];
}
