/** Removes deleted faces from trained indexes. */
import type { FaceKey } from "../domain/containers.ts";
import type { FaceContext } from "../state.ts";
import { listBlocksAround, updateBlock } from "../store/index-blocks.ts";
import { Block, packBlock } from "./codes.ts";

/** Call this in the transaction that deletes the faces of one person or of a list. */
export async function forgetFaces(
  { db, account, secrets }: FaceContext,
  container: string,
  keys: readonly FaceKey[],
): Promise<void> {
  for (const key of keys)
    for (const block of await listBlocksAround(db, account, container, key)) {
      const entries = new Block(secrets.open(block.entries)).entries();
      const kept = entries.filter((entry) => entry.key.person !== key.person || entry.key.id !== key.id);
      if (kept.length < entries.length)
        await updateBlock(db, account, container, { ...block, entries: secrets.seal(packBlock(kept)) });
    }
}
