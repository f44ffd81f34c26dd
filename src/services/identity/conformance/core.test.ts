/**
 * OpenID Connect Core, Discovery and Registration, beyond the tests that all flows share. Tests carry the names of the
 * public conformance modules where one exists.
 */
import { createHash } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oidc from "../../../../tests/support/identity-browser.ts";
import { ConformanceStage } from "../../../../tests/support/identity-conformance.ts";
import { addBob } from "../../../../tests/support/identity-people.ts";
import { startInstance } from "../../../../tests/support/medley.ts";

let stage: ConformanceStage;
beforeAll(async () => {
  stage = await ConformanceStage.open();
});
afterAll(() => stage.close());

describe("discovery and keys", () => {
  it("oidcc-discovery-endpoint-verification", async () => {
    const { headers, body } = await stage.instance.send("GET", "/identity/.well-known/openid-configuration");
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(body.issuer).toBe(stage.issuer);
    for (const name of ["authorization", "token", "userinfo", "registration", "end_session"])
      expect(body[`${name}_endpoint`]).toMatch(new RegExp(`^${stage.issuer}/`));
    expect(body.jwks_uri).toBe(`${stage.issuer}/jwks`);
    expect([...body.response_types_supported].sort()).toEqual([
      "code",
      "code id_token",
      "code token",
      "code token id_token",
      "id_token",
      "token",
      "token id_token",
    ]);
    expect(body).toMatchObject({
      subject_types_supported: ["public", "pairwise"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256", "ES256", "EdDSA"]),
      scopes_supported: expect.arrayContaining(["openid", "profile", "email", "address", "phone"]),
      token_endpoint_auth_methods_supported: expect.arrayContaining([
        "client_secret_basic",
        "client_secret_post",
      ]),
      claims_supported: expect.arrayContaining(["sub", "name", "email", "phone_number", "address"]),
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    expect(body.id_token_signing_alg_values_supported).not.toContain("none");
  });
  it("the key set holds a key for each algorithm, all of them public, named and told apart", async () => {
    const { body } = await stage.instance.send("GET", "/identity/jwks");
    const kids = body.keys.map((key: { kid: string }) => key.kid);
    expect(new Set(kids).size).toBe(kids.length);
    for (const key of body.keys) expect(key).toMatchObject({ use: "sig", alg: expect.any(String) });
  });
  it("oidcc-server-rotate-keys", async () => {
    const other = await startInstance({ services: ["identity"] });
    try {
      const kids = async () =>
        (await other.send("GET", "/identity/jwks")).body.keys.map((key: { kid: string }) => key.kid);
      const rotating = await oidc.registerClient(other, { id_token_signed_response_alg: "RS256" });
      const browser = new oidc.TestBrowser(other);
      const first = await oidc.obtainTokens(other, rotating, { browser });
      const before = await kids();
      await other.clock.advance("30d7h");
      const announced = await kids();
      expect(announced).toEqual(expect.arrayContaining(before));
      expect(announced).toHaveLength(6);
      // A new key is published for a day before anything is signed with it.
      const meanwhile = await oidc.obtainTokens(other, rotating, { browser: new oidc.TestBrowser(other) });
      expect(before).toContain(decodeProtectedHeader(meanwhile.id_token).kid);
      await other.clock.advance("25h");
      const second = await oidc.obtainTokens(other, rotating, { browser: new oidc.TestBrowser(other) });
      expect(decodeProtectedHeader(second.id_token).kid).not.toBe(decodeProtectedHeader(first.id_token).kid);
      // The old key remains available for tokens that it signed.
      const keys = oidc.keysAt(`${other.url}/identity/jwks`);
      const currentDate = new Date(other.clock.nowMs());
      await jwtVerify(meanwhile.id_token, keys, {
        currentDate: new Date(currentDate.getTime() - 90_000_000),
      });
      await jwtVerify(second.id_token, keys, { currentDate });
      await other.clock.advance("2d");
      expect(await kids()).toHaveLength(3);
      expect(await kids()).not.toEqual(expect.arrayContaining(before));
    } finally {
      await other.stop();
    }
  }, 180_000);
});

describe("code flow", () => {
  it("oidcc-response-type-missing", async () => {
    expect(await stage.silently(stage.browser(), { response_type: undefined })).toMatchObject({
      status: 302,
      error: "invalid_request",
    });
  });
  it("oidcc-idtoken-rs256", async () => {
    const plain = await oidc.registerClient(stage.instance, { id_token_signed_response_alg: undefined });
    const { id_token } = await oidc.obtainTokens(stage.instance, plain);
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
  });
  it("oidcc-idtoken-unsigned", async () => {
    await expect(
      oidc.registerClient(stage.instance, { id_token_signed_response_alg: "none" }),
    ).rejects.toThrow("400");
  });
  it("oidcc-server (client_secret_basic), oidcc-server-client-secret-post", async () => {
    const posting = await oidc.registerClient(stage.instance, {
      token_endpoint_auth_method: "client_secret_post",
    });
    expect(await oidc.obtainTokens(stage.instance, posting)).toHaveProperty("id_token");
    const basic = await oidc.registerClient(stage.instance, {
      token_endpoint_auth_method: "client_secret_basic",
    });
    const { code = "" } = oidc.parametersOf(await stage.browser().travel(oidc.authorizeUrl(basic)));
    const credentials = Buffer.from(`${basic.client_id}:${basic.client_secret}`).toString("base64");
    const { status, body } = await stage.instance.send("POST", "/identity/token", {
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: oidc.REDIRECT }),
    });
    expect(status).toBe(200);
    expect(body).toHaveProperty("id_token");
  });
  it("oidcc-alternate-happy-flow", async () => {
    const redirect_uri = `${oidc.REDIRECT}?dummy1=lorem&dummy2=ipsum`;
    const other = await oidc.registerClient(stage.instance, { redirect_uris: [oidc.REDIRECT, redirect_uri] });
    const state = "s".repeat(1000);
    const end = await stage.browser().travel(oidc.authorizeUrl(other, { redirect_uri, state }));
    const { code, ...rest } = oidc.parametersOf(end);
    expect(rest).toMatchObject({ dummy1: "lorem", dummy2: "ipsum", state });
    const { body } = await oidc.exchange(stage.instance, other, code, { redirect_uri, unknown: "ignored" });
    const { status } = await stage.instance.send("GET", "/identity/userinfo", {
      headers: {
        authorization: `bearer ${body.access_token}`,
        accept: "application/json;charset=utf-8",
        "x-fapi-interaction-id": "93bac548-d2de-4546-b106-880a5018460d",
        cookie: "unrelated=1",
      },
    });
    expect(status).toBe(200);
  });
  it("oidcc-refresh-token: none is given, and the grant is refused", async () => {
    const tokens = await stage.signedIn();
    expect(tokens).not.toHaveProperty("refresh_token");
    const { grant_types_supported } = await stage.discovery();
    expect(grant_types_supported).toEqual(["authorization_code", "implicit"]);
    const answer = await oidc.exchange(stage.instance, stage.client, undefined, {
      grant_type: "refresh_token",
      refresh_token: "x",
    });
    expect(answer.body.error).toBe("unsupported_grant_type");
  });
  it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const { browser } = await stage.signedIn();
    const code_verifier = "a-verifier-that-is-long-enough-for-the-rule-43";
    const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const { code } = await stage.silently(browser, { code_challenge, code_challenge_method: "S256" });
    expect((await oidc.exchange(stage.instance, stage.client, String(code), { code_verifier })).status).toBe(
      200,
    );
  });
  it("oidcc-codereuse", async () => {
    const { browser } = await stage.signedIn();
    const { code } = await stage.silently(browser, {});
    const { body } = await oidc.exchange(stage.instance, stage.client, String(code));
    expect((await oidc.userinfo(stage.instance, body.access_token)).status).toBe(200);
    const again = await oidc.exchange(stage.instance, stage.client, String(code));
    expect(again.status).toBe(400);
    expect(again.body.error).toBe("invalid_grant");
    expect((await oidc.userinfo(stage.instance, body.access_token)).status).toBe(401);
  });
  it("oidcc-codereuse-30seconds", async () => {
    const { browser } = await stage.signedIn();
    const { code } = await stage.silently(browser, {});
    const { body } = await oidc.exchange(stage.instance, stage.client, String(code));
    await stage.instance.clock.advance("30m");
    expect((await oidc.exchange(stage.instance, stage.client, String(code))).body.error).toBe(
      "invalid_grant",
    );
    expect((await oidc.userinfo(stage.instance, body.access_token)).status).toBe(401);
  });
  it("unknown scopes are ignored", async () => {
    expect(
      (await oidc.obtainTokens(stage.instance, stage.client, { scope: "openid wonderland" })).scope,
    ).toBe("openid");
  });
  it("oidcc-codereuse, from another client: nothing is revoked", async () => {
    const { browser } = await stage.signedIn();
    const { code } = await stage.silently(browser, {});
    const { body } = await oidc.exchange(stage.instance, stage.client, String(code));
    const thief = await oidc.registerClient(stage.instance);
    expect((await oidc.exchange(stage.instance, thief, String(code))).body.error).toBe("invalid_grant");
    expect((await oidc.userinfo(stage.instance, body.access_token)).status).toBe(200);
  });
});

