/**
 * Stored chunks: named by a keyed digest of their content, compressed, encrypted, and verified whenever they
 * are read.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { letGo } from "./conversation.ts";
import type { VaultKeys } from "./keys.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first sealed byte: how the content is written. */
const AS_IT_IS = 0;
const BROTLI = 1;
/** Of Brotli's qualities the one that packs better than gzip's usual one at more than twice its speed. */
const QUALITY = 3;
/** Content in cold storage is compressed more strongly: it is read seldom, so size matters more than time. */
export const COLD_QUALITY = 9;
export const CHUNK_BYTES_MAX = 2 * 1024 * 1024;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export type SealedChunk = { readonly id: string; readonly size: number; readonly bytes: Uint8Array };

/** A chunk that differs from the stored one. `id` is its id. */
export class DamagedChunkError extends Error {
  readonly id: string;
  constructor(id: string, what: string) {
    super(`the chunk ${id} ${what}`);
    this.id = id;
  }
}

/** A keyed digest: without the vault's key it reveals nothing about the content. */
export const nameOf = (keys: VaultKeys, content: Uint8Array): string =>
  createHmac("sha256", keys.nameKey).update(content).digest("base64url");

/** The largest overhead of encryption. */
export const SEALING_BYTES = NONCE_BYTES + 1 + TAG_BYTES;
/** How much incompressible content may grow. */
const SLACK_BYTES = 1024;
/** The usual ratio of content to compressed content. */
const UNPACKED_TIMES = 5;
const WINDOW_BITS_MIN = 16;
const WINDOW_BITS_MAX = 22;
/** The part of a window that Brotli does not use. */
const WINDOW_GAP_BYTES = 16;

/**
 * The smallest window that holds all of the content. A window takes twice its size in memory, for
 * compression and for decompression.
 */
const windowBitsOf = (bytes: number): number =>
  Math.min(Math.max(32 - Math.clz32(bytes + WINDOW_GAP_BYTES), WINDOW_BITS_MIN), WINDOW_BITS_MAX);

/**
 * The encoding and the encoded content. The output buffer has room for all of it, because each further piece
 * is another round trip to a thread.
 */
async function packed(content: Uint8Array, quality: number): Promise<readonly [number, Uint8Array]> {
  const smaller = await compress(content, {
    chunkSize: content.length + SLACK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBitsOf(content.length),
    },
  });
  return smaller.length < content.length ? [BROTLI, smaller] : [AS_IT_IS, content];
}

/**
 * `room`: the buffer for the encrypted chunk; it may overlap the content. It is `SEALING_BYTES` longer than
 * the content.
 */
export async function seal(
  keys: VaultKeys,
  id: string,
  content: Uint8Array,
  { quality = QUALITY, room }: { readonly quality?: number; readonly room?: Uint8Array } = {},
): Promise<SealedChunk> {
  const size = content.length;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keys.chunkKey, nonce).setAAD(Buffer.from(id));
  const [how, written] = await packed(content, quality);
  const parts = [nonce, cipher.update(Buffer.of(how)), cipher.update(written), cipher.final()];
  parts.push(cipher.getAuthTag());
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = room?.subarray(0, total) ?? Buffer.allocUnsafeSlow(total);
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  letGo([...parts, written === content ? undefined : written]);
  return { id, size, bytes };
}

function unsealed(keys: VaultKeys, id: string, bytes: Uint8Array): Buffer {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) throw new DamagedChunkError(id, "is too short");
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", keys.chunkKey, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(end));
  try {
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, end));
    // With this mode, `final` returns no bytes and only checks the authentication tag.
    decipher.final();
    return plain;
  } catch {
    throw new DamagedChunkError(id, "was changed after it was stored");
  }
}

async function unpacked(plain: Buffer): Promise<Buffer> {
  const rest = plain.subarray(1);
  if (plain[0] !== BROTLI) return rest;
  const chunkSize = Math.min(UNPACKED_TIMES * rest.length + SLACK_BYTES, CHUNK_BYTES_MAX);
  const content = await decompress(rest, { maxOutputLength: CHUNK_BYTES_MAX, chunkSize });
  letGo([plain]);
  return content;
}
export async function open(keys: VaultKeys, id: string, bytes: Uint8Array | undefined): Promise<Buffer> {
  if (bytes === undefined) throw new DamagedChunkError(id, "is missing");
  const content = await unpacked(unsealed(keys, id, bytes));
  if (nameOf(keys, content) !== id) throw new DamagedChunkError(id, "does not hold what its name says");
  return content;
}
