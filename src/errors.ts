// The user's mistakes: one catalogue of codes, one error class that carries faults with places and remedies.

/** What every code means in a word or two; a fault's own message says what happened. */
export const ERRORS = {
  bad_argument: { title: 'Wrong argument' },
  config_invalid: { title: 'Invalid configuration' },
  suite_invalid: { title: 'Invalid suite' },
  suite_unreadable: { title: 'Unreadable suite' },
  no_suites: { title: 'No suites found' },
  no_cases: { title: 'No cases selected' },
  price_unknown: { title: 'Unknown price' },
  not_supported: { title: 'Not supported yet' },
  cassette_damaged: { title: 'Damaged cassette' },
  cassette_version: { title: 'Unknown cassette version' },
  cassette_locked: { title: 'Cassette in use' },
  secret_committed: { title: 'Credential in a recording' },
  cassette_unwritable: { title: 'Cassette cannot be written' },
  file_unwritable: { title: 'File cannot be written' },
  git_failed: { title: 'Git cannot help' },
  file_unreadable: { title: 'File cannot be read' },
  template_invalid: { title: 'Invalid template' },
  result_invalid: { title: 'Invalid result document' },
} satisfies Record<string, { title: string }>;

/** A code of the catalogue; stable, so that scripts may rely on it. */
export type ErrorCode = keyof typeof ERRORS;

/** Where a fault is: a path as shown to the user, with 1-based line and column (in UTF-16 units). */
export interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** One mistake of the user's: what, where, and how to mend it. */
export interface Fault {
  code: ErrorCode;
  message: string;
  place?: Place;
  /** The line of the file the fault is on, without its line end, for a caret. */
  source?: string;
  remedy?: string;
}

/** A mistake of the user's, printed without a stack and ended with exit code 2. Holds at least one fault. */
export class UserError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.message).join('\n'));
    this.name = 'UserError';
    this.faults = faults;
  }
}

/** A UserError of a single fault. */
export function userError(code: ErrorCode, message: string, more: Omit<Fault, 'code' | 'message'> = {}): UserError {
  return new UserError([{ code, message, ...more }]);
}