describe("prompt and max_age", () => {
  it("prompt none without consent: consent_required", async () => {
    const { browser } = await stage.signedIn();
    const fresh = await oidc.registerClient(stage.instance);
    const visit = await browser.open(oidc.authorizeUrl(fresh, { prompt: "none" }));
    expect(oidc.parametersOf(new URL(visit.location ?? "")).error).toBe("consent_required");
    expect(await stage.silently(browser, { prompt: "none", scope: "openid vendor:location" })).toMatchObject({
      error: "consent_required",
    });
  });
  it("prompt none with a login hint for somebody else: account_selection_required", async () => {
    const { browser } = await stage.signedIn();
    await addBob(stage.instance);
    expect(await stage.silently(browser, { prompt: "none", login_hint: "bob" })).toMatchObject({
      error: "account_selection_required",
    });
    expect(await stage.silently(browser, { prompt: "none", login_hint: "ann" })).toHaveProperty("code");
  });
  it("prompt consent asks again, prompt login consent asks for both", async () => {
    const { browser } = await stage.signedIn();
    const page = await stage.asks(browser, { prompt: "consent" });
    expect(oidc.formsOf(page.html).some(({ action }) => action.endsWith("/consent"))).toBe(true);
    const end = await browser.travel(oidc.authorizeUrl(stage.client, { prompt: "login consent" }));
    expect(oidc.parametersOf(end)).toHaveProperty("code");
    expect(browser.visits.filter(({ status }) => status === 200)).toHaveLength(2);
  });
  it("prompt select_account lets the person choose", async () => {
    const { browser } = await stage.signedIn();
    const end = await browser.travel(oidc.authorizeUrl(stage.client, { prompt: "select_account" }));
    expect(oidc.parametersOf(end)).toHaveProperty("code");
    expect(browser.visits.filter(({ status }) => status === 200)).toHaveLength(1);
  });
  it("max_age 0 always asks", async () => {
    const { browser } = await stage.signedIn();
    await stage.instance.clock.advance("1s");
    expect(
      oidc.parametersOf(await browser.travel(oidc.authorizeUrl(stage.client, { max_age: "0" }))),
    ).toHaveProperty("code");
    expect(browser.visits.some(({ status }) => status === 200)).toBe(true);
  });
  it("prompt login and select_account, or all three, are asked for one after the other", async () => {
    const { browser } = await stage.signedIn();
    for (const [prompt, pages] of [
      ["login select_account", 1],
      ["select_account consent", 2],
      ["login consent select_account", 2],
    ] as const) {
      const end = await browser.travel(oidc.authorizeUrl(stage.client, { prompt }));
      expect(oidc.parametersOf(end)).toHaveProperty("code");
      expect([prompt, browser.visits.filter(({ status }) => status === 200).length]).toEqual([prompt, pages]);
    }
  });
  it.each(["none login", "none consent", "login none", "none select_account", "none none x", "Login"])(
    "prompt %s is refused",
    async (prompt) => {
      const { browser } = await stage.signedIn();
      expect(await stage.silently(browser, { prompt })).toMatchObject({ error: "invalid_request" });
    },
  );
  it("prompt none with max_age that has run out: login_required", async () => {
    const { browser } = await stage.signedIn();
    await stage.instance.clock.advance("3s");
    expect(await stage.silently(browser, { prompt: "none", max_age: "1" })).toMatchObject({
      error: "login_required",
    });
    expect(await stage.silently(browser, { prompt: "none", max_age: "10000" })).toHaveProperty("code");
  });
});

