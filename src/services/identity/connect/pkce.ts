/** Proof Key for Code Exchange (RFC 7636). */
import { createHash } from "node:crypto";
import { sameText } from "#kernel/auth";

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export const isVerifier = (text: string): boolean => VERIFIER.test(text);

export function fitsChallenge(challenge: string, method: string, verifier: string): boolean {
  const shown = method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  return sameText(shown, challenge);
}
