// `{{name}}` in prompts and inputs, replaced from a case's variables as plain text.

import { didYouMean, quoted } from './faults.ts';

/** What names stand for. `own` are the case's, `shared` its suite's; the case's win. */
export interface Variables {
  own: ReadonlyMap<string, string>;
  shared: ReadonlyMap<string, string>;
}

/** A text with variables put in, or what is wrong with it. */
export type Filled =
  | { ok: true; text: string; usesOwn: boolean }
  | { ok: false; name: string; at: string; message: string; remedy: string };

/** A value as the text that stands for it: text as it is, nothing for null, all else as JSON on one line. */
export function variableText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

const LITERAL = 'Write `\\{{` where literal braces are meant.';

/** Replaces every `{{name}}`; `\{{` is a literal `{{`. What it puts in is never read again. */
export function fillVariables(text: string, { own, shared }: Variables): Filled {
  let result = '';
  let at = 0;
  let usesOwn = false;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open === -1) return { ok: true, text: at === 0 ? text : result + text.slice(at), usesOwn };
    if (open > at && text[open - 1] === '\\') {
      result += `${text.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    const close = text.indexOf('}}', open);
    if (close === -1)
      return { ok: false, name: '', at: '{{', message: '`{{` begins a variable that no `}}` ends', remedy: LITERAL };
    const name = text.slice(open + 2, close).trim();
    const value = own.get(name) ?? shared.get(name);
    if (value === undefined) {
      const known = [...new Set([...own.keys(), ...shared.keys()])];
      const hint = didYouMean(name, known);
      const listed = hint === '' && known.length <= 30 ? `Known here: ${known.join(', ')}. ` : '';
      const message = `no variable is named ${quoted(name.replace(/\s+/g, ' '))}${hint}`;
      return { ok: false, name, at: text.slice(open, close), message, remedy: `${listed}${LITERAL}` };
    }
    if (own.has(name)) usesOwn = true;
    result += text.slice(at, open) + value;
    at = close + 2;
  }
}
