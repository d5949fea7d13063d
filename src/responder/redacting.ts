// Between a conversation and whoever answers it live: real text out, redacted text back.

import { answerRedactor, mapResponse, unredacted } from '../request/redact.ts';
import type { ChatRequest } from '../request/request.ts';
import { mapTexts, type SecretValues, secretWord, valuesForMarks } from '../request/secret.ts';
import { CUT_SHAPE, findShapes } from '../request/shapes.ts';
import type { Answer, Failure, Responder } from './responder.ts';

/** A value shorter than this is no secret that a text could be searched for. */
const LEAST_LENGTH = 12;
/** So much of a value's beginning is told from other text where a message was cut short. */
const LEAST_BEGINNING = 6;

/** A variable and the ways its value may be written. */
interface Literal {
  name: string;
  texts: string[];
}

/** The secret values long enough to be searched for, longest first. */
export function literalsOf(values: SecretValues): Literal[] {
  const long = [...values].filter(([, value]) => value.length >= LEAST_LENGTH);
  long.sort(([, one], [, other]) => other.length - one.length || (one < other ? -1 : 1));
  return long.map(([name, value]) => {
    // As it is, as JSON escapes it, as a URL escapes it.
    const escaped = /[\ud800-\udfff]/u.test(value) ? [] : [encodeURIComponent(value)];
    return { name, texts: [...new Set([value, JSON.stringify(value).slice(1, -1), ...escaped])] };
  });
}

/** A text with words for the values of variables. */
export function withoutLiterals(text: string, literals: readonly Literal[]): string {
  let result = text;
  for (const { name, texts } of literals) {
    for (const value of texts) if (result.includes(value)) result = result.replaceAll(value, () => secretWord(name));
  }
  return result;
}

/** A message that may have been cut short within a secret, without what is left of it. */
function withoutBeginnings(message: string, literals: readonly Literal[]): string {
  if (!message.includes('…')) return message;
  let result = message;
  for (const { name, texts } of literals) {
    for (const value of texts) {
      for (let length = value.length - 1; length >= LEAST_BEGINNING; length--) {
        result = result.replaceAll(`${value.slice(0, length)}…`, () => `${secretWord(name)}…`);
      }
    }
  }
  return result.replaceAll(CUT_SHAPE, '[redacted]…');
}

function cleanFailure(failure: Failure, clean: (text: string) => string): Failure {
  if (failure.kind === 'unrecorded') return failure;
  const remedy = 'remedy' in failure ? failure.remedy : undefined;
  return { ...failure, message: clean(failure.message), ...(remedy !== undefined && { remedy: clean(remedy) }) };
}

/** Redacts what `live` answers, failures too, before anybody sees it. */
export function redactAnswers(live: Responder, values: SecretValues): Responder {
  const literals = literalsOf(values);
  return {
    async respond(request, signal) {
      const answer: Answer = await live.respond(request, signal);
      const redact = answerRedactor(request);
      const clean = (text: string) => redact(withoutLiterals(text, literals));
      if (answer.ok) return { ...answer, response: mapResponse(answer.response, clean) };
      const cleanMessage = (text: string) => withoutBeginnings(clean(text), literals);
      return { ok: false, failure: cleanFailure(answer.failure, cleanMessage) };
    },
  };
}

/** The parts of a request by the names a person knows them by. */
function partsOf(request: ChatRequest): [string, unknown][] {
  return [
    ['system', request.system],
    ...(request.tools ?? []).map((tool, at): [string, unknown] => [`tools[${at}]`, tool]),
    ['params', request.params],
    ...request.messages.map((message, at): [string, unknown] => [`messages[${at}]`, message]),
  ];
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(keysOf);
  return Array.isArray(value) ? below : [...Object.keys(value), ...below];
}

/** Why a request may not be asked: it holds a secret that redaction does not reach. */
function leakOf(request: ChatRequest, literals: readonly Literal[]): Failure | undefined {
  for (const [place, part] of partsOf(request)) {
    let name: string | undefined;
    const look = (text: string) => {
      name ??= literals.find(({ texts }) => texts.some((value) => text.includes(value)))?.name;
      return text;
    };
    mapTexts(part, look);
    const keys = keysOf(part);
    for (const key of keys) look(key);
    if (name !== undefined) {
      const message = `the value of ${name} stands in ${place}, so nothing was asked or recorded`;
      return { kind: 'provider', message, remedy: `Write \${${name}} in the suite; it is redacted wherever it goes.` };
    }
    const title = keys.flatMap((key) => findShapes(key))[0]?.title;
    if (title !== undefined) {
      const message = `a key of ${place} looks like ${title}, so nothing was asked or recorded`;
      return { kind: 'provider', message, remedy: 'Only values are redacted: move the credential into a value.' };
    }
  }
  return undefined;
}

/** Gives `live` the real text of a request, values for variables in it; refuses a request that would leak one. */
export function askReal(live: Responder, values: SecretValues): Responder {
  const literals = literalsOf(values);
  return {
    async respond(request, signal) {
      const real = unredacted(request);
      const leak = leakOf(real, literals);
      if (leak) return { ok: false, failure: leak };
      const missing = new Set<string>();
      const filled = mapTexts(real, (text) => valuesForMarks(text, values, missing));
      const [name] = missing;
      if (name === undefined) return live.respond(filled, signal);
      const message = `the request needs ${name}, which is not set`;
      return { ok: false, failure: { kind: 'no_key', message, remedy: `Set ${name} and record again.` } };
    },
  };
}
