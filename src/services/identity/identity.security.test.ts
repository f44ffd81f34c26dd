/** Attacks on the protocol: each is tried over HTTP and must fail. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { accounts, type Instance, onBothDatabases, startInstance } from "../../../tests/support/medley.ts";
import { processorMsWhile } from "../../../tests/support/processor-time.ts";

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

onBothDatabases("identity: replay and races", (instance) => {
  it("of many exchanges of one code at once exactly one succeeds, and its tokens are revoked by the others", async () => {
    const client = await oidc.registerClient(instance());
    const { code } = oidc.parametersOf(
      await new oidc.TestBrowser(instance()).travel(oidc.authorizeUrl(client)),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => oidc.exchange(instance(), client, code)),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe("invalid_grant");
    expect((await oidc.userinfo(instance(), good[0]?.body.access_token)).status).toBe(401);
  });

  it("many guesses at a client secret at once gain nothing, and break nothing", async () => {
    const client = await oidc.registerClient(instance());
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        oidc.exchange(instance(), { ...client, client_secret: `wrong-${i}` }, "x"),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect((await oidc.exchange(instance(), client, "x")).status).toBe(429);
  });

  it("an interaction is answered once, however often its end is opened", async () => {
    const client = await oidc.registerClient(instance());
    const browser = new oidc.TestBrowser(instance());
    await browser.travel(oidc.authorizeUrl(client));
    const resume = browser.visits.at(-1)?.url ?? "";
    expect(resume).toContain("/authorize/resume/");
    const again = await Promise.all([browser.open(resume), browser.open(resume)]);
    for (const visit of again) expect(visit.status).toBe(400);
  });
});

onBothDatabases("identity: tenants", (instance) => {
  it("a session of one account is none for a client of another", async () => {
    const mine = await oidc.registerClient(instance());
    const foreign = await oidc.registerClient(instance(), {}, "second");
    const browser = new oidc.TestBrowser(instance());
    await oidc.obtainTokens(instance(), mine, { browser });
    const visit = await browser.open(oidc.authorizeUrl(foreign, { prompt: "none" }));
    expect(oidc.parametersOf(new URL(visit.location ?? "")).error).toBe("login_required");
  });
  it("people of one account cannot sign in for another", async () => {
    const foreign = await oidc.registerClient(instance(), {}, "second");
    const browser = new oidc.TestBrowser(instance());
    await expect(browser.travel(oidc.authorizeUrl(foreign))).rejects.toThrow("stuck");
    expect(browser.visits.at(-1)?.status).toBe(401);
  });
  it("the state of one account can be reset without touching another's", async () => {
    const mine = await oidc.registerClient(instance());
    const foreign = await oidc.registerClient(instance(), {}, "second");
    const reset = await instance().bearer("POST", "/_medley/state/reset", {
      body: { service: "identity", account: accounts.second.id },
    });
    expect(reset.status).toBeLessThan(300);
    expect((await instance().bearer("GET", `/identity/client/${mine.client_id}`)).status).toBe(200);
    expect((await instance().bearer("GET", "/identity/client", { as: "second" })).body).toEqual([]);
    expect((await new oidc.TestBrowser(instance()).open(oidc.authorizeUrl(foreign))).status).toBe(400);
  });
});

describe("identity: attacks", () => {
  let instance: Instance;
  let client: oidc.TestClient;
  let other: oidc.TestClient;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"] });
    client = await oidc.registerClient(instance);
    other = await oidc.registerClient(instance);
  });
  afterAll(() => instance.stop());

  describe("mix-up and substitution", () => {
    it("a code of one client is worth nothing to another, and stays good for its owner", async () => {
      const { code } = oidc.parametersOf(
        await new oidc.TestBrowser(instance).travel(oidc.authorizeUrl(client)),
      );
      expect((await oidc.exchange(instance, other, code)).body.error).toBe("invalid_grant");
      expect((await oidc.exchange(instance, client, code)).status).toBe(200);
    });
    it("one client's id with another's secret is refused", async () => {
      const { code } = oidc.parametersOf(
        await new oidc.TestBrowser(instance).travel(oidc.authorizeUrl(client)),
      );
      const mixed = { ...client, client_secret: other.client_secret };
      expect((await oidc.exchange(instance, mixed, code)).status).toBe(401);
    });
    it("a client that names itself twice, differently, is refused", async () => {
      const basic = Buffer.from(`${other.client_id}:${other.client_secret}`).toString("base64");
      const answer = await instance.send("POST", "/identity/token", {
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: "x",
          redirect_uri: oidc.REDIRECT,
          client_id: client.client_id,
        }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe("invalid_request");
    });
    it("every answer names its issuer, so that a client can tell two providers apart", async () => {
      const end = await new oidc.TestBrowser(instance).travel(oidc.authorizeUrl(client));
      expect(oidc.parametersOf(end).iss).toBe(`${instance.url}/identity`);
      const { body } = await instance.send("GET", "/identity/.well-known/openid-configuration");
      expect(body.authorization_response_iss_parameter_supported).toBe(true);
    });
    it("a token signed by a foreign key, or not at all, is refused", async () => {
      const { access_token } = await oidc.obtainTokens(instance, client);
      const [head = "", body = ""] = access_token.split(".");
      const header = JSON.parse(Buffer.from(head, "base64url").toString());
      const claims = { ...oidc.claimsIn(access_token), scope: "openid *", sub: "usr_other" };
      const { privateKey } = generateKeyPairSync("ed25519");
      const forged = `${base64(header)}.${base64(claims)}`;
      const keys = (await instance.send("GET", "/identity/jwks")).body.keys;
      const publicText = JSON.stringify(keys.find((key: { kid: string }) => key.kid === header.kid));
      const hs256 = `${base64({ ...header, alg: "HS256" })}.${body}`;
      for (const token of [
        `${forged}.${sign(null, Buffer.from(forged), privateKey).toString("base64url")}`,
        `${base64({ ...header, alg: "none" })}.${base64(claims)}.`,
        `${hs256}.${createHmac("sha256", publicText).update(hs256).digest("base64url")}`,
        `${base64({ ...header, kid: "../../etc/passwd" })}.${body}.AAAA`,
        `${base64({ ...header, jwk: keys[0] })}.${base64(claims)}.AAAA`,
      ]) {
        expect((await oidc.userinfo(instance, token)).status).toBe(401);
        expect(
          (await instance.send("GET", "/identity/client", { headers: { authorization: `Bearer ${token}` } }))
            .status,
        ).toBe(401);
      }
    });
    it("an ID token opens nothing", async () => {
      const { id_token } = await oidc.obtainTokens(instance, client);
      expect((await oidc.userinfo(instance, id_token)).status).toBe(401);
    });
    it("an access token is no ID token hint", async () => {
      const { access_token } = await oidc.obtainTokens(instance, client);
      const visit = await new oidc.TestBrowser(instance).open(
        oidc.authorizeUrl(client, { id_token_hint: access_token }),
      );
      expect(oidc.parametersOf(new URL(visit.location ?? "")).error).toBe("invalid_request");
    });
  });

  describe("redirects", () => {
    it.each([
      ["another path", `${oidc.REDIRECT}/evil`],
      ["a trailing slash", `${oidc.REDIRECT}/`],
      ["capitals in the host", "http://LOCALHOST:9/answer"],
      ["capitals in the path", "http://localhost:9/Answer"],
      ["capitals in the scheme", "HTTP://localhost:9/answer"],
      ["an encoded slash", "http://localhost:9%2Fanswer"],
      ["an encoded host", "http://localhos%74:9/answer"],
      ["a path that is encoded twice", "http://localhost:9/%2561nswer"],
      ["a letter that only looks alike", "http://lоcalhost:9/answer"],
      ["full-width letters", "http://ｌocalhost:9/answer"],
      ["another way to write the port", "http://localhost:09/answer"],
      ["a backslash", "http://localhost:9\\@evil.example.org/answer"],
      ["a host behind a backslash", "http://evil.example.org\\.localhost:9/answer"],
      ["a tab", "http://localhost:9/ans\twer"],
      ["a path parameter", `${oidc.REDIRECT};evil=1`],
      ["an empty query", `${oidc.REDIRECT}?`],
      ["an empty fragment", `${oidc.REDIRECT}#`],
      ["an empty user name", "http://@localhost:9/answer"],
      ["a wildcard", "http://*:9/answer"],
      ["an encoded path", "http://localhost:9/%61nswer"],
      ["a trailing dot", "http://localhost.:9/answer"],
      ["a user name", "http://localhost:9@evil.example.org/answer"],
      ["a user name before the right host", "http://evil@localhost:9/answer"],
      ["a path that climbs", "http://localhost:9/answer/../answer"],
      ["a fragment", `${oidc.REDIRECT}#evil`],
      ["a query", `${oidc.REDIRECT}?x=1`],
      ["a host that begins alike", "http://localhost.evil.example.org:9/answer"],
      ["https instead of http", "https://localhost:9/answer"],
      ["no port", "http://localhost/answer"],
      ["white space", ` ${oidc.REDIRECT}`],
      ["a line end", `${oidc.REDIRECT}\r\nset-cookie: x=1`],
      ["a zero byte", `${oidc.REDIRECT}\0`],
      ["script", "javascript:alert(document.cookie)"],
      ["another site by two slashes", "//evil.example.org/answer"],
    ])("%s is not the registered address", async (_name, redirect_uri) => {
      const visit = await new oidc.TestBrowser(instance).open(oidc.authorizeUrl(client, { redirect_uri }));
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
      expect(visit.html).not.toContain("evil.example.org");
    });
    it.each(["https://*.example.org/", "https://*/", "https://example.org/#", "https://a@example.org/"])(
      "%s cannot be registered",
      async (uri) => {
        await expect(oidc.registerClient(instance, { redirect_uris: [uri] })).rejects.toThrow(
          "invalid_redirect_uri",
        );
      },
    );
    it.each([
      "https://evil@example.org/",
      "https://example.org@evil.example.org/",
      "https://*.example.org/",
      "https://example.org\\@evil.example.org/",
      "https://example.org/#evil",
      "javascript:alert(1)//https://example.org/",
      "data:text/html,evil",
      "//example.org/",
      "com.example.app:/answer",
      "https:example.org/",
      "https://exa\tmple.org/",
    ])("%s is not even for a client in test mode", async (redirect_uri) => {
      const testing = await oidc.registerClient(instance, { test_mode: true });
      const visit = await new oidc.TestBrowser(instance).open(oidc.authorizeUrl(testing, { redirect_uri }));
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
    });
    it("what comes back in an address cannot break out of it", async () => {
      const state = "x\r\nset-cookie: a=b&code=evil#frag";
      const visit = await new oidc.TestBrowser(instance).open(
        oidc.authorizeUrl(client, { state, prompt: "none" }),
      );
      expect(visit.headers.getSetCookie()).toEqual([]);
      const answer = new URL(visit.location ?? "");
      expect(answer.hash).toBe("");
      expect(answer.searchParams.get("state")).toBe(state);
      expect(answer.searchParams.has("code")).toBe(false);
    });
    it("what comes back in a posted form cannot break out of it", async () => {
      const browser = new oidc.TestBrowser(instance);
      await oidc.obtainTokens(instance, client, { browser });
      const state = `"><script>alert(1)</script>`;
      const page = await browser.open(oidc.authorizeUrl(client, { state, response_mode: "form_post" }));
      expect(page.html).not.toContain("<script>alert");
    });
  });

  describe("browsers", () => {
    it("an interaction cannot be carried on in another browser", async () => {
      const mine = new oidc.TestBrowser(instance);
      const { location = "" } = await mine.open(oidc.authorizeUrl(client));
      const theirs = new oidc.TestBrowser(instance);
      await oidc.obtainTokens(instance, client, { browser: theirs });
      expect((await theirs.open(location)).status).toBe(404);
      expect((await theirs.open(location.replace("interaction", "authorize/resume"))).status).toBe(400);
    });
    it("the secret inside the session cookie is not what applications see", async () => {
      const browser = new oidc.TestBrowser(instance);
      const { id_token } = await oidc.obtainTokens(instance, client, { browser });
      const cookie = browser.cookies.get("identity_session");
      expect(cookie).toBeDefined();
      expect(JSON.stringify(oidc.claimsIn(id_token))).not.toContain(cookie);
    });
    it("an owner's cookie is honoured by the dashboard alone", async () => {
      const { status } = await instance.send("GET", "/identity/client", {
        headers: { cookie: "identity_owner=first-token-0001" },
      });
      expect(status).toBe(401);
    });
  });

  describe("guessing", () => {
    it("client secrets: after thirty wrong ones the door is closed for a minute, for that caller and client only", async () => {
      const guessed = await oidc.registerClient(instance);
      for (let attempt = 0; attempt < 30; attempt += 1)
        expect(
          (await oidc.exchange(instance, { ...guessed, client_secret: `wrong-${attempt}` }, "x")).status,
        ).toBe(401);
      const closed = await oidc.exchange(instance, guessed, "x");
      expect(closed.status).toBe(429);
      expect(Number(closed.headers.get("retry-after"))).toBeLessThanOrEqual(60);
      expect((await oidc.exchange(instance, client, "x")).body.error).toBe("invalid_grant");
    });
    it("an unknown client and a wrong secret cannot be told apart by answer or time", async () => {
      const timed = async (client_id: string, client_secret: string) => {
        let text = "";
        const tookMs = await processorMsWhile(async () => {
          text = JSON.stringify(
            (await oidc.exchange(instance, { ...client, client_id, client_secret }, "x")).body,
          );
        });
        return { tookMs, text };
      };
      const known: number[] = [];
      const unknown: number[] = [];
      const texts = new Set<string>();
      for (let round = 0; round < 25; round += 1) {
        const right = await oidc.registerClient(instance);
        const a = await timed(right.client_id, "wrong");
        const b = await timed(`app_unknown_${round}`, "wrong");
        known.push(a.tookMs);
        unknown.push(b.tookMs);
        texts.add(a.text).add(b.text);
      }
      expect(texts.size).toBe(1);
      // The minimum of many runs: other work of the process can only increase a time.
      const [fastest, other] = [Math.min(...known), Math.min(...unknown)].sort((a, b) => a - b) as [
        number,
        number,
      ];
      expect(other - fastest).toBeLessThan(Math.max(3, fastest));
    });
    it("secrets are kept as digests, keys sealed", async () => {
      const { text } = await instance.bearer("GET", "/_medley/state");
      expect(text).toContain(client.client_id);
      expect(text).not.toContain(client.client_secret);
      expect(text).not.toContain(client.registration_access_token);
      expect(text).not.toContain("PRIVATE KEY");
    });
  });

  it("the request log shows neither codes nor tokens nor secrets", async () => {
    const browser = new oidc.TestBrowser(instance);
    const end = await browser.travel(
      oidc.authorizeUrl(client, { response_type: "code token id_token", nonce: "n" }),
    );
    const { code = "", access_token = "" } = oidc.parametersOf(end);
    await oidc.exchange(instance, client, code);
    const page = await browser.open(oidc.authorizeUrl(client, { response_mode: "form_post" }));
    const posted = /name="code" value="(\w+)"/.exec(page.html)?.[1] ?? "";
    const { text } = await instance.bearer("GET", "/_medley/requests");
    const shown = [code, posted, access_token, client.client_secret].filter((secret) =>
      text.includes(secret),
    );
    expect(shown).toEqual([]);
  });
});
