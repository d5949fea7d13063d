// Byte-level BPE as GPT-2's: text to token ids and back.

/**
 * @typedef {object} Tokenizer
 * @property {(text: string) => number[]} encode Plain text only: the markup of special tokens in it stays text.
 * @property {(ids: readonly number[]) => string} decode Special tokens give nothing, broken UTF-8 gives U+FFFD.
 * @property {(name: string) => number} special The id of a special token; throws an Error where there is none.
 * @property {number} longestToken The bytes of the longest token, so that a caller can tell early that a text is too long.
 */

const CONTROL_TOKEN = 3;
const WORDS = /'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/**
 * A tokenizer from the `tokenizer.ggml.*` metadata of a GGUF file.
 * @param {Map<string, unknown>} metadata
 * @returns {Tokenizer}
 */
export function createTokenizer(metadata) {
  const tokens = /** @type {string[]} */ (metadata.get('tokenizer.ggml.tokens'));
  const types = /** @type {number[]} */ (metadata.get('tokenizer.ggml.token_type'));
  const merges = /** @type {string[]} */ (metadata.get('tokenizer.ggml.merges'));
  if (!tokens || !types || !merges) throw new Error('the GGUF file holds no byte-level BPE tokenizer');

  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const byteToChar = printableBytes();
  const charToByte = new Map(byteToChar.map((char, byte) => [char, byte]));
  const bytesOfToken = tokens.map((token, id) =>
    types[id] === CONTROL_TOKEN ? [] : Array.from(token, (char) => charToByte.get(char) ?? 0),
  );
  const utf8 = new TextEncoder();
  /** @type {Map<string, number[]>} */
  const known = new Map();

  /** @param {string} word */
  const encodeWord = (word) => {
    const seen = known.get(word);
    if (seen) return seen;
    const chars = Array.from(utf8.encode(word), (byte) => byteToChar[byte] ?? '');
    const encoded = mergePairs(chars, ranks).map((piece) => ids.get(piece) ?? 0);
    // A bound, because the words come from whoever asks.
    if (known.size < 10_000 && word.length < 50) known.set(word, encoded);
    return encoded;
  };

  return {
    encode: (text) => (text.match(WORDS) ?? []).flatMap(encodeWord),
    decode: (list) => new TextDecoder().decode(Uint8Array.from(list.flatMap((id) => bytesOfToken[id] ?? []))),
    special: (name) => {
      const id = ids.get(name);
      if (id === undefined || types[id] !== CONTROL_TOKEN) throw new Error(`the model has no special token ${name}`);
      return id;
    },
    longestToken: Math.max(...bytesOfToken.map((bytes) => bytes.length)),
  };
}

/**
 * Joins neighbours, the pair of lowest rank first. Each pass joins every such pair, so that a word of thousands of
 * letters costs as many passes as there are different pairs, not as there are letters.
 * @param {string[]} chars
 * @param {Map<string, number>} ranks
 */
function mergePairs(chars, ranks) {
  let pieces = chars;
  for (;;) {
    let best = '';
    let bestRank = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const pair = `${pieces[i]} ${pieces[i + 1]}`;
      const rank = ranks.get(pair);
      if (rank !== undefined && rank < bestRank) [best, bestRank] = [pair, rank];
    }
    if (best === '') return pieces;
    /** @type {string[]} */
    const joined = [];
    for (let i = 0; i < pieces.length; i++) {
      if (`${pieces[i]} ${pieces[i + 1]}` === best) joined.push(`${pieces[i]}${pieces[++i]}`);
      else joined.push(pieces[i] ?? '');
    }
    pieces = joined;
  }
}

/** The character that stands for each byte in a vocabulary: itself where it is printable, else one from U+0100 on. */
function printableBytes() {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(printable ? byte : next++);
  });
}
