// `${VAR}` in the strings of suites and config.

/** What became of a string, or what is wrong with it and with which part. */
export type Interpolated =
  | { ok: true; text: string }
  | { ok: false; at: string; code: 'invalid' | 'not_supported'; message: string; remedy: string };

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Replaces every `${VAR}` from the environment; `$${` is a literal `${`. What it puts in is never read again. */
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
      return { ok: false, at: '${', code: 'invalid', message, remedy: literal };
    }
    const written = `\${${name}}`;
    if (SECRET.test(name)) {
      const message = `a secret in a suite (\`${written}\`) is not supported yet`;
      const remedy = 'Name the variable of a provider’s key in `api_key_env`; it is never written to a cassette.';
      return { ok: false, at: written, code: 'not_supported', message, remedy };
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) {
      const message = `the environment variable ${name} is not set`;
      return { ok: false, at: written, code: 'invalid', message, remedy: `Set ${name}. ${literal}` };
    }
    result += text.slice(at, open) + value;
    at = close + 1;
  }
}
