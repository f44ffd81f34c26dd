/** Reads the certificates of authorities that outbound connections trust. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "./setting.ts";

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Each entry is the path of a PEM file with one or more certificates, or such a text itself. Returns single
 * certificates.
 */
export const readAuthorities = (entries: readonly string[]): string[] => entries.flatMap(certificatesIn);

function certificatesIn(entry: string): string[] {
  const isText = entry.includes("-----BEGIN ");
  const shown = isText ? "the given text" : `"${entry}"`;
  const found = (isText ? entry : contentOf(entry)).match(CERTIFICATES) ?? [];
  if (found.length === 0) throw unusable(shown, "holds no certificate in PEM");
  for (const certificate of found) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw unusable(shown, `holds a certificate that cannot be read: ${(error as Error).message}`);
    }
  }
  return found;
}
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(`"${path}"`, `cannot be read: ${(error as Error).message}`);
  }
}
const unusable = (what: string, problem: string): ConfigError =>
  new ConfigError(`--outbound-authorities: ${what} ${problem}`);
