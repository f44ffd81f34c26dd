/** PFX files that name how much work opening them takes. */
import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { expect, it } from "vitest";
import {
  clientCertificatePassword,
  clientCertificatePfx,
  clientCertificateThumbprint,
  oldClientCertificatePfx,
} from "../../../tests/support/client-certificate.ts";
import { describeClientCertificate } from "./client-tls.ts";
import { refuseCostly } from "./pfx-work.ts";

const ENDLESS = 0x7fffffff;
const PASSPHRASE = "open";
const SALT = Buffer.alloc(8, 1);

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const explicit = (content: Buffer): Buffer => tlv(0xa0, content);
const octets = (content: Buffer): Buffer => tlv(0x04, content);
function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return tlv(0x02, bytes);
}

const IV = Buffer.alloc(16, 2);
const pbes2 = (iterations: number): Buffer =>
  sequence(
    oid("2a864886f70d01050d"),
    sequence(
      sequence(oid("2a864886f70d01050c"), sequence(octets(SALT), integer(iterations))),
      sequence(oid("60864801650304012a"), octets(IV)),
    ),
  );
const pbes1 = (iterations: number): Buffer =>
  sequence(oid("2a864886f70d010c0103"), sequence(octets(SALT), integer(iterations)));
const scrypt = sequence(
  oid("2a864886f70d01050d"),
  sequence(sequence(oid("2b06010401da47040b"), sequence(octets(SALT), integer(2), integer(ENDLESS)))),
);
const bag = (kind: string, value: Buffer): Buffer =>
  sequence(oid(`2a864886f70d010c0a01${kind}`), explicit(value));
const keyBag = (algorithm: Buffer): Buffer => bag("02", sequence(algorithm, octets(Buffer.alloc(32))));
const data = (content: Buffer): Buffer => sequence(oid("2a864886f70d010701"), explicit(octets(content)));
function sealed(bags: Buffer, iterations: number): Buffer {
  const key = pbkdf2Sync(PASSPHRASE, SALT, iterations, 32, "sha1");
  const cipher = createCipheriv("aes-256-cbc", key, IV);
  const content = tlv(0x80, cipher.update(bags), cipher.final());
  const info = sequence(oid("2a864886f70d010701"), pbes2(iterations), content);
  return sequence(oid("2a864886f70d010706"), explicit(sequence(integer(0), info)));
}
const pfx = (part: Buffer, ...mac: readonly Buffer[]): Buffer =>
  sequence(integer(3), data(sequence(part)), ...mac);
const macOf = (iterations: number): Buffer => sequence(sequence(), octets(SALT), integer(iterations));

const costly: readonly (readonly [string, Buffer])[] = [
  ["for its checksum", pfx(data(sequence()), macOf(ENDLESS))],
  ["for its key", pfx(data(sequence(keyBag(pbes2(ENDLESS)))))],
  ["for its key, in an older way", pfx(data(sequence(keyBag(pbes1(ENDLESS)))))],
  ["for all keys together", pfx(data(sequence(...Array(30).fill(keyBag(pbes2(5000))))))],
  ["for a key in a bag of bags", pfx(data(sequence(bag("06", sequence(keyBag(pbes2(ENDLESS)))))))],
  ["for a key in an encrypted part", pfx(sealed(sequence(keyBag(pbes2(ENDLESS))), 1))],
];
it.each(costly)("refuses a file that hashes the password without end %s", (_where, file) => {
  expect(() => describeClientCertificate({ pfx: file, passphrase: PASSPHRASE })).toThrow(
    "more than 100000 times",
  );
});
it.each<[string, number, (iterations: number) => Buffer]>([
  ["a checksum", 1, (iterations) => pfx(data(sequence()), macOf(iterations))],
  ["a key", 1, (iterations) => pfx(data(sequence(keyBag(pbes2(iterations)))))],
  ["two parts", 2, (each) => pfx(data(sequence(keyBag(pbes2(each)))), macOf(each))],
  ["a key, in an older way,", 3, (each) => pfx(data(sequence(keyBag(pbes1(each)))))],
])("%s may hash the password 100,000 times in all", (_what, times, fileOf) => {
  const each = Math.floor(100_000 / times);
  expect(() => refuseCostly(fileOf(each), PASSPHRASE)).not.toThrow();
  expect(() => refuseCostly(fileOf(each + 1), PASSPHRASE)).toThrow("more than 100000 times");
});
const SEALED_WITH_PBES2 = sealed(sequence(), 1);
it.each([
  ["scrypt, whose work is measured differently", pfx(data(sequence(keyBag(scrypt)))), PASSPHRASE],
  ["a number of iterations below one", pfx(data(sequence()), macOf(0)), PASSPHRASE],
  ["a wrong password", pfx(SEALED_WITH_PBES2), "wrong"],
  ["a part of another kind", pfx(sequence(oid("2a864886f70d010703"), explicit(sequence()))), PASSPHRASE],
  ["bytes that end too early", pfx(SEALED_WITH_PBES2).subarray(0, 60), PASSPHRASE],
  ["many values inside each other", Buffer.alloc(100_000, Buffer.from([0x30, 0x80])), PASSPHRASE],
])("refuses %s", (_what, file, passphrase) => {
  expect(() => describeClientCertificate({ pfx: file, passphrase })).toThrow("cannot be read");
});

it.each([
  ["of today", clientCertificatePfx, clientCertificatePassword],
  ["of older programs", oldClientCertificatePfx, "\u00f6pen"],
])("reads files %s", (_which, file, passphrase) => {
  const facts = describeClientCertificate({ pfx: Buffer.from(file, "base64"), passphrase });
  expect(facts?.thumbprint).toBe(clientCertificateThumbprint);
});
it("reads a file of indefinite lengths", () => {
  const whole = Buffer.from(clientCertificatePfx, "base64");
  const indefinite = Buffer.concat([Buffer.from([0x30, 0x80]), whole.subarray(4), Buffer.alloc(2)]);
  const facts = describeClientCertificate({ pfx: indefinite, passphrase: clientCertificatePassword });
  expect(facts?.thumbprint).toBe(clientCertificateThumbprint);
});
