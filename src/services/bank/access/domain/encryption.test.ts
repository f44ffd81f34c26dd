/** Bodies that were encrypted for the bank can be decrypted, and no others. */
import {
  constants,
  createCipheriv,
  createHmac,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
} from "node:crypto";
import { expect, it } from "vitest";
import { openEncrypted } from "./encryption.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const TEXT = '{"pin_code":"4821"}';
function encrypted(keyBytes = 32, padding = constants.RSA_PKCS1_PADDING) {
  const secret = randomBytes(keyBytes);
  const iv = randomBytes(16);
  const cipher = createCipheriv(keyBytes === 32 ? "aes-256-cbc" : "aes-128-cbc", secret, iv);
  const bytes = Buffer.concat([cipher.update(TEXT), cipher.final()]);
  const hmac = createHmac("sha1", secret).update(iv).update(bytes).digest();
  return { bytes, around: { key: publicEncrypt({ key: publicKey, padding }, secret), iv, hmac } };
}
const altered = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => (at === 3 ? byte ^ 1 : byte)));

it("opens what was encrypted for it", () => {
  const { bytes, around } = encrypted();
  expect(openEncrypted(bytes, around, privateKey)?.toString()).toBe(TEXT);
});

it("opens nothing that was altered or encrypted otherwise", () => {
  const { bytes, around } = encrypted();
  expect(openEncrypted(altered(bytes), around, privateKey)).toBeUndefined();
  for (const part of ["key", "iv", "hmac"] as const) {
    expect(openEncrypted(bytes, { ...around, [part]: altered(around[part]) }, privateKey)).toBeUndefined();
    expect(openEncrypted(bytes, { ...around, [part]: Buffer.alloc(0) }, privateKey)).toBeUndefined();
  }
  const short = encrypted(16);
  expect(openEncrypted(short.bytes, short.around, privateKey)).toBeUndefined();
  const otherwise = encrypted(32, constants.RSA_PKCS1_OAEP_PADDING);
  expect(openEncrypted(otherwise.bytes, otherwise.around, privateKey)).toBeUndefined();
});
