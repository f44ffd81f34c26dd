/** Digest authentication of SIP (RFC 8760): MD5 and SHA-256, with and without qop "auth". */
import { createHash, randomBytes } from "node:crypto";
import { splitAtCommas } from "./message.ts";

export type DigestCredentials = {
  username: string;
  password: string;
  /** If set, only challenges of this realm are answered. */
  realm?: string;
};

export type DigestRequest = {
  method: string;
  uri: string;
};

type Challenge = {
  realm: string;
  nonce: string;
  opaque?: string;
  algorithm: string;
  hash: "md5" | "sha256";
  isSession: boolean;
  qop?: "auth";
};

const HASHES: ReadonlyMap<string, "md5" | "sha256"> = new Map<string, "md5" | "sha256">([
  ["md5", "md5"],
  ["sha-256", "sha256"],
]);

function parseParameters(challenge: string): Map<string, string> | undefined {
  if (!/^digest\s/i.test(challenge)) return undefined;
  const parameters = new Map<string, string>();
  for (const part of splitAtCommas(challenge.slice(7))) {
    const equals = part.indexOf("=");
    if (equals > 0)
      parameters.set(part.slice(0, equals).trim().toLowerCase(), unquoted(part.slice(equals + 1).trim()));
  }
  return parameters;
}
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  return text.slice(1, text.endsWith('"') ? -1 : undefined).replaceAll(/\\(.)/g, "$1");
}

function parseChallenge(value: string): Challenge | undefined {
  const parameters = parseParameters(value);
  const realm = parameters?.get("realm");
  const nonce = parameters?.get("nonce");
  if (parameters === undefined || realm === undefined || nonce === undefined) return undefined;
  const algorithm = parameters.get("algorithm") ?? "MD5";
  const isSession = algorithm.toLowerCase().endsWith("-sess");
  const hash = HASHES.get(algorithm.toLowerCase().replace(/-sess$/, ""));
  const offered = parameters
    .get("qop")
    ?.toLowerCase()
    .split(",")
    .map((one) => one.trim());
  if (hash === undefined || (offered !== undefined && !offered.includes("auth"))) return undefined;
  const qop = offered === undefined ? undefined : "auth";
  return { realm, nonce, opaque: parameters.get("opaque"), algorithm, hash, isSession, qop };
}

export function isStale(challenge: string): boolean {
  return parseParameters(challenge)?.get("stale")?.toLowerCase() === "true";
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}

/** Authorization header for the strongest supported challenge. Undefined if none is supported. */
export function findDigestAnswer(
  challenges: readonly string[],
  credentials: DigestCredentials,
  request: DigestRequest,
): string | undefined {
  const usable = challenges
    .map(parseChallenge)
    .filter((challenge) => challenge !== undefined)
    .filter(({ realm }) => credentials.realm === undefined || credentials.realm === realm);
  const challenge = usable.find(({ hash }) => hash === "sha256") ?? usable[0];
  return challenge === undefined ? undefined : answer(challenge, credentials, request);
}

function answer(
  challenge: Challenge,
  { username, password }: DigestCredentials,
  request: DigestRequest,
): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const digest = (text: string) => createHash(challenge.hash).update(text).digest("hex");
  const clientNonce = randomBytes(8).toString("hex");
  const count = "00000001";
  const plainSecret = digest(`${username}:${realm}:${password}`);
  const secret = challenge.isSession ? digest(`${plainSecret}:${nonce}:${clientNonce}`) : plainSecret;
  const what = digest(`${request.method}:${request.uri}`);
  const middle = qop === undefined ? nonce : `${nonce}:${count}:${clientNonce}:${qop}`;
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `response="${digest(`${secret}:${middle}:${what}`)}"`,
    `algorithm=${algorithm}`,
  ];
  if (qop !== undefined || challenge.isSession) parts.push(`cnonce="${clientNonce}"`);
  if (qop !== undefined) parts.push(`qop=${qop}`, `nc=${count}`);
  if (opaque !== undefined) parts.push(`opaque=${quoted(opaque)}`);
  return `Digest ${parts.join(", ")}`;
}
