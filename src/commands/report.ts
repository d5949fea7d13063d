// Reads a stored result document, whoever wrote it: for `retake report`, and for what renders the result of another job.

import type { z } from 'zod';
import { type UserError, userError } from '../errors.ts';
import { RESULT_VERSION, type RunResult } from '../run/result.ts';
import { runResultSchema } from '../run/result-schema.ts';

/** The most that is read of a document, in bytes. */
export const RESULT_BYTES = 256 * 1024 * 1024;

function invalid(file: string, message: string, remedy?: string): UserError {
  return userError('result_invalid', message, {
    place: { file },
    remedy: remedy ?? 'Give the file that `retake run --json-out` or the action wrote, as it was written.',
  });
}

/** Where in a document an issue is: `suites[0].cases[2].outcome`. */
function pathOf({ path }: z.core.$ZodIssue): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, 100)}`));
  return parts.join('').replace(/^\./, '') || 'the document';
}

function isCounted({ suites, counts }: RunResult): boolean {
  const found = { total: 0, passed: 0, failed: 0, unrecorded: 0, errored: 0, skipped: 0 };
  for (const { outcome } of suites.flatMap(({ cases }) => cases)) {
    found.total++;
    found[outcome]++;
  }
  return (Object.keys(found) as (keyof typeof found)[]).every((name) => found[name] === counts[name]);
}

/** The result in a document's text; `file` is its name as shown to the user. Throws UserError for what is none, is of another version or does not hold together. */
export function readResult(text: string, file: string): RunResult {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw invalid(file, 'the file is not JSON, or not all of it');
  }
  const { document: kind, version } = Object(document) as { document?: unknown; version?: unknown };
  if (kind !== 'retake/run-result') throw invalid(file, 'the file is no result document of Retake');
  if (version !== RESULT_VERSION) {
    throw invalid(
      file,
      `the document is of version ${JSON.stringify(version)?.slice(0, 20)}, and this Retake reads version ${RESULT_VERSION}`,
      'Render it with the version of Retake that wrote it.',
    );
  }
  const read = runResultSchema.safeParse(document);
  if (!read.success) {
    const [first] = read.error.issues;
    const more = read.error.issues.length > 1 ? ` (and ${read.error.issues.length - 1} more)` : '';
    throw invalid(file, first ? `${pathOf(first)}: ${first.message}${more}` : 'the document is no result of Retake');
  }
  if (!isCounted(read.data)) throw invalid(file, 'counts: they are not those of its cases');
  return read.data;
}
