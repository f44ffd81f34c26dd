/**
 * Bodies that a client encrypted with its own AES key. That key is sent encrypted with the bank's public
 * key.
 */
import {
  constants,
  createDecipheriv,
  createHmac,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

const KEY_BYTES = 32;
const IV_BYTES = 16;
export type Around = { readonly key: Uint8Array; readonly iv: Uint8Array; readonly hmac: Uint8Array };

/**
 * Checks the padding (PKCS #1 v1.5) in constant time. Wrong padding gives a random key, which decrypts nothing.
 * This prevents a padding oracle: an attacker cannot use the bank to decrypt a recorded message.
 */
function keyIn(encrypted: Uint8Array, privateKey: KeyObject): Buffer {
  const other = randomBytes(KEY_BYTES);
  let padded: Buffer;
  try {
    padded = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, encrypted);
  } catch {
    return other;
  }
  const end = padded.length - KEY_BYTES - 1;
  let wrong = (padded[0] ?? 1) | ((padded[1] ?? 0) ^ 2) | (padded[end] ?? 1);
  for (let at = 2; at < end; at += 1) wrong |= Number(padded[at] === 0);
  const found = padded.subarray(end + 1);
  return Buffer.from(other.map((byte, at) => (wrong === 0 ? (found[at] ?? 0) : byte)));
}

/** Returns undefined for a body that was encrypted for another key, or changed on the way. */
export function openEncrypted(
  bytes: Uint8Array,
  { key, iv, hmac }: Around,
  privateKey: KeyObject,
): Buffer | undefined {
  const secret = keyIn(key, privateKey);
  const expected = createHmac("sha1", secret).update(iv).update(bytes).digest();
  if (iv.length !== IV_BYTES || hmac.length !== expected.length || !timingSafeEqual(hmac, expected))
    return undefined;
  try {
    const decipher = createDecipheriv("aes-256-cbc", secret, iv);
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    return undefined;
  }
}
