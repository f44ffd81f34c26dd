/** Claims requested by name. Tests carry the names of the public conformance modules where one exists. */
import { expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { addBob, bob } from "../../../tests/support/identity-people.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "identity: claims asked for by name",
  (instance) => {
    const asking = (client: oidc.TestClient, claims: unknown, change: Record<string, string> = {}) =>
      oidc.authorizeUrl(client, {
        claims: typeof claims === "string" ? claims : JSON.stringify(claims),
        ...change,
      });
    const told = async (client: oidc.TestClient, claims: unknown, change: Record<string, string> = {}) => {
      const browser = new oidc.TestBrowser(instance());
      const { code } = oidc.parametersOf(await browser.travel(asking(client, claims, change)));
      const { body } = await oidc.exchange(instance(), client, code);
      return {
        browser,
        tokens: body,
        idToken: oidc.claimsIn(body.id_token),
        info: (await oidc.userinfo(instance(), body.access_token)).body,
      };
    };
    /** The redirect of a request that needs no action of a person. */
    const silently = async (browser: oidc.TestBrowser, url: string) => {
      const visit = await browser.open(url);
      return oidc.parametersOf(new URL(visit.location ?? "about:blank"));
    };

    it("oidcc-claims-essential: they are where they were asked for, and nothing else is", async () => {
      const client = await oidc.registerClient(instance());
      const { idToken, info, tokens } = await told(client, {
        userinfo: { name: { essential: true }, shoe_size: null },
        id_token: { email: null, auth_time: { essential: true }, acr: { values: ["gold"] } },
      });
      expect(info).toEqual({ sub: idToken.sub, name: "Ann Example" });
      expect(idToken).toMatchObject({ email: "ann@example.org", auth_time: expect.any(Number) });
      expect(idToken).not.toHaveProperty("name");
      expect(idToken).not.toHaveProperty("email_verified");
      expect(idToken).not.toHaveProperty("acr");
      expect(tokens.scope).toBe("openid");
    });
    it("claims of a scope that is asked for as well come in the ID token, and at userinfo as ever", async () => {
      const client = await oidc.registerClient(instance());
      const { idToken, info } = await told(
        client,
        { id_token: { email: null, email_verified: null } },
        { scope: "openid email" },
      );
      expect(idToken).toMatchObject({ email: "ann@example.org", email_verified: true });
      expect(info).toMatchObject({ email: "ann@example.org", email_verified: true });
    });
    it("through the browser too: in ID tokens of the implicit and hybrid flows", async () => {
      const client = await oidc.registerClient(instance());
      for (const response_type of ["id_token", "token id_token", "code id_token"]) {
        const url = asking(client, { id_token: { name: null } }, { response_type, nonce: "n" });
        const given = oidc.parametersOf(await new oidc.TestBrowser(instance()).travel(url));
        expect(oidc.claimsIn(given.id_token ?? "")).toMatchObject({ name: "Ann Example", nonce: "n" });
      }
    });
    it("one that was wanted with another value is left out", async () => {
      const client = await oidc.registerClient(instance());
      const { idToken, info } = await told(client, {
        userinfo: { name: { value: "Somebody Else" }, email: { values: ["x", "ann@example.org"] } },
        id_token: { name: { essential: true, values: ["Nobody"] } },
      });
      expect(idToken).not.toHaveProperty("name");
      expect(info).toEqual({ sub: idToken.sub, email: "ann@example.org" });
    });

    it("the person is asked for each, once, and the account page names it", async () => {
      const client = await oidc.registerClient(instance());
      const browser = new oidc.TestBrowser(instance());
      await oidc.obtainTokens(instance(), client, { browser });
      const claims = { userinfo: { email: null, given_name: null } };
      expect(await silently(browser, asking(client, claims, { prompt: "none" }))).toMatchObject({
        error: "consent_required",
      });
      const asked = await browser.open((await browser.open(asking(client, claims))).location ?? "");
      expect(oidc.formsOf(asked.html).some(({ action }) => action.endsWith("/consent"))).toBe(true);
      expect(asked.html).toContain("<strong>Your e-mail address</strong><span>ann@example.org</span>");
      expect(asked.html).toContain("<strong>Your given name</strong>");
      expect(asked.html).not.toContain("Your profile");
      await browser.travel(asking(client, claims));
      expect(await silently(browser, asking(client, claims, { prompt: "none" }))).toHaveProperty("code");
      // The person agreed to the claim, not to the scope, which would reveal more.
      expect(
        await silently(browser, oidc.authorizeUrl(client, { scope: "openid email", prompt: "none" })),
      ).toMatchObject({ error: "consent_required" });
      const page = await browser.open("/identity/account/applications");
      expect(page.html).toContain("Your e-mail address");
    });
    it("who refuses is told nothing of", async () => {
      const client = await oidc.registerClient(instance());
      const url = asking(client, { id_token: { email: null } });
      const end = await new oidc.TestBrowser(instance()).travel(url, { consent: false });
      expect(oidc.parametersOf(end)).toMatchObject({ error: "access_denied" });
    });

    it.each(["{", "[]", '"name"', '{"userinfo":{"name":1}}', '{"id_token":{"sub":{"values":"a"}}}'])(
      "%s is malformed: invalid_request",
      async (claims) => {
        const client = await oidc.registerClient(instance());
        expect(await silently(new oidc.TestBrowser(instance()), asking(client, claims))).toMatchObject({
          error: "invalid_request",
          state: "a state",
        });
      },
    );
    it("an essential acr that is not known here: unmet_authentication_requirements", async () => {
      const client = await oidc.registerClient(instance());
      const url = asking(client, { id_token: { acr: { essential: true, values: ["gold"] } } });
      expect(await silently(new oidc.TestBrowser(instance()), url)).toMatchObject({
        error: "unmet_authentication_requirements",
      });
    });

    it("a sub that is not the person signed in: they sign in again, and nobody else will do", async () => {
      await addBob(instance());
      const client = await oidc.registerClient(instance());
      const browser = new oidc.TestBrowser(instance());
      const ann = oidc.claimsIn((await oidc.obtainTokens(instance(), client, { browser })).id_token).sub;
      const wanted = (sub: unknown, change = {}) =>
        asking(client, { id_token: { sub: { value: sub } } }, change);
      expect(await silently(browser, wanted(ann, { prompt: "none" }))).toHaveProperty("code");
      expect(await silently(browser, wanted("usr_other", { prompt: "none" }))).toMatchObject({
        error: "login_required",
      });
      const page = await browser.open((await browser.open(wanted("usr_other"))).location ?? "");
      expect(oidc.formsOf(page.html).some(({ fields }) => "password" in fields)).toBe(true);
      expect(oidc.parametersOf(await browser.travel(wanted("usr_other")))).toMatchObject({
        error: "login_required",
      });
      // First as a different person, then as the expected one.
      await browser.travel(oidc.authorizeUrl(client, { prompt: "login" }), { person: bob });
      expect(oidc.parametersOf(await browser.travel(wanted(ann), { person: bob }))).toMatchObject({
        error: "login_required",
      });
      expect(oidc.parametersOf(await browser.travel(wanted(ann)))).toHaveProperty("code");
    });
    it("a sub and an ID token hint that contradict each other fit nobody", async () => {
      const client = await oidc.registerClient(instance());
      const browser = new oidc.TestBrowser(instance());
      const { id_token } = await oidc.obtainTokens(instance(), client, { browser });
      const both = { id_token_hint: id_token, prompt: "none" };
      const sub = oidc.claimsIn(id_token).sub;
      const url = (value: unknown) => asking(client, { id_token: { sub: { value } } }, both);
      expect(await silently(browser, url(sub))).toHaveProperty("code");
      expect(await silently(browser, url("usr_other"))).toMatchObject({ error: "login_required" });
    });
  },
  { services: ["identity"] },
);
