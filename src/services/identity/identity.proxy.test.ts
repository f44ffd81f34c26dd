/** Behind a proxy that terminates TLS: people, mails, cookies and tokens see the public address. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ann,
  authorizeUrl,
  claimsIn,
  exchange,
  parametersOf,
  registerClient,
  TestBrowser,
  type TestClient,
} from "../../../tests/support/identity-browser.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const PUBLIC = "https://id.example.org";
const ISSUER = `${PUBLIC}/identity`;
const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);

/** Simulates the proxy: maps a public address to the instance over plain HTTP. */
const inside = (instance: Instance, address: string | undefined): string =>
  (address ?? "").replace(PUBLIC, instance.url);

/** Sends a request with a host name that no resolver knows. */
const askFor = (instance: Instance, host: string, path: string): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) =>
    request(`${instance.url}${path}`, { headers: { host } }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part);
      resolve(JSON.parse(Buffer.concat(parts).toString()));
    })
      .on("error", reject)
      .end(),
  );

describe("identity: behind a proxy", () => {
  let instance: Instance;
  let client: TestClient;
  beforeAll(async () => {
    instance = await startInstance({ publicUrl: PUBLIC, trustedProxies: ["127.0.0.0/8"] });
    client = await registerClient(instance);
  });
  afterAll(() => instance.stop());
  const signInPage = async (browser: TestBrowser, headers: Record<string, string> = {}) => {
    const first = await browser.open(authorizeUrl(client), { headers });
    return browser.open(inside(instance, first.location), { headers });
  };

  it("guesses at owners' tokens end for the network they come from", async () => {
    const list = (token: string, from: string) =>
      instance.send("GET", "/identity/client", {
        headers: { authorization: `Bearer ${token}`, "x-forwarded-for": from },
      });
    for (let index = 0; index < 300; index += 1)
      expect((await list(`guess-${index}`, "203.0.113.9")).status).toBe(401);
    const refused = await list("first-token-0001", "203.0.113.9");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await list("first-token-0001", "203.0.113.10")).status).toBe(200);
  });
  it("the public address is the issuer, whatever host a request names", async () => {
    const port = new URL(instance.url).port;
    for (const base of [instance.url, `http://localhost:${port}`]) {
      const { body } = await instance.send("GET", `${base}/identity/.well-known/openid-configuration`, {
        headers: { "x-forwarded-host": "evil.example.org", "x-forwarded-proto": "http" },
      });
      expect(body).toMatchObject({
        issuer: ISSUER,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/jwks`,
      });
    }
    const own = await askFor(instance, "identity.localhost", "/.well-known/openid-configuration");
    expect(own.issuer).toBe(ISSUER);
    const foreign = await askFor(instance, "evil.example.org", "/identity/.well-known/openid-configuration");
    expect(foreign.issuer).toBe(ISSUER);
  });

  it("a whole sign-in stays on the public address, and its tokens name it", async () => {
    const browser = new TestBrowser(instance);
    const begun = await browser.open(authorizeUrl(client, { nonce: "n" }));
    expect(begun.location).toMatch(new RegExp(`^${ISSUER}/interaction/`));
    const page = await browser.open(inside(instance, begun.location));
    const signedIn = await browser.submit(page, ending("/sign-in"), ann);
    const asked = await browser.open(inside(instance, signedIn.location));
    expect(asked.location).toBe(begun.location);
    const agreed = await browser.submit(
      await browser.open(inside(instance, asked.location)),
      ending("/consent"),
    );
    const end = await browser.open(inside(instance, agreed.location));
    const { code, iss } = parametersOf(new URL(end.location ?? ""));
    expect(iss).toBe(ISSUER);
    const { body } = await exchange(instance, client, code);
    expect(claimsIn(body.id_token).iss).toBe(ISSUER);
    expect(claimsIn(body.access_token).iss).toBe(ISSUER);
  });

  it("cookies are for secure connections alone, and forms of the public address are genuine", async () => {
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/sign-in");
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^__Host-identity_form=\w+; Path=\/; HttpOnly; SameSite=None; Secure$/,
    );
    const form = { ...ann, form_token: /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? "" };
    const forged = await browser.open("/identity/sign-in", { form, headers: { origin: instance.url } });
    expect(forged.status).toBe(403);
    const done = await browser.open("/identity/sign-in", {
      form,
      headers: { origin: PUBLIC, "sec-fetch-site": "same-origin" },
    });
    expect(done.status).toBe(303);
    for (const cookie of done.headers.getSetCookie()) expect(cookie).toMatch(/; Secure$/);
    expect(browser.cookies.has("__Host-identity_session")).toBe(true);
  });

  it("addresses in answers and mails are public ones", async () => {
    const { body } = await instance.bearer("GET", `/identity/client/${client.client_id}`);
    expect(body.registration_client_uri).toBe(`${ISSUER}/client/${client.client_id}`);
    const browser = new TestBrowser(instance);
    await browser.submit(await browser.open("/identity/forgotten"), ending("/forgotten"), {
      username: "ann",
    });
    const mails = await instance.bearer("GET", "/_medley/outbox?kind=mail");
    expect(mails.body.messages[0].body.link).toMatch(new RegExp(`^${ISSUER}/reset\\?token=`));
    const api = await instance.send("GET", "/_medley/openapi/braille.json");
    expect(api.body.servers[0].url).toContain(PUBLIC);
  });

  it("guessing is counted for the address that the proxy names, not for the proxy", async () => {
    const guess = async (from: string) => {
      const browser = new TestBrowser(instance);
      const headers = { "x-forwarded-for": from };
      const page = await signInPage(browser, headers);
      const form = { username: `nobody-${from}`, password: "wrong", form_token: "" };
      form.form_token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
      return browser.open(`${page.url}/sign-in`, { form, headers });
    };
    const wrong = (from: string) =>
      instance.send("POST", "/identity/token", {
        headers: { "x-forwarded-for": from },
        body: new URLSearchParams({ client_id: client.client_id, client_secret: "wrong" }),
      });
    expect((await guess("203.0.113.9")).status).toBe(401);
    for (let attempt = 0; attempt < 30; attempt += 1)
      await wrong(`198.51.100.77, 203.0.113.${attempt}, 127.0.0.5`);
    // Only the last address counts, which the proxy itself added. The caller can forge the ones before it.
    expect((await wrong("203.0.113.40")).status).toBe(401);
    for (let attempt = 0; attempt < 30; attempt += 1) await wrong(`198.51.100.${attempt}, 203.0.113.40`);
    expect((await wrong("203.0.113.40")).status).toBe(429);
    expect((await wrong("203.0.113.41")).status).toBe(401);
  });
});

describe("identity: without a trusted proxy", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"], publicUrl: PUBLIC });
  });
  afterAll(() => instance.stop());

  it("nobody can pretend to call from elsewhere", async () => {
    const client = await registerClient(instance);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1)
      statuses.push(
        (
          await instance.send("POST", "/identity/token", {
            headers: { "x-forwarded-for": `203.0.113.${attempt}` },
            body: new URLSearchParams({ client_id: client.client_id, client_secret: "wrong" }),
          })
        ).status,
      );
    expect(statuses.at(-1)).toBe(429);
  });
});
