// The forward pass of a llama-architecture model, one token at a time, with a key-value cache.

/**
 * Elements are `any` because each index of these loops is in bounds by construction, which the checker cannot see.
 * @typedef {Float32Array & { [index: number]: any }} Floats
 */

/**
 * @typedef {object} Layer
 * @property {Floats} attentionNorm
 * @property {Floats} query
 * @property {Floats} key
 * @property {Floats} value
 * @property {Floats} attentionOut
 * @property {Floats} feedForwardNorm
 * @property {Floats} gate
 * @property {Floats} up
 * @property {Floats} down
 */

/**
 * One conversation with the model: what it was fed so far.
 * @typedef {object} Session
 * @property {(token: number) => void} feed Appends a token; throws a RangeError where the session is full.
 * @property {() => Float32Array} logits The scores of every token to come next; overwritten by the next call.
 */

/**
 * @typedef {object} Engine
 * @property {number} contextLength The most tokens a session may hold.
 * @property {(length: number) => Session} start A new session with room for `length` tokens.
 */

/**
 * An engine from a GGUF file of the llama architecture. Throws an Error where the file is of another one.
 * @param {import('./gguf.js').Gguf} gguf
 * @returns {Engine}
 */
export function createEngine({ metadata, tensors }) {
  const architecture = metadata.get('general.architecture');
  if (architecture !== 'llama') throw new Error(`only the llama architecture runs here, not ${String(architecture)}`);
  /** @param {string} name */
  const number = (name) => {
    const value = metadata.get(`llama.${name}`);
    if (typeof value !== 'number') throw new Error(`the GGUF file does not say llama.${name}`);
    return value;
  };
  /** @param {string} name @returns {Floats} */
  const weights = (name) => {
    const tensor = tensors.get(`${name}.weight`);
    if (!tensor) throw new Error(`the GGUF file has no tensor ${name}.weight`);
    return tensor.data;
  };

  const contextLength = number('context_length');
  const width = number('embedding_length');
  const hidden = number('feed_forward_length');
  const heads = number('attention.head_count');
  const headWidth = width / heads;
  const epsilon = number('attention.layer_norm_rms_epsilon');
  if (number('attention.head_count_kv') !== heads) throw new Error('grouped key-value heads are not supported');

  const embedding = weights('token_embd');
  const outputNorm = weights('output_norm');
  /** @type {Layer[]} */
  const layers = Array.from({ length: number('block_count') }, (_, block) => ({
    attentionNorm: weights(`blk.${block}.attn_norm`),
    query: weights(`blk.${block}.attn_q`),
    key: weights(`blk.${block}.attn_k`),
    value: weights(`blk.${block}.attn_v`),
    attentionOut: weights(`blk.${block}.attn_output`),
    feedForwardNorm: weights(`blk.${block}.ffn_norm`),
    gate: weights(`blk.${block}.ffn_gate`),
    up: weights(`blk.${block}.ffn_up`),
    down: weights(`blk.${block}.ffn_down`),
  }));
  const frequencies = Array.from(
    { length: headWidth / 2 },
    (_, i) => number('rope.freq_base') ** ((-2 * i) / headWidth),
  );

  return {
    contextLength,
    start(length) {
      const cache = layers.map((layer) => ({
        layer,
        keys: new Float32Array(length * width),
        values: new Float32Array(length * width),
      }));
      const stream = new Float32Array(width);
      const normed = new Float32Array(width);
      const query = new Float32Array(width);
      const mixed = new Float32Array(width);
      const gate = new Float32Array(hidden);
      const up = new Float32Array(hidden);
      const scores = new Float32Array(embedding.length / width);
      let position = 0;

      return {
        feed(token) {
          if (position >= length) throw new RangeError(`the session holds ${length} tokens already`);
          stream.set(embedding.subarray(token * width, (token + 1) * width));
          for (const { layer, keys, values } of cache) {
            const at = position * width;
            const key = keys.subarray(at, at + width);
            normalise(normed, stream, { weight: layer.attentionNorm, epsilon });
            multiply(query, layer.query, normed);
            multiply(key, layer.key, normed);
            multiply(values.subarray(at, at + width), layer.value, normed);
            rotate(query, position, frequencies);
            rotate(key, position, frequencies);
            attend(mixed, query, { keys, values, count: position + 1, headWidth });
            multiply(normed, layer.attentionOut, mixed);
            add(stream, normed);

            normalise(normed, stream, { weight: layer.feedForwardNorm, epsilon });
            multiply(gate, layer.gate, normed);
            multiply(up, layer.up, normed);
            gateWithSilu(gate, up);
            multiply(normed, layer.down, gate);
            add(stream, normed);
          }
          position++;
        },
        logits() {
          normalise(normed, stream, { weight: outputNorm, epsilon });
          multiply(scores, embedding, normed);
          return scores;
        },
      };
    },
  };
}

