/** People and their pages over HTTP: signing up and in, passwords, sessions, profile. */
import { expect, it } from "vitest";
import {
  authorizeUrl,
  formsOf,
  obtainTokens,
  registerClient,
  TestBrowser,
  userinfo,
  type Visit,
} from "../../../../tests/support/identity-browser.ts";
import { type Instance, onBothDatabases } from "../../../../tests/support/medley.ts";

const SESSION = "identity_session";
type Mail = { target: string; account: string; body: { text: string; link?: string; code?: string } };

async function mailsTo(instance: Instance, address: string): Promise<Mail[]> {
  const { body } = await instance.bearer("GET", "/_medley/outbox?kind=mail&service=identity&limit=1000");
  return body.messages.filter((mail: Mail) => mail.target === address);
}
const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);

/** A journey up to the sign-in page of an application. */
async function openSignIn(instance: Instance, browser: TestBrowser): Promise<Visit> {
  const client = await registerClient(instance);
  const first = await browser.open(authorizeUrl(client, { scope: "openid email profile phone address" }));
  return browser.open(first.location ?? "");
}
async function signUp(
  instance: Instance,
  browser: TestBrowser,
  fields: Record<string, string>,
): Promise<Visit> {
  const page = await openSignIn(instance, browser);
  const form = await browser.open(`${page.url}/sign-up`);
  return browser.submit(form, ending("/sign-up"), fields);
}
async function signIn(browser: TestBrowser, username: string, password: string): Promise<Visit> {
  const page = await browser.open("/identity/sign-in");
  return browser.submit(page, ending("/sign-in"), { username, password });
}
let counter = 0;
const fresh = () => {
  counter += 1;
  return `user${counter}x${Math.floor(performance.now())}`;
};
async function makePerson(instance: Instance, password = "quiet river stone") {
  const username = fresh();
  const browser = new TestBrowser(instance);
  const email = `${username}@example.org`;
  const name = "Bo Test".padEnd(200, "n");
  const done = await signUp(instance, browser, { name, username, email, password });
  expect(done.status).toBe(303);
  return { username, email, password, browser, resume: done.location ?? "" };
}

