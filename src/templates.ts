// Finds the templates folder and compiles what is in it, once.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';

/** The templates, by their file's name without `.md.hbs`. */
export type TemplateName = 'summary';

const compiled = new Map<TemplateName, HandlebarsTemplateDelegate>();

/** `templates/` lies beside this file's folder, in `src/` as in `dist/`. */
function folder(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', 'templates');
}

/** Fills a template. It escapes nothing: the view's strings are escaped for their place where the view is built. */
export function fillTemplate(name: TemplateName, view: object): string {
  let template = compiled.get(name);
  if (!template) {
    const text = readFileSync(join(folder(), `${name}.md.hbs`), 'utf8').replaceAll('\r\n', '\n');
    // Strict: a name that the view lacks is an error, not an empty place.
    template = Handlebars.compile(text, { noEscape: true, strict: true, knownHelpersOnly: true });
    compiled.set(name, template);
  }
  return template(view);
}
