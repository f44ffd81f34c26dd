/** Maps features, by a 32-bit hash, to their row of weights. */

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const EMPTY = -1;

/** Begins a feature's number; `kind` keeps features of different kinds apart. */
export const startHash = (kind: number): number => Math.imul(FNV_START ^ kind, FNV_PRIME);

/** Takes one more UTF-16 unit into it. */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME);

export function addTextToHash(hash: number, text: string): number {
  let made = hash;
  for (let at = 0; at < text.length; at += 1) made = addToHash(made, text.charCodeAt(at));
  return made;
}

/** The low bits of such a number vary little between near words: they are mixed before they choose a place. */
function placeOf(hash: number, mask: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & mask;
}

/** An open table: `hashes` and `rows` side by side, at most half full. */
export class FeatureIndex {
  hashes: Int32Array;
  rows: Int32Array;
  size: number;

  constructor(hashes?: Int32Array, rows?: Int32Array) {
    this.hashes = hashes ?? new Int32Array(1024);
    this.rows = rows ?? new Int32Array(1024).fill(EMPTY);
    this.size = 0;
    if (rows) for (const row of rows) if (row !== EMPTY) this.size += 1;
  }

  /** Its row, or -1. */
  find(hash: number): number {
    const mask = this.rows.length - 1;
    let place = placeOf(hash, mask);
    for (;;) {
      const row = this.rows[place] ?? EMPTY;
      if (row === EMPTY || this.hashes[place] === hash) return row;
      place = (place + 1) & mask;
    }
  }

  /** Its row; the next free one if it has none yet. */
  add(hash: number): number {
    const found = this.find(hash);
    if (found !== EMPTY) return found;
    if (this.size * 2 >= this.rows.length) this.#grow();
    const row = this.size;
    this.#put(hash, row);
    this.size += 1;
    return row;
  }

  #put(hash: number, row: number): void {
    const mask = this.rows.length - 1;
    let place = placeOf(hash, mask);
    while (this.rows[place] !== EMPTY) place = (place + 1) & mask;
    this.hashes[place] = hash;
    this.rows[place] = row;
  }

  #grow(): void {
    const { hashes, rows } = this;
    this.hashes = new Int32Array(rows.length * 2);
    this.rows = new Int32Array(rows.length * 2).fill(EMPTY);
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place] ?? EMPTY;
      if (row !== EMPTY) this.#put(hashes[place] ?? 0, row);
    }
  }
}
