type Bounded = Pick<Map<unknown, unknown> | Set<unknown>, "size" | "delete"> & {
  keys(): IterableIterator<unknown>;
};
/** Of a full map, the oldest 16th goes at once: the first key of a map is found slowly after many deletions. */
const LEAVING_SHARE = 16;

/**
 * Deletes the oldest entries of a full map, so that more fit. It must not be cleared: a caller with many keys would
 * reset the counters of all others.
 */
export function makeRoom(entries: Bounded, max: number): void {
  if (entries.size < max) return;
  const sizeWanted = max - Math.max(1, Math.floor(max / LEAVING_SHARE));
  for (const oldest of entries.keys()) {
    if (entries.size <= sizeWanted) return;
    entries.delete(oldest);
  }
}
