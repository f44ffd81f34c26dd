/**
 * The work that opening a PFX file takes. The file itself says how often its password is hashed: up to two billion
 * times for each key, which would hold up the process for an hour. Keys may also be hidden in an encrypted part, so
 * that part is decrypted here.
 */
import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import {
  type Ber,
  BerError,
  childOf,
  EXPLICIT_0,
  INTEGER,
  integerOf,
  OCTETS,
  octetsOf,
  oidOf,
  parseBer,
  SEQUENCE,
} from "./ber.ts";

/** For all parts together. Usual files need 6,000 to 30,000. */
const PFX_ITERATIONS_MAX = 100_000;

/** The older functions derive a key in two steps, and an initial vector in one. */
const OLD_DERIVATIONS = 3;

/** Object identifiers in hexadecimal digits. */
const DATA = "2a864886f70d010701";
const ENCRYPTED_DATA = "2a864886f70d010706";
const SHROUDED_KEY = "2a864886f70d010c0a0102";
const NESTED_BAGS = "2a864886f70d010c0a0106";
const PBES2 = "2a864886f70d01050d";
const PBKDF2 = "2a864886f70d01050c";
const SHA1_AND_3DES = "2a864886f70d010c0103";
const HMAC_DIGESTS: ReadonlyMap<string, string> = new Map([
  ["2a864886f70d0207", "sha1"],
  ["2a864886f70d0208", "sha224"],
  ["2a864886f70d0209", "sha256"],
  ["2a864886f70d020a", "sha384"],
  ["2a864886f70d020b", "sha512"],
]);
const CIPHERS: ReadonlyMap<string, { readonly name: string; readonly keyBytes: number }> = new Map([
  ["608648016503040102", { name: "aes-128-cbc", keyBytes: 16 }],
  ["608648016503040116", { name: "aes-192-cbc", keyBytes: 24 }],
  ["60864801650304012a", { name: "aes-256-cbc", keyBytes: 32 }],
  ["2a864886f70d0307", { name: "des-ede3-cbc", keyBytes: 24 }],
]);

export class PfxError extends Error {}

/** Throws PfxError or BerError if opening the file would take too long, or if that cannot be known. */
export function refuseLaborious(pfx: Buffer, passphrase: string): void {
  const whole = parseBer(pfx);
  const work = new Work(passphrase);
  const mac = whole.children[2];
  if (mac) work.addIterations(mac.children[2]);
  const safe = childOf(whole, 1, SEQUENCE);
  if (oidOf(safe, 0) !== DATA) throw new PfxError("only files that are protected by a password can be read");
  for (const part of parseBer(octetsIn(safe)).children) work.addPart(part);
}

/** The octet string of a content of type data. */
const octetsIn = (content: Ber): Buffer => {
  const [octets] = childOf(content, 1, EXPLICIT_0).children;
  if (!octets) throw new BerError("a content is empty");
  return octetsOf(octets);
};

class Work {
  readonly #passphrase: string;
  #iterations = 0;
  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }
  /** Once if the file does not say how often. */
  addIterations(told: Ber | undefined, times = 1): void {
    this.#iterations += (told ? integerOf(told) : 1) * times;
    if (this.#iterations > PFX_ITERATIONS_MAX)
      throw new PfxError(
        `opening it would hash the password more than ${PFX_ITERATIONS_MAX} times: export it with fewer iterations`,
      );
  }
  addPart(part: Ber): void {
    const type = oidOf(part, 0);
    if (type === DATA) this.#addBags(parseBer(octetsIn(part)));
    else if (type === ENCRYPTED_DATA) this.#addSealed(part);
    else throw new PfxError("it holds a part of a kind that is not supported");
  }
  #addSealed(part: Ber): void {
    const sealed = childOf(childOf(childOf(part, 1, EXPLICIT_0), 0, SEQUENCE), 1, SEQUENCE);
    const [, algorithm, content] = sealed.children;
    if (!algorithm || !content) throw new BerError("an encrypted part is empty");
    this.#addAlgorithm(algorithm);
    this.#addBags(this.#opened(algorithm, octetsOf(content)));
  }
  #addBags(bags: Ber): void {
    for (const bag of bags.children) {
      const kind = oidOf(bag, 0);
      if (kind !== SHROUDED_KEY && kind !== NESTED_BAGS) continue;
      const value = childOf(childOf(bag, 1, EXPLICIT_0), 0, SEQUENCE);
      if (kind === NESTED_BAGS) this.#addBags(value);
      else this.#addAlgorithm(childOf(value, 0, SEQUENCE));
    }
  }
  #addAlgorithm(algorithm: Ber): void {
    const parameters = childOf(algorithm, 1, SEQUENCE);
    const isPbes2 = oidOf(algorithm, 0) === PBES2;
    if (isPbes2) this.addIterations(derivationOf(parameters).children[1]);
    else this.addIterations(parameters.children[1], OLD_DERIVATIONS);
  }
  /** The bags in an encrypted part. */
  #opened(algorithm: Ber, sealed: Buffer): Ber {
    for (const passphrase of this.#passphrase === "" ? [undefined, ""] : [this.#passphrase]) {
      try {
        return parseBer(decrypt(algorithm, sealed, passphrase));
      } catch (error) {
        if (error instanceof PfxError) throw error;
      }
    }
    throw new PfxError("the password is wrong");
  }
}

