// `${VAR}` in the strings of suites and config.

import { isSecretName, markSecret } from '../request/secret.ts';

/** What became of a string, or what is wrong with it and with which part. */
export type Interpolated = { ok: true; text: string } | { ok: false; at: string; message: string; remedy: string };

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces every `${VAR}` from the environment; `$${` is a literal `${`. What it puts in is never read again. A secret
 * is only marked: its value is put in when it is sent.
 */
export function interpolate(text: string, env: Environment): Interpolated {
  let result = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('${', at);
    if (open === -1) return { ok: true, text: result + text.slice(at) };
    if (open > at && text[open - 1] === '$') {
      result += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    const close = text.indexOf('}', open);
    const name = close === -1 ? '' : text.slice(open + 2, close);
    const literal = 'Write `$${` where a literal `${` is meant.';
    if (!NAME.test(name)) {
      const shown = text.slice(open, close === -1 || close > open + 40 ? open + 20 : close + 1).replace(/\s+/g, ' ');
      const message = `\`${shown}\` is no environment variable`;
      return { ok: false, at: '${', message, remedy: literal };
    }
    const written = `\${${name}}`;
    if (isSecretName(name)) {
      result += text.slice(at, open) + markSecret(name);
      at = close + 1;
      continue;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) {
      const message = `the environment variable ${name} is not set`;
      return { ok: false, at: written, message, remedy: `Set ${name}. ${literal}` };
    }
    result += text.slice(at, open) + value;
    at = close + 1;
  }
}
