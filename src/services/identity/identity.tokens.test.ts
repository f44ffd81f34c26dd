/** Codes become tokens; tokens open claims and services, run out and are revoked. */
import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const garden = {
  client_name: "Garden planner",
  client_uri: "https://garden.example.org",
  redirect_uris: ["https://garden.example.org/answer"],
};

onBothDatabases("identity: token", (instance) => {
  const codeFor = async (client: Awaited<ReturnType<typeof oidc.registerClient>>, change = {}) => {
    const url = oidc.authorizeUrl(client, change);
    return oidc.parametersOf(await new oidc.TestBrowser(instance()).travel(url)).code;
  };

  it("exchanges a code sent as a form, with all that the answer promises", async () => {
    const client = await oidc.registerClient(instance());
    const { status, headers, body } = await oidc.exchange(instance(), client, await codeFor(client));
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
    const client = await oidc.registerClient(instance());
    const json = await instance().send("POST", "/identity/token", {
      body: {
        grant_type: "authorization_code",
        code: await codeFor(client),
        redirect_uri: oidc.REDIRECT,
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
        redirect_uri: oidc.REDIRECT,
      }),
    });
    expect(byBasic.status).toBe(200);
    const code = (await codeFor(client)) ?? "";
    const both = (client_secret: string) =>
      instance().send("POST", "/identity/token", {
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: oidc.REDIRECT,
          client_secret,
        }),
      });
    const differs = await both("another");
    expect([differs.status, differs.body.error]).toEqual([400, "invalid_request"]);
    expect((await both(client.client_secret)).status).toBe(200);
  });

  it("tells claims only to tokens with the scope openid", async () => {
    const client = await oidc.registerClient(instance());
    const { body } = await instance().send("POST", "/contributions/1/token", {
      body: new URLSearchParams({
        ...oidc.ann,
        grant_type: "password",
        scope: "full",
        client_id: client.client_id,
        client_secret: client.client_secret,
      }),
    });
    const refused = await oidc.userinfo(instance(), body.access_token);
    expect([refused.status, refused.body.error]).toEqual([403, "insufficient_scope"]);
    const { access_token } = await oidc.obtainTokens(instance(), client);
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(200);
  });

  it("gives a token for a password to clients with a secret alone, and for the right password", async () => {
    const confidential = await oidc.registerClient(instance());
    const open = await oidc.registerClient(instance(), { token_endpoint_auth_method: "none" });
    const asked = async ({ client_id, client_secret }: typeof open, password: string) => {
      const { status, body } = await instance().send("POST", "/contributions/1/token", {
        body: new URLSearchParams({
          ...oidc.ann,
          password,
          grant_type: "password",
          client_id,
          ...(client_secret !== undefined && { client_secret }),
        }),
      });
      return [status, body.error];
    };
    const { password } = oidc.ann;
    expect(await asked(confidential, password)).toEqual([200, undefined]);
    expect(await asked(confidential, "another password")).toEqual([400, "invalid_grant"]);
    expect(await asked(open, password)).toEqual([400, "unauthorized_client"]);
  });

  it.each([
    ["no grant type", { grant_type: undefined }, 400, "invalid_request"],
    ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["refresh", { grant_type: "refresh_token" }, 400, "unsupported_grant_type"],
    ["no code", { code: undefined }, 400, "invalid_request"],
    ["an unknown code", { code: "nonsense" }, 400, "invalid_grant"],
    ["no redirect", { redirect_uri: undefined }, 400, "invalid_request"],
    ["another redirect", { redirect_uri: `${oidc.REDIRECT}/` }, 400, "invalid_grant"],
    ["no client", { client_id: undefined, client_secret: undefined }, 401, "invalid_client"],
    ["an unknown client", { client_id: "app_none" }, 401, "invalid_client"],
    ["no secret", { client_secret: undefined }, 401, "invalid_client"],
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an overlong verifier", { code_verifier: "v".repeat(200) }, 400, "invalid_request"],
  ])("refuses %s, and the code stays good", async (_name, change, status, error) => {
    const client = await oidc.registerClient(instance());
    const code = await codeFor(client);
    const answer = await oidc.exchange(instance(), client, code, change);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    if (status === 401) expect(answer.headers.get("www-authenticate")).toMatch(/^Basic/);
    expect((await oidc.exchange(instance(), client, code)).status).toBe(200);
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
    const client = await oidc.registerClient(instance());
    const code = await codeFor(client);
    await instance().clock.advance("121s");
    expect((await oidc.exchange(instance(), client, code)).body.error).toBe("invalid_grant");
  });

  it.each(["S256", "plain"])("enforces PKCE %s when it was used", async (method) => {
    const client = await oidc.registerClient(instance());
    const verifier = "v".repeat(50);
    const challenge =
      method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
    const code = await codeFor(client, { code_challenge: challenge, code_challenge_method: method });
    expect((await oidc.exchange(instance(), client, code)).body.error).toBe("invalid_grant");
    const wrong = await oidc.exchange(instance(), client, code, { code_verifier: "w".repeat(50) });
    expect(wrong.body.error).toBe("invalid_grant");
    expect((await oidc.exchange(instance(), client, code, { code_verifier: verifier })).status).toBe(200);
  });

  it("refuses a verifier without a challenge before it", async () => {
    const client = await oidc.registerClient(instance());
    const answer = await oidc.exchange(instance(), client, await codeFor(client), {
      code_verifier: "v".repeat(50),
    });
    expect(answer.body.error).toBe("invalid_grant");
  });

  it("keeps a client to the way it said it would authenticate", async () => {
    const client = await oidc.registerClient(instance(), {
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect((await oidc.exchange(instance(), client, await codeFor(client))).status).toBe(401);
  });

  it("serves public clients with PKCE and without a secret", async () => {
    const client = await oidc.registerClient(instance(), { token_endpoint_auth_method: "none" });
    expect(client.client_secret).toBeUndefined();
    const open = await new oidc.TestBrowser(instance()).open(oidc.authorizeUrl(client));
    expect(oidc.parametersOf(new URL(open.location ?? "")).error).toBe("invalid_request");
    const verifier = "v".repeat(43);
    const code = await codeFor(client, { code_challenge: verifier });
    expect(
      (await oidc.exchange(instance(), client, code, { client_secret: "guess", code_verifier: verifier }))
        .status,
    ).toBe(401);
    expect((await oidc.exchange(instance(), client, code, { code_verifier: verifier })).status).toBe(200);
  });

  it.each(["RS256", "ES256", "EdDSA"])("signs ID tokens with %s when the client says so", async (alg) => {
    const client = await oidc.registerClient(instance(), { id_token_signed_response_alg: alg });
    const { id_token } = await oidc.obtainTokens(instance(), client, { nonce: "n" });
    const keys = oidc.keysAt(`${instance().url}/identity/jwks`);
    const { payload, protectedHeader } = await jwtVerify(id_token, keys, {
      issuer: `${instance().url}/identity`,
      audience: client.client_id,
      currentDate: new Date(instance().clock.nowMs()),
    });
    expect(protectedHeader.alg).toBe(alg);
    expect(payload).toMatchObject({ nonce: "n", amr: ["pwd"], sid: expect.any(String) });
  });

  it("signs with the secret (HS256) only when that was declared", async () => {
    const client = await oidc.registerClient(instance(), { id_token_signed_response_alg: "HS256" });
    const { id_token } = await oidc.obtainTokens(instance(), client);
    const { protectedHeader } = await jwtVerify(id_token, Buffer.from(client.client_secret), {
      currentDate: new Date(instance().clock.nowMs()),
    });
    expect(protectedHeader.alg).toBe("HS256");
    const other = await oidc.registerClient(instance());
    const put = (change: object) =>
      instance().bearer("PUT", `/identity/client/${other.client_id}`, {
        body: { ...garden, redirect_uris: [oidc.REDIRECT], id_token_signed_response_alg: "HS256", ...change },
      });
    expect((await put({})).status).toBe(400);
    expect((await put({ client_secret: "wrong" })).status).toBe(400);
    expect((await put({ client_secret: other.client_secret })).status).toBe(200);
    const later = await oidc.obtainTokens(instance(), other);
    await jwtVerify(later.id_token, Buffer.from(other.client_secret), {
      currentDate: new Date(instance().clock.nowMs()),
    });
  });
});

