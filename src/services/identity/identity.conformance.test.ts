/** The rules of OpenID Connect Core, Discovery, Session Management and RP-Initiated Logout, by the names of the public conformance modules. */
import { createHash } from "node:crypto";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ann,
  authorizeUrl,
  claimsIn,
  exchange,
  formsOf,
  obtainTokens,
  parametersOf,
  REDIRECT,
  registerClient,
  TestBrowser,
  type TestClient,
  userinfo,
} from "../../../tests/support/identity-browser.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

let instance: Instance;
let client: TestClient;
beforeAll(async () => {
  instance = await startInstance();
  client = await registerClient(instance, { post_logout_redirect_uris: ["http://localhost:9/bye"] });
});
afterAll(() => instance.stop());

const issuer = () => `${instance.url}/identity`;
const newBrowser = () => new TestBrowser(instance);
const signedIn = async () => {
  const browser = newBrowser();
  const tokens = await obtainTokens(instance, client, { browser });
  return { browser, ...tokens };
};
/** Where a request leads without a person doing anything. */
const silently = async (browser: TestBrowser, change: Record<string, string | undefined>) => {
  const visit = await browser.open(authorizeUrl(client, change));
  return { status: visit.status, ...parametersOf(new URL(visit.location ?? "about:blank")) } as Record<
    string,
    string | number | undefined
  >;
};
const leadsToPage = async (browser: TestBrowser, change: Record<string, string | undefined>) => {
  const visit = await browser.open(authorizeUrl(client, change));
  expect(visit.status).toBe(303);
  return browser.open(visit.location ?? "");
};

