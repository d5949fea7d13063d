// Finds credentials in the text of cassettes and prompt files.

import type { Fault } from '../errors.ts';
import { findShapes } from '../request/shapes.ts';

/** The faults of a file that holds what looks like credentials: one for each line and shape, without the secret itself. */
export function credentialFaults(file: string, text: string): Fault[] {
  const faults: Fault[] = [];
  let line = 1;
  let at = 0;
  let last = '';
  for (const { title, start } of findShapes(text)) {
    for (let end = text.indexOf('\n', at); end !== -1 && end < start; end = text.indexOf('\n', at)) {
      at = end + 1;
      line++;
    }
    // The line itself is not shown: a fault may be printed in a public log.
    if (last === `${line} ${title}`) continue;
    last = `${line} ${title}`;
    faults.push({
      code: 'secret_committed',
      message: `holds what looks like ${title}`,
      place: { file, line },
      remedy:
        'Replace the key at its provider first: git keeps what was committed. Then `retake redact --yes` takes it out of the recordings.',
    });
  }
  return faults;
}
