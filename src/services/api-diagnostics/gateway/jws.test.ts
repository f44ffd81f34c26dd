/** Signatures of every family, made by another library; and what must not pass for one. */
import { generateKeyPairSync } from "node:crypto";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { expect, it } from "vitest";
import { findClaims } from "./jws.ts";

const payload = Buffer.from('{"sub":"ann"}');
const none: { keys: object[]; secrets: string[] } = { keys: [], secrets: [] };

/** An RSA key takes half a second to make, so all algorithms share two pairs. */
const rsaPairs = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
const pairOf = async (alg: string, which: 0 | 1) =>
  (/^[RP]S/.test(alg) ? rsaPairs[which] : undefined) ?? generateKeyPair(alg, { extractable: true });

it.each(["RS256", "RS512", "PS256", "PS384", "ES256", "ES384", "ES512", "EdDSA"])("%s", async (alg) => {
  const { privateKey, publicKey } = await pairOf(alg, 0);
  const token = await new CompactSign(payload).setProtectedHeader({ alg, kid: "one" }).sign(privateKey);
  const jwk = { ...(await exportJWK(publicKey)) };
  const other = { ...(await exportJWK((await pairOf(alg, 1)).publicKey)) };
  expect(findClaims(token, { ...none, keys: [other, { ...jwk, kid: "one" }] })).toEqual({ sub: "ann" });
  expect(findClaims(token, { ...none, keys: [{ ...jwk, kid: "two" }, other] })).toBeUndefined();
  expect(findClaims(`${token.slice(0, -6)}AAAAAA`, { ...none, keys: [jwk] })).toBeUndefined();
});

it("a public key is no secret, and no signature is none", async () => {
  const { publicKey } = await pairOf("RS256", 0);
  const jwk = { ...(await exportJWK(publicKey)) };
  const secret = Buffer.from(JSON.stringify(jwk));
  const forged = await new CompactSign(payload).setProtectedHeader({ alg: "HS256" }).sign(secret);
  expect(findClaims(forged, { ...none, keys: [jwk] })).toBeUndefined();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const token of [
    `${part({ alg: "none" })}.${part({ sub: "ann" })}.`,
    `${part({ alg: "none" })}.${part({ sub: "ann" })}.AAAA`,
    "a.b.c",
    "",
    `${forged}.x`,
  ])
    expect(findClaims(token, { keys: [jwk], secrets: [secret.toString("base64")] })).toBeUndefined();
});
