/** Random access to stored bytes: only the requested range is in memory. */

export type ByteReader = {
  readonly size: number;
  /** Fewer at the end. */
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

/** Why a file is refused (damaged, hostile or too large), in words for its sender. */
export class MediaProblem extends Error {}
