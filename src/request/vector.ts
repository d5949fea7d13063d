// Embeddings: little-endian float32 as base64, and how alike two of them are.

/** Numbers as base64 of little-endian float32. */
export function packVector(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}

/** Whether a text is what `packVector` writes. */
export function isVector(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length % 4 === 0 && bytes.toString('base64') === text;
}

function unpack(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** The cosine of the angle between two packed vectors, -1 to 1; undefined where their lengths differ or one is all zeros. */
export function cosine(one: string, other: string): number | undefined {
  const [a, b] = [unpack(one), unpack(other)];
  if (a.length !== b.length) return undefined;
  let [dot, ofA, ofB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] as number;
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  const length = Math.sqrt(ofA) * Math.sqrt(ofB);
  // Rounding may carry equal directions past 1.
  return length > 0 ? Math.max(-1, Math.min(1, dot / length)) : undefined;
}
