/** Page tokens: the position in a list, encrypted by this instance and valid only for that list. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

export type KeyPart = string | number;
/** The values that order a list and identify its rows. */
export type PageKey = readonly [] | readonly KeyPart[];
/** Hexadecimal for clients that accept only letters and digits, or that send a plus sign as a space. */
export type TokenEncoding = "base64url" | "hex";

/** Everything that a token is bound to. With any difference it does not open. */
export type TokenScope = {
  readonly account: string;
  readonly region: string;
  readonly operation: string;
  readonly filter: unknown;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Clients may send the same members in another order. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The scope is authenticated together with the key of the last row, but is not part of the token. */
const boundTo = ({ account, region, operation, filter }: TokenScope): Buffer =>
  Buffer.from(JSON.stringify([account, region, operation, filter], inOrder));

export class PageTokens {
  readonly #key: KeyObject;
  constructor(key: KeyObject) {
    this.#key = key;
  }
  seal(scope: TokenScope, last: PageKey, encoding: TokenEncoding = "base64url"): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(boundTo(scope));
    const sealed = [cipher.update(JSON.stringify(last), "utf8"), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString(encoding);
  }
  /** Undefined if it is not ours, or was made for another list. */
  open(scope: TokenScope, token: string, encoding: TokenEncoding = "base64url"): PageKey | undefined {
    const bytes = Buffer.from(token, encoding);
    // Decoders ignore unknown characters, so several texts would mean the same token.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString(encoding) !== token) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(boundTo(scope));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const plain = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8");
    try {
      return JSON.parse(plain + decipher.final("utf8"));
    } catch {
      return undefined;
    }
  }
}
