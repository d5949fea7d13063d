// What the format has a name for and this version does not do: refused by that name, never ignored.

/** The pieces of a suite or config that have keys of their own. */
export type Piece =
  | 'suite'
  | 'case'
  | 'tool'
  | 'rule'
  | 'outcome'
  | 'message'
  | 'script step'
  | 'call'
  | 'config'
  | 'defaults'
  | 'gates'
  | 'row'
  | 'cassettes'
  | 'provider'
  | 'price'
  | `expectation ${string}`;

const KEYS: Partial<Record<Piece, readonly string[]>> = {
  suite: ['prices', 'redact', 'budget_usd', 'judge'],
  case: ['dataset', 'gates', 'system', 'system_file', 'tools'],
  tool: ['impl', 'strict'],
  message: ['tool_calls', 'name'],
  config: ['target', 'judge'],
  defaults: ['judge', 'target', 'vars'],
  provider: ['headers', 'auth_header', 'auth_prefix', 'prices'],
};

/** Whether a key is one of the format's that is not supported yet. */
export function isUnsupportedKey(piece: Piece, key: string): boolean {
  return KEYS[piece]?.includes(key) ?? false;
}

/**
 * What a value asks for that is not supported yet, as the beginning of a sentence; undefined where it is merely
 * wrong.
 */
export function unsupportedValue(piece: Piece, key: string, value: unknown): string | undefined {
  return piece === 'message' && key === 'role' && value === 'tool' ? 'a message of a tool in `input`' : undefined;
}

/** Words of other tools and habits, for what is no mere misspelling. */
const MEANT: Record<string, string> = {
  parameters: 'input_schema',
  schema: 'input_schema',
  prompt: 'system',
  instructions: 'system',
  messages: 'input',
  question: 'input',
  id: 'name',
  assert: 'expect',
  asserts: 'expect',
  assertions: 'expect',
  returns: 'return',
  result: 'return',
  args: 'arguments',
  tests: 'cases',
  examples: 'cases',
  trials: 'repeat',
  url: 'base_url',
  endpoint: 'base_url',
  api_key: 'api_key_env',
};

/** What a foreign word stands for among the allowed keys. */
export function foreignWord(key: string, allowed: readonly string[]): string | undefined {
  const meant = Object.hasOwn(MEANT, key) ? MEANT[key] : undefined;
  return meant !== undefined && allowed.includes(meant) ? meant : undefined;
}
