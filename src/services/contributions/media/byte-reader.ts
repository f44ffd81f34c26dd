/** Bytes that lie somewhere else, read here and there: only what is asked for is in memory. */

export type ByteReader = {
  readonly size: number;
  /** Fewer where they end before. */
  read(start: number, length: number): Promise<Buffer>;
};

export const readerOf = (bytes: Uint8Array): ByteReader => ({
  size: bytes.length,
  async read(start, length) {
    const from = Math.min(Math.max(0, start), bytes.length);
    return Buffer.from(
      bytes.buffer,
      bytes.byteOffset + from,
      Math.min(Math.max(0, length), bytes.length - from),
    );
  },
});

/** What of a file is damaged, hostile or too large, in words for whoever sent it. */
export class MediaProblem extends Error {}
