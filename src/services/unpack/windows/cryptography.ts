/** MD5 and RC4 as the system's crypto provider computes them. Programs use them to decrypt themselves. */

const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const SINES = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));
/** Message word index of each round: factor and start. */
const ORDERS = [
  [1, 0],
  [5, 1],
  [3, 5],
  [7, 0],
] as const;
const mixes: readonly ((b: number, c: number, d: number) => number)[] = [
  (b, c, d) => (b & c) | (~b & d),
  (b, c, d) => (d & b) | (~d & c),
  (b, c, d) => b ^ c ^ d,
  (b, c, d) => c ^ (b | ~d),
];

function padded(content: Uint8Array): DataView {
  const bytes = Math.ceil((content.length + 9) / 64) * 64;
  const block = new Uint8Array(bytes);
  block.set(content);
  block[content.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(bytes - 8, content.length << 3, true);
  view.setUint32(bytes - 4, content.length >>> 29, true);
  return view;
}
export function md5(content: Uint8Array): Uint8Array {
  const view = padded(content);
  const state = Int32Array.of(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476);
  for (let block = 0; block < view.byteLength; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    for (let step = 0; step < 64; step += 1) {
      const round = step >> 4;
      const [factor = 1, first = 0] = ORDERS[round] ?? [];
      const word = view.getInt32(block + ((step * factor + first) & 15) * 4, true);
      const mixed = mixes[round]?.(b, c, d) ?? 0;
      const sum = (a + mixed + (SINES[step] ?? 0) + word) | 0;
      const by = ROTATIONS[round]?.[step & 3] ?? 0;
      [a, d, c, b] = [d, c, b, (b + ((sum << by) | (sum >>> (32 - by)))) | 0];
    }
    for (const [index, value] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + value;
  }
  return new Uint8Array(state.buffer);
}

/** What is to be hashed. It is copied when its length has doubled. */
export class GrowingBytes {
  #bytes = new Uint8Array(64);
  length = 0;
  /** The place of so many more bytes, to be filled. */
  more(length: number): Uint8Array {
    const [from, to] = [this.length, this.length + length];
    if (to > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(to, 2 * this.#bytes.length));
      bytes.set(this.whole);
      this.#bytes = bytes;
    }
    this.length = to;
    return this.#bytes.subarray(from, to);
  }
  get whole(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/** The keystream continues between calls. Encryption and decryption are the same operation. */
export class Rc4 {
  readonly #key: Uint8Array;
  #order = new Uint8Array(256);
  #i = 0;
  #j = 0;
  constructor(key: Uint8Array) {
    this.#key = key;
    this.restart();
  }
  restart(): void {
    const order = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (let i = 0, j = 0; i < 256; i += 1) {
      const value = order[i] as number;
      j = (j + value + (this.#key[i % this.#key.length] as number)) & 255;
      order[i] = order[j] as number;
      order[j] = value;
    }
    this.#order = order;
    this.#i = 0;
    this.#j = 0;
  }
  apply(bytes: Uint8Array): void {
    const order = this.#order;
    for (let at = 0; at < bytes.length; at += 1) {
      this.#i = (this.#i + 1) & 255;
      const value = order[this.#i] as number;
      this.#j = (this.#j + value) & 255;
      order[this.#i] = order[this.#j] as number;
      order[this.#j] = value;
      const place = ((order[this.#i] as number) + value) & 255;
      bytes[at] = (bytes[at] as number) ^ (order[place] as number);
    }
  }
}
