// Plain scalars of YAML 1.2's core schema (https://yaml.org/spec/1.2.2/#103-core-schema).

const INTEGER = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

const WORDS = new Map<string, null | boolean>([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

// Only these can begin anything but text; most scalars are text and need one look.
const FIRST = /^[-+.0-9~ntfNTF]|^$/;

function readNumber(text: string): number | undefined {
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (OCTAL.test(text)) return Number.parseInt(text.slice(2), 8);
  if (HEXADECIMAL.test(text)) return Number.parseInt(text.slice(2), 16);
  if (INFINITE.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return NOT_A_NUMBER.test(text) ? Number.NaN : undefined;
}

/** What a plain scalar means. Numbers may be infinite or NaN: the caller refuses those. */
export function readPlain(text: string): null | boolean | number | string {
  if (!FIRST.test(text)) return text;
  const word = WORDS.get(text);
  return word !== undefined ? word : (readNumber(text) ?? text);
}

/**
 * Whether a number's text says more digits than a JavaScript number holds: an id that would silently become another.
 */
export function losesDigits(text: string): boolean {
  return text.length > 15 && /^[-+]?[0-9]+$|^0[ox]/.test(text) && !Number.isSafeInteger(Number(text));
}
