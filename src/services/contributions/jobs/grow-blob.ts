/** Writes bytes to the blob store. Each chunk is one short transaction, so that other changes do not wait long. */
import { Checksum, inChunks } from "#kernel/blobs";
import type { ContributionsContext } from "../state.ts";

export type Grown = { readonly size: number; readonly sha256: string };

/** `first` joins the transaction of the first chunk. The blob is invisible until it is complete. */
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
      const stored = await context.objects.store(bytes);
      await context.state.media.oneChunkAtATime(() =>
        context.transact(async (within) => {
          if (position === 0) await first?.(bytes, within);
          await within.blobs.writeChunk(id, position, stored);
        }, stored.bytes.length),
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