describe("discovery and keys", () => {
  it("oidcc-discovery-endpoint-verification", async () => {
    const { body } = await instance.send("GET", "/identity/.well-known/openid-configuration");
    expect(body.issuer).toBe(issuer());
    for (const name of ["authorization", "token", "userinfo", "registration", "end_session"])
      expect(new URL(body[`${name}_endpoint`]).href).toContain(issuer());
    expect(body.response_types_supported).toHaveLength(7);
    expect(body.subject_types_supported).toEqual(["public"]);
    expect(body.id_token_signing_alg_values_supported).toContain("RS256");
    expect(body.scopes_supported).toContain("openid");
    expect(body.claims_supported).toContain("sub");
    expect(body.request_uri_parameter_supported).toBe(false);
  });
  it("oidcc-session-management-discovery-endpoint-verification", async () => {
    const { body } = await instance.send("GET", "/identity/.well-known/openid-configuration");
    expect((await instance.send("GET", body.check_session_iframe)).status).toBe(200);
    expect(body.end_session_endpoint).toBe(`${issuer()}/logout`);
  });
  // A month of hourly chores passes by, which takes its time on a busy machine.
  it("oidcc-server-rotate-keys", async () => {
    const other = await startInstance({ services: ["identity"] });
    try {
      const kids = async () =>
        (await other.send("GET", "/identity/jwks")).body.keys.map((key: { kid: string }) => key.kid);
      const rotating = await registerClient(other, { id_token_signed_response_alg: "RS256" });
      const browser = new TestBrowser(other);
      const first = await obtainTokens(other, rotating, { browser });
      const before = await kids();
      await other.clock.advance("30d7h");
      const announced = await kids();
      expect(announced).toEqual(expect.arrayContaining(before));
      expect(announced).toHaveLength(6);
      // A new key is published for a day before anything is signed with it.
      const meanwhile = await obtainTokens(other, rotating, { browser: new TestBrowser(other) });
      expect(before).toContain(decodeProtectedHeader(meanwhile.id_token).kid);
      await other.clock.advance("25h");
      const second = await obtainTokens(other, rotating, { browser: new TestBrowser(other) });
      expect(decodeProtectedHeader(second.id_token).kid).not.toBe(decodeProtectedHeader(first.id_token).kid);
      // The old key is still there for whoever holds a token that it signed.
      const keys = createRemoteJWKSet(new URL(`${other.url}/identity/jwks`));
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
  it("oidcc-server", async () => {
    const browser = newBrowser();
    const end = await browser.travel(authorizeUrl(client, { nonce: "n1" }));
    const { body } = await exchange(instance, client, parametersOf(end).code);
    const keys = createRemoteJWKSet(new URL(`${issuer()}/jwks`));
    const { payload } = await jwtVerify(body.id_token, keys, {
      issuer: issuer(),
      audience: client.client_id,
    });
    expect(payload).toMatchObject({
      nonce: "n1",
      at_hash: createHash("sha256").update(body.access_token).digest().subarray(0, 16).toString("base64url"),
      auth_time: expect.any(Number),
    });
    expect((await userinfo(instance, body.access_token)).body.sub).toBe(payload.sub);
  });
  it("oidcc-response-type-missing", async () => {
    expect(await silently(newBrowser(), { response_type: undefined })).toMatchObject({
      status: 302,
      error: "invalid_request",
    });
  });
  it("oidcc-idtoken-rs256", async () => {
    const plain = await registerClient(instance, { id_token_signed_response_alg: undefined });
    const { id_token } = await obtainTokens(instance, plain);
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
  });
  it("oidcc-idtoken-unsigned", async () => {
    await expect(registerClient(instance, { id_token_signed_response_alg: "none" })).rejects.toThrow("400");
  });
  it("oidcc-userinfo-get", async () => {
    const { access_token } = await signedIn();
    expect((await userinfo(instance, access_token)).status).toBe(200);
  });
  it("oidcc-userinfo-post-header", async () => {
    const { access_token } = await signedIn();
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await instance.send("POST", "/identity/userinfo", { headers })).status).toBe(200);
  });
  it("oidcc-userinfo-post-body", async () => {
    const { access_token } = await signedIn();
    const body = new URLSearchParams({ access_token });
    expect((await instance.send("POST", "/identity/userinfo", { body })).status).toBe(200);
  });
  it("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
    const { id_token } = await signedIn();
    expect(claimsIn(id_token)).not.toHaveProperty("nonce");
  });
  it.each(["id_token", "token id_token", "code id_token", "code token id_token"])(
    "a nonce is required for %s",
    async (response_type) => {
      expect(await silently(newBrowser(), { response_type })).toMatchObject({
        error: "invalid_request",
        error_description: expect.stringContaining("nonce"),
      });
    },
  );
  it.each([
    ["profile", "name"],
    ["email", "email"],
  ])("oidcc-scope-%s", async (scope, claim) => {
    const { access_token } = await obtainTokens(instance, client, { scope: `openid ${scope}` });
    expect((await userinfo(instance, access_token)).body).toHaveProperty(claim);
    const { access_token: less } = await obtainTokens(instance, client, { browser: newBrowser() });
    expect((await userinfo(instance, less)).body).not.toHaveProperty(claim);
  });
  it("oidcc-scope-all", async () => {
    const { scope } = await obtainTokens(instance, client, {
      scope: "openid profile email address phone",
    });
    expect(scope).toBe("openid profile email address phone");
  });
  it("oidcc-ensure-other-scope-order-succeeds", async () => {
    const { scope } = await obtainTokens(instance, client, { scope: "email openid" });
    expect(scope.split(" ").sort()).toEqual(["email", "openid"]);
  });
  it("unknown scopes are ignored", async () => {
    expect((await obtainTokens(instance, client, { scope: "openid wonderland" })).scope).toBe("openid");
  });
  it.each(["page", "popup", "modal", "touch"])("oidcc-display-%s", async (display) => {
    const page = await leadsToPage(newBrowser(), { display });
    expect(page.status).toBe(200);
    expect(formsOf(page.html).some(({ fields }) => "password" in fields)).toBe(true);
  });
  it("oidcc-ensure-request-with-unknown-parameter-succeeds", async () => {
    const { browser } = await signedIn();
    expect(await silently(browser, { extra: "foobar" })).toHaveProperty("code");
  });
  it.each([
    ["oidcc-ui-locales", { ui_locales: "se de-CH" }],
    ["oidcc-claims-locales", { claims_locales: "se" }],
    ["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "1 2" }],
  ])("%s", async (_name, change) => {
    const { browser } = await signedIn();
    expect(await silently(browser, change)).toHaveProperty("code");
  });
  it("oidcc-ensure-post-request-succeeds", async () => {
    const { browser } = await signedIn();
    const form = Object.fromEntries(new URL(authorizeUrl(client), instance.url).searchParams);
    const visit = await browser.open("/identity/authorize", { form });
    expect(visit.status).toBe(302);
    expect(parametersOf(new URL(visit.location ?? ""))).toHaveProperty("code");
  });
  it("oidcc-server-client-secret-post", async () => {
    const posting = await registerClient(instance, { token_endpoint_auth_method: "client_secret_post" });
    expect(await obtainTokens(instance, posting)).toHaveProperty("id_token");
  });
  it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const { browser } = await signedIn();
    const code_verifier = "a-verifier-that-is-long-enough-for-the-rule-43";
    const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const { code } = await silently(browser, { code_challenge, code_challenge_method: "S256" });
    expect((await exchange(instance, client, String(code), { code_verifier })).status).toBe(200);
  });
});

