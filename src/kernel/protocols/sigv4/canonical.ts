/** The canonical form of a request for Signature Version 4, with its times, hashes and keys. */
import { isUtf8 } from "node:buffer";
import { createHmac, hash } from "node:crypto";
import { hasDotSegments, withoutDotSegments } from "../../http/dot-segments.ts";

/** A query parameter, name and value already in canonical percent-encoding. */
export type QueryPair = { key: string; value: string };

const PERCENT = 0x25;
const PLUS = 0x2b;
const NOT_ASCII = /[\u0080-\uffff]/;
const PLAIN_VALUE = /^[!-~]+(?: [!-~]+)*$/;

const PERCENT_ENCODED: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);

function codeTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const KEPT_IN_QUERY = codeTable(UNRESERVED);
const KEPT_IN_PATH = codeTable(`${UNRESERVED}/`);
const HEX_DIGITS = codeTable("0123456789ABCDEFabcdef");

function isKept(text: string, kept: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (kept[text.charCodeAt(index)] !== 1) return false;
  }
  return true;
}

/**
 * Node returns bytes of headers and targets as Latin-1. Signers hash UTF-8. So bytes that are UTF-8 are read as
 * such, and a single Latin-1 byte stands for its character.
 */
function isByteText(text: string): boolean {
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) && bytes.toString("latin1") === text;
}

/** One character for each signed byte. */
function asSignedBytes(text: string): string {
  if (!NOT_ASCII.test(text) || isByteText(text)) return text;
  return Buffer.from(text, "utf8").toString("latin1");
}

function encodePath(path: string): string {
  if (isKept(path, KEPT_IN_PATH)) return path;
  const bytes = asSignedBytes(path);
  let encoded = "";
  let copied = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes.charCodeAt(index);
    if (KEPT_IN_PATH[code] === 1) continue;
    encoded += bytes.slice(copied, index) + PERCENT_ENCODED[code];
    copied = index + 1;
  }
  return encoded + bytes.slice(copied);
}

function isEscape(bytes: string, index: number): boolean {
  return HEX_DIGITS[bytes.charCodeAt(index + 1)] === 1 && HEX_DIGITS[bytes.charCodeAt(index + 2)] === 1;
}

/** Decodes and encodes again, so that every spelling of a parameter becomes one. */
function encodeQueryPart(part: string): string {
  if (isKept(part, KEPT_IN_QUERY)) return part;
  const bytes = asSignedBytes(part);
  let encoded = "";
  for (let index = 0; index < bytes.length; index += 1) {
    let code = bytes.charCodeAt(index);
    if (code === PERCENT && isEscape(bytes, index)) {
      code = Number.parseInt(bytes.slice(index + 1, index + 3), 16);
      index += 2;
    } else if (code === PLUS) {
      // After verification a form-encoded plus means a space everywhere, so it is signed as one.
      code = 0x20;
    }
    encoded += KEPT_IN_QUERY[code] === 1 ? String.fromCharCode(code) : PERCENT_ENCODED[code];
  }
  return encoded;
}

/** Resolves dot segments, then encodes each segment as received once more, so `%3A` becomes `%253A`. */
export function canonicalPath(rawPath: string): string {
  const path = rawPath === "" ? "/" : rawPath;
  return encodePath(hasDotSegments(path) ? withoutDotSegments(path) : path);
}

/** Canonically encoded pairs in the order received; a name without `=` has an empty value. */
export function queryPairsOf(rawQuery: string): QueryPair[] {
  if (rawQuery === "") return [];
  const pairs: QueryPair[] = [];
  for (const part of rawQuery.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const key = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? "" : part.slice(equals + 1);
    pairs.push({ key: encodeQueryPart(key), value: encodeQueryPart(value) });
  }
  return pairs;
}

function comparePairs(left: QueryPair, right: QueryPair): number {
  // By name first: comparing the joined text would put `a-b=` before `a=`.
  if (left.key !== right.key) return left.key < right.key ? -1 : 1;
  if (left.value === right.value) return 0;
  return left.value < right.value ? -1 : 1;
}

/** Sorted by name, then value; the pair named `omittedKey` (the signature itself) is left out. */
export function canonicalQuery(pairs: readonly QueryPair[], omittedKey?: string): string {
  if (pairs.length === 0) return "";
  let query = "";
  for (const { key, value } of [...pairs].sort(comparePairs)) {
    if (key !== omittedKey) query += query === "" ? `${key}=${value}` : `&${key}=${value}`;
  }
  return query;
}

