// Reads a GGUF file: metadata and tensors, the latter as 32-bit floats.

/**
 * One tensor; `shape` is fastest-running dimension first, as the file has it.
 * @typedef {{ shape: number[], data: Float32Array }} Tensor
 */

/** @typedef {{ metadata: Map<string, unknown>, tensors: Map<string, Tensor> }} Gguf */

const MAGIC = 0x46554747;
const F32 = 0;
const Q8_0 = 8;
const Q8_0_BLOCK = 32;
const Q8_0_BYTES = 34;

/**
 * Parses a GGUF file of version 2 or 3 whose tensors are F32 or Q8_0 (layout: the GGUF specification of ggml).
 * Throws an Error that says what is wrong where the bytes are no such file.
 * @param {Uint8Array} bytes
 * @returns {Gguf}
 */
export function readGguf(bytes) {
  const read = cursor(bytes);
  if (bytes.length < 24 || read.u32() !== MAGIC) throw new Error('not a GGUF file: it does not begin with "GGUF"');
  const version = read.u32();
  if (version !== 2 && version !== 3) throw new Error(`GGUF version ${version} is not supported, only 2 and 3`);
  const tensorCount = read.u64();
  const metadataCount = read.u64();

  /** @type {Map<string, unknown>} */
  const metadata = new Map();
  for (let i = 0; i < metadataCount; i++) {
    const key = read.string();
    metadata.set(key, read.value(read.u32()));
  }

  const infos = [];
  for (let i = 0; i < tensorCount; i++) {
    const name = read.string();
    const shape = Array.from({ length: read.u32() }, () => read.u64());
    infos.push({ name, shape, type: read.u32(), offset: read.u64() });
  }

  const alignment = Number(metadata.get('general.alignment') ?? 32);
  const start = Math.ceil(read.position() / alignment) * alignment;
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const { name, shape, type, offset } of infos) {
    const size = shape.reduce((product, length) => product * length, 1);
    tensors.set(name, { shape, data: read.tensor({ name, size, type, at: start + offset }) });
  }
  return { metadata, tensors };
}

/**
 * Reads little-endian values one after the other; running off the end throws a RangeError.
 * @param {Uint8Array} bytes
 */
function cursor(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder();
  let at = 0;

  /** @param {number} length */
  const skip = (length) => {
    const from = at;
    at += length;
    return from;
  };
  const u32 = () => view.getUint32(skip(4), true);
  const u64 = () => Number(view.getBigUint64(skip(8), true));
  const string = () => {
    const length = u64();
    if (length > bytes.length - at) throw new RangeError('the GGUF file is cut short');
    const from = skip(length);
    return utf8.decode(bytes.subarray(from, at));
  };

  /** Value types by their number in the GGUF specification. @type {Record<number, () => unknown>} */
  const values = {
    0: () => view.getUint8(skip(1)),
    1: () => view.getInt8(skip(1)),
    2: () => view.getUint16(skip(2), true),
    3: () => view.getInt16(skip(2), true),
    4: u32,
    5: () => view.getInt32(skip(4), true),
    6: () => view.getFloat32(skip(4), true),
    7: () => view.getUint8(skip(1)) !== 0,
    8: string,
    9: () => {
      const type = u32();
      const length = u64();
      if (length > bytes.length - at) throw new RangeError('the GGUF file is cut short');
      return Array.from({ length }, () => value(type));
    },
    10: u64,
    11: () => Number(view.getBigInt64(skip(8), true)),
    12: () => view.getFloat64(skip(8), true),
  };
  /** @param {number} type */
  const value = (type) => {
    const readValue = values[type];
    if (!readValue) throw new Error(`GGUF value type ${type} is unknown`);
    return readValue();
  };

  /** @param {{ name: string, size: number, type: number, at: number }} tensor */
  const tensor = ({ name, size, type, at: from }) => {
    const data = new Float32Array(size);
    if (type === F32) {
      for (let i = 0; i < size; i++) data[i] = view.getFloat32(from + i * 4, true);
    } else if (type === Q8_0) {
      for (let block = 0; block < size / Q8_0_BLOCK; block++) {
        const base = from + block * Q8_0_BYTES;
        const scale = halfToFloat(view.getUint16(base, true));
        for (let i = 0; i < Q8_0_BLOCK; i++) data[block * Q8_0_BLOCK + i] = scale * view.getInt8(base + 2 + i);
      }
    } else {
      throw new Error(`tensor ${name} has type ${type}; only F32 (0) and Q8_0 (8) are supported`);
    }
    return data;
  };

  return { u32, u64, string, value, tensor, position: () => at };
}

/**
 * The value of an IEEE 754 half-precision number.
 * @param {number} bits
 */
function halfToFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
