/** Relying parties as people write them: openid-client, oauth4webapi, and an old passport strategy. */
import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippetsFor } from "../../src/services/identity/pages/snippets.ts";
import {
  ann,
  authorizeUrl,
  parametersOf,
  REDIRECT,
  registerClient,
  TestBrowser,
  type TestClient,
} from "../support/identity-browser.ts";
import { accounts, type Instance, onBothDatabases, startInstance } from "../support/medley.ts";

const require = createRequire(import.meta.url);

onBothDatabases("openid-client", (instance) => {
  const issuer = () => new URL(`${instance().url}/identity`);
  const insecure = { execute: [client.allowInsecureRequests] };
  const configure = async (algorithm = "RS256", method: "post" | "basic" = "post") => {
    const registered = await registerClient(instance(), { id_token_signed_response_alg: algorithm });
    const { client_id, client_secret } = registered;
    const authentication =
      method === "post" ? client.ClientSecretPost(client_secret) : client.ClientSecretBasic(client_secret);
    const metadata = { client_secret, id_token_signed_response_alg: algorithm };
    const config = await client.discovery(issuer(), client_id, metadata, authentication, insecure);
    return { config, registered };
  };

  it.each([
    ["RS256", "post"],
    ["ES256", "basic"],
    ["EdDSA", "basic"],
  ] as const)("signs in with code, PKCE, state and nonce (%s, secret by %s)", async (algorithm, method) => {
    const { config } = await configure(algorithm, method);
    const verifier = client.randomPKCECodeVerifier();
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: client.randomState(),
      expectedNonce: client.randomNonce(),
    };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: "openid profile email",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      max_age: "1000",
    });
    const end = await new TestBrowser(instance()).travel(url.href);
    const tokens = await client.authorizationCodeGrant(config, end, { ...checks, maxAge: 1000 });
    expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe(algorithm);
    const sub = tokens.claims()?.sub ?? "";
    const person = await client.fetchUserInfo(config, tokens.access_token, sub);
    expect(person).toMatchObject({ sub, name: "Ann Example", email: "ann@example.org" });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, sub });
    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    await expect(client.fetchUserInfo(config, tokens.access_token, sub)).rejects.toThrow();
  });

  it("signs in with the implicit flow", async () => {
    const { config } = await configure();
    client.useIdTokenResponseType(config);
    const nonce = client.randomNonce();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: "openid email",
      nonce,
      state,
      response_mode: "fragment",
    });
    const end = await new TestBrowser(instance()).travel(url.href);
    const claims = await client.implicitAuthentication(config, end, nonce, { expectedState: state });
    expect(claims).toMatchObject({ email: "ann@example.org", nonce });
  });

  it("signs in with the hybrid flow", async () => {
    const { config } = await configure("ES256");
    client.useCodeIdTokenResponseType(config);
    const nonce = client.randomNonce();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: "openid",
      nonce,
      state,
    });
    const end = await new TestBrowser(instance()).travel(url.href);
    const tokens = await client.authorizationCodeGrant(config, end, {
      expectedNonce: nonce,
      expectedState: state,
    });
    expect(tokens.claims()).toMatchObject({ nonce, iss: issuer().href });
  });

  it("registers itself, signs out, and understands errors", async () => {
    const config = await client.dynamicClientRegistration(
      issuer(),
      {
        client_name: "Registered by itself",
        client_uri: "http://localhost:9/",
        redirect_uris: [REDIRECT],
        post_logout_redirect_uris: ["http://localhost:9/bye"],
      },
      undefined,
      { ...insecure, initialAccessToken: accounts.first.tokens[0] ?? "" },
    );
    const browser = new TestBrowser(instance());
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT, scope: "openid", state });
    const refused = await browser.travel(url.href, { consent: false });
    await expect(
      client.authorizationCodeGrant(config, refused, { expectedState: state }),
    ).rejects.toMatchObject({
      error: "access_denied",
    });
    const end = await browser.travel(url.href);
    const tokens = await client.authorizationCodeGrant(config, end, { expectedState: state });
    await expect(client.authorizationCodeGrant(config, end, { expectedState: state })).rejects.toMatchObject({
      error: "invalid_grant",
      status: 400,
    });
    const out = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: "http://localhost:9/bye",
    });
    expect((await browser.travel(out.href)).href).toBe("http://localhost:9/bye");
  });
});

describe("oauth4webapi", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"] });
  });
  afterAll(() => instance.stop());
  const insecure = { [oauth.allowInsecureRequests]: true };

  it("signs in step by step, under each name that the host has", async () => {
    const port = new URL(instance.url).port;
    for (const issuer of [
      new URL(`${instance.url}/identity`),
      new URL(`http://localhost:${port}/identity`),
    ]) {
      const found = await oauth.discoveryRequest(issuer, insecure);
      const server = await oauth.processDiscoveryResponse(issuer, found);
      const registered = await registerClient(instance, { id_token_signed_response_alg: "RS256" });
      const app: oauth.Client = { client_id: registered.client_id };
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? "");
      url.search = new URLSearchParams({
        client_id: app.client_id,
        redirect_uri: REDIRECT,
        response_type: "code",
        scope: "openid email",
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }).toString();
      const browser = new TestBrowser(instance, issuer.origin);
      const parameters = oauth.validateAuthResponse(server, app, await browser.travel(url.href), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        app,
        oauth.ClientSecretBasic(registered.client_secret),
        parameters,
        REDIRECT,
        verifier,
        insecure,
      );
      const result = await oauth.processAuthorizationCodeResponse(server, app, response, {
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(server, response, insecure);
      const { sub } = oauth.getValidatedIdTokenClaims(result) ?? { sub: "" };
      const userinfo = await oauth.userInfoRequest(server, app, result.access_token, insecure);
      expect(await oauth.processUserInfoResponse(server, app, sub, userinfo)).toMatchObject({
        email: "ann@example.org",
      });
    }
  });

  it("refuses an answer that names another issuer or another state", async () => {
    const issuer = new URL(`${instance.url}/identity`);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const app: oauth.Client = { client_id: "app" };
    const mixedUp = new URL(`${REDIRECT}?code=x&state=s&iss=https://evil.example.org`);
    expect(() => oauth.validateAuthResponse(server, app, mixedUp, "s")).toThrow();
    expect(() =>
      oauth.validateAuthResponse(server, app, new URL(`${REDIRECT}?code=x&state=s`), "s"),
    ).toThrow();
  });
});

