/**
 * The work that opening a PFX file takes. The file itself says how often its password is hashed: up to two billion
 * times for each key, which would stop the process for an hour. Keys may also be in an encrypted part, so that part
 * is decrypted here.
 */
import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import type { AsnType, Integer, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { packageOnUse } from "../packages/index.ts";

const asn1 = packageOnUse<typeof import("asn1js")>("asn1js");

/** For all parts together. Usual files need 6,000 to 30,000. */
const PFX_ITERATIONS_MAX = 100_000;

/** The older functions derive a key in two steps, and an initial vector in one. */
const OLD_DERIVATIONS = 3;

const DATA = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA = "1.2.840.113549.1.7.6";
const SHROUDED_KEY = "1.2.840.113549.1.12.10.1.2";
const NESTED_BAGS = "1.2.840.113549.1.12.10.1.6";
const PBES2 = "1.2.840.113549.1.5.13";
const PBKDF2 = "1.2.840.113549.1.5.12";
const SHA1_AND_3DES = "1.2.840.113549.1.12.1.3";
const HMAC_DIGESTS: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.2.7", "sha1"],
  ["1.2.840.113549.2.8", "sha224"],
  ["1.2.840.113549.2.9", "sha256"],
  ["1.2.840.113549.2.10", "sha384"],
  ["1.2.840.113549.2.11", "sha512"],
]);
const CIPHERS: ReadonlyMap<string, { readonly name: string; readonly keyBytes: number }> = new Map([
  ["2.16.840.1.101.3.4.1.2", { name: "aes-128-cbc", keyBytes: 16 }],
  ["2.16.840.1.101.3.4.1.22", { name: "aes-192-cbc", keyBytes: 24 }],
  ["2.16.840.1.101.3.4.1.42", { name: "aes-256-cbc", keyBytes: 32 }],
  ["1.2.840.113549.3.7", { name: "des-ede3-cbc", keyBytes: 24 }],
]);

export class PfxError extends Error {}

/** Throws PfxError if opening the file would take too long, or if that cannot be known. */
export function refuseCostly(pfx: Buffer, passphrase: string): void {
  const whole = parse(pfx);
  const work = new Work(passphrase);
  const [, safe, mac] = childrenOf(whole);
  if (mac) work.addIterations(childrenOf(mac)[2]);
  if (!safe || oidOf(safe) !== DATA)
    throw new PfxError("only files that are protected by a password can be read");
  for (const part of childrenOf(parse(dataIn(safe)))) work.addPart(part);
}

/** The limits of the library on depth and number of values hold. */
function parse(bytes: Buffer): AsnType {
  const { offset, result } = asn1().fromBER(bytes);
  if (offset === -1) throw new PfxError(result.error);
  return result;
}
function childrenOf({ valueBlock }: AsnType): readonly AsnType[] {
  const isList = "value" in valueBlock && Array.isArray(valueBlock.value);
  return isList ? (valueBlock.value as readonly AsnType[]) : [];
}
type Kinds = {
  readonly Sequence: Sequence;
  readonly Integer: Integer;
  readonly OctetString: OctetString;
  readonly ObjectIdentifier: ObjectIdentifier;
};
function kindOf<Kind extends keyof Kinds>(value: AsnType | undefined, kind: Kind): Kinds[Kind] {
  if (value instanceof asn1()[kind]) return value as Kinds[Kind];
  throw new PfxError(`a value of the type ${kind} is missing`);
}
const childOf = <Kind extends keyof Kinds>(value: AsnType, index: number, kind: Kind): Kinds[Kind] =>
  kindOf(childrenOf(value)[index], kind);
/** The value inside the tag [0]. */
function taggedIn(value: AsnType, index: number): AsnType {
  const tagged = childrenOf(value)[index];
  const [inner] = tagged && isTagged(tagged) ? childrenOf(tagged) : [];
  if (inner) return inner;
  throw new PfxError("a tagged value is missing");
}
const isTagged = ({ idBlock }: AsnType): boolean => idBlock.tagClass === 3 && idBlock.tagNumber === 0;
const oidOf = (value: AsnType): string => childOf(value, 0, "ObjectIdentifier").getValue();
const bytesOf = (octets: OctetString): Buffer => Buffer.from(octets.getValue());
function iterationsOf(value: AsnType): number {
  const iterations = Number(kindOf(value, "Integer").toBigInt());
  if (iterations > 0) return iterations;
  throw new PfxError("it names a number of iterations below one");
}

/** The bytes of a content of the type data. */
const dataIn = (content: AsnType): Buffer => bytesOf(kindOf(taggedIn(content, 1), "OctetString"));

