/** The nine promised operations and what stands around them, over HTTP, on both databases. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import {
  authorizeUrl,
  claimsIn,
  exchange,
  obtainTokens,
  parametersOf,
  REDIRECT,
  registerClient,
  TestBrowser,
  userinfo,
} from "../../../tests/support/identity-browser.ts";
import { onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

const garden = {
  client_name: "Garden planner",
  client_uri: "https://garden.example.org",
  redirect_uris: ["https://garden.example.org/answer"],
};
const ALL_TYPES = [
  ["code", "query"],
  ["id_token", "fragment"],
  ["token", "fragment"],
  ["token id_token", "fragment"],
  ["code id_token", "fragment"],
  ["code token", "fragment"],
  ["code token id_token", "fragment"],
] as const;

onBothDatabases("identity: clients", (instance) => {
  it("are created with id, secret and registration token, each shown once", async () => {
    const { status, headers, body } = await instance().bearer("POST", "/identity/client", { body: garden });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${instance().url}/identity/client/${body.client_id}`);
    expect(body).toMatchObject({
      ...garden,
      client_secret: expect.stringMatching(/^\w{48}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^\w{48}$/),
      registration_client_uri: headers.get("location"),
      response_types: expect.arrayContaining(ALL_TYPES.map(([type]) => type)),
    });
    const again = await instance().bearer("GET", `/identity/client/${body.client_id}`);
    expect(again.status).toBe(200);
    expect(again.body.client_secret).toBeUndefined();
    expect(again.body.registration_access_token).toBeUndefined();
  });

  it("are created from a multipart form as well", async () => {
    const form = new FormData();
    form.set("client_name", "Form");
    form.set("client_uri", "https://form.example.org");
    form.append("redirect_uris", "https://form.example.org/a");
    form.append("redirect_uris", "https://form.example.org/b");
    form.set("default_max_age", "60");
    form.set("test_mode", "true");
    const { status, body } = await instance().bearer("POST", "/identity/client", { body: form });
    expect(status).toBe(201);
    expect(body).toMatchObject({ default_max_age: 60, test_mode: true });
    expect(body.redirect_uris).toHaveLength(2);
  });

  it("are seen by their owner alone", async () => {
    const mine = await registerClient(instance());
    const list = await instance().bearer("GET", "/identity/client");
    expect(list.status).toBe(200);
    expect(list.body.map((one: { client_id: string }) => one.client_id)).toContain(mine.client_id);
    const other = await instance().bearer("GET", "/identity/client", { as: "second" });
    expect(other.body.map((one: { client_id: string }) => one.client_id)).not.toContain(mine.client_id);
    for (const method of ["GET", "DELETE"])
      expect(
        (await instance().bearer(method, `/identity/client/${mine.client_id}`, { as: "second" })).status,
      ).toBe(404);
    const put = await instance().bearer("PUT", `/identity/client/${mine.client_id}`, {
      as: "second",
      body: garden,
    });
    expect(put.status).toBe(404);
    expect((await instance().bearer("GET", `/identity/client/${mine.client_id}`)).status).toBe(200);
  });

  it("are opened by the registration token, each its own only", async () => {
    const mine = await registerClient(instance());
    const other = await registerClient(instance());
    const headers = { authorization: `Bearer ${mine.registration_access_token}` };
    const list = await instance().send("GET", "/identity/client", { headers });
    expect(list.body).toHaveLength(1);
    const bare = await instance().send("GET", `/identity/client/${mine.client_id}`, {
      headers: { authorization: mine.registration_access_token },
    });
    expect(bare.status).toBe(200);
    const put = await instance().send("PUT", `/identity/client/${mine.client_id}`, { headers, body: garden });
    expect(put.status).toBe(200);
    expect(put.body.client_name).toBe("Garden planner");
    expect((await instance().send("GET", `/identity/client/${other.client_id}`, { headers })).status).toBe(
      404,
    );
    expect((await instance().send("POST", "/identity/client", { headers, body: garden })).status).toBe(403);
    const wider = { ...garden, scope: "braille:*" };
    expect(
      (await instance().send("PUT", `/identity/client/${mine.client_id}`, { headers, body: wider })).body,
    ).toMatchObject({ status: 400, error: "invalid_client_metadata" });
    expect((await instance().send("DELETE", `/identity/client/${mine.client_id}`, { headers })).status).toBe(
      204,
    );
    expect((await instance().send("GET", "/identity/client", { headers })).status).toBe(401);
  });

  it("do not hand out more than the caller holds", async () => {
    const made = await instance().bearer("POST", "/_medley/credentials", {
      body: { kind: "token", scopes: ["identity:*", "braille:*"] },
    });
    const headers = { authorization: `Bearer ${made.body.credential.token}` };
    const create = (scope: string) =>
      instance().send("POST", "/identity/client", { headers, body: { ...garden, scope } });
    expect((await create("braille:Translate")).status).toBe(201);
    expect((await create("bank:*")).status).toBe(400);
    expect((await create("*")).status).toBe(400);
  });

  it("are replaced by an update", async () => {
    const { client_id } = await registerClient(instance(), { contacts: ["team@example.org"] });
    const body = { ...garden, client_id, response_types: ["code"], default_max_age: 0 };
    const updated = await instance().bearer("PUT", `/identity/client/${client_id}`, { body });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ ...garden, contacts: [], response_types: ["code"] });
    expect(updated.body.client_secret).toBeUndefined();
    const wrongId = await instance().bearer("PUT", `/identity/client/${client_id}`, {
      body: { ...garden, client_id: "app_other" },
    });
    expect(wrongId.status).toBe(400);
  });

  it("get a new secret; the old one stops working at once", async () => {
    const client = await registerClient(instance());
    const rotated = await instance().bearer("POST", `/identity/client/${client.client_id}/secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.client_secret).not.toBe(client.client_secret);
    expect((await exchange(instance(), client, "x")).body.error).toBe("invalid_client");
    const fresh = { ...client, client_secret: rotated.body.client_secret };
    expect((await exchange(instance(), fresh, "x")).body.error).toBe("invalid_grant");
  });

  it("tell what is wrong as problem details on changes, as OAuth errors on reads", async () => {
    const bad = await instance().bearer("POST", "/identity/client", {
      body: { ...garden, redirect_uris: ["http://garden.example.org/"] },
    });
    expect(bad.status).toBe(400);
    expect(bad.headers.get("content-type")).toBe("application/problem+json");
    expect(bad.body).toMatchObject({
      type: "about:blank",
      status: 400,
      title: "Bad Request",
      detail: expect.stringContaining("use https"),
      error: "invalid_redirect_uri",
    });
    const missing = await instance().bearer("POST", "/identity/client", { body: { client_name: "x" } });
    expect(missing.body).toMatchObject({ status: 400, detail: expect.stringContaining("client_uri") });
    const unknown = await instance().bearer("GET", "/identity/client/app_none");
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: "not_found", error_description: expect.any(String) });
    for (const method of ["PUT", "DELETE"]) {
      const answer = await instance().bearer(method, "/identity/client/app_none", {
        ...(method === "PUT" && { body: garden }),
      });
      expect(answer.body).toMatchObject({ type: "about:blank", status: 404 });
    }
    const nobody = await instance().bearer("GET", "/identity/client", { as: null });
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(nobody.body.error).toBe("invalid_token");
    expect(
      (await instance().bearer("POST", "/identity/client", { as: null, body: garden })).body,
    ).toMatchObject({ type: "about:blank", status: 401 });
  });
});

onBothDatabases("identity: authorize", (instance) => {
  it("leads to the sign-in page with 303, then to the application with 302", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const end = await browser.travel(authorizeUrl(client, { state: "ünïcode & more=+%20" }));
    expect(browser.visits[0]?.status).toBe(303);
    expect(browser.visits[0]?.location).toMatch(/\/identity\/interaction\/\w+$/);
    expect(browser.visits.at(-1)?.status).toBe(302);
    expect(browser.visits.at(-1)?.headers.get("cache-control")).toBe("no-store");
    expect(parametersOf(end)).toEqual({
      code: expect.any(String),
      state: "ünïcode & more=+%20",
      iss: `${instance().url}/identity`,
      session_state: expect.stringMatching(/^[0-9a-f]{64}\.\w+$/),
    });
  });

  it.each(ALL_TYPES)("answers %s in the %s", async (responseType, mode) => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const end = await browser.travel(
      authorizeUrl(client, { response_type: responseType, nonce: "n-1", scope: "openid email" }),
    );
    expect(mode === "query" ? end.hash : end.search).toBe("");
    const words = responseType.split(" ");
    const given = parametersOf(end);
    expect(given.code !== undefined).toBe(words.includes("code"));
    expect(given.access_token !== undefined).toBe(words.includes("token"));
    expect(given.token_type === "Bearer").toBe(words.includes("token"));
    expect(given.id_token !== undefined).toBe(words.includes("id_token"));
    if (given.id_token !== undefined) {
      const claims = claimsIn(given.id_token);
      expect(claims.nonce).toBe("n-1");
      expect(claims.at_hash !== undefined).toBe(words.includes("token"));
      expect(claims.c_hash !== undefined).toBe(words.includes("code"));
      expect(claims.email).toBe(responseType === "id_token" ? "ann@example.org" : undefined);
    }
    if (given.access_token !== undefined)
      expect((await userinfo(instance(), given.access_token)).body.email).toBe("ann@example.org");
    if (given.code !== undefined) {
      const tokens = await exchange(instance(), client, given.code);
      expect(claimsIn(tokens.body.id_token).nonce).toBe("n-1");
    }
  });

  it("answers code in the fragment and as a posted form when asked to", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const end = await browser.travel(authorizeUrl(client, { response_mode: "fragment" }));
    expect(end.hash).toContain("code=");
    const page = await browser.open(authorizeUrl(client, { response_mode: "form_post" }));
    expect(page.status).toBe(200);
    expect(page.html).toContain(`action="${REDIRECT}"`);
    expect(page.html).toMatch(/name="code" value="\w+"/);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'sha256-");
  });

  it("shows an error page, and sends nothing anywhere, when the redirect is not registered", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    for (const change of [
      { redirect_uri: "https://evil.example.org/" },
      { redirect_uri: undefined },
      { client_id: "app_none" },
      { client_id: undefined },
    ]) {
      const visit = await browser.open(authorizeUrl(client, change));
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
      expect(visit.headers.get("content-type")).toContain("text/html");
      expect(visit.html).not.toContain("evil.example.org");
    }
  });

  it("lets a client in test mode go anywhere sound, after asking the person each time", async () => {
    const client = await registerClient(instance(), { test_mode: true });
    const browser = new TestBrowser(instance());
    const elsewhere = { redirect_uri: "https://elsewhere.example.org/answer" };
    const end = await browser.travel(authorizeUrl(client, elsewhere));
    expect(end.origin).toBe("https://elsewhere.example.org");
    const again = await browser.open(authorizeUrl(client, elsewhere));
    expect(again.status).toBe(303);
    const silent = await browser.travel(authorizeUrl(client, { ...elsewhere, prompt: "none" }));
    expect(parametersOf(silent).error).toBe("interaction_required");
    expect((await browser.open(authorizeUrl(client, { redirect_uri: "javascript:alert(1)" }))).status).toBe(
      400,
    );
  });

  it.each([
    ["response_type is missing", { response_type: undefined }, "invalid_request"],
    ["response_type is unknown", { response_type: "device" }, "unsupported_response_type"],
    ["scope is missing", { scope: undefined }, "invalid_request"],
    ["scope lacks openid", { scope: "email" }, "invalid_scope"],
    ["state is missing", { state: undefined }, "invalid_request"],
    ["state is empty", { state: "" }, "invalid_request"],
    ["response_mode is unknown", { response_mode: "web_message" }, "invalid_request"],
    ["display is unknown", { display: "tv" }, "invalid_request"],
    ["prompt is unknown", { prompt: "magic" }, "invalid_request"],
    ["prompt is in capitals", { prompt: "NONE" }, "invalid_request"],
    ["prompt none has company", { prompt: "none login" }, "invalid_request"],
    ["max_age is no number", { max_age: "soon" }, "invalid_request"],
    ["max_age is negative", { max_age: "-1" }, "invalid_request"],
    ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    ["a request reference", { request_uri: "https://a.example/r" }, "request_uri_not_supported"],
    ["inline registration", { registration: "{}" }, "registration_not_supported"],
    ["an unknown challenge method", { code_challenge_method: "S512" }, "invalid_request"],
    ["a challenge that is too short", { code_challenge: "short" }, "invalid_request"],
    ["an ID token hint that is none", { id_token_hint: "a.b.c" }, "invalid_request"],
    ["a parameter that is far too long", { nonce: "n".repeat(5000) }, "invalid_request"],
  ])("tells the application by 302 when %s", async (_name, change, error) => {
    const client = await registerClient(instance());
    const visit = await new TestBrowser(instance()).open(authorizeUrl(client, change));
    expect(visit.status).toBe(302);
    const { state, ...rest } = parametersOf(new URL(visit.location ?? ""));
    expect(rest).toMatchObject({ error, error_description: expect.any(String) });
    if (!("state" in change)) expect(state).toBe("a state");
  });

  it("refuses a parameter that is given twice", async () => {
    const client = await registerClient(instance());
    const visit = await new TestBrowser(instance()).open(`${authorizeUrl(client)}&scope=openid`);
    expect(parametersOf(new URL(visit.location ?? "")).error).toBe("invalid_request");
    const twice = await new TestBrowser(instance()).open(
      `${authorizeUrl(client)}&redirect_uri=https://evil.example`,
    );
    expect(twice.status).toBe(400);
  });

  it("keeps a client to its response types", async () => {
    const client = await registerClient(instance(), { response_types: ["code"] });
    const visit = await new TestBrowser(instance()).open(authorizeUrl(client, { response_type: "token" }));
    const answer = new URL(visit.location ?? "");
    expect(answer.hash).toContain("error=unauthorized_client");
  });

  it("takes the request as a form too, also from another site", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const form = Object.fromEntries(new URL(authorizeUrl(client), instance().url).searchParams);
    expect((await browser.open("/identity/authorize", { form })).status).toBe(303);
    const bounced = await browser.open("/identity/authorize", {
      form,
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(bounced.location).toContain("/authorize/resume/");
    expect(parametersOf(await browser.travel(bounced.location ?? "")).code).toBeDefined();
  });

  it("tells the application when the person refuses", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const end = await browser.travel(authorizeUrl(client), { consent: false });
    expect(parametersOf(end)).toMatchObject({ error: "access_denied", state: "a state" });
    expect((await browser.open(browser.visits.at(-1)?.url ?? "")).status).toBe(400);
  });

  it("forgets a request that nobody answers", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const { location = "" } = await browser.open(authorizeUrl(client));
    expect((await browser.open(location)).status).toBe(200);
    await instance().clock.advance("31m");
    expect((await browser.open(location)).status).toBe(404);
    expect((await browser.open(location.replace("interaction", "authorize/resume"))).status).toBe(400);
  });

  it("uses the client's default scopes and default max age", async () => {
    const client = await registerClient(instance(), {
      default_scopes: ["openid", "email"],
      default_max_age: 100,
    });
    const browser = new TestBrowser(instance());
    const { code } = parametersOf(await browser.travel(authorizeUrl(client, { scope: undefined })));
    expect((await exchange(instance(), client, code)).body.scope).toBe("openid email");
    expect((await browser.open(authorizeUrl(client))).status).toBe(302);
    await instance().clock.advance("200s");
    expect((await browser.open(authorizeUrl(client))).status).toBe(303);
  });
});

onBothDatabases("identity: token", (instance) => {
  const codeFor = async (client: Awaited<ReturnType<typeof registerClient>>, change = {}) => {
    const url = authorizeUrl(client, change);
    return parametersOf(await new TestBrowser(instance()).travel(url)).code;
  };

  it("exchanges a code sent as a form, with all that the answer promises", async () => {
    const client = await registerClient(instance());
    const { status, headers, body } = await exchange(instance(), client, await codeFor(client));
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      token_type: "Bearer",
      access_token: expect.any(String),
      id_token: expect.any(String),
      expires_in: 3600,
      expires_at: expect.any(Number),
      scope: "openid",
    });
  });

  it("takes JSON, and the secret by HTTP Basic, form-encoded", async () => {
    const client = await registerClient(instance());
    const json = await instance().send("POST", "/identity/token", {
      body: {
        grant_type: "authorization_code",
        code: await codeFor(client),
        redirect_uri: REDIRECT,
        client_id: client.client_id,
        client_secret: client.client_secret,
      },
    });
    expect(json.status).toBe(200);
    const name = encodeURIComponent(client.client_id).replace("_", "%5F");
    const basic = Buffer.from(`${name}:${encodeURIComponent(client.client_secret)}`).toString("base64");
    const byBasic = await instance().send("POST", "/identity/token", {
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: (await codeFor(client)) ?? "",
        redirect_uri: REDIRECT,
      }),
    });
    expect(byBasic.status).toBe(200);
  });

  it.each([
    ["no grant type", { grant_type: undefined }, 400, "invalid_request"],
    ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["refresh", { grant_type: "refresh_token" }, 400, "unsupported_grant_type"],
    ["no code", { code: undefined }, 400, "invalid_request"],
    ["an unknown code", { code: "nonsense" }, 400, "invalid_grant"],
    ["no redirect", { redirect_uri: undefined }, 400, "invalid_request"],
    ["another redirect", { redirect_uri: `${REDIRECT}/` }, 400, "invalid_grant"],
    ["no client", { client_id: undefined, client_secret: undefined }, 401, "invalid_client"],
    ["an unknown client", { client_id: "app_none" }, 401, "invalid_client"],
    ["no secret", { client_secret: undefined }, 401, "invalid_client"],
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an overlong verifier", { code_verifier: "v".repeat(200) }, 400, "invalid_request"],
  ])("refuses %s, and the code stays good", async (_name, change, status, error) => {
    const client = await registerClient(instance());
    const code = await codeFor(client);
    const answer = await exchange(instance(), client, code, change);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    if (status === 401) expect(answer.headers.get("www-authenticate")).toMatch(/^Basic/);
    expect((await exchange(instance(), client, code)).status).toBe(200);
  });

  it("refuses a body that is none", async () => {
    const broken = await instance().send("POST", "/identity/token", {
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(broken.status).toBe(400);
    expect(broken.body.error).toBe("invalid_request");
  });

  it("lets a code run out after two minutes", async () => {
    const client = await registerClient(instance());
    const code = await codeFor(client);
    await instance().clock.advance("121s");
    expect((await exchange(instance(), client, code)).body.error).toBe("invalid_grant");
  });

  it.each(["S256", "plain"])("enforces PKCE %s when it was used", async (method) => {
    const client = await registerClient(instance());
    const verifier = "v".repeat(50);
    const challenge =
      method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
    const code = await codeFor(client, { code_challenge: challenge, code_challenge_method: method });
    expect((await exchange(instance(), client, code)).body.error).toBe("invalid_grant");
    const wrong = await exchange(instance(), client, code, { code_verifier: "w".repeat(50) });
    expect(wrong.body.error).toBe("invalid_grant");
    expect((await exchange(instance(), client, code, { code_verifier: verifier })).status).toBe(200);
  });

  it("refuses a verifier without a challenge before it", async () => {
    const client = await registerClient(instance());
    const answer = await exchange(instance(), client, await codeFor(client), {
      code_verifier: "v".repeat(50),
    });
    expect(answer.body.error).toBe("invalid_grant");
  });

  it("keeps a client to the way it said it would authenticate", async () => {
    const client = await registerClient(instance(), { token_endpoint_auth_method: "client_secret_basic" });
    expect((await exchange(instance(), client, await codeFor(client))).status).toBe(401);
  });

  it("serves public clients with PKCE and without a secret", async () => {
    const client = await registerClient(instance(), { token_endpoint_auth_method: "none" });
    expect(client.client_secret).toBeUndefined();
    const open = await new TestBrowser(instance()).open(authorizeUrl(client));
    expect(parametersOf(new URL(open.location ?? "")).error).toBe("invalid_request");
    const verifier = "v".repeat(43);
    const code = await codeFor(client, { code_challenge: verifier });
    expect(
      (await exchange(instance(), client, code, { client_secret: "guess", code_verifier: verifier })).status,
    ).toBe(401);
    expect((await exchange(instance(), client, code, { code_verifier: verifier })).status).toBe(200);
  });

  it.each(["RS256", "ES256", "EdDSA"])("signs ID tokens with %s when the client says so", async (alg) => {
    const client = await registerClient(instance(), { id_token_signed_response_alg: alg });
    const { id_token } = await obtainTokens(instance(), client, { nonce: "n" });
    const keys = createRemoteJWKSet(new URL(`${instance().url}/identity/jwks`));
    const { payload, protectedHeader } = await jwtVerify(id_token, keys, {
      issuer: `${instance().url}/identity`,
      audience: client.client_id,
      currentDate: new Date(instance().clock.nowMs()),
    });
    expect(protectedHeader.alg).toBe(alg);
    expect(payload).toMatchObject({ nonce: "n", amr: ["pwd"], sid: expect.any(String) });
  });

  it("signs with the secret (HS256) only when that was declared", async () => {
    const client = await registerClient(instance(), { id_token_signed_response_alg: "HS256" });
    const { id_token } = await obtainTokens(instance(), client);
    const { protectedHeader } = await jwtVerify(id_token, Buffer.from(client.client_secret), {
      currentDate: new Date(instance().clock.nowMs()),
    });
    expect(protectedHeader.alg).toBe("HS256");
    const other = await registerClient(instance());
    const put = (change: object) =>
      instance().bearer("PUT", `/identity/client/${other.client_id}`, {
        body: { ...garden, redirect_uris: [REDIRECT], id_token_signed_response_alg: "HS256", ...change },
      });
    expect((await put({})).status).toBe(400);
    expect((await put({ client_secret: "wrong" })).status).toBe(400);
    expect((await put({ client_secret: other.client_secret })).status).toBe(200);
    const later = await obtainTokens(instance(), other);
    await jwtVerify(later.id_token, Buffer.from(other.client_secret), {
      currentDate: new Date(instance().clock.nowMs()),
    });
  });
});

onBothDatabases("identity: userinfo, revocation, introspection", (instance) => {
  it("answers by GET and POST, with the token in the header or in the form", async () => {
    const client = await registerClient(instance());
    const { access_token } = await obtainTokens(instance(), client, { scope: "openid profile email" });
    const headers = { authorization: `Bearer ${access_token}` };
    const get = await instance().send("GET", "/identity/userinfo", { headers });
    expect(get.status).toBe(200);
    expect(get.headers.get("cache-control")).toBe("no-store");
    expect(get.body).toMatchObject({
      sub: expect.any(String),
      name: "Ann Example",
      given_name: "Ann",
      family_name: "Example",
      preferred_username: "ann",
      email: "ann@example.org",
      email_verified: true,
    });
    expect((await instance().send("POST", "/identity/userinfo", { headers })).body).toEqual(get.body);
    const inForm = await instance().send("POST", "/identity/userinfo", {
      body: new URLSearchParams({ access_token }),
    });
    expect(inForm.body).toEqual(get.body);
    const twice = await instance().send("POST", "/identity/userinfo", {
      headers,
      body: new URLSearchParams({ access_token }),
    });
    expect(twice.status).toBe(400);
    expect((await instance().send("GET", `/identity/userinfo?access_token=${access_token}`)).status).toBe(
      401,
    );
  });

  it("refuses what is no access token of ours", async () => {
    const client = await registerClient(instance());
    const tokens = await obtainTokens(instance(), client);
    const [head, body, tail] = tokens.access_token.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url");
    for (const token of [
      "nonsense",
      tokens.id_token,
      `${none}.${body}.`,
      `${none}.${body}.${tail}`,
      `${head}.${Buffer.from("{}").toString("base64url")}.${tail}`,
      "first-token-0001",
      client.registration_access_token,
    ]) {
      const answer = await userinfo(instance(), token);
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe("invalid_token");
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    const without = await instance().send("GET", "/identity/userinfo");
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe('Bearer realm="identity"');
  });

  it("lets access tokens run out", async () => {
    const { access_token } = await obtainTokens(instance(), await registerClient(instance()));
    expect((await userinfo(instance(), access_token)).status).toBe(200);
    await instance().clock.advance("61m");
    expect((await userinfo(instance(), access_token)).status).toBe(401);
  });

  it("revokes for the client that holds the token, and for nobody else", async () => {
    const client = await registerClient(instance());
    const other = await registerClient(instance());
    const { access_token } = await obtainTokens(instance(), client);
    const revoke = ({ client_id, client_secret }: typeof client, token: string) =>
      instance().send("POST", "/identity/revoke", {
        body: new URLSearchParams({ token, client_id, client_secret }),
      });
    expect((await revoke(other, access_token)).status).toBe(200);
    expect((await userinfo(instance(), access_token)).status).toBe(200);
    expect((await revoke({ ...client, client_secret: "wrong" }, access_token)).status).toBe(401);
    expect((await revoke(client, access_token)).status).toBe(200);
    expect((await userinfo(instance(), access_token)).status).toBe(401);
    expect((await revoke(client, access_token)).status).toBe(200);
    expect((await revoke(client, "nonsense")).status).toBe(200);
    expect((await revoke(client, "")).status).toBe(400);
  });

  it("introspects within the account", async () => {
    const client = await registerClient(instance());
    const foreign = await registerClient(instance(), {}, "second");
    const { access_token } = await obtainTokens(instance(), client, { scope: "openid email" });
    const ask = ({ client_id, client_secret }: typeof client, token: string) =>
      instance().send("POST", "/identity/introspect", {
        body: new URLSearchParams({ token, client_id, client_secret }),
      });
    expect((await ask(client, access_token)).body).toMatchObject({
      active: true,
      client_id: client.client_id,
      username: "ann",
      scope: "openid email",
      token_type: "Bearer",
    });
    expect((await ask(foreign, access_token)).body).toEqual({ active: false });
    expect((await ask(client, "nonsense")).body).toEqual({ active: false });
    expect((await ask({ ...client, client_secret: "x" }, access_token)).status).toBe(401);
    expect((await ask(client, "")).status).toBe(400);
  });

  it("stops everything issued to a client that is deleted", async () => {
    const client = await registerClient(instance());
    const browser = new TestBrowser(instance());
    const { access_token } = await obtainTokens(instance(), client, { browser });
    expect((await instance().bearer("DELETE", `/identity/client/${client.client_id}`)).status).toBe(204);
    expect((await userinfo(instance(), access_token)).status).toBe(401);
    expect((await browser.open(authorizeUrl(client))).status).toBe(400);
    expect((await instance().bearer("GET", `/identity/client/${client.client_id}`)).status).toBe(404);
  });
});

onBothDatabases("identity: session iframe, discovery, preflight", (instance) => {
  it("serves a session iframe per client, cached for two hours", async () => {
    const client = await registerClient(instance());
    const { status, headers, text } = await instance().send("GET", `/identity/${client.client_id}/iframe`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=7200");
    expect(headers.get("content-type")).toContain("text/html");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors http://localhost:9");
    expect(text).toContain(`data-client="${client.client_id}"`);
    expect((await instance().send("GET", "/identity/app_none/iframe")).status).toBe(404);
    expect((await instance().send("GET", "/identity/session/iframe")).status).toBe(200);
  });

  it("names itself as the caller named it", async () => {
    const port = new URL(instance().url).port;
    for (const base of [`${instance().url}/identity`, `http://localhost:${port}/identity`]) {
      const { body } = await instance().send("GET", `${base}/.well-known/openid-configuration`);
      expect(body).toMatchObject({ issuer: base, token_endpoint: `${base}/token`, jwks_uri: `${base}/jwks` });
    }
  });

  it("publishes public keys only", async () => {
    const { body, headers } = await instance().send("GET", "/identity/jwks");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body.keys.map((key: { alg: string }) => key.alg)).toEqual(["RS256", "ES256", "EdDSA"]);
    for (const key of body.keys) {
      expect(key).toMatchObject({ kid: expect.any(String), use: "sig" });
      for (const secret of ["d", "p", "q", "dp", "dq", "qi"]) expect(key).not.toHaveProperty(secret);
    }
  });

  it("lets applications inside a browser call it", async () => {
    for (const path of ["token", "userinfo", "revoke", "jwks", ".well-known/openid-configuration"]) {
      const { status, headers } = await instance().send("OPTIONS", `/identity/${path}`);
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-headers")).toContain("authorization");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    const refused = await instance().send("POST", "/identity/token", { body: new URLSearchParams() });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    const list = await instance().bearer("GET", "/identity/client");
    expect(list.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("answers unknown paths and methods in the shape of OAuth", async () => {
    expect((await instance().send("GET", "/identity/nowhere/at/all")).body).toMatchObject({
      error: "not_found",
    });
    const wrong = await instance().send("DELETE", "/identity/token");
    expect(wrong.status).toBe(405);
    expect(wrong.body.error).toBe("method_not_allowed");
  });
});

onBothDatabases("identity: access tokens elsewhere", (instance) => {
  it("open what their scopes name, and nothing else", async () => {
    const client = await registerClient(instance(), { scope: "identity:ListClients" });
    const { access_token, scope } = await obtainTokens(instance(), client, {
      scope: "openid identity:ListClients identity:CreateClient",
    });
    expect(scope).toBe("openid identity:ListClients");
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await instance().send("GET", "/identity/client", { headers })).status).toBe(200);
    const create = await instance().send("POST", "/identity/client", { headers, body: garden });
    expect(create.status).toBe(403);
    expect(create.body).toMatchObject({ status: 403, error: "insufficient_scope" });
    expect((await instance().send("GET", "/_medley/jobs", { headers })).status).toBe(403);
    await instance().bearer("DELETE", `/identity/client/${client.client_id}`);
    expect((await instance().send("GET", "/identity/client", { headers })).status).toBe(401);
  });
});

describe("identity: restart", () => {
  it("keeps clients, keys, sessions, codes and revocations", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-identity-"));
    try {
      const before = await startInstance({ data });
      const { port } = new URL(before.url);
      const client = await registerClient(before);
      const browser = new TestBrowser(before);
      const kept = await obtainTokens(before, client, { browser });
      const revoked = await obtainTokens(before, client, { browser });
      await before.send("POST", "/identity/revoke", {
        body: new URLSearchParams({
          token: revoked.access_token,
          client_id: client.client_id,
          client_secret: client.client_secret,
        }),
      });
      const { code } = parametersOf(await browser.travel(authorizeUrl(client)));
      const keys = (await before.send("GET", "/identity/jwks")).body;
      await before.stop();
      const after = await startInstance({ data, port: Number(port) });
      try {
        expect((await after.send("GET", "/identity/jwks")).body).toEqual(keys);
        expect((await userinfo(after, kept.access_token)).status).toBe(200);
        expect((await userinfo(after, revoked.access_token)).status).toBe(401);
        expect((await exchange(after, client, code)).status).toBe(200);
        expect((await browser.open(authorizeUrl(client, { prompt: "none" }))).location).toContain("code=");
      } finally {
        await after.stop();
      }
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  it("makes new keys when the secret key is another, and still shows the old ones", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-identity-"));
    try {
      const before = await startInstance({ data, secretKey: "one key that nobody knows" });
      const client = await registerClient(before);
      const old = (await before.send("GET", "/identity/jwks")).body.keys;
      await before.stop();
      const after = await startInstance({ data, secretKey: "quite another key" });
      try {
        const { id_token } = await obtainTokens(after, client);
        const keys = (await after.send("GET", "/identity/jwks")).body.keys;
        expect(keys).toEqual(expect.arrayContaining(old));
        const { kid } = JSON.parse(Buffer.from(id_token.split(".")[0] ?? "", "base64url").toString());
        expect(old.map((key: { kid: string }) => key.kid)).not.toContain(kid);
      } finally {
        await after.stop();
      }
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
