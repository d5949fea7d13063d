// Finds the templates folder and compiles what is in it, once; a folder of the user's overrides any of them.

import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { type UserError, userError } from './errors.ts';

/** Every template with its file in `templates/`; `sections` is a partial of comment and summary. */
const FILES = {
  comment: 'comment.md.hbs',
  summary: 'summary.md.hbs',
  sections: 'sections.md.hbs',
  report: 'report.html.hbs',
  changes: 'changes.html.hbs',
} satisfies Record<string, string>;

/** A template's name. */
export type TemplateName = keyof typeof FILES;

/** The most a user's template may take, in bytes. */
const MOST_BYTES = 256 * 1024;

// A name that the view lacks is an error, not an empty place. Nothing but the view's own properties is reachable.
const COMPILE = { noEscape: true, strict: true, knownHelpersOnly: true, knownHelpers: { log: false } } as const;
const RUN = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false } as const;

interface Source {
  /** As shown to the user. */
  file: string;
  text: string;
  isUsers: boolean;
}

interface Compiled {
  folder: string | undefined;
  sources: Map<TemplateName, Source>;
  templates: Partial<Record<TemplateName, HandlebarsTemplateDelegate>>;
  environment: typeof Handlebars;
}

const compiled = new Map<string, Compiled>();

/** `templates/` lies beside this file's folder, in `src/` as in `dist/`. */
function ownFolder(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', 'templates');
}

function lines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

/** The text of a user's template; undefined where there is none. A link would show any file of the machine in a comment. */
function usersText(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile() || found.size > MOST_BYTES) {
    throw userError('template_invalid', `a template must be a file of at most ${MOST_BYTES / 1024} KiB, no link`, {
      place: { file },
      remedy: 'Replace it by such a file, or remove it: the template of the same name that Retake brings is then used.',
    });
  }
  return lines(readFileSync(file, 'utf8'));
}

function readSource(name: TemplateName, folder: string | undefined): Source {
  const file = folder === undefined ? undefined : join(folder, FILES[name]);
  const text = file === undefined ? undefined : usersText(file);
  if (file !== undefined && text !== undefined) return { file, text, isUsers: true };
  const own = join(ownFolder(), FILES[name]);
  return { file: own, text: lines(readFileSync(own, 'utf8')), isUsers: false };
}

function sourceOf(name: TemplateName, { folder, sources }: Compiled): Source {
  const source = sources.get(name) ?? readSource(name, folder);
  sources.set(name, source);
  return source;
}

function open(folder: string | undefined): Compiled {
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw userError('template_invalid', `there is no folder of templates ${folder}`, {
      remedy: `Name a folder that holds any of ${Object.values(FILES).join(', ')}.`,
    });
  }
  const environment = Handlebars.create();
  // It would print to the log whatever it is given.
  environment.unregisterHelper('log');
  const opened: Compiled = { folder, sources: new Map(), templates: {}, environment };
  environment.registerPartial('sections', environment.compile(sourceOf('sections', opened).text, COMPILE));
  return opened;
}

/** The fault of a user's template; what is wrong with one of ours is a bug. */
function faultOf(error: unknown, name: TemplateName, opened: Compiled): UserError | undefined {
  if (!(error instanceof Error)) return undefined;
  const candidates = [sourceOf(name, opened), sourceOf('sections', opened)].filter(({ isUsers }) => isUsers);
  const first = candidates[0];
  if (!first) return undefined;
  const known = (error as { lineNumber?: unknown }).lineNumber;
  const line = typeof known === 'number' ? known : Number(/line (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  const word = /^"([^"]*)" not defined/.exec(error.message)?.[1];
  const at = ({ text }: Source) => text.split('\n')[line - 1];
  const source = candidates.find((one) => word !== undefined && at(one)?.includes(word)) ?? first;
  const what = (error.message.split('\n')[0] ?? '').replace(/ - \d+:\d+$/, '').replace(/ in \[object Object\]$/, '');
  const shown = at(source);
  const message = word === undefined ? `the template cannot be used: ${what}` : `the view has nothing named ${word}`;
  return userError('template_invalid', message, {
    place: { file: source.file, ...(Number.isInteger(line) && { line }) },
    ...(shown !== undefined && { source: shown }),
    remedy: 'Mend the template, or remove the file to use the one that Retake brings.',
  });
}

/** Fills a template, one of the user's in `folder` first. It escapes nothing: the view's strings are escaped for their place where the view is built. Throws UserError for a user's template that is wrong. */
export function fillTemplate(name: TemplateName, view: object, folder?: string): string {
  const key = folder ?? '';
  const known = compiled.get(key) ?? open(folder);
  compiled.set(key, known);
  const template = known.templates[name] ?? known.environment.compile(sourceOf(name, known).text, COMPILE);
  known.templates[name] = template;
  try {
    return template(view, RUN);
  } catch (error) {
    throw faultOf(error, name, known) ?? error;
  }
}
