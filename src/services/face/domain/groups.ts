/** Clusters similar faces. Members of a group are mutually similar; faces without a group are "messy". */

export type Grouped = { readonly groups: number[][]; readonly messy: number[] };

/** Yields to other work between steps of a long computation. */
export type Pause = () => Promise<void>;

/** The nearest other group, and the mean distance of the faces. */
type Nearest = { readonly at: number; readonly mean: number };

const JOINS_AT_ONCE = 20;

/**
 * `distances[i][j]`: distance of faces i and j. `limit`: mean distance below which two groups are one
 * person. The nearest two groups are merged repeatedly. The result depends only on the faces; ties go to the
 * first pair.
 */
export async function groupFaces(
  distances: readonly Float32Array[],
  limit: number,
  pause: Pause,
): Promise<Grouped> {
  const joining = new Joining(distances);
  for (let joins = 1; joining.joinNearest(limit); joins += 1) if (joins % JOINS_AT_ONCE === 0) await pause();
  const several = joining.groups.filter(({ length }) => length > 1);
  several.sort((one, other) => other.length - one.length || first(one) - first(other));
  return { groups: several, messy: joining.groups.filter(({ length }) => length === 1).flat() };
}
const first = (group: readonly number[]): number => group[0] ?? 0;

/** Updates the mean distances between groups incrementally. */
class Joining {
  readonly #groups: (number[] | undefined)[];
  readonly #means: readonly Float64Array[];
  /** Nearest group of each group among later ones, so that each pair is compared once. */
  readonly #nearest: (Nearest | undefined)[];

  constructor(distances: readonly Float32Array[]) {
    this.#means = distances.map((row) => Float64Array.from(row));
    this.#groups = distances.map((_, i) => [i]);
    this.#nearest = distances.map((_, i) => this.#findNearest(i));
  }
  get groups(): number[][] {
    return this.#groups.filter((group) => group !== undefined);
  }
  /** False if no two groups are near enough. */
  joinNearest(limit: number): boolean {
    let best: (Nearest & { readonly from: number }) | undefined;
    this.#nearest.forEach((found, from) => {
      if (found && (!best || found.mean < best.mean)) best = { ...found, from };
    });
    if (!best || best.mean >= limit) return false;
    this.#join(best.from, best.at);
    return true;
  }
  #mean(one: number, other: number): number {
    return this.#means[one]?.[other] ?? Number.POSITIVE_INFINITY;
  }
  #findNearest(from: number): Nearest | undefined {
    let found: Nearest | undefined;
    for (let at = from + 1; at < this.#groups.length; at += 1) {
      const mean = this.#mean(from, at);
      if (this.#groups[at] && (!found || mean < found.mean)) found = { at, mean };
    }
    return found;
  }
  /** Merges the second group into the first. */
  #join(kept: number, gone: number): void {
    const [here, there] = [this.#groups[kept] ?? [], this.#groups[gone] ?? []];
    this.#groups[kept] = [...here, ...there].sort((one, other) => one - other);
    this.#groups[gone] = undefined;
    this.#nearest[gone] = undefined;
    this.#groups.forEach((group, i) => {
      if (!group || i === kept) return;
      const sum = this.#mean(kept, i) * here.length + this.#mean(gone, i) * there.length;
      this.#setMean(kept, i, sum / (here.length + there.length));
    });
    this.#groups.forEach((group, i) => {
      const found = this.#nearest[i];
      if (!group || i > gone) return;
      if (i === kept || found?.at === kept || found?.at === gone) this.#nearest[i] = this.#findNearest(i);
      else if (i < kept && found && this.#mean(i, kept) < found.mean)
        this.#nearest[i] = { at: kept, mean: this.#mean(i, kept) };
    });
  }
  #setMean(one: number, other: number, mean: number): void {
    (this.#means[one] as Float64Array)[other] = mean;
    (this.#means[other] as Float64Array)[one] = mean;
  }
}
