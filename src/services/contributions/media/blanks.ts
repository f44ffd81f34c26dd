/** Parts of a film that its public copy does not have. All other bytes keep their offset. */

/** Replacement bytes; zeros follow up to `end`. */
export type Blank = { readonly start: number; readonly beginning: Buffer; readonly end: number };

/** Streams the film with its private parts overwritten. They are in the order of the film. */
export async function* withoutPrivateParts(
  chunks: AsyncIterable<Uint8Array>,
  blanks: readonly Blank[],
): AsyncGenerator<Buffer> {
  let position = 0;
  let passed = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    while (passed < blanks.length && (blanks[passed] as Blank).end <= position) passed += 1;
    for (let index = passed; index < blanks.length; index += 1) {
      const { start, beginning, end } = blanks[index] as Blank;
      if (start >= position + bytes.length) break;
      const first = Math.max(start, position);
      const last = Math.min(end, position + bytes.length);
      if (first >= last) continue;
      bytes.fill(0, first - position, last - position);
      if (first < start + beginning.length)
        beginning.copy(bytes, first - position, first - start, last - start);
    }
    position += bytes.length;
    yield bytes;
  }
}
