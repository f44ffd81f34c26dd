/** Attacks on people and their pages: guessing, forged forms, planted sessions, frames, leaks. */
import { request as secureRequest } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authorizeUrl,
  formsOf,
  registerClient,
  TestBrowser,
  type TestClient,
  type Visit,
} from "../../../../tests/support/identity-browser.ts";
import { type Instance, onBothDatabases, startInstance } from "../../../../tests/support/medley.ts";
import { processorMsWhile } from "../../../../tests/support/processor-time.ts";

const SESSION = "identity_session";
const ann = { username: "ann", password: "ann-password-1" };
const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);
const textOf = (page: Visit): string => /role="alert"[^>]*>(.*?)<\/div>/.exec(page.html)?.[1] ?? "";

async function guess(instance: Instance, fields: Record<string, string>): Promise<Visit> {
  const browser = new TestBrowser(instance);
  return browser.submit(await browser.open("/identity/sign-in"), ending("/sign-in"), fields);
}

onBothDatabases("identity: guessing", (instance) => {
  it("is stopped after five wrong passwords, whether or not the name exists, until time has passed", async () => {
    for (const username of ["ann", "no-such-person"]) {
      for (let i = 0; i < 5; i += 1) {
        const wrong = await guess(instance(), { username, password: `guess number ${i}` });
        expect([wrong.status, textOf(wrong)]).toEqual([401, "<p>The name or the password is not right.</p>"]);
      }
      const locked = await guess(instance(), { username: username.toUpperCase(), password: ann.password });
      expect(locked.status).toBe(429);
      expect(textOf(locked)).toContain("Please wait 15 minutes");
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(890);
      expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    }
    await instance().clock.advance("14m");
    expect((await guess(instance(), ann)).status).toBe(429);
    await instance().clock.advance("2m");
    expect((await guess(instance(), ann)).status).toBe(303);
  });

  it("gains nothing from many attempts at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => guess(instance(), { username: "bob", password: `guess ${i}` })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it("is forgiven after a right password", async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) await guess(instance(), { ...ann, password: "not it" });
      expect((await guess(instance(), ann)).status).toBe(303);
    }
  });
});

describe("identity: guessing over many names, and by the clock", () => {
  let running: Instance;
  beforeAll(async () => {
    running = await startInstance({ services: ["identity"] });
  });
  afterAll(() => running.stop());
  const instance = () => running;

  it("is stopped for a whole network after a hundred failures, over many names", async () => {
    const names = Array.from({ length: 130 }, (_, i) => `sprayed${i}`);
    const statuses: number[] = [];
    for (let i = 0; i < names.length; i += 10) {
      const some = await Promise.all(
        names.slice(i, i + 10).map((username) => guess(instance(), { username, password: "spring2026!" })),
      );
      statuses.push(...some.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(100);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(instance(), ann)).status).toBe(429);
    await instance().clock.advance("16m");
    expect((await guess(instance(), ann)).status).toBe(303);
  });

  it("takes as long for an unknown name as for a wrong password", async () => {
    const timed = async (username: string) => {
      const browser = new TestBrowser(instance());
      const page = await browser.open("/identity/sign-in");
      return processorMsWhile(async () => {
        await browser.submit(page, ending("/sign-in"), { username, password: "some wrong password" });
      });
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      known.push(await timed("ann"));
      unknown.push(await timed(`nobody${i}`));
    }
    // The minimum of several runs: other work of the process can only increase a time.
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });
});