class Work {
  readonly #passphrase: string;
  #iterations = 0;
  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }
  /** Once if the file does not say how often. */
  addIterations(given: AsnType | undefined, times = 1): void {
    this.#iterations += (given ? iterationsOf(given) : 1) * times;
    if (this.#iterations > PFX_ITERATIONS_MAX)
      throw new PfxError(
        `opening it would hash the password more than ${PFX_ITERATIONS_MAX} times: export it with fewer iterations`,
      );
  }
  addPart(part: AsnType): void {
    const type = oidOf(part);
    if (type === DATA) this.#addBags(parse(dataIn(part)));
    else if (type === ENCRYPTED_DATA) this.#addEncrypted(part);
    else throw new PfxError("it holds a part of a kind that is not supported");
  }
  #addEncrypted(part: AsnType): void {
    const [, algorithm, content] = childrenOf(childOf(taggedIn(part, 1), 1, "Sequence"));
    if (!algorithm || !content || !isTagged(content)) throw new PfxError("an encrypted part is empty");
    this.#addAlgorithm(algorithm);
    this.#addBags(this.#decrypted(algorithm, encryptedBytesOf(content)));
  }
  #addBags(bags: AsnType): void {
    for (const bag of childrenOf(bags)) {
      const kind = oidOf(bag);
      if (kind === NESTED_BAGS) this.#addBags(taggedIn(bag, 1));
      if (kind === SHROUDED_KEY) this.#addAlgorithm(childOf(taggedIn(bag, 1), 0, "Sequence"));
    }
  }
  #addAlgorithm(algorithm: AsnType): void {
    const parameters = childOf(algorithm, 1, "Sequence");
    if (oidOf(algorithm) === PBES2) this.addIterations(childrenOf(derivationOf(parameters))[1]);
    else this.addIterations(childrenOf(parameters)[1], OLD_DERIVATIONS);
  }
  /** The bags in an encrypted part. */
  #decrypted(algorithm: AsnType, encrypted: Buffer): AsnType {
    for (const passphrase of this.#passphrase === "" ? [undefined, ""] : [this.#passphrase]) {
      const bytes = decryptOrUndefined(algorithm, encrypted, passphrase);
      if (bytes) return parse(bytes);
    }
    throw new PfxError("the password is wrong");
  }
}

/** The octets are whole, or in parts. */
function encryptedBytesOf(content: AsnType): Buffer {
  const { valueBlock } = content;
  if ("valueHexView" in valueBlock) return Buffer.from(valueBlock.valueHexView as Uint8Array);
  return Buffer.concat(childrenOf(content).map((part) => bytesOf(kindOf(part, "OctetString"))));
}

/** The parameters of PBKDF2. Other functions are refused: they have other measures of their work. */
function derivationOf(parameters: AsnType): Sequence {
  const derivation = childOf(parameters, 0, "Sequence");
  if (oidOf(derivation) !== PBKDF2) throw unsupported();
  return childOf(derivation, 1, "Sequence");
}
const unsupported = (): PfxError => new PfxError("it is encrypted in a way that is not supported");

/** Undefined if the password is wrong. */
function decryptOrUndefined(
  algorithm: AsnType,
  encrypted: Buffer,
  passphrase: string | undefined,
): Buffer | undefined {
  const { cipher, key, iv } = decryptionOf(algorithm, passphrase);
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}
type Decryption = { readonly cipher: string; readonly key: Buffer; readonly iv: Buffer };
function decryptionOf(algorithm: AsnType, passphrase: string | undefined): Decryption {
  const parameters = childOf(algorithm, 1, "Sequence");
  const oid = oidOf(algorithm);
  if (oid === PBES2) return decryptionWithPbkdf2(parameters, passphrase ?? "");
  if (oid !== SHA1_AND_3DES) throw unsupported();
  const given = { passphrase, ...saltAndIterationsIn(parameters) };
  return { cipher: "des-ede3-cbc", key: derivePkcs12(1, 24, given), iv: derivePkcs12(2, 8, given) };
}
function decryptionWithPbkdf2(parameters: Sequence, passphrase: string): Decryption {
  const derivation = derivationOf(parameters);
  const encryption = childOf(parameters, 1, "Sequence");
  const cipher = CIPHERS.get(oidOf(encryption));
  const hmac = childrenOf(derivation).find((one) => one instanceof asn1().Sequence);
  const digest = hmac ? HMAC_DIGESTS.get(oidOf(hmac)) : "sha1";
  if (!cipher || digest === undefined) throw unsupported();
  const { salt, iterations } = saltAndIterationsIn(derivation);
  const key = pbkdf2Sync(passphrase, salt, iterations, cipher.keyBytes, digest);
  return { cipher: cipher.name, key, iv: bytesOf(childOf(encryption, 1, "OctetString")) };
}
const saltAndIterationsIn = (parameters: Sequence) => ({
  salt: bytesOf(childOf(parameters, 0, "OctetString")),
  iterations: iterationsOf(childOf(parameters, 1, "Integer")),
});

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
