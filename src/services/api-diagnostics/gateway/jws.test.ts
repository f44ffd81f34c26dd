/** Signatures of every family, made by another library; and what must not pass for one. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { expect, it } from "vitest";
import { findClaims, type TokenKey, tokenKeysIn } from "./jws.ts";

const payload = Buffer.from('{"sub":"ann"}');
const none: { keys: readonly TokenKey[]; secrets: string[] } = { keys: [], secrets: [] };

/** An RSA key takes half a second to make, so all algorithms share two pairs. */
const rsaPairs = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
const pairOf = async (alg: string, which: 0 | 1) =>
  (/^[RP]S/.test(alg) ? rsaPairs[which] : undefined) ?? generateKeyPair(alg, { extractable: true });

it.each(["RS256", "RS512", "PS256", "PS384", "ES256", "ES384", "ES512", "EdDSA"])("%s", async (alg) => {
  const { privateKey, publicKey } = await pairOf(alg, 0);
  const token = await new CompactSign(payload).setProtectedHeader({ alg, kid: "one" }).sign(privateKey);
  const jwk = { ...(await exportJWK(publicKey)) };
  const other = { ...(await exportJWK((await pairOf(alg, 1)).publicKey)) };
  expect(findClaims(token, { ...none, keys: tokenKeysIn([other, { ...jwk, kid: "one" }]) })).toEqual({
    sub: "ann",
  });
  expect(findClaims(token, { ...none, keys: tokenKeysIn([{ ...jwk, kid: "two" }, other]) })).toBeUndefined();
  expect(findClaims(`${token.slice(0, -6)}AAAAAA`, { ...none, keys: tokenKeysIn([jwk]) })).toBeUndefined();
});

it("a public key is no secret, and no signature is none", async () => {
  const { publicKey } = await pairOf("RS256", 0);
  const jwk = { ...(await exportJWK(publicKey)) };
  const secret = Buffer.from(JSON.stringify(jwk));
  const forged = await new CompactSign(payload).setProtectedHeader({ alg: "HS256" }).sign(secret);
  expect(findClaims(forged, { ...none, keys: tokenKeysIn([jwk]) })).toBeUndefined();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const token of [
    `${part({ alg: "none" })}.${part({ sub: "ann" })}.`,
    `${part({ alg: "none" })}.${part({ sub: "ann" })}.AAAA`,
    "a.b.c",
    "",
    `${forged}.x`,
  ])
    expect(
      findClaims(token, { keys: tokenKeysIn([jwk]), secrets: [secret.toString("base64")] }),
    ).toBeUndefined();
});

it("leaves out keys that take long, and what is no key", async () => {
  const { privateKey, publicKey } = await pairOf("RS256", 0);
  const jwk = await exportJWK(publicKey);
  const number = (bytes: number) => Buffer.concat([Buffer.from([0x7f]), randomBytes(bytes - 1)]);
  const laborious = [
    { kty: "RSA", n: number(384).toString("base64url"), e: number(383).toString("base64url") },
    { kty: "RSA", n: number(2048).toString("base64url"), e: "AQAB" },
  ];
  expect(tokenKeysIn([...laborious, null, 1, "key", [], { kty: "oct", k: "AAAA" }, jwk])).toHaveLength(1);
  expect(tokenKeysIn(Array(5000).fill(jwk))).toHaveLength(100);
  const most = Buffer.alloc(1024, 0xff).toString("base64url");
  const more = Buffer.concat([Buffer.from([1]), Buffer.alloc(1024, 0xff)]).toString("base64url");
  const countOf = (n: string, e: string) => tokenKeysIn([{ kty: "RSA", n, e }]).length;
  expect([countOf(most, "AQAB"), countOf(more, "AQAB")]).toEqual([1, 0]);
  expect([countOf(most, "_____w"), countOf(most, "AQAAAAE")]).toEqual([1, 0]);

  const token = await new CompactSign(payload)
    .setProtectedHeader({ alg: "RS256", kid: "one" })
    .sign(privateKey);
  expect(findClaims(token, { ...none, keys: tokenKeysIn([null, { ...jwk, kid: "one" }]) })).toEqual({
    sub: "ann",
  });
});
