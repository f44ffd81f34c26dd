/** The owner's dashboard over HTTP. */
import { expect, it } from "vitest";
import * as oidc from "../../../../tests/support/identity-browser.ts";
import { accounts, onBothDatabases } from "../../../../tests/support/medley.ts";

const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);

onBothDatabases("identity: the owner's dashboard", (instance) => {
  const enter = async (browser: oidc.TestBrowser, fields: Record<string, string>) =>
    browser.submit(await browser.open("/identity/dashboard/sign-in"), ending("/dashboard/sign-in"), fields);
  const owner = async (name: "first" | "second" = "first") => {
    const browser = new oidc.TestBrowser(instance());
    const done = await enter(browser, { username: name, password: `${name}-password` });
    expect([done.status, new URL(done.location ?? "").pathname]).toEqual([303, "/identity/dashboard"]);
    return browser;
  };

  it("opens by the account's user name and password or by a token, and by nothing else", async () => {
    expect((await new oidc.TestBrowser(instance()).open("/identity/dashboard")).location).toContain(
      "/dashboard/sign-in",
    );
    const byToken = new oidc.TestBrowser(instance());
    expect((await enter(byToken, { token: "first-token-0001" })).status).toBe(303);
    expect((await byToken.open("/identity/dashboard")).html).toContain("account 111111111111");
    const mistakes: Record<string, string>[] = [
      { username: "first", password: "wrong" },
      { token: "wrong" },
      {},
    ];
    for (const wrong of mistakes) {
      const refused = await enter(new oidc.TestBrowser(instance()), wrong);
      expect(refused.location).toContain("failed=1");
    }
    // An end user is not an owner.
    const ann = await enter(new oidc.TestBrowser(instance()), {
      username: "ann",
      password: "ann-password-1",
    });
    expect(ann.location).toContain("failed=1");
  });

  it("registers, changes, rotates and deletes clients", async () => {
    const browser = await owner();
    const form = await browser.open("/identity/dashboard/clients/new");
    const made = await browser.submit(form, ending("/dashboard/clients"), {
      client_name: "Bird watch",
      client_uri: "https://birds.example.org",
      redirect_uris: "http://localhost:9/answer",
      response_types: "code",
    });
    expect(made.status).toBe(200);
    const secret = /id="client-secret"[^>]*>([^<]+)/.exec(made.html)?.[1] ?? "";
    const clientId = /id="client-id"[^>]*>([^<]+)/.exec(made.html)?.[1] ?? "";
    const client = {
      client_id: clientId,
      client_secret: secret,
      registration_access_token: "",
      redirect_uris: ["http://localhost:9/answer"],
    };
    expect((await oidc.obtainTokens(instance(), client)).access_token).toBeTruthy();

    const path = `/identity/dashboard/clients/${clientId}`;
    const page = await browser.open(path);
    expect(page.html).not.toContain(secret);
    const saved = await browser.submit(page, ({ action }) => action.endsWith(path), {
      client_name: "Bird & bee watch",
      redirect_uris: "http://localhost:9/answer\r\nhttps://birds.example.org/answer",
    });
    expect(saved.status).toBe(303);
    const { body } = await instance().bearer("GET", `/identity/client/${clientId}`);
    expect(body.client_name).toBe("Bird & bee watch");
    expect(body.redirect_uris).toEqual(["http://localhost:9/answer", "https://birds.example.org/answer"]);
    expect(body.response_types).toEqual(["code"]);

    const rotated = await browser.submit(page, ending("/rotate"));
    const next = /id="client-secret"[^>]*>([^<]+)/.exec(rotated.html)?.[1] ?? "";
    const { code } = oidc.parametersOf(
      await new oidc.TestBrowser(instance()).travel(oidc.authorizeUrl(client)),
    );
    expect((await oidc.exchange(instance(), client, code)).status).toBe(401);
    expect((await oidc.exchange(instance(), { ...client, client_secret: next }, code)).status).toBe(200);

    const deleted = await browser.submit(page, ending("/delete"));
    expect((await browser.open(deleted.location ?? "")).html).toContain("The application is deleted");
    expect((await instance().bearer("GET", `/identity/client/${clientId}`)).status).toBe(404);
    expect((await browser.open(path)).status).toBe(404);
  });

  it.each([
    ["client_name", { client_name: "" }],
    ["client_uri", { client_uri: "javascript:alert(1)" }],
    ["redirect_uris", { redirect_uris: "http://evil.example/answer" }],
    ["default_max_age", { default_max_age: "soon" }],
    ["contacts", { contacts: "nobody" }],
    ["scope", { scope: "everything" }],
  ])("says what is wrong with %s and keeps the rest", async (field, change) => {
    const browser = await owner();
    const form = await browser.open("/identity/dashboard/clients/new");
    const again = await browser.submit(form, ending("/dashboard/clients"), {
      client_name: "Kept name",
      client_uri: "https://kept.example.org",
      response_types: "code",
      ...change,
    });
    expect(again.status).toBe(400);
    expect(again.html).toContain(`id="${field}-problem"`);
    if (field !== "client_uri") expect(again.html).toContain('value="https://kept.example.org"');
  });

  it("keeps accounts apart, and honours permissions", async () => {
    const client = await oidc.registerClient(instance());
    const second = await owner("second");
    expect((await second.open("/identity/dashboard")).html).not.toContain(client.client_id);
    expect((await second.open(`/identity/dashboard/clients/${client.client_id}`)).status).toBe(404);
    const { body } = await instance().bearer("POST", "/_medley/credentials", {
      body: { kind: "token", scopes: ["identity:ListClients", "identity:GetClient"] },
    });
    const reader = new oidc.TestBrowser(instance());
    await enter(reader, { token: body.credential.token ?? body.credential.secret });
    const page = await reader.open(`/identity/dashboard/clients/${client.client_id}`);
    expect(page.status).toBe(200);
    const refused = await reader.submit(page, ending("/delete"));
    expect([refused.status, refused.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect((await instance().bearer("GET", `/identity/client/${client.client_id}`)).status).toBe(200);
  });

  it("ends with the credential that opened it: revoked, expired, or with another password", async () => {
    const make = async (body: Record<string, string>) =>
      (await instance().bearer("POST", "/_medley/credentials", { body })).body.credential;
    const isIn = async (browser: oidc.TestBrowser) =>
      (await browser.open("/identity/dashboard")).status === 200;

    const revoked = await make({ kind: "token" });
    const byToken = new oidc.TestBrowser(instance());
    await enter(byToken, { token: revoked.token });
    expect(await isIn(byToken)).toBe(true);
    const bystander = await owner();
    await instance().bearer("DELETE", `/_medley/credentials?id=${revoked.id}`);
    expect((await byToken.open("/identity/dashboard")).location).toContain("/dashboard/sign-in");
    const changing = await byToken.open("/identity/dashboard/clients", { form: { client_name: "Late" } });
    expect([changing.status, changing.location]).toEqual([303, expect.stringContaining("/sign-in")]);
    expect(await isIn(bystander)).toBe(true);

    const basic = await make({ kind: "basic", username: `owner-${revoked.id}` });
    const byPassword = new oidc.TestBrowser(instance());
    await enter(byPassword, basic);
    expect(await isIn(byPassword)).toBe(true);
    const { basic: kept, ...account } = accounts.first;
    await instance().bearer("POST", "/_medley/credentials", {
      body: {
        accounts: [
          { ...account, basic: [...kept, { username: basic.username, password: "another-password" }] },
        ],
      },
    });
    expect(await isIn(byPassword)).toBe(false);
    expect(await isIn(bystander)).toBe(true);

    const brief = await make({ kind: "token", expiresIn: "10m" });
    const byBrief = new oidc.TestBrowser(instance());
    await enter(byBrief, { token: brief.token });
    expect(await isIn(byBrief)).toBe(true);
    await instance().clock.advance("11m");
    expect(await isIn(byBrief)).toBe(false);
  });

  it("knows the addresses for sign-outs and the names for people", async () => {
    const client = await oidc.registerClient(instance(), {
      subject_type: "pairwise",
      backchannel_logout_uri: "https://birds.example.org/out",
      backchannel_logout_session_required: true,
      frontchannel_logout_uri: "http://localhost:9/out",
    });
    const browser = await owner();
    const path = `/identity/dashboard/clients/${client.client_id}`;
    const page = await browser.open(path);
    expect(page.html).toContain('<option value="pairwise" selected>');
    const chosen = { application_type: "web", id_token_signed_response_alg: "ES256" };
    await browser.submit(page, ({ action }) => action.endsWith(path), {
      ...chosen,
      subject_type: "pairwise",
    });
    const { body } = await instance().bearer("GET", `/identity/client/${client.client_id}`);
    expect(body).toMatchObject({
      subject_type: "pairwise",
      backchannel_logout_uri: "https://birds.example.org/out",
      backchannel_logout_session_required: true,
      frontchannel_logout_uri: "http://localhost:9/out",
      frontchannel_logout_session_required: false,
    });
    const again = await browser.submit(page, ({ action }) => action.endsWith(path), {
      ...chosen,
      frontchannel_logout_uri: "https://elsewhere.example.org/out",
    });
    expect(again.status).toBe(400);
    expect(again.html).toContain('id="frontchannel_logout_uri-problem"');
  });

  it("lets nobody in after sign-out", async () => {
    const browser = await owner();
    const page = await browser.open("/identity/dashboard");
    await browser.submit(page, ending("/dashboard/sign-out"));
    expect((await browser.open("/identity/dashboard")).location).toContain("/dashboard/sign-in");
  });
});
