/** A local certificate authority, made on first use, and the server certificate that it signs. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { type Authority, generateKeyPem, issueAuthority, issueServerCertificate } from "./issue.ts";
import {
  createFile,
  EVERYBODY_READS_MODE,
  ensurePrivateFolder,
  findFile,
  OWNER_ONLY_MODE,
  replaceFile,
} from "./private-files.ts";
import { namesExactly, type SubjectName, subjectNamesOf } from "./subject-names.ts";

export type LocalAuthorityOptions = {
  /** Names and addresses besides localhost; each served `<name>.localhost` belongs here. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
};

export type EphemeralAuthority = {
  readonly certificateAuthorityPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
};

export interface LocalAuthority extends EphemeralAuthority {
  /** The file that clients should trust. */
  readonly certificateAuthorityPath: string;
}

const RENEWAL_MS = 30 * 86_400_000;

/** Stored in `<folder>/tls`: `authority.pem` for clients, `authority-key.pem`, and `server.pem` with its key. */
export async function ensureLocalAuthority(
  folder: string,
  options: LocalAuthorityOptions,
): Promise<LocalAuthority> {
  const names = subjectNamesOf(options.hosts);
  const tlsFolder = path.join(folder, "tls");
  await ensurePrivateFolder(tlsFolder);
  const certificateAuthorityPath = path.join(tlsFolder, "authority.pem");
  const authority = await ensureAuthority(tlsFolder, certificateAuthorityPath, options.nowMs);
  const server = await ensureServer(path.join(tlsFolder, "server.pem"), authority, names, options.nowMs);
  return { certificateAuthorityPem: authority.certificatePem, certificateAuthorityPath, ...server };
}

/** The same without files, for instances in memory. */
export async function createEphemeralAuthority(options: LocalAuthorityOptions): Promise<EphemeralAuthority> {
  const names = subjectNamesOf(options.hosts);
  const authorityKeyPem = await generateKeyPem();
  const certificateAuthorityPem = await issueAuthority(authorityKeyPem, options.nowMs);
  const keyPem = await generateKeyPem();
  const authority = { certificatePem: certificateAuthorityPem, keyPem: authorityKeyPem };
  const certificatePem = await issueServerCertificate(authority, keyPem, names, options.nowMs);
  return { certificateAuthorityPem, certificatePem, keyPem };
}

/** The key is written once and never replaced. Its certificate can always be made again from it. */
async function ensureAuthority(
  tlsFolder: string,
  certificatePath: string,
  nowMs: number,
): Promise<Authority> {
  const keyPath = path.join(tlsFolder, "authority-key.pem");
  // The certificate is written last and read first: if it exists, its key exists too.
  const savedPem = await findFile(certificatePath);
  const savedKeyPem = await findFile(keyPath);
  if (savedKeyPem === undefined && savedPem !== undefined) {
    throw new Error(
      `${keyPath} is missing. Put it back, or delete ${tlsFolder} to make a new authority that clients must trust anew.`,
    );
  }
  const keyPem = savedKeyPem ?? (await createFile(keyPath, await generateKeyPem(), OWNER_ONLY_MODE));
  if (!isPrivateKey(keyPem)) {
    throw new Error(`${keyPath} holds no private key. Put the right one back, or delete ${tlsFolder}.`);
  }
  await chmod(keyPath, OWNER_ONLY_MODE);
  const saved = findCertificate(savedPem);
  if (savedPem !== undefined && saved && belongsTo(saved, keyPem) && !isNearEnd(saved, nowMs)) {
    return { certificatePem: savedPem, keyPem };
  }
  const certificatePem = await issueAuthority(keyPem, nowMs);
  await replaceFile(certificatePath, certificatePem, EVERYBODY_READS_MODE);
  return { certificatePem, keyPem };
}

/** Key and certificate share one file, so that they always match. */
async function ensureServer(
  file: string,
  authority: Authority,
  names: readonly SubjectName[],
  nowMs: number,
): Promise<{ certificatePem: string; keyPem: string }> {
  const saved = findKeyAndCertificate(await findFile(file));
  if (saved && isUsable(saved, authority, names, nowMs)) {
    await chmod(file, OWNER_ONLY_MODE);
    return saved;
  }
  const keyPem = await generateKeyPem();
  const certificatePem = await issueServerCertificate(authority, keyPem, names, nowMs);
  await replaceFile(file, `${keyPem}${certificatePem}`, OWNER_ONLY_MODE);
  return { certificatePem, keyPem };
}

function findKeyAndCertificate(text = ""): { certificatePem: string; keyPem: string } | undefined {
  const keyPem = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/.exec(text)?.[0];
  const certificatePem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(text)?.[0];
  return keyPem && certificatePem ? { certificatePem, keyPem } : undefined;
}

function isUsable(
  saved: { certificatePem: string; keyPem: string },
  authority: Authority,
  names: readonly SubjectName[],
  nowMs: number,
): boolean {
  const certificate = findCertificate(saved.certificatePem);
  const signer = findCertificate(authority.certificatePem);
  return (
    certificate !== undefined &&
    signer !== undefined &&
    certificate.checkIssued(signer) &&
    certificate.verify(signer.publicKey) &&
    isPrivateKey(saved.keyPem) &&
    belongsTo(certificate, saved.keyPem) &&
    namesExactly(certificate.subjectAltName, names) &&
    !isNearEnd(certificate, nowMs)
  );
}

function findCertificate(pem = ""): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

function belongsTo(certificate: X509Certificate, keyPem: string): boolean {
  return certificate.checkPrivateKey(createPrivateKey(keyPem));
}

/** A start in the future only means that the clock of this machine was set back, so nothing is renewed. */
function isNearEnd(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validTo) - nowMs < RENEWAL_MS;
}
