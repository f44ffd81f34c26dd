/** Trusted authorities of outgoing TLS connections, and client certificates. */
import { constants, createHash, X509Certificate } from "node:crypto";
import type { SecureContext } from "node:tls";
import { packageOnUse } from "../packages/index.ts";
import { OutboundError } from "./errors.ts";
import { refuseCostly } from "./pfx-work.ts";

const tls = packageOnUse<typeof import("node:tls")>("node:tls");

export type ClientCertificate = {
  readonly pfx?: Buffer;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
};

export type ClientTls = {
  /** The context without a client certificate; undefined for the platform's authorities, with `CIPHERS`. */
  readonly plainContext: () => SecureContext | undefined;
  readonly contextFor: (certificate: ClientCertificate) => SecureContext;
  /** Trusts these certificates (PEM) in addition to the usual ones. */
  readonly contextTrusting: (certificates: readonly string[]) => SecureContext;
};

/**
 * Not those in which the server chooses a group: a number of 10,000 bits holds up the process for
 * a second at each connection. Servers have offered others since 2011.
 */
export const CIPHERS = `${constants.defaultCoreCipherList}:!kDHE`;

/** Parsing a certificate and all root certificates blocks for a while, and jobs use the same ones again. */
const CONTEXTS_KEPT_MAX = 64;

export function createClientTls(certificateAuthorities: readonly string[]): ClientTls {
  const ca =
    certificateAuthorities.length > 0 ? [...tls().rootCertificates, ...certificateAuthorities] : undefined;
  const kept = new Map<string, SecureContext>();
  let plain: SecureContext | undefined;
  const keep = (key: string, create: () => SecureContext): SecureContext => {
    const context = kept.get(key) ?? create();
    kept.delete(key);
    kept.set(key, context);
    const [oldest] = kept.keys();
    if (kept.size > CONTEXTS_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return context;
  };
  return {
    plainContext: () => {
      if (ca && !plain) plain = tls().createSecureContext({ ca, ciphers: CIPHERS });
      return plain;
    },
    contextFor: (certificate) => keep(identityDigest(certificate), () => identifyingContext(certificate, ca)),
    contextTrusting: (certificates) =>
      keep(digestOf({ trusted: certificates }), () =>
        tls().createSecureContext({
          ca: [...(ca ?? tls().rootCertificates), ...certificates],
          ciphers: CIPHERS,
        }),
      ),
  };
}

/** A digest of everything, so that a context is found only with the right passphrase. */
const identityDigest = ({ pfx, cert, key, passphrase }: ClientCertificate): string =>
  digestOf([pfx?.toString("base64"), cert, key, passphrase]);
const digestOf = (members: unknown): string =>
  createHash("sha256").update(JSON.stringify(members)).digest("base64");

function identifyingContext(certificate: ClientCertificate, ca: string[] | undefined): SecureContext {
  const { pfx, cert, key, passphrase } = certificate;
  if (pfx === undefined && (cert === undefined || key === undefined)) {
    throw new OutboundError(
      "tls",
      "A client certificate needs either a PFX file or a certificate and its key.",
    );
  }
  try {
    if (pfx !== undefined) refuseCostly(pfx, passphrase ?? "");
    return tls().createSecureContext({ ca, pfx, cert, key, passphrase, ciphers: CIPHERS });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new OutboundError("tls", `The client certificate cannot be read: ${detail}`, { cause: error });
  }
}

export type CertificateDescription = {
  /** Such as `CN=scheduler, O=Example`. */
  readonly subject: string;
  /** SHA-1 in upper-case hexadecimal digits. */
  readonly thumbprint: string;
  readonly expiresAtMs: number;
};

/** Throws OutboundError if the file or its password is wrong. Undefined if the platform does not provide it. */
export function describeClientCertificate(
  certificate: ClientCertificate,
): CertificateDescription | undefined {
  const { context } = createClientTls([]).contextFor(certificate) as SecureContext & {
    // Undocumented, so it may be missing.
    readonly context?: { getCertificate?(): Buffer | null };
  };
  const bytes = context?.getCertificate?.();
  if (!bytes) return undefined;
  const { subject, fingerprint, validTo } = new X509Certificate(bytes);
  return {
    subject: subject.split("\n").join(", "),
    thumbprint: fingerprint.replaceAll(":", ""),
    expiresAtMs: Date.parse(validTo),
  };
}
