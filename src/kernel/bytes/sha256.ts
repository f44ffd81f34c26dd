/** SHA-256 of bytes that are in memory. Others are served between the pieces. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

const HASHED_TOGETHER_BYTES = 1024 * 1024;

export async function sha256Of(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes.length; from += HASHED_TOGETHER_BYTES) {
    if (from > 0) await nextTurn();
    hash.update(bytes.subarray(from, from + HASHED_TOGETHER_BYTES));
  }
  return hash.digest();
}
