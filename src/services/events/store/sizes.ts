/** Splits lists into powers of two, so that bulk statements are compiled for a few sizes only. */
const SIZE_MAX = 128;

export function* inSizes<T>(items: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (let size = SIZE_MAX; size >= 1; size /= 2)
    while (items.length - start >= size) {
      yield items.slice(start, start + size);
      start += size;
    }
}