onBothDatabases("identity: people", (instance) => {
  it("sign up for an application and are signed in", async () => {
    const { browser, resume, email } = await makePerson(instance());
    const consent = await browser.open((await browser.open(resume)).location ?? "");
    expect(consent.html).toContain("Test application asks for");
    expect(consent.html).toContain(email);
    const done = await browser.submit(consent, ending("/consent"));
    const answered = await browser.open(done.location ?? "");
    expect(new URL(answered.location ?? "").searchParams.get("code")).toBeTruthy();
  });

  it.each([
    ["username", { username: "a" }, "at least 3"],
    ["username", { username: "a b c" }, "letters and digits"],
    ["username", { username: "ann@example.org" }, "letters and digits"],
    ["email", { email: "nonsense" }, "e-mail address"],
    ["password", { password: "short" }, "at least 10"],
    ["password", { password: "password1234" }, "easy to guess"],
    ["password", { password: "aaaaaaaaaaaaaa" }, "easy to guess"],
    ["name", { name: "n".repeat(201) }, "up to 200"],
    ["username", { username: "ANN" }, "taken"],
  ])("are told what is wrong with the %s %o", async (field, change, text) => {
    const browser = new TestBrowser(instance());
    const page = await signUp(instance(), browser, {
      username: fresh(),
      email: "x@example.org",
      password: "quiet river stone",
      ...change,
    });
    expect(page.status).toBe(400);
    const problem = new RegExp(`id="${field}-problem">([^<]*)`).exec(page.html)?.[1] ?? "";
    expect(problem.toLowerCase()).toContain(text);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  it("confirm their address once, and may then sign in by it", async () => {
    const { email, password } = await makePerson(instance());
    expect((await signIn(new TestBrowser(instance()), email, password)).status).toBe(401);
    const [mail] = await mailsTo(instance(), email);
    expect(mail?.account).toBe("111111111111");
    const visitor = new TestBrowser(instance());
    // A mail scanner that opens every link must not change anything.
    const page = await visitor.open(mail?.body.link ?? "");
    expect((await signIn(new TestBrowser(instance()), email, password)).status).toBe(401);
    expect((await visitor.submit(page, ending("/verify"))).html).toContain("Your address is confirmed");
    expect((await signIn(new TestBrowser(instance()), email, password)).status).toBe(303);
    expect((await visitor.submit(page, ending("/verify"))).status).toBe(400);
  });

  it("cannot take an address that somebody else has confirmed", async () => {
    const browser = new TestBrowser(instance());
    const username = fresh();
    await signUp(instance(), browser, { username, email: "Ann@Example.org", password: "quiet river stone" });
    const mail = (await mailsTo(instance(), "Ann@Example.org")).find(({ body }) =>
      body.text.includes(username),
    );
    const page = await browser.open(mail?.body.link ?? "");
    const refused = await browser.submit(page, ending("/verify"));
    expect([refused.status, refused.html.includes("somebody else")]).toEqual([400, true]);
    const { status } = await signIn(new TestBrowser(instance()), "ann@example.org", "ann-password-1");
    expect(status).toBe(303);
  });

  it("choose a new password by mail: once, within the hour, and everybody else is signed out", async () => {
    const { username, email, browser } = await makePerson(instance());
    const visitor = new TestBrowser(instance());
    const ask = async (name: string) =>
      visitor.submit(await visitor.open("/identity/forgotten"), ending("/forgotten"), { username: name });
    const known = await ask(username);
    const unknown = await ask("nobody-of-that-name");
    expect([unknown.status, unknown.html]).toEqual([200, known.html]);
    await ask(username);
    const links = (await mailsTo(instance(), email)).flatMap(({ body }) =>
      body.link?.includes("/reset") ? [body.link] : [],
    );
    const [newest = "", older = ""] = links;
    expect((await visitor.open(older)).status).toBe(400);
    const page = await visitor.open(newest);
    const weak = await visitor.submit(page, ending("/reset"), { password: username });
    expect(weak.html).toContain("password-problem");
    const done = await visitor.submit(page, ending("/reset"), { password: "another quiet river" });
    expect(done.html).toContain("Your password is changed");
    expect((await visitor.submit(page, ending("/reset"), { password: "a third quiet river" })).status).toBe(
      400,
    );
    expect((await browser.open("/identity/account")).location).toContain("/sign-in");
    expect((await signIn(new TestBrowser(instance()), email, "another quiet river")).status).toBe(303);
  });

  it.each(["evil.example", "127.evil.example"])(
    "get a code instead of a link where the host name could be anybody's: %s",
    async (host) => {
      const evil = { host, "x-forwarded-host": host };
      const { url } = instance();
      const forgetting = async (username: string, email: string) => {
        expect(await rawPost(url, "/identity/forgotten", { username }, evil)).toBe("200");
        const [mail] = await mailsTo(instance(), email);
        expect(JSON.stringify(mail)).not.toContain("evil.example");
        return mail;
      };
      // She has proven her address and signed in here, so this address is known to be good.
      await signIn(new TestBrowser(instance()), "ann", "ann-password-1");
      expect((await forgetting("ann", "ann@example.org"))?.body.link).toContain(
        `${url}/identity/reset?token=`,
      );
      // An unproven address may belong to a different person.
      const unproven = await makePerson(instance());
      expect((await forgetting(unproven.username, unproven.email))?.body.link).toBeUndefined();
      const users = [{ username: "never-here", password: "never-password", email: "never@example.org" }];
      await instance().bearer("POST", "/_medley/credentials", {
        body: { accounts: [{ id: "333333333333", users }] },
      });
      const coded = await forgetting("never-here", "never@example.org");
      expect(coded?.body.link).toBeUndefined();
      const browser = new TestBrowser(instance());
      const done = await browser.submit(await browser.open("/identity/reset"), ending("/reset"), {
        token: coded?.body.code ?? "",
        password: "quiet river stone",
      });
      expect(done.html).toContain("Your password is changed");
    },
  );

  it("edit their profile, which applications then see", async () => {
    const { browser, username } = await makePerson(instance());
    const page = await browser.open("/identity/account");
    const done = await browser.submit(page, ending("/account/profile"), {
      name: "Bo <b>Test",
      given_name: "Bo",
      phone_number: "+41 44 123 45 67",
      birthdate: "1990-02-28",
      zoneinfo: "Europe/Zurich",
      locale: "de-CH",
      street_address: "Seestrasse 1",
      locality: "Zürich",
      country: "CH",
      latitude: "47.3769",
      longitude: "8.5417",
    });
    expect(done.status).toBe(303);
    const client = await registerClient(instance());
    const { access_token } = await obtainTokens(instance(), client, {
      browser,
      scope: "openid profile email phone address vendor:location",
    });
    const { body } = await userinfo(instance(), access_token);
    expect(body).toMatchObject({
      name: "Bo <b>Test",
      given_name: "Bo",
      preferred_username: username,
      phone_number: "+41441234567",
      phone_number_verified: false,
      birthdate: "1990-02-28",
      zoneinfo: "Europe/Zurich",
      address: { street_address: "Seestrasse 1", locality: "Zürich", country: "CH" },
      "vendor:location": { latitude: 47.3769, longitude: 8.5417 },
    });
    expect((await browser.open("/identity/account")).html).toContain("Bo &lt;b&gt;Test");
  });

  it("are told what is wrong with their profile, and lose nothing of what they typed", async () => {
    const { browser } = await makePerson(instance());
    const page = await browser.open("/identity/account");
    const wrong = {
      birthdate: "1990-02-30",
      website: "javascript:alert(1)",
      phone_number: "044",
      latitude: "91",
    };
    const again = await browser.submit(page, ending("/account/profile"), { ...wrong, nickname: "Bobo" });
    expect(again.status).toBe(400);
    for (const field of ["birthdate", "website", "phone_number", "latitude", "longitude"])
      expect(again.html).toContain(`id="${field}-problem"`);
    expect(again.html).toContain('value="Bobo"');
  });

  it("need their password to change the address that resets it", async () => {
    const { browser, password, email } = await makePerson(instance());
    const next = `new.${email}`;
    const change = async (given: string) =>
      browser.submit(await browser.open("/identity/account"), ending("/account/profile"), {
        email: next,
        password: given,
      });
    expect((await change("")).status).toBe(400);
    expect((await change("not the password")).status).toBe(400);
    expect(await mailsTo(instance(), next)).toEqual([]);
    expect((await change(password)).status).toBe(303);
    expect(await mailsTo(instance(), next)).toHaveLength(1);
  });

  it("are told that no mail was sent when they have asked for five within an hour", async () => {
    const { browser, email } = await makePerson(instance());
    const ask = async () =>
      (await browser.submit(await browser.open("/identity/account"), ending("/account/confirm-mail"), {}))
        .location;
    const before = (await mailsTo(instance(), email)).length;
    for (let count = 1; count <= 5; count += 1) expect(await ask()).toContain("done=mail-again");
    const sixth = await ask();
    expect(sixth).toContain("done=mail-limit");
    expect((await browser.open("/identity/account?done=mail-limit")).html).toContain("No message was sent");
    expect(await mailsTo(instance(), email)).toHaveLength(before + 5);
  });

  it("change their password, which signs out their other browsers but not this one", async () => {
    const { browser, username, password } = await makePerson(instance());
    const other = new TestBrowser(instance());
    await signIn(other, username, password);
    const page = await browser.open("/identity/account/security");
    const before = browser.cookies.get(SESSION);
    const done = await browser.submit(page, ending("/account/password"), {
      password,
      new_password: "a new quiet river",
    });
    expect(done.status).toBe(303);
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    expect((await browser.open("/identity/account")).status).toBe(200);
    expect((await other.open("/identity/account")).status).toBe(303);
  });

  it("see and end their other sessions, and nobody else's", async () => {
    const { browser, username, password } = await makePerson(instance());
    const [other, stranger] = [new TestBrowser(instance()), new TestBrowser(instance())];
    await signIn(other, username, password);
    await signIn(stranger, "ann", "ann-password-1");
    const page = await browser.open("/identity/account/security");
    const end = formsOf(page.html).filter(({ fields }) => "session" in fields && fields.session !== "others");
    expect(end).toHaveLength(1);
    const strangersPage = await stranger.open("/identity/account/security");
    const token = formsOf(strangersPage.html)[0]?.fields.form_token ?? "";
    const session = end[0]?.fields.session ?? "";
    await stranger.open("/identity/account/sessions/end", { form: { form_token: token, session } });
    expect((await other.open("/identity/account")).status).toBe(200);
    await browser.submit(page, ({ fields }) => fields.session === session);
    expect((await other.open("/identity/account")).status).toBe(303);
    expect((await browser.open("/identity/account")).status).toBe(200);
  });

  it("take back what an application was allowed; its tokens stop working", async () => {
    const { browser } = await makePerson(instance());
    const client = await registerClient(instance(), { client_name: "Nosy <i>app</i>" });
    const { access_token } = await obtainTokens(instance(), client, { browser });
    const page = await browser.open("/identity/account/applications");
    expect(page.html).toContain("Nosy &lt;i&gt;app&lt;/i&gt;");
    await browser.submit(page, ({ fields }) => fields.client_id === client.client_id);
    expect((await userinfo(instance(), access_token)).status).toBe(401);
    expect((await browser.open("/identity/account/applications")).html).not.toContain("Nosy");
    const asked = await browser.open(authorizeUrl(client));
    expect((await browser.open(asked.location ?? "")).html).toContain("asks for");
  });

  it("delete their account with everything in it", async () => {
    const { browser, username, password } = await makePerson(instance());
    const client = await registerClient(instance());
    const { access_token } = await obtainTokens(instance(), client, { browser });
    const page = await browser.open("/identity/account/security");
    expect((await browser.submit(page, ending("/account/delete"), { delete_password: "wrong" })).status).toBe(
      400,
    );
    const gone = await browser.submit(page, ending("/account/delete"), { delete_password: password });
    expect(gone.status).toBe(303);
    expect((await userinfo(instance(), access_token)).status).toBe(401);
    expect((await signIn(new TestBrowser(instance()), username, password)).status).toBe(401);
  });

  it("of two accounts may have one name; who means which is asked where it matters", async () => {
    const user = { username: "twin", password: "twin-password-1" };
    const other = { username: "twin", password: "twin-password-2" };
    const load = (users: object[]) =>
      instance().bearer("POST", "/_medley/credentials", {
        body: {
          accounts: [
            { id: "333333333333", users },
            { id: "444444444444", users: [user] },
          ],
        },
      });
    expect((await load([other])).status).toBe(201);
    expect((await signIn(new TestBrowser(instance()), "twin", "twin-password-2")).status).toBe(303);
    expect((await load([user])).status).toBe(201);
    const browser = new TestBrowser(instance());
    const asked = await signIn(browser, "twin", "twin-password-1");
    expect([asked.status, asked.html.includes("Account number")]).toEqual([400, true]);
    const done = await browser.submit(asked, ending("/sign-in"), { ...user, account: "444444444444" });
    expect(done.status).toBe(303);
    expect((await signIn(new TestBrowser(instance()), "twin", "twin-password-2")).status).toBe(401);
  });

  it("named in the credentials file are there again after a reset, as the file describes them", async () => {
    const subjectOf = async () => {
      const { access_token } = await obtainTokens(instance(), await registerClient(instance()));
      return (await userinfo(instance(), access_token)).body.sub;
    };
    const before = await subjectOf();
    const stranger = await makePerson(instance());
    expect((await instance().bearer("POST", "/_medley/state/reset", { body: {} })).status).toBeLessThan(300);
    expect((await signIn(new TestBrowser(instance()), stranger.username, stranger.password)).status).toBe(
      401,
    );
    const taken = await signUp(instance(), new TestBrowser(instance()), {
      username: "ann",
      email: "x@example.org",
      password: "quiet river stone",
    });
    expect(taken.html).toContain("This name is taken");
    expect(await subjectOf()).toBe(before);
    expect((await signIn(new TestBrowser(instance()), "ann@example.org", "ann-password-1")).status).toBe(303);
  });

  it("named in the credentials file keep who they are when it is loaded again", async () => {
    const client = await registerClient(instance());
    const before = await obtainTokens(instance(), client);
    const users = [{ username: "Ann", password: "ann-password-1", email: "ann@example.org" }];
    await instance().bearer("POST", "/_medley/credentials", {
      body: { accounts: [{ id: "111111111111", name: "first", admin: true, users, policies: everything }] },
    });
    const after = await obtainTokens(instance(), client);
    const sub = async (token: string) => (await userinfo(instance(), token)).body.sub;
    expect(await sub(after.access_token)).toBe(await sub(before.access_token));
  });
});
const everything = [{ effect: "Allow", actions: ["*"], resources: ["*"] }];

/** As an attacker would: any host name one likes, with the cookie and token of a page shown to oneself. */
async function rawPost(
  url: string,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
): Promise<string> {
  const { request } = await import("node:http");
  const send = (method: string, more: Record<string, string>, body = "") =>
    new Promise<{ status: number; text: string; cookie: string }>((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, headers: { ...headers, ...more } }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => {
          const cookie = (answer.headers["set-cookie"] ?? []).map((one) => one.split(";")[0]).join("; ");
          resolve({ status: answer.statusCode ?? 0, text, cookie });
        });
      }).on("error", reject);
      sent.end(body);
    });
  const page = await send("GET", {});
  const token = formsOf(page.text)[0]?.fields.form_token ?? "";
  const body = new URLSearchParams({ ...fields, form_token: token }).toString();
  const type = { "content-type": "application/x-www-form-urlencoded", cookie: page.cookie };
  return String((await send("POST", type, body)).status);
}