/** The parameters of PBKDF2. Other functions are refused: they have other measures of their work. */
function derivationOf(parameters: Ber): Ber {
  const derivation = childOf(parameters, 0, SEQUENCE);
  if (oidOf(derivation, 0) !== PBKDF2) throw unsupported();
  return childOf(derivation, 1, SEQUENCE);
}
const unsupported = (): PfxError => new PfxError("it is encrypted in a way that is not supported");

function decrypt(algorithm: Ber, sealed: Buffer, passphrase: string | undefined): Buffer {
  const parameters = childOf(algorithm, 1, SEQUENCE);
  const oid = oidOf(algorithm, 0);
  if (oid === PBES2) return decryptWithPbkdf2(parameters, sealed, passphrase ?? "");
  if (oid !== SHA1_AND_3DES) throw unsupported();
  const salt = childOf(parameters, 0, OCTETS).content;
  const iterations = integerOf(childOf(parameters, 1, INTEGER));
  const derived = (id: number, length: number) => derivePkcs12(id, length, { passphrase, salt, iterations });
  const decipher = createDecipheriv("des-ede3-cbc", derived(1, 24), derived(2, 8));
  return Buffer.concat([decipher.update(sealed), decipher.final()]);
}
function decryptWithPbkdf2(parameters: Ber, sealed: Buffer, passphrase: string): Buffer {
  const derivation = derivationOf(parameters);
  const encryption = childOf(parameters, 1, SEQUENCE);
  const cipher = CIPHERS.get(oidOf(encryption, 0));
  const hmac = derivation.children.find(({ tag }) => tag === SEQUENCE);
  const digest = hmac ? HMAC_DIGESTS.get(oidOf(hmac, 0)) : "sha1";
  if (!cipher || digest === undefined) throw unsupported();
  const salt = childOf(derivation, 0, OCTETS).content;
  const iterations = integerOf(childOf(derivation, 1, INTEGER));
  const key = pbkdf2Sync(passphrase, salt, iterations, cipher.keyBytes, digest);
  const decipher = createDecipheriv(cipher.name, key, childOf(encryption, 1, OCTETS).content);
  return Buffer.concat([decipher.update(sealed), decipher.final()]);
}

const BLOCK_BYTES = 64;
/** The key derivation of PKCS#12 with SHA-1 (RFC 7292, appendix B). `id`: 1 for a key, 2 for an initial vector. */
function derivePkcs12(
  id: number,
  length: number,
  given: { readonly passphrase: string | undefined; readonly salt: Buffer; readonly iterations: number },
): Buffer {
  const { passphrase, salt, iterations } = given;
  const password =
    passphrase === undefined ? Buffer.alloc(0) : Buffer.from(`${passphrase}\0`, "utf16le").swap16();
  let input = Buffer.concat([filled(salt), filled(password)]);
  const made: Buffer[] = [];
  for (let bytes = 0; bytes < length; ) {
    let block: Buffer = Buffer.concat([Buffer.alloc(BLOCK_BYTES, id), input]);
    for (let round = 0; round < iterations; round += 1) block = createHash("sha1").update(block).digest();
    made.push(block);
    bytes += block.length;
    input = Buffer.concat(blocksOf(input).map((one) => sumOf(one, filled(block).subarray(0, BLOCK_BYTES))));
  }
  return Buffer.concat(made).subarray(0, length);
}
/** Repeated up to a multiple of the block. */
const filled = (bytes: Buffer): Buffer =>
  bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES, bytes);
const blocksOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / BLOCK_BYTES }, (_, index) =>
    bytes.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES),
  );
/** The sum of two numbers and one, without what exceeds the block. */
function sumOf(one: Buffer, other: Buffer): Buffer {
  const sum = Buffer.alloc(BLOCK_BYTES);
  let carry = 1;
  for (let at = BLOCK_BYTES - 1; at >= 0; at -= 1) {
    carry += (one[at] ?? 0) + (other[at] ?? 0);
    sum[at] = carry & 0xff;
    carry >>= 8;
  }
  return sum;
}