describe("hints", () => {
  it("oidcc-id-token-hint, also when it has expired long ago", async () => {
    const { browser, id_token } = await stage.signedIn();
    await stage.instance.clock.advance("2h");
    expect(await stage.silently(browser, { prompt: "none", id_token_hint: id_token })).toHaveProperty("code");
  });
  it("an ID token hint of another stage.client is refused", async () => {
    const { browser } = await stage.signedIn();
    const other = await oidc.registerClient(stage.instance);
    const { id_token } = await oidc.obtainTokens(stage.instance, other);
    expect(await stage.silently(browser, { id_token_hint: id_token })).toMatchObject({
      error: "invalid_request",
    });
  });
});

describe("redirects", () => {
  it("oidcc-redirect-uri-query-OK", async () => {
    const redirect_uri = "http://localhost:9/answer?foo=bar";
    const querying = await oidc.registerClient(stage.instance, { redirect_uris: [redirect_uri] });
    const end = await stage.browser().travel(oidc.authorizeUrl(querying, { redirect_uri }));
    expect(oidc.parametersOf(end)).toMatchObject({ foo: "bar", code: expect.any(String) });
  });
  it("oidcc-redirect-uri-query-mismatch", async () => {
    const querying = await oidc.registerClient(stage.instance, {
      redirect_uris: ["http://localhost:9/answer?foo=bar"],
    });
    const redirect_uri = "http://localhost:9/answer?bar=foo";
    expect((await stage.browser().open(oidc.authorizeUrl(querying, { redirect_uri }))).status).toBe(400);
  });
  it("oidcc-redirect-uri-query-added", async () => {
    const redirect_uri = `${oidc.REDIRECT}?foo=bar`;
    expect((await stage.browser().open(oidc.authorizeUrl(stage.client, { redirect_uri }))).status).toBe(400);
  });
  it("oidcc-redirect-uri-regfrag", async () => {
    await expect(
      oidc.registerClient(stage.instance, { redirect_uris: [`${oidc.REDIRECT}#foo`] }),
    ).rejects.toThrow("400");
  });
  it("oidcc-ensure-redirect-uri-in-authorization-request", async () => {
    const visit = await stage.browser().open(oidc.authorizeUrl(stage.client, { redirect_uri: undefined }));
    expect(visit.status).toBe(400);
    expect(visit.location).toBeUndefined();
  });
});

