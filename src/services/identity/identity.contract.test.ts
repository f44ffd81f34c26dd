/** The promised operations on clients and the authorization endpoint, over HTTP, on both databases. */
import { expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

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
    const mine = await oidc.registerClient(instance());
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
    const mine = await oidc.registerClient(instance());
    const other = await oidc.registerClient(instance());
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
    const { client_id } = await oidc.registerClient(instance(), { contacts: ["team@example.org"] });
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
    const client = await oidc.registerClient(instance());
    const rotated = await instance().bearer("POST", `/identity/client/${client.client_id}/secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.client_secret).not.toBe(client.client_secret);
    expect((await oidc.exchange(instance(), client, "x")).body.error).toBe("invalid_client");
    const fresh = { ...client, client_secret: rotated.body.client_secret };
    expect((await oidc.exchange(instance(), fresh, "x")).body.error).toBe("invalid_grant");
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

onBothDatabases("identity: demo data", (instance) => {
  it("is two applications, however often it is loaded", async () => {
    for (let round = 0; round < 2; round += 1) {
      const body = { services: ["identity"], account: "222222222222" };
      expect((await instance().bearer("POST", "/_medley/seed", { body })).status).toBe(200);
    }
    const { body } = await instance().bearer("GET", "/identity/client", { as: "second" });
    expect(body.map(({ client_name }: { client_name: string }) => client_name)).toEqual([
      "Garden planner",
      "Field notebook",
    ]);
  });
});

onBothDatabases("identity: authorize", (instance) => {
  it("leads to the sign-in page with 303, then to the application with 302", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const end = await browser.travel(oidc.authorizeUrl(client, { state: "ünïcode & more=+%20" }));
    expect(browser.visits[0]?.status).toBe(303);
    expect(browser.visits[0]?.location).toMatch(/\/identity\/interaction\/\w+$/);
    expect(browser.visits.at(-1)?.status).toBe(302);
    expect(browser.visits.at(-1)?.headers.get("cache-control")).toBe("no-store");
    expect(oidc.parametersOf(end)).toEqual({
      code: expect.any(String),
      state: "ünïcode & more=+%20",
      iss: `${instance().url}/identity`,
      session_state: expect.stringMatching(/^[0-9a-f]{64}\.\w+$/),
    });
  });

  it.each(ALL_TYPES)("answers %s in the %s", async (responseType, mode) => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const end = await browser.travel(
      oidc.authorizeUrl(client, { response_type: responseType, nonce: "n-1", scope: "openid email" }),
    );
    expect(mode === "query" ? end.hash : end.search).toBe("");
    const words = responseType.split(" ");
    const given = oidc.parametersOf(end);
    expect(given.code !== undefined).toBe(words.includes("code"));
    expect(given.access_token !== undefined).toBe(words.includes("token"));
    expect(given.token_type === "Bearer").toBe(words.includes("token"));
    expect(given.id_token !== undefined).toBe(words.includes("id_token"));
    if (given.id_token !== undefined) {
      const claims = oidc.claimsIn(given.id_token);
      expect(claims.nonce).toBe("n-1");
      expect(claims.at_hash !== undefined).toBe(words.includes("token"));
      expect(claims.c_hash !== undefined).toBe(words.includes("code"));
      expect(claims.email).toBe(responseType === "id_token" ? "ann@example.org" : undefined);
    }
    if (given.access_token !== undefined)
      expect((await oidc.userinfo(instance(), given.access_token)).body.email).toBe("ann@example.org");
    if (given.code !== undefined) {
      const tokens = await oidc.exchange(instance(), client, given.code);
      expect(oidc.claimsIn(tokens.body.id_token).nonce).toBe("n-1");
    }
  });

  it("answers code in the fragment and as a posted form when asked to", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const end = await browser.travel(oidc.authorizeUrl(client, { response_mode: "fragment" }));
    expect(end.hash).toContain("code=");
    const page = await browser.open(oidc.authorizeUrl(client, { response_mode: "form_post" }));
    expect(page.status).toBe(200);
    expect(page.html).toContain(`action="${oidc.REDIRECT}"`);
    expect(page.html).toMatch(/name="code" value="\w+"/);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'sha256-");
  });

  it("shows an error page, and sends nothing anywhere, when the redirect is not registered", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    for (const change of [
      { redirect_uri: "https://evil.example.org/" },
      { redirect_uri: undefined },
      { client_id: "app_none" },
      { client_id: undefined },
    ]) {
      const visit = await browser.open(oidc.authorizeUrl(client, change));
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
      expect(visit.headers.get("content-type")).toContain("text/html");
      expect(visit.html).not.toContain("evil.example.org");
    }
  });

  it("lets a client in test mode go anywhere sound, after asking the person each time", async () => {
    const client = await oidc.registerClient(instance(), { test_mode: true });
    const browser = new oidc.TestBrowser(instance());
    const elsewhere = { redirect_uri: "https://elsewhere.example.org/answer" };
    const end = await browser.travel(oidc.authorizeUrl(client, elsewhere));
    expect(end.origin).toBe("https://elsewhere.example.org");
    const again = await browser.open(oidc.authorizeUrl(client, elsewhere));
    expect(again.status).toBe(303);
    const silent = await browser.travel(oidc.authorizeUrl(client, { ...elsewhere, prompt: "none" }));
    expect(oidc.parametersOf(silent).error).toBe("interaction_required");
    expect(
      (await browser.open(oidc.authorizeUrl(client, { redirect_uri: "javascript:alert(1)" }))).status,
    ).toBe(400);
  });

  it.each([
    ["response_type is missing", { response_type: undefined }, "invalid_request"],
    ["response_type is unknown", { response_type: "device" }, "unsupported_response_type"],
    ["response_type says a word twice", { response_type: "code code" }, "unsupported_response_type"],
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
    const client = await oidc.registerClient(instance());
    const visit = await new oidc.TestBrowser(instance()).open(oidc.authorizeUrl(client, change));
    expect(visit.status).toBe(302);
    const { state, ...rest } = oidc.parametersOf(new URL(visit.location ?? ""));
    expect(rest).toMatchObject({ error, error_description: expect.any(String) });
    if (!("state" in change)) expect(state).toBe("a state");
  });

  it("refuses a parameter that is given twice", async () => {
    const client = await oidc.registerClient(instance());
    const visit = await new oidc.TestBrowser(instance()).open(`${oidc.authorizeUrl(client)}&scope=openid`);
    expect(oidc.parametersOf(new URL(visit.location ?? "")).error).toBe("invalid_request");
    const twice = await new oidc.TestBrowser(instance()).open(
      `${oidc.authorizeUrl(client)}&redirect_uri=https://evil.example`,
    );
    expect(twice.status).toBe(400);
  });

  it("keeps a client to its response types", async () => {
    const client = await oidc.registerClient(instance(), { response_types: ["code"] });
    const visit = await new oidc.TestBrowser(instance()).open(
      oidc.authorizeUrl(client, { response_type: "token" }),
    );
    const answer = new URL(visit.location ?? "");
    expect(answer.hash).toContain("error=unauthorized_client");
  });

  it("takes the request as a form too, also from another site", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const form = Object.fromEntries(new URL(oidc.authorizeUrl(client), instance().url).searchParams);
    expect((await browser.open("/identity/authorize", { form })).status).toBe(303);
    const bounced = await browser.open("/identity/authorize", {
      form,
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(bounced.location).toContain("/authorize/resume/");
    expect(oidc.parametersOf(await browser.travel(bounced.location ?? "")).code).toBeDefined();
  });

  it("tells the application when the person refuses", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const end = await browser.travel(oidc.authorizeUrl(client), { consent: false });
    expect(oidc.parametersOf(end)).toMatchObject({ error: "access_denied", state: "a state" });
    expect((await browser.open(browser.visits.at(-1)?.url ?? "")).status).toBe(400);
  });

  it("forgets a request that nobody answers", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const { location = "" } = await browser.open(oidc.authorizeUrl(client));
    expect((await browser.open(location)).status).toBe(200);
    await instance().clock.advance("31m");
    expect((await browser.open(location)).status).toBe(404);
    expect((await browser.open(location.replace("interaction", "authorize/resume"))).status).toBe(400);
  });

  it("uses the client's default scopes and default max age", async () => {
    const client = await oidc.registerClient(instance(), {
      default_scopes: ["openid", "email"],
      default_max_age: 100,
    });
    const browser = new oidc.TestBrowser(instance());
    const { code } = oidc.parametersOf(await browser.travel(oidc.authorizeUrl(client, { scope: undefined })));
    expect((await oidc.exchange(instance(), client, code)).body.scope).toBe("openid email");
    expect((await browser.open(oidc.authorizeUrl(client))).status).toBe(302);
    await instance().clock.advance("200s");
    expect((await browser.open(oidc.authorizeUrl(client))).status).toBe(303);
  });
});
