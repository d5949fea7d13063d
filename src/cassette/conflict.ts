// A cassette's or prompt's text with git's conflict markers, taken apart into its two sides.

/** Cassettes indent whatever a model or user says, so at a line's start these are git's. */
const MARKER = /^(<{7}|\|{7}|={7}|>{7})(?: .*)?$/;

/** Whether a text holds conflict markers. */
export function hasMarkers(text: string): boolean {
  return text.split('\n').some((line) => MARKER.test(line));
}

/**
 * The two sides of a text with conflict markers; undefined where the markers do not pair up. A merge may have joined
 * parts of both outside of the markers: only its digest tells whether a side is whole.
 */
export function sidesOf(text: string): { ours: string; theirs: string } | undefined {
  const sides: Record<'ours' | 'theirs', string[]> = { ours: [], theirs: [] };
  let within: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    const mark = MARKER.exec(line)?.[1]?.[0];
    if (mark === undefined) {
      if (within !== 'theirs' && within !== 'base') sides.ours.push(line);
      if (within !== 'ours' && within !== 'base') sides.theirs.push(line);
    } else if (mark === '<' && within === 'both') within = 'ours';
    else if (mark === '|' && within === 'ours') within = 'base';
    else if (mark === '=' && (within === 'ours' || within === 'base')) within = 'theirs';
    else if (mark === '>' && within === 'theirs') within = 'both';
    else return undefined;
  }
  return within === 'both' ? { ours: sides.ours.join('\n'), theirs: sides.theirs.join('\n') } : undefined;
}
