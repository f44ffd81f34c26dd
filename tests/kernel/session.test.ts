/** Signing in at the console: the cookie, what it opens, and what other sites, other accounts and guessers get. */
import { expect, it } from "vitest";
import {
  type AccountName,
  accounts,
  type Instance,
  onBothDatabases,
  type Sent,
  startInstance,
} from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: ["identity"], extraServices: allSamples };
const SAME = { "sec-fetch-site": "same-origin" };

const cookieOf = (sent: Sent): string => (sent.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
const signIn = (instance: Instance, body: unknown, headers: Record<string, string> = {}) =>
  instance.send("POST", "/_medley/session", { body, headers });
async function sessionOf(instance: Instance, as: AccountName) {
  const sent = await signIn(instance, { token: accounts[as].tokens[0] });
  expect(sent.status, sent.text).toBe(200);
  const cookie = cookieOf(sent);
  return { cookie, csrf: sent.body.csrf, headers: { cookie, "x-medley-csrf": sent.body.csrf } };
}

onBothDatabases(
  "a session at the console",
  (instance) => {
    const read = (headers: Record<string, string>, path = "clock") =>
      instance().send("GET", `/_medley/${path}`, { headers });
    const change = (headers: Record<string, string>) =>
      instance().send("POST", "/_medley/clock/resume", { headers });

    it("begins with a token, in a cookie that no script and no other site can use", async () => {
      const sent = await signIn(instance(), { token: accounts.first.tokens[0] });
      expect(sent.body).toMatchObject({
        signedIn: true,
        account: accounts.first.id,
        accountName: "first",
        admin: true,
        kind: "token",
      });
      expect(sent.headers.get("set-cookie")).toMatch(
        /^medley_console=[\w-]{43}; Path=\/_medley; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
      expect(sent.headers.get("cache-control")).toBe("no-store");
      const shown = await read({ cookie: cookieOf(sent) }, "session");
      expect(shown.body).toEqual(sent.body);
      expect((await read({}, "session")).body).toEqual({ signedIn: false });
    });
    it("opens what its account may, to those who show what only its own pages know", async () => {
      const { cookie, headers } = await sessionOf(instance(), "first");
      expect([(await read(headers)).status, (await change(headers)).status]).toEqual([200, 200]);
      expect((await read({ cookie, ...SAME })).status).toBe(200);
      const second = await sessionOf(instance(), "second");
      expect((await read(second.headers)).status).toBe(403);
      const { body } = await read(second.headers, "requests");
      const owners = new Set(body.requests.map(({ account }: { account: string }) => account));
      expect([...owners]).toEqual([accounts.second.id]);
      const others = await read(second.headers, `requests?account=${accounts.first.id}`);
      expect(others.status).toBe(403);
    });
    it("is worth nothing without that: a stolen cookie changes nothing, another site reads nothing", async () => {
      const { cookie, csrf } = await sessionOf(instance(), "first");
      const other = (await sessionOf(instance(), "first")).csrf;
      for (const extra of [
        {},
        SAME,
        { "x-medley-csrf": "" },
        { "x-medley-csrf": other },
        { "x-medley-csrf": `${csrf}x`, ...SAME },
      ] as Record<string, string>[])
        expect([extra, (await change({ cookie, ...extra })).status]).toEqual([extra, 403]);
      for (const site of ["cross-site", "same-site", "none"])
        expect([site, (await read({ cookie, "sec-fetch-site": site })).status]).toEqual([site, 403]);
      expect((await read({ cookie })).status).toBe(403);
      expect((await read({ cookie, "sec-fetch-site": "cross-site" }, "session")).body.signedIn).toBe(false);
      const out = await instance().send("DELETE", "/_medley/session", { headers: { cookie, ...SAME } });
      expect([out.status, (await read({ cookie, ...SAME })).status]).toEqual([403, 200]);
    });
    it("is not begun by another site's page, nor by what is no session", async () => {
      const body = { token: accounts.first.tokens[0] };
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://elsewhere.example" },
        { origin: "null" },
      ] as Record<string, string>[]) {
        const refused = await signIn(instance(), body, headers);
        expect([headers, refused.status, refused.headers.get("set-cookie")]).toEqual([headers, 403, null]);
      }
      const form = await instance().send("POST", "/_medley/session", {
        body: new URLSearchParams({ token: String(accounts.first.tokens[0]) }),
      });
      expect(form.status).toBe(400);
      for (const value of ["", "x", "a".repeat(43), "../../etc", `${"a".repeat(5000)}`]) {
        const headers = { cookie: `medley_console=${value}`, ...SAME };
        expect([value.slice(0, 50), (await read(headers)).status]).toEqual([value.slice(0, 50), 401]);
      }
      const planted = await signIn(instance(), body, { cookie: `medley_console=${"b".repeat(43)}` });
      expect(cookieOf(planted)).not.toContain("bbbb");
    });
    it("refuses what is no credential, in one way for all of them", async () => {
      const wrong = [
        { token: "nonsense" },
        { token: accounts.first.apiKeys[0] },
        { username: "ann", password: "wrong" },
        { username: "nobody", password: "ann-password-1" },
        { username: "ann", password: "ann-password-1", account: accounts.second.id },
      ];
      const answers = [];
      for (const body of wrong) {
        const { status, body: said } = await signIn(instance(), body);
        answers.push([status, said.error.message]);
      }
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(answers[0]?.[0]).toBe(401);
      for (const body of [
        {},
        { username: "ann" },
        { password: "x" },
        { token: "" },
        { token: 5 },
        { token: "x", admin: true },
        { token: "x".repeat(5000) },
        [],
      ])
        expect([body, (await signIn(instance(), body)).status]).toEqual([body, 400]);
      expect((await signIn(instance(), { token: "x".repeat(9000) })).status).toBe(413);
    });
    it("lets in people whom the owner of an admin account names, until their password changes", async () => {
      const sent = await signIn(instance(), { username: "ANN@example.org", password: "ann-password-1" });
      expect(sent.body).toMatchObject({ kind: "user", name: "ann", account: accounts.first.id, admin: true });
      const headers = { cookie: cookieOf(sent), "x-medley-csrf": sent.body.csrf };
      expect((await read(headers)).status).toBe(200);
      const renewed = {
        ...accounts.first,
        users: [{ ...accounts.first.users[0], password: "ann-password-2" }],
      };
      await instance().bearer("POST", "/_medley/credentials", { body: { accounts: [renewed] } });
      expect((await read(headers)).status).toBe(401);
    });
    it("limits guesses at a person's password", async () => {
      const statuses = [];
      for (let attempt = 0; attempt < 7; attempt += 1)
        statuses.push((await signIn(instance(), { username: "guessed", password: `x${attempt}` })).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    });
    it("ends when one signs out, and with its credential", async () => {
      const one = await sessionOf(instance(), "first");
      const out = await instance().send("DELETE", "/_medley/session", { headers: one.headers });
      expect([out.status, out.headers.get("set-cookie")]).toEqual([204, expect.stringMatching(/Max-Age=0/)]);
      expect((await read(one.headers)).status).toBe(401);
      const made = await instance().bearer("POST", "/_medley/credentials", {
        body: { kind: "token", scopes: ["medley:ReadOwn"] },
      });
      const { id, token } = made.body.credential;
      const sent = await signIn(instance(), { token });
      const headers = { cookie: cookieOf(sent), "x-medley-csrf": sent.body.csrf };
      expect([(await read(headers, "requests")).status, (await read(headers)).status]).toEqual([200, 403]);
      await instance().bearer("DELETE", `/_medley/credentials?id=${id}`);
      expect((await read(headers, "requests")).status).toBe(401);
    });
    it("makes room for new ones: of an account there are twenty, and the request log shows no secret of any", async () => {
      const first = await sessionOf(instance(), "second");
      for (let count = 0; count < 20; count += 1) await sessionOf(instance(), "second");
      expect((await read(first.headers, "requests")).status).toBe(401);
      const { cookie, csrf, headers } = await sessionOf(instance(), "second");
      await read(headers, "outbox");
      const { text } = await instance().bearer("GET", "/_medley/requests?limit=1000");
      for (const secret of [csrf, cookie.split("=")[1], "ann-password-1", accounts.second.tokens[0]])
        expect(text.includes(String(secret))).toBe(false);
    });
  },
  options,
);

it("a session's cookie goes over TLS only where the public address has it, and its pages are of that origin", async () => {
  const instance = await startInstance({ services: [], publicUrl: "https://medley.example" });
  const body = { token: accounts.first.tokens[0] };
  const sent = await signIn(instance, body, { origin: "https://medley.example" });
  expect([sent.status, sent.headers.get("set-cookie")]).toEqual([200, expect.stringMatching(/; Secure$/)]);
  expect((await signIn(instance, body, { origin: instance.url })).status).toBe(403);
  await instance.stop();
});