describe("registration", () => {
  it("oidcc-registration-logo-uri, oidcc-registration-policy-uri, oidcc-registration-tos-uri", async () => {
    const links = {
      logo_uri: "https://app.example.org/logo.png",
      policy_uri: "https://app.example.org/privacy",
      tos_uri: "https://app.example.org/terms",
    };
    const linked = await oidc.registerClient(stage.instance, links);
    expect(linked).toMatchObject(links);
    const browser = stage.browser();
    const page = await browser.open((await browser.open(oidc.authorizeUrl(linked))).location ?? "");
    expect(page.html).toContain(`href="${links.policy_uri}"`);
    expect(page.html).toContain(`href="${links.tos_uri}"`);
    // The page loads nothing from other origins.
    expect(page.html).not.toContain(links.logo_uri);
  });
  it.each([
    ["oidcc-request-uri-unsigned, oidcc-request-uri-signed-rs256", { request_uris: ["https://a.example/r"] }],
    ["oidcc-userinfo-rs256", { userinfo_signed_response_alg: "RS256" }],
    ["oidcc-registration-jwks-uri", { jwks_uri: "https://a.example/jwks" }],
  ])("%s: what is not supported is not promised in the answer", async (_name, wish) => {
    const registered = await oidc.registerClient(stage.instance, wish);
    for (const member of Object.keys(wish)) expect(registered).not.toHaveProperty(member);
  });
});

describe("hybrid and implicit", () => {
  it("EdDSA uses the left half of SHA-512", async () => {
    const curved = await oidc.registerClient(stage.instance, { id_token_signed_response_alg: "EdDSA" });
    const end = await stage
      .browser()
      .travel(oidc.authorizeUrl(curved, { response_type: "token id_token", nonce: "n" }));
    const { access_token = "", id_token = "" } = oidc.parametersOf(end);
    const half = createHash("sha512").update(access_token).digest().subarray(0, 32).toString("base64url");
    expect(oidc.claimsIn(id_token).at_hash).toBe(half);
  });
  it("errors of fragment types come in the fragment", async () => {
    const visit = await stage
      .browser()
      .open(oidc.authorizeUrl(stage.client, { response_type: "token id_token", nonce: "n", prompt: "none" }));
    expect(new URL(visit.location ?? "").hash).toContain("error=login_required");
  });
  it("tokens are never put into a query", async () => {
    const { browser } = await stage.signedIn();
    const visit = await browser.open(
      oidc.authorizeUrl(stage.client, {
        response_type: "token id_token",
        nonce: "n",
        response_mode: "query",
      }),
    );
    const answer = new URL(visit.location ?? "");
    expect(answer.search).toBe("");
    expect(answer.hash).toContain("error=invalid_request");
  });
  it("the response type token alone gives an access token and nothing else", async () => {
    const { browser } = await stage.signedIn();
    const given = await stage.silently(browser, { response_type: "token" });
    expect(given).toMatchObject({ status: 302, token_type: "Bearer", scope: "openid" });
    expect(given).not.toHaveProperty("id_token");
    expect((await oidc.userinfo(stage.instance, String(given.access_token))).status).toBe(200);
  });
});