describe("prompt and max_age", () => {
  it("oidcc-prompt-login", async () => {
    const { browser, id_token } = await signedIn();
    await instance.clock.advance("3s");
    const end = await browser.travel(authorizeUrl(client, { prompt: "login" }));
    const { body } = await exchange(instance, client, parametersOf(end).code);
    expect(Number(claimsIn(body.id_token).auth_time)).toBeGreaterThan(Number(claimsIn(id_token).auth_time));
    expect(claimsIn(body.id_token).sub).toBe(claimsIn(id_token).sub);
  });
  it("oidcc-prompt-none-not-logged-in", async () => {
    expect(await silently(newBrowser(), { prompt: "none" })).toMatchObject({
      status: 302,
      error: "login_required",
      state: "a state",
    });
  });
  it("oidcc-prompt-none-logged-in", async () => {
    const { browser, id_token } = await signedIn();
    const { code } = await silently(browser, { prompt: "none" });
    const { body } = await exchange(instance, client, String(code));
    const { sub, auth_time, sid } = claimsIn(id_token);
    expect(claimsIn(body.id_token)).toMatchObject({ sub, auth_time, sid });
  });
  it("prompt none without consent: consent_required", async () => {
    const { browser } = await signedIn();
    const fresh = await registerClient(instance);
    const visit = await browser.open(authorizeUrl(fresh, { prompt: "none" }));
    expect(parametersOf(new URL(visit.location ?? "")).error).toBe("consent_required");
    expect(await silently(browser, { prompt: "none", scope: "openid vendor:location" })).toMatchObject({
      error: "consent_required",
    });
  });
  it("prompt none with a login hint for somebody else: account_selection_required", async () => {
    const { browser } = await signedIn();
    await instance.bearer("POST", "/_medley/credentials", {
      body: {
        accounts: [
          {
            id: "111111111111",
            name: "first",
            admin: true,
            tokens: ["first-token-0001"],
            policies: [{ effect: "Allow", actions: ["*"], resources: ["*"] }],
            users: [
              { username: "bob", password: "bob-password-1", name: "Bob Example", email: "bob@example.org" },
            ],
          },
        ],
      },
    });
    expect(await silently(browser, { prompt: "none", login_hint: "bob" })).toMatchObject({
      error: "account_selection_required",
    });
    expect(await silently(browser, { prompt: "none", login_hint: "ann" })).toHaveProperty("code");
  });
  it("prompt consent asks again, prompt login consent asks for both", async () => {
    const { browser } = await signedIn();
    const page = await leadsToPage(browser, { prompt: "consent" });
    expect(formsOf(page.html).some(({ action }) => action.endsWith("/consent"))).toBe(true);
    const end = await browser.travel(authorizeUrl(client, { prompt: "login consent" }));
    expect(parametersOf(end)).toHaveProperty("code");
    expect(browser.visits.filter(({ status }) => status === 200)).toHaveLength(2);
  });
  it("prompt select_account lets the person choose", async () => {
    const { browser } = await signedIn();
    const end = await browser.travel(authorizeUrl(client, { prompt: "select_account" }));
    expect(parametersOf(end)).toHaveProperty("code");
    expect(browser.visits.filter(({ status }) => status === 200)).toHaveLength(1);
  });
  it("oidcc-max-age-1", async () => {
    const { browser, id_token } = await signedIn();
    await instance.clock.advance("3s");
    const end = await browser.travel(authorizeUrl(client, { max_age: "1" }));
    const { body } = await exchange(instance, client, parametersOf(end).code);
    expect(Number(claimsIn(body.id_token).auth_time)).toBeGreaterThan(Number(claimsIn(id_token).auth_time));
  });
  it("oidcc-max-age-10000", async () => {
    const { browser, id_token } = await signedIn();
    const { code } = await silently(browser, { max_age: "10000" });
    const { body } = await exchange(instance, client, String(code));
    expect(claimsIn(body.id_token).auth_time).toBe(claimsIn(id_token).auth_time);
  });
  it("max_age 0 always asks", async () => {
    const { browser } = await signedIn();
    await instance.clock.advance("1s");
    expect(parametersOf(await browser.travel(authorizeUrl(client, { max_age: "0" })))).toHaveProperty("code");
    expect(browser.visits.some(({ status }) => status === 200)).toBe(true);
  });
});