function tidySpace(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  const collapsed = value.replace(/[ \t\r\n]+/g, " ");
  const start = collapsed.startsWith(" ") ? 1 : 0;
  return collapsed.slice(start, collapsed.endsWith(" ") ? Math.max(start, collapsed.length - 1) : undefined);
}

/** Headers by lower-case name; of one sent several times, the tidied values joined by commas in order. */
export function collectHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${tidySpace(earlier)},${tidySpace(value)}`);
  }
  return headers;
}

/** The value without outer space and with each run of space as one, as it is signed. */
export function findHeader(headers: ReadonlyMap<string, string>, name: string): string | undefined {
  const value = headers.get(name);
  return value === undefined ? undefined : tidySpace(value);
}

function asSignedText(value: string): string {
  return NOT_ASCII.test(value) && isByteText(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}

/** One `name:value` line for each signed header, in the order given. */
export function canonicalHeaders(
  headers: ReadonlyMap<string, string>,
  signedNames: readonly string[],
): string {
  let lines = "";
  for (const name of signedNames) {
    const value = headers.get(name) ?? "";
    lines += `${name}:${PLAIN_VALUE.test(value) ? value : asSignedText(tidySpace(value))}\n`;
  }
  return lines;
}

const BASIC_TIME = /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])[0-5]\d[0-5]\dZ$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds of `YYYYMMDDTHHMMSSZ`, the only form a signature is dated in. */
export function parseBasicTime(text: string): number | undefined {
  if (!BASIC_TIME.test(text)) return undefined;
  const day = Number(text.slice(0, 8));
  const time = Number(text.slice(9, 15));
  const timeMs = Date.UTC(
    Math.floor(day / 10_000),
    (Math.floor(day / 100) % 100) - 1,
    day % 100,
    Math.floor(time / 10_000),
    Math.floor(time / 100) % 100,
    time % 100,
  );
  // A day past the end of its month would silently become one of the next.
  return new Date(timeMs).getUTCDate() === day % 100 ? timeMs : undefined;
}

export function formatBasicTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Milliseconds of an HTTP date, which a `Date` header may hold instead. */
export function parseHttpTime(text: string): number | undefined {
  const timeMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

const EMPTY_HASH = hash("sha256", "", "hex");

export function sha256Hex(data: string | Uint8Array): string {
  return data.length === 0 ? EMPTY_HASH : hash("sha256", data, "hex");
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** An HMAC key already mixed into the two blocks that every message under it begins with. */
export type SigningKey = { inner: Uint8Array; outer: Uint8Array };

// Two one-shot hashes take half the time of an Hmac object. Nothing here awaits, so all calls share one buffer.
const outerMessage = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

/** HMAC-SHA-256 as RFC 2104 has it, for keys no longer than a block. */
export function hmacSha256Hex(key: SigningKey, text: string): string {
  const innerMessage = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text));
  innerMessage.set(key.inner);
  innerMessage.write(text, BLOCK_BYTES);
  outerMessage.set(key.outer);
  outerMessage.write(hash("sha256", innerMessage, "binary"), BLOCK_BYTES, "latin1");
  return hash("sha256", outerMessage, "hex");
}

function deriveSigningKey(credential: string, secret: string): SigningKey {
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const step of credential.split("/").slice(1)) key = createHmac("sha256", key).update(step).digest();
  const inner = new Uint8Array(BLOCK_BYTES).map((_, index) => (key[index] ?? 0) ^ 0x36);
  const outer = new Uint8Array(BLOCK_BYTES).map((_, index) => (key[index] ?? 0) ^ 0x5c);
  return { inner, outer };
}

const SIGNING_KEYS_MAX = 1000;

/** Derived keys by credential (key id and scope), least recently used first. */
const signingKeys = new Map<string, { secret: string; key: SigningKey }>();

/** The key for `keyId/date/region/service/aws4_request`; a cached one is used only for the same secret. */
export function signingKeyOf(credential: string, secret: string): SigningKey {
  const remembered = signingKeys.get(credential);
  return remembered?.secret === secret ? remembered.key : deriveSigningKey(credential, secret);
}

/** Call only after a signature was verified, so that unknown callers cannot evict keys in use. */
export function rememberSigningKey(credential: string, secret: string, key: SigningKey): void {
  // The order matters only when the cache is nearly full.
  if (signingKeys.size < SIGNING_KEYS_MAX / 2 && signingKeys.get(credential)?.key === key) return;
  signingKeys.delete(credential);
  signingKeys.set(credential, { secret, key });
  if (signingKeys.size <= SIGNING_KEYS_MAX) return;
  const oldest = signingKeys.keys().next();
  if (!oldest.done) signingKeys.delete(oldest.value);
}
