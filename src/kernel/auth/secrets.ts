/** How secrets are stored: hashed if possible, encrypted if the secret itself is needed to verify. */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { makeRoom } from "../memory/index.ts";

export const digestOf = (secret: string): string => hash("sha256", secret, "base64url");

export function sameText(a: string, b: string): boolean {
  const left = createHash("sha256").update(a).digest();
  const right = createHash("sha256").update(b).digest();
  return timingSafeEqual(left, right);
}

/** Encrypts with AES-256-GCM under a key derived from the given text. */
export class SecretBox {
  readonly #key: Buffer;
  readonly #derived = new Map<string, KeyObject>();
  constructor(keyText: string) {
    this.#key = createHash("sha256").update(`medley secret box\0${keyText}`).digest();
  }
  seal(plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  }
  /**
   * A key for one other purpose, of which there are few. It lasts as long and is shared as widely as the box's own
   * key, and reveals nothing of it.
   */
  deriveKey(purpose: string): KeyObject {
    const known = this.#derived.get(purpose);
    if (known) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", this.#key, "", `medley ${purpose}`, 32)));
    this.#derived.set(purpose, key);
    return key;
  }
}

/** Argon2id; loaded on first use, because most installations do not need it at start. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import("@node-rs/argon2");
  return hash(password);
}

const NAMED_PASSWORDS_KEPT_MAX = 100;
const namedPasswords = new Map<string, Promise<string>>();
/**
 * The hash of a password that a credentials file names. Every instance of one process gets the same hash for the same name
 * and password: a test suite starts hundreds of instances with one file, and each hash takes 30 ms of processor.
 */
export function hashNamedPassword(username: string, password: string): Promise<string> {
  const key = digestOf(JSON.stringify([username, password]));
  const known = namedPasswords.get(key);
  if (known) return known;
  makeRoom(namedPasswords, NAMED_PASSWORDS_KEPT_MAX);
  const made = hashPassword(password);
  namedPasswords.set(key, made);
  return made;
}
export async function verifyPassword(hashed: string, password: string): Promise<boolean> {
  const { verify } = await import("@node-rs/argon2");
  return verify(hashed, password).catch(() => false);
}