describe("hints", () => {
  it("oidcc-id-token-hint", async () => {
    const { browser, id_token } = await signedIn();
    expect(await silently(browser, { prompt: "none", id_token_hint: id_token })).toHaveProperty("code");
    await instance.clock.advance("2h");
    expect(await silently(browser, { prompt: "none", id_token_hint: id_token })).toHaveProperty("code");
  });
  it("an ID token hint of another client is refused", async () => {
    const { browser } = await signedIn();
    const other = await registerClient(instance);
    const { id_token } = await obtainTokens(instance, other);
    expect(await silently(browser, { id_token_hint: id_token })).toMatchObject({ error: "invalid_request" });
  });
  it("oidcc-login-hint", async () => {
    const page = await leadsToPage(newBrowser(), { login_hint: "ann@example.org" });
    expect(page.html).toContain("ann@example.org");
  });
});

describe("redirect", () => {
  it("oidcc-ensure-registered-redirect-uri", async () => {
    const visit = await newBrowser().open(authorizeUrl(client, { redirect_uri: "http://localhost:9/other" }));
    expect(visit.status).toBe(400);
    expect(visit.location).toBeUndefined();
  });
  it("oidcc-redirect-uri-query-OK", async () => {
    const redirect_uri = "http://localhost:9/answer?foo=bar";
    const querying = await registerClient(instance, { redirect_uris: [redirect_uri] });
    const end = await newBrowser().travel(authorizeUrl(querying, { redirect_uri }));
    expect(parametersOf(end)).toMatchObject({ foo: "bar", code: expect.any(String) });
  });
  it("oidcc-redirect-uri-query-mismatch", async () => {
    const querying = await registerClient(instance, { redirect_uris: ["http://localhost:9/answer?foo=bar"] });
    const redirect_uri = "http://localhost:9/answer?bar=foo";
    expect((await newBrowser().open(authorizeUrl(querying, { redirect_uri }))).status).toBe(400);
  });
  it("oidcc-redirect-uri-query-added", async () => {
    const redirect_uri = `${REDIRECT}?foo=bar`;
    expect((await newBrowser().open(authorizeUrl(client, { redirect_uri }))).status).toBe(400);
  });
  it("oidcc-redirect-uri-regfrag", async () => {
    await expect(registerClient(instance, { redirect_uris: [`${REDIRECT}#foo`] })).rejects.toThrow("400");
  });
});

