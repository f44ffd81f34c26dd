/** Bytes into the blob store a chunk at a time, each in a short transaction of its own, so that nobody waits long for another. */
import { Checksum, inChunks } from "#kernel/blobs";
import type { ContributionsContext } from "../state.ts";

export type Grown = { readonly size: number; readonly sha256: string };

/** `first`: joins the transaction of the first chunk. Nobody can find the blob before it is completed. */
export async function growBlob(
  context: ContributionsContext,
  id: string,
  parts: AsyncIterable<Uint8Array>,
  first?: (bytes: Uint8Array, within: ContributionsContext) => Promise<void>,
): Promise<Grown> {
  const checksum = new Checksum();
  let position = 0;
  let size = 0;
  try {
    for await (const bytes of inChunks(parts)) {
      size += bytes.length;
      await context.state.media.oneChunkAtATime(() =>
        context.transact(async (within) => {
          if (position === 0) await first?.(bytes, within);
          await within.blobs.writeChunk(id, position, bytes);
        }, bytes.length),
      );
      await checksum.add(bytes);
      position += 1;
    }
  } catch (error) {
    checksum.forget();
    throw error;
  }
  return { size, sha256: await checksum.digest() };
}