onBothDatabases("identity: userinfo, revocation, introspection", (instance) => {
  it("answers by GET and POST, with the token in the header or in the form", async () => {
    const client = await oidc.registerClient(instance());
    const { access_token } = await oidc.obtainTokens(instance(), client, { scope: "openid profile email" });
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
    const client = await oidc.registerClient(instance());
    const tokens = await oidc.obtainTokens(instance(), client);
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
      const answer = await oidc.userinfo(instance(), token);
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe("invalid_token");
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    const without = await instance().send("GET", "/identity/userinfo");
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe('Bearer realm="identity"');
  });

  it("lets access tokens run out", async () => {
    const { access_token } = await oidc.obtainTokens(instance(), await oidc.registerClient(instance()));
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(200);
    await instance().clock.advance("61m");
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(401);
  });

  it("revokes for the client that holds the token, and for nobody else", async () => {
    const client = await oidc.registerClient(instance());
    const other = await oidc.registerClient(instance());
    const { access_token } = await oidc.obtainTokens(instance(), client);
    const revoke = ({ client_id, client_secret }: typeof client, token: string) =>
      instance().send("POST", "/identity/revoke", {
        body: new URLSearchParams({ token, client_id, client_secret }),
      });
    expect((await revoke(other, access_token)).status).toBe(200);
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(200);
    expect((await revoke({ ...client, client_secret: "wrong" }, access_token)).status).toBe(401);
    expect((await revoke(client, access_token)).status).toBe(200);
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(401);
    expect((await revoke(client, access_token)).status).toBe(200);
    expect((await revoke(client, "nonsense")).status).toBe(200);
    expect((await revoke(client, "")).status).toBe(400);
  });

  it("introspects within the account", async () => {
    const client = await oidc.registerClient(instance());
    const foreign = await oidc.registerClient(instance(), {}, "second");
    const { access_token } = await oidc.obtainTokens(instance(), client, { scope: "openid email" });
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
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    const { access_token } = await oidc.obtainTokens(instance(), client, { browser });
    expect((await instance().bearer("DELETE", `/identity/client/${client.client_id}`)).status).toBe(204);
    expect((await oidc.userinfo(instance(), access_token)).status).toBe(401);
    expect((await browser.open(oidc.authorizeUrl(client))).status).toBe(400);
    expect((await instance().bearer("GET", `/identity/client/${client.client_id}`)).status).toBe(404);
  });
});

onBothDatabases("identity: session iframe, discovery, preflight", (instance) => {
  it("serves a session iframe per client, cached for two hours", async () => {
    const client = await oidc.registerClient(instance());
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
    const client = await oidc.registerClient(instance(), { scope: "identity:ListClients" });
    const { access_token, scope } = await oidc.obtainTokens(instance(), client, {
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