describe("codes and request objects", () => {
  it("oidcc-codereuse", async () => {
    const { browser } = await signedIn();
    const { code } = await silently(browser, {});
    const { body } = await exchange(instance, client, String(code));
    expect((await userinfo(instance, body.access_token)).status).toBe(200);
    const again = await exchange(instance, client, String(code));
    expect(again.status).toBe(400);
    expect(again.body.error).toBe("invalid_grant");
    expect((await userinfo(instance, body.access_token)).status).toBe(401);
  });
  it("oidcc-codereuse-30seconds", async () => {
    const { browser } = await signedIn();
    const { code } = await silently(browser, {});
    const { body } = await exchange(instance, client, String(code));
    await instance.clock.advance("30m");
    expect((await exchange(instance, client, String(code))).body.error).toBe("invalid_grant");
    expect((await userinfo(instance, body.access_token)).status).toBe(401);
  });
  it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
    expect(await silently(newBrowser(), { request: "eyJhbGciOiJub25lIn0.e30." })).toMatchObject({
      error: "request_not_supported",
    });
  });
  it("oidcc-request-uri-unsigned", async () => {
    expect(await silently(newBrowser(), { request_uri: "https://a.example/r" })).toMatchObject({
      error: "request_uri_not_supported",
    });
  });
});

describe("hybrid and implicit", () => {
  it("at_hash and c_hash fit what came with them", async () => {
    const { browser } = await signedIn();
    const given = await silently(browser, { response_type: "code token id_token", nonce: "n" });
    const half = (value: unknown) =>
      createHash("sha256").update(String(value)).digest().subarray(0, 16).toString("base64url");
    const claims = claimsIn(String(given.id_token));
    expect(claims).toMatchObject({ at_hash: half(given.access_token), c_hash: half(given.code), nonce: "n" });
    const { body } = await exchange(instance, client, String(given.code));
    const { iss, sub } = claims;
    expect(claimsIn(body.id_token)).toMatchObject({ iss, sub, nonce: "n" });
  });
  it("EdDSA uses the left half of SHA-512", async () => {
    const curved = await registerClient(instance, { id_token_signed_response_alg: "EdDSA" });
    const end = await newBrowser().travel(
      authorizeUrl(curved, { response_type: "token id_token", nonce: "n" }),
    );
    const { access_token = "", id_token = "" } = parametersOf(end);
    const half = createHash("sha512").update(access_token).digest().subarray(0, 32).toString("base64url");
    expect(claimsIn(id_token).at_hash).toBe(half);
  });
  it("errors of fragment types come in the fragment", async () => {
    const visit = await newBrowser().open(
      authorizeUrl(client, { response_type: "token id_token", nonce: "n", prompt: "none" }),
    );
    expect(new URL(visit.location ?? "").hash).toContain("error=login_required");
  });
  it("tokens are never put into a query", async () => {
    const { browser } = await signedIn();
    const visit = await browser.open(
      authorizeUrl(client, { response_type: "token id_token", nonce: "n", response_mode: "query" }),
    );
    const answer = new URL(visit.location ?? "");
    expect(answer.search).toBe("");
    expect(answer.hash).toContain("error=invalid_request");
  });
});

