/** What outgoing TLS connections trust, and the certificates by which callers identify themselves. */
import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { OutboundError } from "./errors.ts";

export interface ClientCertificate {
  readonly pfx?: Buffer;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

export interface ClientTls {
  /** What to use without a client certificate; undefined stands for the platform's defaults. */
  readonly plainContext: () => SecureContext | undefined;
  readonly contextFor: (certificate: ClientCertificate) => SecureContext;
}

export function createClientTls(certificateAuthorities: readonly string[]): ClientTls {
  const ca = certificateAuthorities.length > 0 ? [...rootCertificates, ...certificateAuthorities] : undefined;
  let plain: SecureContext | undefined;
  return {
    plainContext: () => {
      // Reading all root certificates takes a while, so once is enough.
      if (ca && !plain) plain = createSecureContext({ ca });
      return plain;
    },
    contextFor: (certificate) => {
      const { pfx, cert, key, passphrase } = certificate;
      if (pfx === undefined && (cert === undefined || key === undefined)) {
        throw new OutboundError(
          "tls",
          "A client certificate needs either a PFX file or a certificate and its key.",
        );
      }
      try {
        return createSecureContext({ ca, pfx, cert, key, passphrase });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        throw new OutboundError("tls", `The client certificate cannot be read: ${detail}`, { cause: error });
      }
    },
  };
}

export interface CertificateDescription {
  /** Such as `CN=scheduler, O=Example`. */
  readonly subject: string;
  /** SHA-1 in upper-case hexadecimal digits. */
  readonly thumbprint: string;
  readonly expiresAtMs: number;
}

/** Throws OutboundError when the file or its password is wrong. Undefined where the platform does not hand it out. */
export function describeClientCertificate(
  certificate: ClientCertificate,
): CertificateDescription | undefined {
  const { context } = createClientTls([]).contextFor(certificate) as SecureContext & {
    // Not part of the documented interface, so it may be missing.
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
