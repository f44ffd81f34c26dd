/**
 * OpenID Connect Core in every response type. Tests carry the names of the public conformance modules. They are the
 * common part of the plans for the basic, implicit and hybrid profiles and their form_post variants.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authorizeUrl,
  claimsIn,
  formsOf,
  parametersOf,
  userinfo,
} from "../../../../tests/support/identity-browser.ts";
import { ConformanceStage, halfHash } from "../../../../tests/support/identity-conformance.ts";

const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);
const everything = {
  given_name: "Ann",
  family_name: "Example",
  nickname: "Annie",
  picture: "https://ann.example.org/ann.png",
  website: "https://ann.example.org/",
  gender: "female",
  birthdate: "1990-02-28",
  zoneinfo: "Europe/Zurich",
  locale: "de-CH",
  phone_number: "+41 44 123 45 67",
  street_address: "Seestrasse 1",
  postal_code: "8002",
  locality: "Zürich",
  region: "ZH",
  country: "Switzerland",
};
const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    "name",
    "given_name",
    "family_name",
    "nickname",
    "preferred_username",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
  ],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ["address"],
};

let stage: ConformanceStage;
beforeAll(async () => {
  stage = await ConformanceStage.open();
  const { browser } = await stage.signedIn();
  const page = await browser.open("/identity/account");
  const saved = await browser.submit(page, ending("/account/profile"), everything);
  expect(saved.status).toBe(303);
});
afterAll(() => stage.close());

describe.each(["code", "id_token", "token id_token", "code id_token", "code token", "code token id_token"])(
  "response type %s",
  (type) => {
    const words = type.split(" ");
    const [withCode, withIdToken, withToken] = ["code", "id_token", "token"].map((word) =>
      words.includes(word),
    );
    const opensUserinfo = withCode || withToken;
    const onlyWithUserinfo = (name: string, test: () => Promise<void>) => {
      if (opensUserinfo) it(name, test);
    };
    const nonce = withIdToken ? { nonce: "n" } : {};
    const request = (change = {}) => ({ response_type: type, ...nonce, ...change });
    const succeeds = async (change: Record<string, string>) => {
      const { given } = await stage.flow(type, change);
      expect(given.error).toBeUndefined();
      expect(given.state).toBe(change.state ?? "a state");
      return given;
    };

    it("oidcc-server", async () => {
      const { given, tokens, first, second, accessToken, claims } = await stage.flow(type);
      expect(
        Object.keys(given)
          .filter((name) => ["code", "id_token", "access_token"].includes(name))
          .sort(),
      ).toEqual(words.map((word) => (word === "token" ? "access_token" : word)).sort());
      if (withToken) expect(given).toMatchObject({ token_type: "Bearer", expires_in: "3600" });
      if (first) {
        expect(first.nonce).toBe("a nonce");
        expect(first.at_hash).toBe(withToken ? halfHash(given.access_token) : undefined);
        expect(first.c_hash).toBe(withCode ? halfHash(given.code) : undefined);
      }
      if (second) expect(second.at_hash).toBe(halfHash(tokens.access_token));
      if (first && second)
        expect(second).toMatchObject({ iss: first.iss, sub: first.sub, nonce: first.nonce });
      if (accessToken !== undefined)
        expect((await userinfo(stage.instance, accessToken)).body.sub).toBe(claims.sub);
    });
    it("oidcc-idtoken-signature", async () => {
      const { given, tokens } = await stage.flow(type);
      const header = JSON.parse(
        Buffer.from(String(given.id_token ?? tokens.id_token).split(".")[0] ?? "", "base64url").toString(),
      );
      expect(header).toMatchObject({ alg: "RS256", kid: expect.any(String) });
    });
    it(
      withIdToken
        ? "oidcc-ensure-request-without-nonce-fails"
        : "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
      async () => {
        const { browser } = await stage.signedIn();
        const answer = await stage.silently(browser, { response_type: type });
        if (withIdToken)
          expect(answer).toMatchObject({ status: 302, error: "invalid_request", state: "a state" });
        else expect(answer).toHaveProperty("code");
      },
    );

    onlyWithUserinfo("oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body", async () => {
      const { accessToken = "", claims } = await stage.flow(type);
      const headers = { authorization: `Bearer ${accessToken}` };
      const body = new URLSearchParams({ access_token: accessToken });
      for (const answer of [
        await stage.instance.send("GET", "/identity/userinfo", { headers }),
        await stage.instance.send("POST", "/identity/userinfo", { headers }),
        await stage.instance.send("POST", "/identity/userinfo", { body }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.body.sub).toBe(claims.sub);
      }
    });
    /** Without an access token, the ID token itself contains the requested claims. */
    const toldBy = async (scope: string): Promise<Record<string, unknown>> => {
      const { accessToken, first } = await stage.flow(type, { scope });
      return accessToken === undefined ? { ...first } : (await userinfo(stage.instance, accessToken)).body;
    };
    it.each(Object.keys(claimsOfScope))("oidcc-scope-%s", async (scope) => {
      const told = await toldBy(`openid ${scope}`);
      for (const [name, claims] of Object.entries(claimsOfScope))
        for (const claim of claims) expect([claim, claim in told]).toEqual([claim, name === scope]);
    });
    it("oidcc-scope-all", async () => {
      const told = await toldBy("openid profile email address phone");
      expect(told).toMatchObject({
        name: "Ann Example",
        email: "ann@example.org",
        email_verified: true,
        phone_number: "+41441234567",
        phone_number_verified: false,
        address: {
          formatted: "Seestrasse 1\n8002 Zürich\nZH\nSwitzerland",
          street_address: "Seestrasse 1",
          postal_code: "8002",
          locality: "Zürich",
          region: "ZH",
          country: "Switzerland",
        },
      });
    });
    onlyWithUserinfo("claims stay out of ID tokens where userinfo tells them", async () => {
      const { claims } = await stage.flow(type, { scope: "openid profile email" });
      for (const claim of ["name", "email", "preferred_username"]) expect(claims).not.toHaveProperty(claim);
    });
    it("oidcc-ensure-other-scope-order-succeeds", async () => {
      expect(await toldBy("email openid")).toHaveProperty("email");
    });

    it.each(["page", "popup"])("oidcc-display-%s", async (display) => {
      const page = await stage.asks(stage.browser(), request({ display }));
      expect(page.html).toContain(`<body class="display-${display}">`);
      expect(formsOf(page.html).some(({ fields }) => "password" in fields)).toBe(true);
      await succeeds({ display });
    });
    it.each([
      ["oidcc-ui-locales", { ui_locales: "se de-CH" }],
      ["oidcc-claims-locales", { claims_locales: "se" }],
      ["oidcc-claims-essential", { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) }],
      ["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "1 2" }],
      ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
      ["state is returned unchanged", { state: "ä €+%20/?&=#\"'<>" }],
    ])("%s", async (_name, change) => {
      await succeeds(change);
    });
    it("oidcc-login-hint", async () => {
      const page = await stage.asks(stage.browser(), request({ login_hint: "ann@example.org" }));
      expect(page.html).toContain('value="ann@example.org"');
    });
    it("oidcc-ensure-post-request-succeeds", async () => {
      const { browser } = await stage.signedIn();
      const form = Object.fromEntries(
        new URL(authorizeUrl(stage.client, request()), stage.instance.url).searchParams,
      );
      const visit = await browser.open("/identity/authorize", { form });
      expect(visit.status).toBe(302);
      expect(parametersOf(new URL(visit.location ?? "")).error).toBeUndefined();
    });

    it("oidcc-prompt-login", async () => {
      const { browser, claims } = await stage.flow(type);
      await stage.instance.clock.advance("2s");
      const again = await stage.flow(type, { prompt: "login" }, browser);
      expect(again.claims.sub).toBe(claims.sub);
      expect(Number(again.claims.auth_time)).toBeGreaterThan(Number(claims.auth_time));
    });
    it("oidcc-prompt-none-not-logged-in", async () => {
      const answer = await stage.silently(stage.browser(), request({ prompt: "none" }));
      expect(answer).toMatchObject({ status: 302, error: "login_required", state: "a state" });
    });
    it("oidcc-prompt-none-logged-in", async () => {
      const { browser, claims } = await stage.flow(type);
      const again = await stage.flow(type, { prompt: "none" }, browser);
      const { sub, auth_time, sid } = claims;
      expect(again.claims).toMatchObject({ sub, auth_time, sid });
      expect(browser.visits).toHaveLength(1);
    });
    it("oidcc-max-age-1", async () => {
      const { browser, claims } = await stage.flow(type);
      await stage.instance.clock.advance("2s");
      const again = await stage.flow(type, { max_age: "1" }, browser);
      expect(browser.visits.some(({ status }) => status === 200)).toBe(true);
      expect(Number(again.claims.auth_time)).toBeGreaterThan(Number(claims.auth_time));
    });
    it("oidcc-max-age-10000", async () => {
      const { browser, claims } = await stage.flow(type);
      await stage.instance.clock.advance("2s");
      const again = await stage.flow(type, { max_age: "10000" }, browser);
      expect(browser.visits).toHaveLength(1);
      expect(again.claims.auth_time).toBe(claims.auth_time);
    });
    it("oidcc-id-token-hint", async () => {
      const { browser, given, tokens } = await stage.flow(type);
      const id_token_hint = String(given.id_token ?? tokens.id_token);
      const again = await stage.flow(type, { prompt: "none", id_token_hint }, browser);
      expect(again.claims.sub).toBe(claimsIn(id_token_hint).sub);
      const alone = await stage.silently(stage.browser(), request({ prompt: "none", id_token_hint }));
      expect(alone).toMatchObject({ error: "login_required" });
    });

    it.each([
      ["oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", "request"],
      ["oidcc-ensure-request-object-with-redirect-uri", "request"],
      ["oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported", "request_uri"],
    ])("%s", async (name, parameter) => {
      const inside = { redirect_uri: name.includes("redirect") ? "https://evil.example.org/" : undefined };
      const object = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(inside)).toString("base64url")}.`;
      const value = parameter === "request" ? object : "https://app.example.org/request.jwt";
      const visit = await stage.browser().open(authorizeUrl(stage.client, request({ [parameter]: value })));
      expect(visit.status).toBe(302);
      expect(visit.location).not.toContain("evil.example.org");
      expect(parametersOf(new URL(visit.location ?? ""))).toMatchObject({
        error: `${parameter}_not_supported`,
        state: "a state",
      });
    });
    it("oidcc-ensure-registered-redirect-uri", async () => {
      const change = request({ redirect_uri: "http://localhost:9/other" });
      const visit = await stage.browser().open(authorizeUrl(stage.client, change));
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
      expect(visit.html).toContain("invalid_redirect_uri");
    });

    it("answers in its usual place, and as a posted form when asked (oidcc-formpost)", async () => {
      const { browser } = await stage.signedIn();
      const visit = await browser.open(authorizeUrl(stage.client, request()));
      const { search, hash } = new URL(visit.location ?? "");
      expect([search === "", hash === ""]).toEqual(type === "code" ? [false, true] : [true, false]);
      const page = await browser.open(authorizeUrl(stage.client, request({ response_mode: "form_post" })));
      expect(page.status).toBe(200);
      const [form] = formsOf(page.html);
      expect(form?.action).toBe("http://localhost:9/answer");
      expect(Object.keys(form?.fields ?? {})).toEqual(
        expect.arrayContaining([
          "state",
          "iss",
          ...words.map((word) => (word === "token" ? "access_token" : word)),
        ]),
      );
    });
  },
);
