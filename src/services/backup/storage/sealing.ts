/** Chunks as they lie in a vault: named by their content, compressed, sealed, and checked whenever they are opened. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { VaultKeys } from "./keys.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first sealed byte: how the content is written. */
const AS_IT_IS = 0;
const BROTLI = 1;
/** Of Brotli's qualities the one that packs better than gzip's usual one at more than twice its speed. */
const QUALITY = 3;
/** What is seldom read takes less room, and longer to write. */
export const COLD_QUALITY = 9;
export const CHUNK_BYTES_MAX = 2 * 1024 * 1024;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export type SealedChunk = { readonly id: string; readonly size: number; readonly bytes: Uint8Array };

/** A chunk that is not what was stored; `id` names it. */
export class DamagedChunkError extends Error {
  readonly id: string;
  constructor(id: string, what: string) {
    super(`the chunk ${id} ${what}`);
    this.id = id;
  }
}

/** Tells nothing of the content to whoever lacks the vault's key. */
export const nameOf = (keys: VaultKeys, content: Uint8Array): string =>
  createHmac("sha256", keys.nameKey).update(content).digest("base64url");

/** How it is written, and what is written. */
async function packed(content: Uint8Array, quality: number): Promise<readonly [number, Uint8Array]> {
  const smaller = await compress(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  return smaller.length < content.length ? [BROTLI, smaller] : [AS_IT_IS, content];
}

export async function seal(
  keys: VaultKeys,
  id: string,
  content: Uint8Array,
  quality = QUALITY,
): Promise<SealedChunk> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keys.chunkKey, nonce).setAAD(Buffer.from(id));
  const [how, written] = await packed(content, quality);
  const sealed = [nonce, cipher.update(Buffer.of(how)), cipher.update(written), cipher.final()];
  return { id, size: content.length, bytes: Buffer.concat([...sealed, cipher.getAuthTag()]) };
}

function unsealed(keys: VaultKeys, id: string, bytes: Uint8Array): Buffer {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) throw new DamagedChunkError(id, "is too short");
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", keys.chunkKey, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(end));
  try {
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, end));
    // In this mode nothing comes at the end but whether the tag is right.
    decipher.final();
    return plain;
  } catch {
    throw new DamagedChunkError(id, "was changed after it was stored");
  }
}

export async function open(keys: VaultKeys, id: string, bytes: Uint8Array | undefined): Promise<Buffer> {
  if (bytes === undefined) throw new DamagedChunkError(id, "is missing");
  const plain = unsealed(keys, id, bytes);
  const content =
    plain[0] === BROTLI
      ? await decompress(plain.subarray(1), { maxOutputLength: CHUNK_BYTES_MAX })
      : plain.subarray(1);
  if (nameOf(keys, content) !== id) throw new DamagedChunkError(id, "does not hold what its name says");
  return content;
}