describe("identity: forged forms and planted sessions", () => {
  let instance: Instance;
  let client: TestClient;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"] });
    client = await registerClient(instance);
  });
  afterAll(() => instance.stop());
  const signIn = async (browser: TestBrowser) =>
    browser.submit(await browser.open("/identity/sign-in"), ending("/sign-in"), ann);

  it.each([
    ["without the token", {}, {}],
    ["with another token", { form_token: "x".repeat(43) }, {}],
    ["from another site", undefined, { origin: "https://evil.example" }],
    ["from a page without an origin", undefined, { origin: "null" }],
    ["from another site, as the browser says", undefined, { "sec-fetch-site": "cross-site" }],
    ["from a neighbouring host", undefined, { "sec-fetch-site": "same-site" }],
  ])("a form %s does nothing", async (_name, change, headers) => {
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/sign-in");
    const token = formsOf(page.html)[0]?.fields.form_token ?? "";
    const form: Record<string, string> = { ...ann, ...(change ?? { form_token: token }) };
    const answer = await browser.open("/identity/sign-in", {
      form,
      headers: headers as Record<string, string>,
    });
    expect(answer.status).toBe(403);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  it("a token of one browser is worth nothing in another, nor after sign-in", async () => {
    const [mine, theirs] = [new TestBrowser(instance), new TestBrowser(instance)];
    const token = formsOf((await mine.open("/identity/sign-in")).html)[0]?.fields.form_token ?? "";
    await theirs.open("/identity/sign-in");
    const stolen = await theirs.open("/identity/sign-in", { form: { ...ann, form_token: token } });
    expect(stolen.status).toBe(403);
    await signIn(mine);
    const late = await mine.open("/identity/account/security");
    expect(formsOf(late.html)[0]?.fields.form_token).not.toBe(token);
  });

  it("every change of an account refuses a forged form", async () => {
    const browser = new TestBrowser(instance);
    await signIn(browser);
    const before = (await browser.open("/identity/account")).html;
    for (const path of [
      "/account/profile",
      "/account/password",
      "/account/passkeys",
      "/account/passkeys/remove",
      "/account/sessions/end",
      "/account/delete",
    ]) {
      const answer = await browser.open(`/identity${path}`, { form: { name: "Forged", session: "others" } });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    await browser.open("/identity/sign-out", { form: { form_token: "wrong" } });
    expect((await browser.open("/identity/account")).html).toBe(before);
  });

  it("a session that was planted before sign-in is not the one that is signed in", async () => {
    const attacker = new TestBrowser(instance);
    await signIn(attacker);
    const planted = attacker.cookies.get(SESSION) ?? "";
    const victim = new TestBrowser(instance);
    victim.cookies.set(SESSION, planted);
    victim.cookies.set("identity_form", "A".repeat(32));
    const page = await victim.open("/identity/interaction/none");
    expect(page.status).toBe(404);
    const form = await victim.open(
      (await victim.open(authorizeUrl(client, { prompt: "login" }))).location ?? "",
    );
    await victim.submit(form, ending("/sign-in"), ann);
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect((await attacker.open("/identity/account")).status).toBe(303);
  });

  it("signing in again makes a new secret, and the old one is worth nothing", async () => {
    const browser = new TestBrowser(instance);
    await signIn(browser);
    const old = browser.cookies.get(SESSION) ?? "";
    const form = await browser.open(
      (await browser.open(authorizeUrl(client, { prompt: "login" }))).location ?? "",
    );
    await browser.submit(form, ending("/sign-in"), ann);
    const thief = new TestBrowser(instance);
    thief.cookies.set(SESSION, old);
    expect((await thief.open("/identity/account")).status).toBe(303);
  });

  it("a session ends by itself after thirty days", async () => {
    const browser = new TestBrowser(instance);
    await signIn(browser);
    await instance.clock.advance("29d");
    expect((await browser.open("/identity/account")).status).toBe(200);
    await instance.clock.advance("2d");
    expect((await browser.open("/identity/account")).status).toBe(303);
  });

  it("pages lead nowhere but to our own paths, whatever they are asked", async () => {
    const browser = new TestBrowser(instance);
    const bait = "next=https://evil.example&redirect_uri=https://evil.example&return_to=//evil.example";
    const page = await browser.open(`/identity/sign-in?${bait}`);
    expect(page.html).not.toContain("evil.example");
    const done = await browser.submit(page, ending("/sign-in"), { ...ann, next: "https://evil.example" });
    expect(done.headers.get("location")).toBe("/identity/account");
  });

  it("what people type comes back as text", async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const again = await guess(instance, { username: attack, password: "anything at all" });
    expect(again.html).not.toContain("<script>alert");
    expect(again.html).not.toContain("<img");
    expect(again.html).toContain("&lt;script&gt;");
    const evil = await registerClient(instance, { client_name: attack });
    const browser = new TestBrowser(instance);
    const page = await browser.open((await browser.open(authorizeUrl(evil))).location ?? "");
    expect(page.html).not.toContain("<script>alert");
  });

  it("a mail never carries a host name that only a request claims", async () => {
    const forged = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/forgotten", { headers: forged });
    const token = formsOf(page.html)[0]?.fields.form_token ?? "";
    await browser.open("/identity/forgotten", {
      form: { username: "ann", form_token: token },
      headers: forged,
    });
    const { body } = await instance.bearer("GET", "/_medley/outbox?kind=mail");
    expect(body.messages[0].body.link).toContain(`${instance.url}/identity/reset?token=`);
  });

  it("a link to a new password runs out after an hour", async () => {
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/forgotten");
    await browser.submit(page, ending("/forgotten"), { username: "ann" });
    const { body } = await instance.bearer("GET", "/_medley/outbox?kind=mail");
    await instance.clock.advance("59m");
    expect((await browser.open(body.messages[0].body.link)).status).toBe(200);
    await instance.clock.advance("2m");
    expect((await browser.open(body.messages[0].body.link)).status).toBe(400);
  });
});