describe("passport-authentiq (an older strategy)", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"] });
  });
  const passport = require("passport");
  const AuthentiqStrategy = require("passport-authentiq");
  const servers: Server[] = [];
  afterAll(async () => {
    for (const server of servers) server.close();
    await instance.stop();
  });

  /** What Express and its session would do, as far as passport needs it. */
  function serve(authenticator: { authenticate(name: string): (...given: unknown[]) => void }) {
    const session: Record<string, unknown> = {};
    const server = createServer((request: IncomingMessage & { user?: unknown }, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      Object.assign(request, { query: Object.fromEntries(url.searchParams), session, body: {} });
      const finish = (status: number, value: unknown) => {
        response.statusCode = status;
        response.end(JSON.stringify(value));
      };
      const done = (error: Error | undefined) =>
        error ? finish(500, { error: String(error) }) : finish(200, request.user);
      authenticator.authenticate("authentiq")(request, response, done);
    });
    servers.push(server);
    return new Promise<string>((resolve) =>
      server.listen(0, "localhost", () =>
        resolve(`http://localhost:${(server.address() as AddressInfo).port}`),
      ),
    );
  }

  it("signs in with the maker's scopes, and answers in the maker's words", async () => {
    const authenticator = new passport.Passport();
    const app = await serve({
      authenticate: (name) => authenticator.authenticate(name, { session: false }),
    });
    const callbackURL = `${app}/answer`;
    const registered = await registerClient(instance, {
      redirect_uris: [callbackURL],
      id_token_signed_response_alg: "RS256",
    });
    authenticator.use(
      new AuthentiqStrategy(
        {
          providerURL: `${instance.url}/identity`,
          clientID: registered.client_id,
          clientSecret: registered.client_secret,
          callbackURL,
          scope: ["aq:name", "email~rs", "aq:push"],
        },
        (iss: string, sub: string, profile: object, done: (error: null, user: object) => void) =>
          done(null, { iss, sub, profile }),
      ),
    );
    const start = await fetch(`${app}/`, { redirect: "manual" });
    expect(start.status).toBe(302);
    const end = await new TestBrowser(instance).travel(start.headers.get("location") ?? "", { person: ann });
    const user = (await (await fetch(end)).json()) as Record<string, unknown>;
    expect(user).toMatchObject({
      iss: `${instance.url}/identity`,
      sub: expect.any(String),
      profile: {
        displayName: "Ann Example",
        name: { givenName: "Ann", familyName: "Example" },
        _json: { email: "ann@example.org" },
      },
    });
  });
});

describe("snippets of the dashboard", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"] });
  });
  afterAll(() => instance.stop());
  const snippet = (id: string, registered: TestClient) => {
    const facts = {
      issuer: `${instance.url}/identity`,
      clientId: registered.client_id,
      redirectUri: REDIRECT,
      scopes: "openid email",
      hasSecret: registered.client_secret !== undefined,
    };
    return snippetsFor(facts).find((one) => one.id === id)?.text ?? "";
  };

  it.each([
    ["with a secret", undefined],
    ["without a secret", "none"],
  ])("openid-client, %s: signs in as it stands", async (_name, token_endpoint_auth_method) => {
    const registered = await registerClient(instance, {
      id_token_signed_response_alg: "RS256",
      ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    });
    const text = snippet("node", registered)
      .replace(/^import .*\n/, "")
      .replace("// When it comes back:", "const currentUrl = await travel(address);");
    const shown: Record<string, unknown>[] = [];
    const travel = (address: URL) => new TestBrowser(instance).travel(address.href);
    const AsyncFunction = (async () => {}).constructor as new (
      ...parts: string[]
    ) => (...given: unknown[]) => Promise<void>;
    await new AsyncFunction("oidc", "travel", "console", "process", text)(
      client,
      travel,
      { log: (claims: Record<string, unknown>) => shown.push(claims) },
      { env: { CLIENT_SECRET: registered.client_secret } },
    );
    expect(shown).toEqual([expect.objectContaining({ aud: registered.client_id, sub: expect.any(String) })]);
  });

  it("curl: exchanges a code as it stands", async () => {
    const registered = await registerClient(instance);
    const end = await new TestBrowser(instance).travel(authorizeUrl(registered));
    const { stdout } = await promisify(execFile)(
      "sh",
      ["-c", snippet("curl", registered).replace("curl ", "curl -s ")],
      {
        env: { ...process.env, CODE: parametersOf(end).code, CLIENT_SECRET: registered.client_secret },
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ token_type: "Bearer", id_token: expect.any(String) });
  });
});
