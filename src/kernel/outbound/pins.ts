/** Certificate pinning: only a server with one of these keys is accepted. */
import { createHash, X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";
import { packageOnUse } from "../packages/index.ts";
import { OutboundError } from "./errors.ts";

const tls = packageOnUse<typeof import("node:tls")>("node:tls");

/** Digests of public keys: a certificate that is renewed with the same key stays pinned. */
export type Pins = ReadonlySet<string>;

const pinOf = (certificate: string | Buffer): string =>
  createHash("sha256")
    .update(new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

export const pinsOf = (certificates: readonly string[]): Pins => new Set(certificates.map(pinOf));

/** From the server up to the authority, which is its own issuer. */
function chainOf(certificate: PeerCertificate): readonly PeerCertificate[] {
  const chain = new Set<PeerCertificate>();
  let next: PeerCertificate | undefined = certificate;
  while (next?.raw !== undefined && !chain.has(next)) {
    chain.add(next);
    next = (next as Partial<DetailedPeerCertificate> & PeerCertificate).issuerCertificate;
  }
  return [...chain];
}

/** Replaces the check of the server's name, and includes it. */
export const identityCheckFor =
  (pins: Pins) =>
  (host: string, certificate: PeerCertificate): Error | undefined => {
    const wrongName = tls().checkServerIdentity(host, certificate);
    if (wrongName) return wrongName;
    if (chainOf(certificate).some(({ raw }) => pins.has(pinOf(raw)))) return undefined;
    return new OutboundError(
      "tls",
      `No secure connection to ${host}: its certificate is not one of those pinned.`,
    );
  };
