// The size ladder: a report gives way part by part, at borders of its structure, until it fits.

/** How many of each part a report shows. */
export type Room<Part extends string> = Record<Part, number>;

/** A part that may give way, and how many of it there are. */
export interface Rung<Part extends string> {
  part: Part;
  most: number;
}

/** A report that may have to give way. */
export interface Ladder<Part extends string> {
  /** UTF-8 bytes. */
  maxBytes: number;
  /** What gives way first stands first. */
  rungs: readonly Rung<Part>[];
  /** The report with so much room; more room never makes it smaller but for what counts the rest. */
  draw: (room: Room<Part>) => string;
}

/** The report with the most room that fits. What gave way before stays away; where nothing fits, the smallest one. */
export function fitted<Part extends string>({ maxBytes, rungs, draw }: Ladder<Part>): string {
  const fits = (text: string) => Buffer.byteLength(text) <= maxBytes;
  const room = Object.fromEntries(rungs.map(({ part, most }) => [part, most])) as Room<Part>;
  let text = draw(room);
  for (const { part, most } of rungs) {
    if (fits(text)) return text;
    if (most === 0) continue;
    room[part] = 0;
    text = draw(room);
    if (!fits(text)) continue;
    // Nothing of it fits, and all of it is known not to: the most that does, by halving.
    let high = most - 1;
    while (room[part] < high) {
      const middle = Math.ceil((room[part] + high) / 2);
      const more = draw({ ...room, [part]: middle });
      if (fits(more)) {
        room[part] = middle;
        text = more;
      } else high = middle - 1;
    }
    return text;
  }
  return text;
}
