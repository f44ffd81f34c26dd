/** Whose keys `validate-jwt` accepts for which issuer, and which shared keys it refuses. */
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { type HttpReceiver, startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const NAMES = ["one", "other", "nameless"] as const;
type Name = (typeof NAMES)[number];
const backend = new Backend();
let instance: Instance;
let issuers: HttpReceiver;
let pairs: Record<Name, GenerateKeyPairResult>;
const issuerOf = (name: Name) => `https://${name}.example`;
beforeAll(async () => {
  await backend.start();
  issuers = await startHttpReceiver();
  pairs = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await generateKeyPair("ES256")])),
  );
  const jwks = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await exportJWK(pairs[name].publicKey)])),
  );
  issuers.reply = ({ url }) => {
    const [, name, file] = url.split("/") as [string, Name, string];
    const issuer = name === "nameless" ? {} : { issuer: issuerOf(name) };
    const configuration = { ...issuer, jwks_uri: `${issuers.url}/${name}/keys` };
    return { status: 200, body: JSON.stringify(file === "keys" ? { keys: [jwks[name]] } : configuration) };
  };
  instance = await startInstance();
});
afterAll(async () => {
  await instance.stop();
  await issuers.stop();
  await backend.stop();
});

const configurationOf = (name: Name) => `<openid-config url="${issuers.url}/${name}/configuration" />`;
const policyOf = (rules: string) =>
  `<policies><inbound><validate-jwt header-name="Authorization">${rules}</validate-jwt></inbound></policies>`;
const signedBy = (name: Name, issuer: string | undefined) =>
  new SignJWT(issuer === undefined ? {} : { iss: issuer })
    .setProtectedHeader({ alg: "ES256" })
    .setExpirationTime(Math.floor(instance.clock.nowMs() / 1000) + 600)
    .sign(pairs[name].privateKey);
async function gatewayWith(rules: string) {
  const gateway = newGateway(() => instance, backend);
  await gateway.api();
  await gateway.put("apis/orders/policies/policy", { format: "rawxml", value: policyOf(rules) });
  return async (token: string) =>
    (await gateway.call("GET", "/orders/1", { headers: { authorization: `Bearer ${token}` } })).status;
}

it("the keys of one issuer sign no token of another", async () => {
  const statusOf = await gatewayWith(configurationOf("one") + configurationOf("other"));
  for (const [name, issuer, expected] of [
    ["one", "one", 200],
    ["other", "other", 200],
    ["other", "one", 401],
    ["one", "other", 401],
    ["one", "nameless", 401],
  ] as const)
    expect([name, issuer, await statusOf(await signedBy(name, issuerOf(issuer)))]).toEqual([
      name,
      issuer,
      expected,
    ]);
});
it("an issuer that the policy names may use the keys of each configuration", async () => {
  const named = `<issuers><issuer>${issuerOf("nameless")}</issuer></issuers>`;
  const statusOf = await gatewayWith(configurationOf("one") + configurationOf("other") + named);
  expect(await statusOf(await signedBy("other", issuerOf("nameless")))).toBe(200);
  expect(await statusOf(await signedBy("nameless", issuerOf("nameless")))).toBe(401);
});
it("a configuration without an issuer is of no use", async () => {
  const statusOf = await gatewayWith(configurationOf("nameless"));
  for (const issuer of [undefined, "undefined", ""])
    expect(await statusOf(await signedBy("nameless", issuer))).toBe(401);
});
it.each(["", "!!", " "])("a shared key of nothing is refused: '%s'", async (key) => {
  const gateway = newGateway(() => instance, backend);
  await gateway.api();
  const value = policyOf(`<issuer-signing-keys><key>${key}</key></issuer-signing-keys>`);
  const { status, text } = await instance.bearer("PUT", gateway.at("apis/orders/policies/policy"), {
    body: { properties: { format: "rawxml", value } },
  });
  expect([status, text]).toEqual([400, expect.stringContaining("A key of issuer-signing-keys is empty.")]);
});