/**
 * `out = matrix · x`; the matrix lies row by row. Two rows and two columns at a time, which halves the time; so both
 * counts must be even, as they are in every such model.
 * @param {Floats} out
 * @param {Floats} matrix
 * @param {Floats} x
 */
function multiply(out, matrix, x) {
  const columns = x.length;
  for (let row = 0, upper = 0; row < out.length; row += 2, upper += 2 * columns) {
    const lower = upper + columns;
    let upperEven = 0;
    let upperOdd = 0;
    let lowerEven = 0;
    let lowerOdd = 0;
    for (let i = 0; i < columns; i += 2) {
      const even = x[i];
      const odd = x[i + 1];
      upperEven += matrix[upper + i] * even;
      upperOdd += matrix[upper + i + 1] * odd;
      lowerEven += matrix[lower + i] * even;
      lowerOdd += matrix[lower + i + 1] * odd;
    }
    out[row] = upperEven + upperOdd;
    out[row + 1] = lowerEven + lowerOdd;
  }
}

/**
 * Root-mean-square norm of `x` into `out`.
 * @param {Floats} out
 * @param {Floats} x
 * @param {{ weight: Floats, epsilon: number }} norm
 */
function normalise(out, x, { weight, epsilon }) {
  let squares = 0;
  for (let i = 0; i < x.length; i++) squares += x[i] * x[i];
  const scale = 1 / Math.sqrt(squares / x.length + epsilon);
  for (let i = 0; i < x.length; i++) out[i] = x[i] * scale * weight[i];
}

/**
 * Rotary position embedding in place, on neighbouring pairs, the same for every head.
 * @param {Floats} x
 * @param {number} position
 * @param {readonly number[]} frequencies
 */
function rotate(x, position, frequencies) {
  for (let pair = 0; pair < frequencies.length; pair++) {
    const angle = position * (frequencies[pair] ?? 0);
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    for (let i = pair * 2; i < x.length; i += frequencies.length * 2) {
      const a = x[i];
      const b = x[i + 1];
      x[i] = a * cos - b * sin;
      x[i + 1] = a * sin + b * cos;
    }
  }
}

/**
 * Attention of every head over the first `count` cached positions, into `out`.
 * @param {Floats} out
 * @param {Floats} query
 * @param {{ keys: Floats, values: Floats, count: number, headWidth: number }} past
 */
function attend(out, query, { keys, values, count, headWidth }) {
  const width = query.length;
  const scale = 1 / Math.sqrt(headWidth);
  /** @type {Floats} */
  const weights = new Float32Array(count);
  out.fill(0);
  for (let head = 0; head < width; head += headWidth) {
    let most = Number.NEGATIVE_INFINITY;
    for (let t = 0; t < count; t++) {
      const base = t * width + head;
      let dot = 0;
      for (let i = 0; i < headWidth; i++) dot += query[head + i] * keys[base + i];
      weights[t] = dot * scale;
      if (weights[t] > most) most = weights[t];
    }
    let sum = 0;
    for (let t = 0; t < count; t++) {
      weights[t] = Math.exp(weights[t] - most);
      sum += weights[t];
    }
    for (let t = 0; t < count; t++) {
      const base = t * width + head;
      const share = weights[t] / sum;
      for (let i = 0; i < headWidth; i++) out[head + i] += share * values[base + i];
    }
  }
}

/**
 * SwiGLU: `gate = silu(gate) * up`.
 * @param {Floats} gate
 * @param {Floats} up
 */
function gateWithSilu(gate, up) {
  for (let i = 0; i < gate.length; i++) gate[i] = (gate[i] / (1 + Math.exp(-gate[i]))) * up[i];
}

/**
 * `into += x`.
 * @param {Floats} into
 * @param {Floats} x
 */
function add(into, x) {
  for (let i = 0; i < into.length; i++) into[i] += x[i];
}
