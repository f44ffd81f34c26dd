/** Scans all codes for the nearest to one query. It runs in worker threads on shared memory. */
import { DESCRIPTOR_LENGTH } from "../domain/descriptor.ts";
import { QUERY_FINENESS } from "./codes.ts";
import { CHUNK_ROWS, DotProducts } from "./dot-products.ts";

const dotProducts = new DotProducts();

/** The part of an index that workers need. It is in shared memory, so nothing is copied. */
export type Scanned = {
  readonly count: number;
  readonly codes: Int8Array;
  /** Sums of squares by row. */
  readonly squaredLengths: Int32Array;
  /** Person number of each row. Rows of one person are adjacent. Lists have none. */
  readonly owners: Int32Array | undefined;
};

export type Candidate = { readonly row: number; readonly score: number };

/**
 * Up to `limit` rows, nearest first, with only the nearest row of each owner. A score is an integer: the
 * squared distance without the squared length of the query, which is the same for all rows.
 */
export function nearestRows(
  { count, codes, squaredLengths, owners }: Scanned,
  query: Int16Array,
  limit: number,
): Candidate[] {
  const best = new Best(limit);
  let [owner, ownRow, ownScore] = [-1, -1, 0];
  for (let first = 0; first < count; first += CHUNK_ROWS) {
    const end = Math.min(count, first + CHUNK_ROWS);
    const products = dotProducts.of(
      codes.subarray(first * DESCRIPTOR_LENGTH, end * DESCRIPTOR_LENGTH),
      query,
    );
    for (let row = first; row < end; row += 1) {
      const score = QUERY_FINENESS * (squaredLengths[row] as number) - 2 * (products[row - first] as number);
      const rowOwner = owners ? (owners[row] as number) : row;
      if (rowOwner === owner && score >= ownScore) continue;
      if (rowOwner !== owner && ownRow >= 0) best.offer(ownRow, ownScore);
      [owner, ownRow, ownScore] = [rowOwner, row, score];
    }
  }
  if (ownRow >= 0) best.offer(ownRow, ownScore);
  return best.inOrder();
}

/** The best rows so far, as a heap with the worst on top. */
class Best {
  readonly #rows: Int32Array;
  readonly #scores: Float64Array;
  readonly #limit: number;
  #size = 0;
  constructor(limit: number) {
    this.#limit = limit;
    this.#rows = new Int32Array(limit);
    this.#scores = new Float64Array(limit);
  }
  offer(row: number, score: number): void {
    if (this.#size < this.#limit) {
      this.#put(this.#size, row, score);
      this.#size += 1;
      this.#rise(this.#size - 1);
    } else if (score < (this.#scores[0] as number)) {
      this.#put(0, row, score);
      this.#sink();
    }
  }
  inOrder(): Candidate[] {
    const all = Array.from({ length: this.#size }, (_, at) => ({
      row: this.#rows[at] as number,
      score: this.#scores[at] as number,
    }));
    return all.sort((a, b) => a.score - b.score || a.row - b.row);
  }
  #put(at: number, row: number, score: number): void {
    this.#rows[at] = row;
    this.#scores[at] = score;
  }
  #swap(a: number, b: number): void {
    const [row, score] = [this.#rows[a] as number, this.#scores[a] as number];
    this.#put(a, this.#rows[b] as number, this.#scores[b] as number);
    this.#put(b, row, score);
  }
  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if ((this.#scores[parent] as number) >= (this.#scores[at] as number)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }
  #sink(): void {
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= this.#size) return;
      if (child + 1 < this.#size && (this.#scores[child + 1] as number) > (this.#scores[child] as number))
        child += 1;
      if ((this.#scores[child] as number) <= (this.#scores[at] as number)) return;
      this.#swap(at, child);
      at = child;
    }
  }
}
