/** Makes keys and signs certificates. The library is loaded only if something must be signed. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  webcrypto,
} from "node:crypto";
import { promisify } from "node:util";
import type { SubjectName } from "./subject-names.ts";

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Browsers refuse server certificates that are valid for longer than 398 days. */
const SERVER_DAYS = 397;
/** Certificates begin a day early, for clients with slow clocks. */
const EARLY_DAYS = 1;
const KEY_ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING_ALGORITHM = { name: "ECDSA", hash: "SHA-256" } as const;

export type Authority = {
  readonly certificatePem: string;
  readonly keyPem: string;
};

export async function generateKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/**
 * The name contains a digest of the key: several authorities in one trust store stay distinct, and a renewal keeps
 * its name.
 */
export async function issueAuthority(keyPem: string, nowMs: number): Promise<string> {
  const x509 = await loadX509();
  const keys = await importKeys(keyPem);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: `CN=Medley local authority ${keyDigest(keyPem).slice(0, 8)}, O=Medley`,
    notBefore: new Date(nowMs - EARLY_DAYS * DAY_MS),
    notAfter: new Date(nowMs + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: SIGNING_ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

export async function issueServerCertificate(
  authority: Authority,
  keyPem: string,
  names: readonly SubjectName[],
  nowMs: number,
): Promise<string> {
  const x509 = await loadX509();
  const keys = await importKeys(keyPem);
  const signer = new x509.X509Certificate(authority.certificatePem);
  const signerKeys = await importKeys(authority.keyPem);
  const endMs = Math.min(nowMs + (SERVER_DAYS - EARLY_DAYS) * DAY_MS, signer.notAfter.getTime());
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    subject: "CN=Medley, O=Medley",
    issuer: signer.subjectName,
    notBefore: new Date(nowMs - EARLY_DAYS * DAY_MS),
    notAfter: new Date(endMs),
    signingAlgorithm: SIGNING_ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: signerKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(({ type, value }) => ({ type, value }))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signerKeys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

async function loadX509() {
  // The decorators of the library need the reflection API before it is loaded.
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

async function importKeys(keyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateDer = createPrivateKey(keyPem).export({ type: "pkcs8", format: "der" });
  const publicDer = createPublicKey(keyPem).export({ type: "spki", format: "der" });
  return {
    privateKey: await webcrypto.subtle.importKey("pkcs8", privateDer, KEY_ALGORITHM, false, ["sign"]),
    publicKey: await webcrypto.subtle.importKey("spki", publicDer, KEY_ALGORITHM, true, ["verify"]),
  };
}

function keyDigest(keyPem: string): string {
  const publicDer = createPublicKey(keyPem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(publicDer).digest("hex");
}

/** Serial numbers must be unique and positive, hence the fixed first two bits. */
function randomSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (Number(bytes[0]) & 0x3f) | 0x40;
  return bytes.toString("hex");
}
