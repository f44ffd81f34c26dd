/**
 * When a session ends, each application is notified of its own sessions at its registered address, and
 * nobody else is.
 */
import { jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { addBob, bob } from "../../../tests/support/identity-people.ts";
import { LogoutReceiver, verifyLogoutToken } from "../../../tests/support/logout-receiver.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const BYE = "http://localhost:9/bye";
const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);
const framesOf = ({ html }: oidc.Visit): URL[] =>
  [...html.matchAll(/<iframe src="([^"]+)"/g)].map(([, src = ""]) => new URL(src.replaceAll("&amp;", "&")));

let receiver: LogoutReceiver;
beforeAll(async () => {
  receiver = await LogoutReceiver.open();
});
afterAll(() => receiver.close());

onBothDatabases(
  "identity: sign-outs",
  (instance, kind) => {
    let paths = 0;
    const newPath = () => {
      paths += 1;
      return `/${kind}-${paths}`;
    };
    const signedIn = async (client: oidc.TestClient, browser = new oidc.TestBrowser(instance())) => {
      const { id_token } = await oidc.obtainTokens(instance(), client, { browser });
      const { sub, sid } = oidc.claimsIn(id_token);
      return { browser, id_token, sub, sid };
    };
    const leave = (browser: oidc.TestBrowser, parameters: Record<string, string>) =>
      browser.open(`/identity/logout?${new URLSearchParams(parameters)}`);
    const jobs = async (client: oidc.TestClient) => {
      const { body } = await instance().bearer("GET", "/_medley/jobs?service=identity&limit=1000");
      return body.jobs.filter(
        ({ job, payload }: { job: string; payload: { clientId?: string } }) =>
          job === "identity.tell-sign-out" && payload.clientId === client.client_id,
      );
    };
    /** Waits until the queue has no more jobs for this client. */
    const settled = async (client: oidc.TestClient) => {
      await expect
        .poll(async () => (await jobs(client)).map(({ state }: { state: string }) => state))
        .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:waiting|running)$/)]));
      return jobs(client);
    };

    describe("back channel", () => {
      it("oidcc-backchannel-logout-discovery-endpoint-verification", async () => {
        const { body } = await instance().send("GET", "/identity/.well-known/openid-configuration");
        expect(body).toMatchObject({
          backchannel_logout_supported: true,
          backchannel_logout_session_supported: true,
        });
      });
      it.each(["RS256", "ES256", "EdDSA"])("oidcc-backchannel-rp-initiated-logout (%s)", async (alg) => {
        const path = newPath();
        const client = await receiver.register(instance(), path, {
          id_token_signed_response_alg: alg,
          post_logout_redirect_uris: [BYE],
          backchannel_logout_session_required: true,
        });
        const { browser, id_token, sub, sid } = await signedIn(client);
        const visit = await leave(browser, { id_token_hint: id_token, post_logout_redirect_uri: BYE });
        expect([visit.status, visit.location]).toEqual([302, BYE]);
        const token = await receiver.tokenAt(path);
        expect(await verifyLogoutToken(instance(), client, token)).toMatchObject({ sub, sid });
        expect(receiver.at(path)[0]).toMatchObject({
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
        // A logout token is not an ID token, and is not accepted as one.
        const hinted = await new oidc.TestBrowser(instance()).open(
          oidc.authorizeUrl(client, { id_token_hint: token }),
        );
        expect(oidc.parametersOf(new URL(hinted.location ?? "")).error).toBe("invalid_request");
      });
      it("HS256: the client secret is the key", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path, { id_token_signed_response_alg: "HS256" });
        const { browser, id_token } = await signedIn(client);
        await leave(browser, { id_token_hint: id_token });
        const key = new TextEncoder().encode(client.client_secret);
        const { protectedHeader } = await jwtVerify(await receiver.tokenAt(path), key, {
          audience: client.client_id,
          currentDate: new Date(instance().clock.nowMs()),
        });
        expect(protectedHeader).toMatchObject({ alg: "HS256", typ: "logout+jwt" });
      });

      it("one session ends, on the account page: it and no other is told of, to every application of it", async () => {
        const [one, another, stranger] = [newPath(), newPath(), newPath()];
        const first = await receiver.register(instance(), one);
        const second = await receiver.register(instance(), another);
        const unrelated = await receiver.register(instance(), stranger);
        const here = await signedIn(first);
        await signedIn(unrelated, here.browser);
        const there = await signedIn(first);
        await signedIn(second, there.browser);
        const page = await here.browser.open("/identity/account/security");
        await here.browser.submit(page, ({ fields }) => fields.session === there.sid);
        for (const [path, client] of [
          [one, first],
          [another, second],
        ] as const)
          expect(await verifyLogoutToken(instance(), client, await receiver.tokenAt(path))).toMatchObject({
            sid: there.sid,
            sub: there.sub,
          });
        await settled(first);
        expect([receiver.at(one).length, receiver.at(another).length, receiver.at(stranger).length]).toEqual([
          1, 1, 0,
        ]);
        expect((await here.browser.open("/identity/account")).status).toBe(200);
      });
      it("a session of somebody else cannot be ended, and nobody is told so", async () => {
        await addBob(instance());
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const victim = await signedIn(client);
        const attacker = new oidc.TestBrowser(instance());
        await attacker.travel(oidc.authorizeUrl(await oidc.registerClient(instance())), { person: bob });
        const page = await attacker.open("/identity/account/security");
        const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
        await attacker.open("/identity/account/sessions/end", {
          form: { form_token: token, session: String(victim.sid) },
        });
        expect(await jobs(client)).toEqual([]);
        expect((await victim.browser.open("/identity/account")).status).toBe(200);
      });
      it.each([
        [
          "by the person, at their own page",
          async (browser: oidc.TestBrowser) => {
            await browser.submit(await browser.open("/identity/account"), ending("/sign-out"));
          },
        ],
        [
          "as somebody else signs in there",
          async (browser: oidc.TestBrowser) => {
            await addBob(instance());
            const client = await oidc.registerClient(instance());
            await browser.travel(oidc.authorizeUrl(client, { prompt: "login" }), { person: bob });
          },
        ],
        [
          "by 'not you?'",
          async (browser: oidc.TestBrowser) => {
            const client = await oidc.registerClient(instance());
            const asked = await browser.open(
              (await browser.open(oidc.authorizeUrl(client, { prompt: "consent" }))).location ?? "",
            );
            await browser.submit(asked, ending("/switch"));
          },
        ],
        [
          "after the person was asked",
          async (browser: oidc.TestBrowser) => {
            const asked = await browser.open((await leave(browser, {})).location ?? "");
            await browser.submit(asked, ending("/sign-out"));
          },
        ],
        [
          "everywhere else, from another browser",
          async () => {
            const { browser } = await signedIn(await oidc.registerClient(instance()));
            const page = await browser.open("/identity/account/security");
            await browser.submit(page, ({ fields }) => fields.session === "others");
          },
        ],
      ])("a session ends %s", async (_name, end) => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const { browser, sid } = await signedIn(client);
        await end(browser);
        const token = await receiver.tokenAt(path);
        expect(await verifyLogoutToken(instance(), client, token)).toMatchObject({ sid });
        await settled(client);
        expect(receiver.at(path)).toHaveLength(1);
      });
      it("a new password ends the other sessions, and a deleted account all of them", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const person = { username: `leaver${path.slice(1)}`, password: "quiet river stone" };
        const there = new oidc.TestBrowser(instance());
        const start = await there.open(oidc.authorizeUrl(client));
        const form = await there.open(`${start.location}/sign-up`);
        const made = await there.submit(form, ending("/sign-up"), {
          ...person,
          name: "Lea",
          email: `${person.username}@example.org`,
        });
        expect(made.status).toBe(303);
        await there.travel(made.location ?? "");
        const here = new oidc.TestBrowser(instance());
        await here.travel(oidc.authorizeUrl(client), { person });

        const page = await here.open("/identity/account/security");
        const changed = { password: person.password, new_password: "louder river stone" };
        expect((await here.submit(page, ending("/account/password"), changed)).status).toBe(303);
        const first = await verifyLogoutToken(instance(), client, await receiver.tokenAt(path));
        expect((await settled(client)).length).toBe(1);
        const again = await here.open("/identity/account/security");
        const confirmed = { delete_password: changed.new_password };
        expect((await here.submit(again, ending("/account/delete"), confirmed)).status).toBe(303);
        const second = await verifyLogoutToken(instance(), client, await receiver.tokenAt(path, 2));
        expect(second.sub).toBe(first.sub);
        expect(second.sid).not.toBe(first.sid);
      });
      it("the same person signing in again ends nothing", async () => {
        const client = await receiver.register(instance(), newPath());
        const { browser } = await signedIn(client);
        await browser.travel(oidc.authorizeUrl(client, { prompt: "login" }), { person: oidc.ann });
        expect(await jobs(client)).toEqual([]);
      });
      it("a session that runs out is told of as well, at that time", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const { sid } = await signedIn(client);
        const endsAt = Math.floor(instance().clock.nowMs() / 1000) + 30 * 86_400;
        await instance().clock.advance("40d");
        const claims = oidc.claimsIn(await receiver.tokenAt(path));
        expect(claims).toMatchObject({ sid });
        // It began a little earlier.
        expect(claims.iat).toBeLessThanOrEqual(endsAt);
      });

      it("is tried again while the application is down, with a token that is good each time", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const { browser, id_token, sid } = await signedIn(client);
        receiver.receiver.reply = ({ url }) =>
          url === path && receiver.at(path).length < 3 ? { status: 503 } : { status: 200 };
        await leave(browser, { id_token_hint: id_token });
        await receiver.tokenAt(path, 1);
        await expect
          .poll(async () => {
            await instance().clock.advance("1m");
            return receiver.at(path).length;
          })
          .toBe(3);
        const token = await receiver.tokenAt(path, 3);
        expect(await verifyLogoutToken(instance(), client, token)).toMatchObject({ sid });
        expect(await settled(client)).toMatchObject([{ state: "done", attempts: 3 }]);
        expect(new Set(receiver.at(path).map(({ body }) => body)).size).toBe(3);
      });
      it("is tried twelve times", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const { browser, id_token } = await signedIn(client);
        receiver.receiver.reply = ({ url }) => ({ status: url === path ? 503 : 200 });
        await leave(browser, { id_token_hint: id_token });
        await receiver.tokenAt(path);
        await instance().clock.advance("1d");
        expect(await settled(client)).toMatchObject([{ state: "failed", attempts: 12 }]);
        expect(receiver.at(path)).toHaveLength(12);
      });
      it("a refusal is the application's last word", async () => {
        const path = newPath();
        const client = await receiver.register(instance(), path);
        const { browser, id_token } = await signedIn(client);
        receiver.receiver.reply = ({ url }) => ({ status: url === path ? 400 : 200 });
        await leave(browser, { id_token_hint: id_token });
        await receiver.tokenAt(path);
        expect(await settled(client)).toMatchObject([{ state: "done", attempts: 1 }]);
      });
      it("redirects are not followed: the token is for the registered address alone", async () => {
        const [path, elsewhere] = [newPath(), newPath()];
        const client = await receiver.register(instance(), path);
        const { browser, id_token } = await signedIn(client);
        const headers = { location: `${receiver.receiver.url}${elsewhere}` };
        receiver.receiver.reply = ({ url }) => (url === path ? { status: 307, headers } : { status: 200 });
        await leave(browser, { id_token_hint: id_token });
        await receiver.tokenAt(path);
        await settled(client);
        expect(receiver.at(elsewhere)).toEqual([]);
      });
      it("an address that was taken back, or of a deleted client, gets nothing", async () => {
        const [path, gone] = [newPath(), newPath()];
        const client = await receiver.register(instance(), path);
        const deleted = await receiver.register(instance(), gone);
        const { browser, id_token } = await signedIn(client);
        await signedIn(deleted, browser);
        await instance().bearer("DELETE", `/identity/client/${deleted.client_id}`);
        await instance().bearer("PUT", `/identity/client/${client.client_id}`, {
          body: { client_name: "Test", client_uri: "http://localhost:9/", redirect_uris: [oidc.REDIRECT] },
        });
        await leave(browser, { id_token_hint: id_token });
        expect([...(await jobs(client)), ...(await jobs(deleted))]).toEqual([]);
        expect([...receiver.at(path), ...receiver.at(gone)]).toEqual([]);
      });
      it.each(["https://169.254.169.254/latest", "https://10.0.0.1/out", "https://[fd00::1]/out"])(
        "%s may not be reached from here, and is not tried again",
        async (backchannel_logout_uri) => {
          const client = await oidc.registerClient(instance(), { backchannel_logout_uri });
          const { browser, id_token } = await signedIn(client);
          expect((await leave(browser, { id_token_hint: id_token })).status).toBe(200);
          expect(await settled(client)).toMatchObject([{ state: "done", attempts: 1 }]);
        },
      );
    });

    describe("front channel", () => {
      const OUT = "http://localhost:9/out?from=medley";
      const register = (change: Record<string, unknown> = {}) =>
        oidc.registerClient(instance(), {
          frontchannel_logout_uri: OUT,
          frontchannel_logout_session_required: true,
          post_logout_redirect_uris: [BYE],
          ...change,
        });
      const expectFrame = (visit: oidc.Visit, sid: unknown) => {
        const [frame] = framesOf(visit);
        expect(Object.fromEntries(frame?.searchParams ?? [])).toEqual({
          from: "medley",
          iss: `${instance().url}/identity`,
          sid,
        });
        expect(`${frame?.origin}${frame?.pathname}`).toBe("http://localhost:9/out");
        expect(visit.headers.get("content-security-policy")).toContain("; frame-src http://localhost:9; ");
      };

      it("oidcc-frontchannel-logout-discovery-endpoint-verification", async () => {
        const { body } = await instance().send("GET", "/identity/.well-known/openid-configuration");
        expect(body).toMatchObject({
          frontchannel_logout_supported: true,
          frontchannel_logout_session_supported: true,
        });
      });
      it("oidcc-frontchannel-rp-initiated-logout", async () => {
        const client = await register();
        const { browser, id_token, sid } = await signedIn(client);
        const visit = await leave(browser, {
          id_token_hint: id_token,
          post_logout_redirect_uri: BYE,
          state: "a&b",
        });
        expect(visit.status).toBe(200);
        expectFrame(visit, sid);
        expect(visit.html).toContain(`href="${BYE}?state=a%26b" data-onward>Continue</a>`);
        expect((await browser.open("/identity/account")).location).toContain("/sign-in");
      });
      it("the same after the person was asked, and without anywhere to go", async () => {
        const { browser, sid } = await signedIn(await register());
        const asked = await browser.open((await leave(browser, {})).location ?? "");
        const done = await browser.submit(asked, ending("/sign-out"));
        const visit = await browser.open(done.location ?? "");
        expectFrame(visit, sid);
        expect(visit.html).not.toContain("data-onward>");
      });
      it("the same where people sign out by themselves", async () => {
        const { browser, sid } = await signedIn(await register());
        const visit = await browser.submit(await browser.open("/identity/account"), ending("/sign-out"));
        expectFrame(visit, sid);
        expect(visit.html).toContain('href="/identity/sign-in" data-onward>');
      });
      it("shows applications of this very session and no others", async () => {
        const { browser, id_token, sid } = await signedIn(await register());
        await signedIn(await register({ frontchannel_logout_uri: "http://localhost:9/other" }));
        await signedIn(await oidc.registerClient(instance()), browser);
        const visit = await leave(browser, { id_token_hint: id_token });
        expect(framesOf(visit)).toHaveLength(1);
        expectFrame(visit, sid);
      });
      it("who has no application of the kind is sent on at once, and frames nothing", async () => {
        const client = await oidc.registerClient(instance(), { post_logout_redirect_uris: [BYE] });
        const { browser, id_token } = await signedIn(client);
        const visit = await leave(browser, { id_token_hint: id_token, post_logout_redirect_uri: BYE });
        expect([visit.status, visit.location]).toEqual([302, BYE]);
      });
    });
  },
  { services: ["identity"] },
);
