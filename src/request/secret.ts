// `${VAR}` of a secret: a mark in the suite's texts that becomes the value on the wire and a word everywhere else.

// Lone surrogates: no text that was decoded from UTF-8 holds them, so no file of the user's can.
const OPEN = '\udfff\udffe';
const CLOSE = '\udffe\udfff';
const MARK = /\udfff\udffe([A-Za-z_][A-Za-z0-9_]*)\udffe\udfff/g;
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Values of secret variables by name; unset ones are absent. */
export type SecretValues = ReadonlyMap<string, string>;

/** Whether a variable's name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** What stands for the variable's value until it is known where the text goes. */
export function markSecret(name: string): string {
  return `${OPEN}${name}${CLOSE}`;
}

/** Whether a text holds a mark. */
export function hasMark(text: string): boolean {
  return text.includes(OPEN);
}

/** The word for a variable's value in fingerprints, files and reports. */
export function secretWord(name: string): string {
  return `[redacted:${name}]`;
}

/** A text with words for marks. */
export function wordsForMarks(text: string): string {
  return hasMark(text) ? text.replace(MARK, (_, name: string) => secretWord(name)) : text;
}

/** A text with values for marks; the names of unset variables go into `missing`. */
export function valuesForMarks(text: string, values: SecretValues, missing: Set<string>): string {
  if (!hasMark(text)) return text;
  return text.replace(MARK, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) missing.add(name);
    return value ?? '';
  });
}

/** The names of the variables that a value's texts hold marks of. */
export function markedNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    if (hasMark(value)) for (const [, name = ''] of value.matchAll(MARK)) names.add(name);
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) markedNames(child, names);
  }
}

/** Deeper than any value that is written; what is below is left out. */
const MOST_LEVELS = 1000;

/** How values are mapped. */
interface Mapping {
  text: (text: string) => string;
  keys: boolean;
}

/** A value with every text mapped, keys untouched; the value itself where nothing changes. */
export function mapTexts<Value>(value: Value, text: (text: string) => string): Value {
  return mapValue(value, { text, keys: false }, 0) as Value;
}

/** A value with every text mapped, keys too; the value itself where nothing changes. */
export function mapTextsAndKeys<Value>(value: Value, text: (text: string) => string): Value {
  return mapValue(value, { text, keys: true }, 0) as Value;
}

function mapValue(value: unknown, mapping: Mapping, level: number): unknown {
  if (typeof value === 'string') return mapping.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > MOST_LEVELS) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapValue(item, mapping, level + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]) => {
    const mapped = [mapping.keys ? mapping.text(key) : key, mapValue(item, mapping, level + 1)] as const;
    if (mapped[0] !== key || mapped[1] !== item) isSame = false;
    return mapped;
  });
  // Not by assignment: a key may be `__proto__`.
  return isSame ? value : Object.fromEntries(entries);
}
