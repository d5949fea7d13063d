// Names of cases, unique in their suite and its dataset.

import { lineAt, quoted } from './faults.ts';
import { complain, type Reading } from './issues.ts';

/** Where each name was first seen: a line of the file `file`, or of another. */
export interface Names {
  /** The suite's own file. */
  file: string;
  /** Lines in the suite's file, by name. */
  cases: ReadonlyMap<string, number>;
  /** Lines in the dataset, by name. */
  rows: Map<string, number>;
}

/** Refuses the name of a row that a case or row before it has. */
export function checkRowName(
  reading: Reading,
  offset: number,
  { name, isNamed, names }: { name: string; isNamed: boolean; names: Names },
): void {
  const row = names.rows.get(name);
  const inSuite = names.cases.get(name);
  if (row === undefined && inSuite === undefined) {
    names.rows.set(name, lineAt(reading.source, offset));
    return;
  }
  const first = row === undefined ? `in ${names.file}:${inSuite}` : `on line ${row}`;
  if (isNamed)
    complain(reading, offset, `duplicate case name ${quoted(name)}, first ${first}`, {
      remedy: 'Give one of them another name: a name is the key of a cassette.',
    });
  else
    complain(reading, offset, `the row has no name and the same input as the one ${first}`, {
      remedy: 'Give each a `name`: a row without one is called after its input.',
    });
}
