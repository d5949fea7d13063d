// What a Markdown text names: paths of the repository, npm scripts, flags, inputs, links.

/** Folders and files at the top of the repository; a path elsewhere is an example. */
const TOP =
  /^(?:src|test|docs|templates|scripts|examples|bench|dist|\.ci|\.github)\/|^(?:action\.yml|package\.json|biome\.json|knip\.json|AGENTS\.md|LICENSE)$/;

const unique = (items: string[]) => [...new Set(items)];

/** Fenced blocks with their language, code spans with none. */
function codeIn(text: string): { language: string; code: string }[] {
  const blocks = [...text.matchAll(/^( *)(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^\1\2\s*$/gm)].map(
    ([, , , language = '', code = '']) => ({
      language: language.trim(),
      code,
    }),
  );
  const rest = withoutBlocks(text);
  return [...blocks, ...[...rest.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({ language: '', code }))];
}

function withoutBlocks(text: string): string {
  return text.replace(/^( *)(`{3,}|~{3,})[^\n`]*\n[\s\S]*?^\1\2\s*$/gm, '');
}

/** Paths of this repository in code, without those that hold a placeholder. A line number after a colon is dropped. */
export function pathsIn(text: string): string[] {
  const inSpans = codeIn(text).filter(({ language }) => language === '');
  const inShells = codeIn(text).filter(({ language }) => /^(?:sh|bash|shell|console)$/.test(language));
  const words = [...inSpans, ...inShells].flatMap(({ code }) => code.split(/[\s"'(),;]+/));
  const paths = words.map((word) => word.replace(/^\.\//, '').replace(/:\d+$/, ''));
  return unique(paths.filter((path) => TOP.test(path) && !/[*<>{}$…]|\.\.\./.test(path)));
}

/** npm scripts in code: `npm run x`, `npm test`. */
export function scriptsIn(text: string): string[] {
  const names = codeIn(text).flatMap(({ code }) =>
    [...code.matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(test)\b)/g)].map(([, run, test]) => run ?? test ?? ''),
  );
  return unique(names);
}

/** Flags in commands that start with `retake`, and code spans that are a flag alone. */
export function flagsIn(text: string): string[] {
  const flags = codeIn(text).flatMap(({ code, language }) => {
    const commands = [...code.matchAll(/(?:^|[\s$>(])(?:npx )?retake ([^\n|&;#]*)/g)].map(([, words = '']) => words);
    const alone = language === '' && /^--[a-z][a-z-]*(?: |$)/.test(code) ? [code] : [];
    return [...commands, ...alone].flatMap(
      (words) => words.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [],
    );
  });
  return unique(flags);
}

/** Inputs given to our own action in workflow examples. */
export function inputsIn(text: string): string[] {
  const names = codeIn(text)
    .filter(({ language }) => /^ya?ml$/.test(language))
    .flatMap(({ code }) => code.split(/^(?=\s*-\s)/m))
    .filter((step) => /uses: *(?:\.\/|[\w.-]+\/retake@)/.test(step))
    .flatMap((step) => {
      const [, indent = '', body = ''] = /^( *)with: *\n([\s\S]*)$/m.exec(step) ?? [];
      const keys = [...body.matchAll(/^( +)([\w-]+):/gm)];
      const depth = keys[0]?.[1]?.length ?? 0;
      const end = keys.findIndex(([, spaces = '']) => spaces.length <= indent.length);
      const own = end === -1 ? keys : keys.slice(0, end);
      return own.filter(([, spaces = '']) => spaces.length === depth).map(([, , name = '']) => name);
    });
  return unique(names);
}

/** Links to files and headings of the repository. */
export function linksIn(text: string): string[] {
  const prose = withoutBlocks(text).replace(/`[^`\n]*`/g, '');
  const links = [
    ...[...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(([, link = '']) => link),
    ...[...prose.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link),
    ...[...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)].map(([, link = '']) => link),
  ];
  return unique(links.filter((link) => !/^[a-z][a-z+.-]*:/i.test(link)));
}

/** The anchors of a text's headings, as GitHub makes them. */
export function headingsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let name = anchor;
    for (let copy = 1; anchors.has(name); copy++) name = `${anchor}-${copy}`;
    anchors.add(name);
  }
  return anchors;
}
