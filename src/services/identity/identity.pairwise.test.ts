/** Pairwise subjects: each application has its own names for people, and cannot learn other names. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { addBob, bob } from "../../../tests/support/identity-people.ts";
import { LogoutReceiver, verifyLogoutToken } from "../../../tests/support/logout-receiver.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const ELSEWHERE = "http://127.0.0.1:9/answer";
const BYE = "http://localhost:9/bye";

let sectors: HttpReceiver;
beforeAll(async () => {
  sectors = await startHttpReceiver();
});
afterAll(() => sectors.stop());

onBothDatabases(
  "identity: pairwise subjects",
  (instance) => {
    const register = (change: Record<string, unknown> = {}) =>
      oidc.registerClient(instance(), { subject_type: "pairwise", ...change });
    const introspect = async ({ client_id, client_secret }: oidc.TestClient, token: string) =>
      (
        await instance().send("POST", "/identity/introspect", {
          body: new URLSearchParams({ token, client_id, client_secret }),
        })
      ).body;
    const tokensFor = async (
      client: oidc.TestClient,
      change: Record<string, string> = {},
      person?: typeof bob,
    ) => {
      const browser = new oidc.TestBrowser(instance());
      const end = await browser.travel(oidc.authorizeUrl(client, change), person ? { person } : {});
      const { redirect_uri } = change;
      const { code } = oidc.parametersOf(end);
      const { body } = await oidc.exchange(instance(), client, code, redirect_uri ? { redirect_uri } : {});
      const { access_token, id_token } = body as { access_token: string; id_token: string };
      return { browser, access_token, id_token, claims: oidc.claimsIn(id_token) };
    };
    const subjectOf = async (client: oidc.TestClient, change: Record<string, string> = {}) =>
      (await tokensFor(client, change)).claims.sub;
    /** Registration answers an error, which names the member. */
    const refused = async (change: Record<string, unknown>) => {
      const { status, body } = await instance().bearer("POST", "/identity/client", {
        body: {
          client_name: "Test",
          client_uri: "http://localhost:9/",
          redirect_uris: [oidc.REDIRECT],
          subject_type: "pairwise",
          ...change,
        },
      });
      expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
      return body;
    };

    it("the same in ID token, userinfo, introspection and access token, and nowhere the person's id", async () => {
      const open = await oidc.registerClient(instance());
      const known = await tokensFor(open);
      const client = await register();
      const { claims, access_token, id_token } = await tokensFor(client, { scope: "openid email" });
      const { sub } = claims;
      expect(sub).toMatch(/^[\w-]{43}$/);
      expect(sub).not.toBe(known.claims.sub);
      expect((await oidc.userinfo(instance(), access_token)).body).toEqual({
        sub,
        email: "ann@example.org",
        email_verified: true,
      });
      expect(oidc.claimsIn(access_token).sub).toBe(sub);
      for (const asker of [client, open])
        expect(await introspect(asker, access_token)).toMatchObject({ active: true, sub });
      const shown = [
        JSON.stringify(claims),
        JSON.stringify(oidc.claimsIn(access_token)),
        JSON.stringify(await introspect(client, access_token)),
        id_token,
      ].join();
      expect(shown).not.toContain(String(known.claims.sub));
      expect(shown).not.toContain('"ann"');
    });
    it("stays the same at every visit, differs between people, and between sessions by its own name", async () => {
      await addBob(instance());
      const client = await register();
      const first = await tokensFor(client);
      const second = await tokensFor(client);
      const other = await tokensFor(client, {}, bob);
      expect(second.claims.sub).toBe(first.claims.sub);
      expect(other.claims.sub).not.toBe(first.claims.sub);
      expect(second.claims.sid).not.toBe(first.claims.sid);
      const open = oidc.claimsIn(
        (
          await oidc.obtainTokens(instance(), await oidc.registerClient(instance()), {
            browser: first.browser,
          })
        ).id_token,
      );
      expect(open.sid).not.toBe(first.claims.sid);
    });
    it("clients of one host share it, those of another do not", async () => {
      const [one, same, other] = [
        await register(),
        await register({ redirect_uris: ["http://localhost:99/other", oidc.REDIRECT] }),
        await register({ redirect_uris: [ELSEWHERE] }),
      ];
      const sub = await subjectOf(one);
      expect(await subjectOf(same)).toBe(sub);
      expect(await subjectOf(other, { redirect_uri: ELSEWHERE })).not.toBe(sub);
    });
    it("outlives the client and a move of the state", async () => {
      const first = await register();
      const sub = await subjectOf(first);
      await instance().bearer("DELETE", `/identity/client/${first.client_id}`);
      const second = await register();
      expect(await subjectOf(second)).toBe(sub);
      const saved = await instance().bearer("GET", "/_medley/state?service=identity");
      const reset = { body: { service: "identity" } };
      expect((await instance().bearer("POST", "/_medley/state/reset", reset)).status).toBe(204);
      const loaded = await instance().bearer("PUT", "/_medley/state", { body: Buffer.from(saved.text) });
      expect(loaded.status, loaded.text).toBe(200);
      expect(await subjectOf(second)).toBe(sub);
    });
    it("is understood when it comes back: as a hint, as a sub asked for, and at sign-out", async () => {
      const client = await register({ post_logout_redirect_uris: [BYE] });
      const { browser, id_token, claims } = await tokensFor(client);
      const silently = async (change: Record<string, string>) => {
        const visit = await browser.open(oidc.authorizeUrl(client, { prompt: "none", ...change }));
        return oidc.parametersOf(new URL(visit.location ?? "about:blank"));
      };
      const wanting = (value: unknown) => JSON.stringify({ id_token: { sub: { value } } });
      expect(await silently({ id_token_hint: id_token })).toHaveProperty("code");
      expect(await silently({ claims: wanting(claims.sub) })).toHaveProperty("code");
      const { sub } = oidc.claimsIn(
        (await oidc.obtainTokens(instance(), await oidc.registerClient(instance()))).id_token,
      );
      expect(await silently({ claims: wanting(sub) })).toMatchObject({ error: "login_required" });
      const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: BYE });
      expect((await browser.open(`/identity/logout?${query}`)).location).toBe(BYE);
    });
    it("logout tokens use the same names", async () => {
      const receiver = await LogoutReceiver.open();
      try {
        const client = await receiver.register(instance(), "/out", { subject_type: "pairwise" });
        const { browser, id_token, claims } = await tokensFor(client);
        await browser.open(`/identity/logout?${new URLSearchParams({ id_token_hint: id_token })}`);
        const told = await verifyLogoutToken(instance(), client, await receiver.tokenAt("/out"));
        expect([told.sub, told.sid]).toEqual([claims.sub, claims.sid]);
      } finally {
        await receiver.close();
      }
    });
    it("an access token speaks for the person all the same: it ends with their consent", async () => {
      const client = await register();
      const { browser, access_token } = await tokensFor(client);
      expect((await oidc.userinfo(instance(), access_token)).status).toBe(200);
      const page = await browser.open("/identity/account/applications");
      await browser.submit(page, ({ fields }) => fields.client_id === client.client_id);
      expect((await oidc.userinfo(instance(), access_token)).status).toBe(401);
    });

    it("oidcc-registration-sector-uri: clients of several hosts that are listed together", async () => {
      const redirect_uris = [oidc.REDIRECT, ELSEWHERE];
      sectors.reply = () => ({ status: 200, body: JSON.stringify([...redirect_uris, "https://x.example/"]) });
      const sector_identifier_uri = `${sectors.url}/sector.json`;
      const both = await register({ redirect_uris, sector_identifier_uri });
      expect(both).toMatchObject({ subject_type: "pairwise", sector_identifier_uri });
      const single = await register({ sector_identifier_uri });
      const sub = await subjectOf(both);
      expect(await subjectOf(both, { redirect_uri: ELSEWHERE })).toBe(sub);
      expect(await subjectOf(single)).toBe(sub);
      expect(await subjectOf(await register())).not.toBe(sub);
      // A change has to be confirmed as well.
      const replace = (uris: readonly string[]) =>
        instance().bearer("PUT", `/identity/client/${both.client_id}`, {
          body: {
            client_name: "Test",
            client_uri: "http://localhost:9/",
            redirect_uris: uris,
            subject_type: "pairwise",
            sector_identifier_uri,
          },
        });
      expect((await replace([oidc.REDIRECT])).status).toBe(200);
      expect((await replace([oidc.REDIRECT, "https://evil.example.org/"])).status).toBe(400);
    });
    it.each([
      ["a redirect is missing", { status: 200, body: JSON.stringify(["https://x.example/"]) }],
      ["it is no list", { status: 200, body: JSON.stringify({ uris: [oidc.REDIRECT] }) }],
      ["it is no JSON", { status: 200, body: "<html>" }],
      ["there is nothing", { status: 404, body: JSON.stringify([oidc.REDIRECT]) }],
      ["it leads elsewhere", { status: 302, headers: { location: "/list" }, body: "" }],
      ["it is too long", { status: 200, body: JSON.stringify([oidc.REDIRECT]).padEnd(262_145) }],
    ])("oidcc-registration-sector-bad: %s", async (_name, reply) => {
      sectors.reply = () => reply;
      const { member } = await refused({ sector_identifier_uri: `${sectors.url}/sector.json` });
      expect(member).toBe("sector_identifier_uri");
    });
    it("a list of 256 KiB is read", async () => {
      sectors.reply = () => ({ status: 200, body: JSON.stringify([oidc.REDIRECT]).padEnd(262_144) });
      const sector_identifier_uri = `${sectors.url}/sector.json`;
      const client = await oidc.registerClient(instance(), {
        subject_type: "pairwise",
        sector_identifier_uri,
      });
      expect(client.client_id).toBeDefined();
    });
    it.each(["https://169.254.169.254/list", "https://10.1.2.3/list", "https://[fe80::1]/list"])(
      "%s may not be reached from here",
      async (sector_identifier_uri) => {
        const { member, detail } = await refused({ sector_identifier_uri });
        expect(member).toBe("sector_identifier_uri");
        expect(detail).toContain("may not be reached");
      },
    );
    it("several hosts without a sector are refused", async () => {
      expect((await refused({ redirect_uris: [oidc.REDIRECT, ELSEWHERE] })).member).toBe("subject_type");
    });
  },
  { services: ["identity"] },
);