describe("identity: what protects pages", () => {
  let instance: Instance;
  let client: TestClient;
  beforeAll(async () => {
    instance = await startInstance({ services: ["identity"], tls: true });
    client = await registerClient(instance);
  });
  afterAll(() => instance.stop());

  it.each([
    "/sign-in",
    "/forgotten",
    "/reset",
    "/verify",
    "/dashboard/sign-in",
    "/interaction/unknown",
    "/authorize",
  ])("%s is kept nowhere, framed nowhere, and runs nothing foreign", async (path) => {
    const { headers, html } = await new TestBrowser(instance).open(`/identity${path}`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it("only the modal may be framed, and only by the application it is for", async () => {
    const policyOf = async (display: string) => {
      const browser = new TestBrowser(instance);
      const page = await browser.open((await browser.open(authorizeUrl(client, { display }))).location ?? "");
      return page.headers.get("content-security-policy") ?? "";
    };
    expect(await policyOf("page")).toContain("frame-ancestors 'none'");
    expect(await policyOf("popup")).toContain("frame-ancestors 'none'");
    expect(await policyOf("modal")).toContain("frame-ancestors http://localhost:9;");
    expect(await policyOf("page")).toContain("form-action 'self' http://localhost:9;");
  });

  it("in a frame a click is not enough to agree, unless the person has just signed in", async () => {
    const browser = new TestBrowser(instance);
    const open = async (dest: string) => {
      const url = authorizeUrl(client, { display: "modal", prompt: "consent" });
      const headers = { "sec-fetch-dest": dest };
      const first = await browser.open(url, { headers });
      return browser.open(first.location ?? "", { headers });
    };
    await browser.submit(await browser.open("/identity/sign-in"), ending("/sign-in"), ann);
    expect((await open("iframe")).html).not.toContain("Your password");
    await instance.clock.advance("6m");
    expect((await open("document")).html).not.toContain("Your password");
    const framed = await open("iframe");
    expect(framed.html).toContain("Your password");
    const clicked = await browser.submit(framed, ending("/consent"));
    expect(clicked.status).toBe(401);
    // Old browsers do not report it, so a frame is assumed.
    const agreed = await browser.submit(framed, ending("/consent"), { password: ann.password });
    expect(agreed.status).toBe(303);
  });

  it("cookies are out of reach of scripts and other sites, as far as the connection allows", async () => {
    const plain = new TestBrowser(instance);
    const done = await plain.submit(await plain.open("/identity/sign-in"), ending("/sign-in"), ann);
    const cookies = done.headers.getSetCookie();
    const session = cookies.find((cookie) => cookie.startsWith("identity_session="));
    expect(session).toMatch(/; Path=\/identity; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const state = cookies.find((cookie) => cookie.startsWith("identity_browser_state="));
    expect(state).not.toContain("HttpOnly");

    const page = await secured(instance, "GET", "/identity/sign-in");
    const token = formsOf(page.html)[0]?.fields.form_token ?? "";
    expect(page.cookies[0]).toMatch(/^__Host-identity_form=\w+; Path=\/; HttpOnly; SameSite=None; Secure$/);
    const cookie = page.cookies.map((one) => one.split(";")[0]).join("; ");
    const signedIn = await secured(instance, "POST", "/identity/sign-in", cookie, {
      ...ann,
      form_token: token,
    });
    expect(signedIn.status).toBe(303);
    expect(signedIn.cookies.find((one) => one.startsWith("__Host-identity_session="))).toMatch(
      /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=None; Secure$/,
    );
    expect(signedIn.cookies.find((one) => one.startsWith("identity_browser_state="))).toMatch(
      /; Path=\/identity; Max-Age=2592000; SameSite=None; Secure$/,
    );
  });

  it("an owner's cookie goes to the dashboard alone, and never along from another site", async () => {
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/dashboard/sign-in");
    const done = await browser.submit(page, ending("/dashboard/sign-in"), {
      username: "first",
      password: "first-password",
    });
    expect(done.headers.getSetCookie()[0]).toMatch(
      /^identity_owner=[^;]+; Path=\/identity\/dashboard; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
  });
});

type Secured = { readonly status: number; readonly html: string; readonly cookies: readonly string[] };
function secured(
  instance: Instance,
  method: string,
  path: string,
  cookie = "",
  form?: Record<string, string>,
): Promise<Secured> {
  const { tlsUrl, certificateAuthorityPem } = instance.medley;
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...(form && { "content-type": "application/x-www-form-urlencoded" }) };
    const sent = secureRequest(
      `${tlsUrl}${path}`,
      { method, headers, ca: certificateAuthorityPem, agent: false },
      (answer) => {
        let html = "";
        answer.on("data", (chunk) => {
          html += chunk;
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, html, cookies: answer.headers["set-cookie"] ?? [] }),
        );
      },
    ).on("error", reject);
    sent.end(form && new URLSearchParams(form).toString());
  });
}
