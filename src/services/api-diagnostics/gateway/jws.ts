/** Verifies token signatures with Node's crypto module. */
import { constants, createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";

/** A key that an issuer publishes. */
export type TokenKey = { readonly kid: unknown; readonly key: KeyObject };

/** A signature without a key id is tried with each key. Issuers publish two to ten. */
const KEYS_MAX = 100;
/** The time of a check grows with both. Usual keys have 4096 bits at most, and the exponent 65537. */
const RSA_BITS_MAX = 8192;
const RSA_EXPONENT_MAX = 0xffff_ffffn;

type Algorithm = {
  /** Key type. `oct` is a shared secret. */
  readonly keyType: "rsa" | "ec" | "ed25519" | "oct";
  readonly digest: string | null;
  readonly isPss?: boolean;
};
const family = (name: string, keyType: Algorithm["keyType"], isPss = false): [string, Algorithm][] =>
  ["256", "384", "512"].map((bits) => [`${name}${bits}`, { keyType, digest: `sha${bits}`, isPss }]);
const ALGORITHMS: ReadonlyMap<unknown, Algorithm> = new Map([
  ...family("RS", "rsa"),
  ...family("PS", "rsa", true),
  ...family("ES", "ec"),
  ...family("HS", "oct"),
  ["EdDSA", { keyType: "ed25519", digest: null }],
]);

type Read = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: Buffer;
  readonly signature: Buffer;
};
function objectIn(part: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  if (typeof value !== "object" || value === null) throw new Error("no object");
  return value as Readonly<Record<string, unknown>>;
}
function findRead(token: string): Read | undefined {
  const [header = "", claims = "", signature = "", ...more] = token.split(".");
  if (signature === "" || more.length > 0) return undefined;
  try {
    return {
      header: objectIn(header),
      claims: objectIn(claims),
      signed: Buffer.from(`${header}.${claims}`),
      signature: Buffer.from(signature, "base64url"),
    };
  } catch {
    return undefined;
  }
}

/** What the token says, whoever signed it. */
export function findIssuer(token: string): string | undefined {
  const iss = findRead(token)?.claims.iss;
  return iss === undefined ? undefined : String(iss);
}

/** The first keys of a set. Others that this process does not understand, or that take long to check, are left out. */
export const tokenKeysIn = (jwks: readonly unknown[]): readonly TokenKey[] =>
  jwks.slice(0, KEYS_MAX).flatMap((jwk) => {
    const key = findKey(jwk);
    return key && isQuick(key) ? [{ kid: (jwk as { readonly kid?: unknown }).kid, key }] : [];
  });
function findKey(jwk: unknown): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk as never, format: "jwk" });
  } catch {
    return undefined;
  }
}
function isQuick({ asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  return modulusLength <= RSA_BITS_MAX && publicExponent <= RSA_EXPONENT_MAX;
}
function isSignedBy(
  { signed, signature }: Read,
  { keyType, digest, isPss }: Algorithm,
  key: KeyObject,
): boolean {
  if (key.asymmetricKeyType !== keyType) return false;
  const how = {
    key,
    dsaEncoding: "ieee-p1363" as const,
    ...(isPss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
  };
  return verify(digest, signed, how, signature);
}
function isSharedBy({ signed, signature }: Read, { digest }: Algorithm, secret: string): boolean {
  const expected = createHmac(digest ?? "sha256", Buffer.from(secret, "base64"))
    .update(signed)
    .digest();
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

/** Claims of a token. Undefined if no key verifies it. A key is used only with algorithms of its own type. */
export function findClaims(
  token: string,
  { keys, secrets }: { readonly keys: readonly TokenKey[]; readonly secrets: readonly string[] },
): Read["claims"] | undefined {
  const read = findRead(token);
  const algorithm = ALGORITHMS.get(read?.header.alg);
  if (!read || !algorithm || read.header.crit !== undefined) return undefined;
  const { kid } = read.header;
  const isGood =
    algorithm.keyType === "oct"
      ? secrets.some((secret) => isSharedBy(read, algorithm, secret))
      : keys
          .filter((one) => kid === undefined || one.kid === undefined || one.kid === kid)
          .slice(0, KEYS_MAX)
          .some(({ key }) => isSignedBy(read, algorithm, key));
  return isGood ? read.claims : undefined;
}