describe("sessions", () => {
  const stateOf = (origin: string, browserState: string, salt: string) =>
    `${createHash("sha256").update(`${client.client_id} ${origin} ${browserState} ${salt}`).digest("hex")}.${salt}`;

  it("session_state is bound to client, origin and browser, and is salted", async () => {
    const { browser } = await signedIn();
    const first = await silently(browser, {});
    const second = await silently(browser, {});
    expect(first.session_state).not.toBe(second.session_state);
    const browserState = browser.cookies.get("identity_browser_state") ?? "";
    const salt = String(first.session_state).split(".")[1] ?? "";
    expect(first.session_state).toBe(stateOf("http://localhost:9", browserState, salt));
  });
  it("errors tell the session state as well", async () => {
    const { session_state } = await silently(newBrowser(), { prompt: "none" });
    const salt = String(session_state).split(".")[1] ?? "";
    expect(session_state).toBe(stateOf("http://localhost:9", "", salt));
  });
  it("oidcc-rp-initiated-logout", async () => {
    const { browser, id_token } = await signedIn();
    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: "http://localhost:9/bye",
      state: "done",
    });
    const visit = await browser.open(`/identity/logout?${query}`);
    expect(visit.status).toBe(302);
    expect(visit.location).toBe("http://localhost:9/bye?state=done");
    expect(browser.cookies.has("identity_browser_state")).toBe(false);
    expect(await silently(browser, { prompt: "none" })).toMatchObject({ error: "login_required" });
  });
  it("oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", async () => {
    const { browser, id_token } = await signedIn();
    for (const target of ["https://evil.example/", "http://localhost:9/bye/", "http://localhost:9/bye?x=1"]) {
      const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: target });
      const visit = await browser.open(`/identity/logout?${query}`);
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
    }
    expect(await silently(browser, { prompt: "none" })).toHaveProperty("code");
  });
  it("oidcc-rp-initiated-logout-modified-id-token-hint", async () => {
    const { browser, id_token } = await signedIn();
    const broken = `${id_token.slice(0, -6)}AAAAAA`;
    const visit = await browser.open(`/identity/logout?${new URLSearchParams({ id_token_hint: broken })}`);
    expect(visit.status).toBe(400);
    expect(await silently(browser, { prompt: "none" })).toHaveProperty("code");
  });
  it("oidcc-rp-initiated-logout-no-params asks the person", async () => {
    const { browser } = await signedIn();
    const visit = await browser.open("/identity/logout");
    expect(visit.status).toBe(303);
    expect(await silently(browser, { prompt: "none" })).toHaveProperty("code");
    const page = await browser.open(visit.location ?? "");
    const done = await browser.submit(page, ({ action }) => action.includes("/sign-out"));
    const last = await browser.open(done.location ?? "");
    expect(last.status).toBe(200);
    expect(await silently(browser, { prompt: "none" })).toMatchObject({ error: "login_required" });
  });
  it("oidcc-rp-initiated-logout-no-id-token-hint asks, then redirects", async () => {
    const { browser } = await signedIn();
    const query = new URLSearchParams({
      client_id: client.client_id,
      post_logout_redirect_uri: "http://localhost:9/bye",
    });
    const visit = await browser.open(`/identity/logout?${query}`);
    const page = await browser.open(visit.location ?? "");
    const done = await browser.submit(page, ({ action }) => action.includes("/sign-out"));
    expect((await browser.open(done.location ?? "")).location).toBe("http://localhost:9/bye");
  });
  it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri, by POST", async () => {
    const { browser, id_token } = await signedIn();
    const visit = await browser.open("/identity/logout", { form: { id_token_hint: id_token } });
    expect(visit.status).toBe(200);
    expect(await silently(browser, { prompt: "none" })).toMatchObject({ error: "login_required" });
  });
  it("a sign-in as somebody else changes the browser's state, the same person again does not", async () => {
    const { browser } = await signedIn();
    const before = browser.cookies.get("identity_browser_state");
    await browser.travel(authorizeUrl(client, { prompt: "login" }), { person: ann });
    expect(browser.cookies.get("identity_browser_state")).toBe(before);
    await browser.travel(authorizeUrl(client, { prompt: "login" }), {
      person: { username: "bob", password: "bob-password-1" },
    });
    expect(browser.cookies.get("identity_browser_state")).not.toBe(before);
  });
});
