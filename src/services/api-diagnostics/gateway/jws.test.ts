/** Signatures of every family, made by another library; and what must not pass for one. */
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { expect, it } from "vitest";
import { findClaims } from "./jws.ts";

const payload = Buffer.from('{"sub":"ann"}');
const none: { keys: object[]; secrets: string[] } = { keys: [], secrets: [] };

it.each(["RS256", "RS512", "PS256", "PS384", "ES256", "ES384", "ES512", "EdDSA"])("%s", async (alg) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const token = await new CompactSign(payload).setProtectedHeader({ alg, kid: "one" }).sign(privateKey);
  const jwk = { ...(await exportJWK(publicKey)) };
  const other = { ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey)) };
  expect(findClaims(token, { ...none, keys: [other, { ...jwk, kid: "one" }] })).toEqual({ sub: "ann" });
  expect(findClaims(token, { ...none, keys: [{ ...jwk, kid: "two" }, other] })).toBeUndefined();
  expect(findClaims(`${token.slice(0, -6)}AAAAAA`, { ...none, keys: [jwk] })).toBeUndefined();
});

it("a public key is no secret, and no signature is none", async () => {
  const { publicKey } = await generateKeyPair("RS256", { extractable: true });
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
