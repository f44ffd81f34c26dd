/** OpenID session management and sign-out begun by applications, by the names of the public conformance modules. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ann,
  authorizeUrl,
  claimsIn,
  registerClient,
  type TestBrowser,
} from "../../../../tests/support/identity-browser.ts";
import { BYE, ConformanceStage } from "../../../../tests/support/identity-conformance.ts";
import { addBob, bob } from "../../../../tests/support/identity-people.ts";

let stage: ConformanceStage;
beforeAll(async () => {
  stage = await ConformanceStage.open();
});
afterAll(() => stage.close());

const leave = (browser: TestBrowser, parameters: Record<string, string>) =>
  browser.open(`/identity/logout?${new URLSearchParams(parameters)}`);
const expectSignedIn = async (browser: TestBrowser) =>
  expect(await stage.silently(browser, { prompt: "none" })).toHaveProperty("code");
const expectSignedOut = async (browser: TestBrowser) =>
  expect(await stage.silently(browser, { prompt: "none" })).toMatchObject({ error: "login_required" });
/** The person agrees. Returns the redirect address. */
const agree = async (browser: TestBrowser, asked: { location: string | undefined }) => {
  const page = await browser.open(asked.location ?? "");
  expect(page.status).toBe(200);
  const done = await browser.submit(page, ({ action }) => action.includes("/sign-out"));
  return browser.open(done.location ?? "");
};

describe("session management", () => {
  const stateOf = (origin: string, browserState: string, salt: string) =>
    `${createHash("sha256").update(`${stage.client.client_id} ${origin} ${browserState} ${salt}`).digest("hex")}.${salt}`;

  it("oidcc-session-management-discovery-endpoint-verification", async () => {
    const { body } = await stage.instance.send("GET", "/identity/.well-known/openid-configuration");
    expect((await stage.instance.send("GET", body.check_session_iframe)).status).toBe(200);
    expect(body.end_session_endpoint).toBe(`${stage.issuer}/logout`);
  });
  it("session_state is bound to stage.client, origin and browser, and is salted", async () => {
    const { browser } = await stage.signedIn();
    const first = await stage.silently(browser, {});
    const second = await stage.silently(browser, {});
    expect(first.session_state).not.toBe(second.session_state);
    const browserState = browser.cookies.get("identity_browser_state") ?? "";
    const salt = String(first.session_state).split(".")[1] ?? "";
    expect(first.session_state).toBe(stateOf("http://localhost:9", browserState, salt));
  });
  it("errors tell the session state as well", async () => {
    const { session_state } = await stage.silently(stage.browser(), { prompt: "none" });
    const salt = String(session_state).split(".")[1] ?? "";
    expect(session_state).toBe(stateOf("http://localhost:9", "", salt));
  });
  it("oidcc-session-management-rp-initiated-logout: what the session iframe watches goes with the session", async () => {
    const { browser, id_token } = await stage.signedIn();
    const { session_state } = await stage.silently(browser, {});
    const salt = String(session_state).split(".")[1] ?? "";
    const watched = () => browser.cookies.get("identity_browser_state") ?? "";
    expect(stateOf("http://localhost:9", watched(), salt)).toBe(session_state);
    await leave(browser, { id_token_hint: id_token, post_logout_redirect_uri: BYE });
    expect(stateOf("http://localhost:9", watched(), salt)).not.toBe(session_state);
  });
  it("a sign-in as somebody else changes the browser's state, the same person again does not", async () => {
    await addBob(stage.instance);
    const { browser } = await stage.signedIn();
    const before = browser.cookies.get("identity_browser_state");
    await browser.travel(authorizeUrl(stage.client, { prompt: "login" }), { person: ann });
    expect(browser.cookies.get("identity_browser_state")).toBe(before);
    await browser.travel(authorizeUrl(stage.client, { prompt: "login" }), {
      person: bob,
    });
    expect(browser.cookies.get("identity_browser_state")).not.toBe(before);
  });
});

describe("sign-out begun by an application", () => {
  it("oidcc-rp-initiated-logout-discovery-endpoint-verification", async () => {
    expect(await stage.discovery()).toMatchObject({ end_session_endpoint: `${stage.issuer}/logout` });
  });
  it("oidcc-rp-initiated-logout", async () => {
    const { browser, id_token } = await stage.signedIn();
    const visit = await leave(browser, {
      id_token_hint: id_token,
      post_logout_redirect_uri: BYE,
      state: "ä&=1",
    });
    expect(visit.status).toBe(302);
    const { origin, pathname, searchParams } = new URL(visit.location ?? "");
    expect(`${origin}${pathname}`).toBe(BYE);
    expect(searchParams.get("state")).toBe("ä&=1");
    expect(browser.cookies.has("identity_browser_state")).toBe(false);
    await expectSignedOut(browser);
  });
  it("oidcc-rp-initiated-logout-no-state", async () => {
    const { browser, id_token } = await stage.signedIn();
    const visit = await leave(browser, { id_token_hint: id_token, post_logout_redirect_uri: BYE });
    expect(visit.location).toBe(BYE);
    await expectSignedOut(browser);
  });
  it.each([
    ["oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", "https://evil.example.org/"],
    ["oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", `${BYE}?foo=bar`],
    ["with a slash added", `${BYE}/`],
    ["with capitals", "http://LOCALHOST:9/bye"],
    ["with a user name", "http://evil@localhost:9/bye"],
  ])("%s", async (_name, target) => {
    const { browser, id_token } = await stage.signedIn();
    const visit = await leave(browser, { id_token_hint: id_token, post_logout_redirect_uri: target });
    expect(visit.status).toBe(400);
    expect(visit.location).toBeUndefined();
    await expectSignedIn(browser);
  });
  it("oidcc-rp-initiated-logout-modified-id-token-hint", async () => {
    const { browser, id_token } = await stage.signedIn();
    const [head, , tail] = id_token.split(".");
    const claims = Buffer.from(JSON.stringify({ ...claimsIn(id_token), sub: "usr_other" })).toString(
      "base64url",
    );
    for (const broken of [`${id_token.slice(0, -6)}AAAAAA`, `${head}.${claims}.${tail}`]) {
      const visit = await leave(browser, { id_token_hint: broken, post_logout_redirect_uri: BYE });
      expect(visit.status).toBe(400);
      expect(visit.location).toBeUndefined();
    }
    await expectSignedIn(browser);
  });
  it("oidcc-rp-initiated-logout-bad-id-token-hint", async () => {
    const { browser, id_token } = await stage.signedIn();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const text = id_token.split(".").slice(0, 2).join(".");
    const forged = `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
    const visit = await leave(browser, { id_token_hint: forged, post_logout_redirect_uri: BYE });
    expect(visit.status).toBe(400);
    expect(visit.location).toBeUndefined();
    await expectSignedIn(browser);
  });
  it.each([
    ["oidcc-rp-initiated-logout-no-params", {}],
    ["oidcc-rp-initiated-logout-only-state", { state: "s" }],
  ])("%s: the person is asked, and stays here", async (_name, parameters) => {
    const { browser } = await stage.signedIn();
    const asked = await leave(browser, parameters);
    expect(asked.status).toBe(303);
    await expectSignedIn(browser);
    const last = await agree(browser, asked);
    expect(last.status).toBe(200);
    expect(last.html).toContain("You are signed out");
    await expectSignedOut(browser);
  });
  it("oidcc-rp-initiated-logout-no-id-token-hint: the person is asked, then sent on", async () => {
    const { browser } = await stage.signedIn();
    const asked = await leave(browser, {
      client_id: stage.client.client_id,
      post_logout_redirect_uri: BYE,
      state: "s",
    });
    await expectSignedIn(browser);
    expect((await agree(browser, asked)).location).toBe(`${BYE}?state=s`);
    await expectSignedOut(browser);
  });
  it("oidcc-rp-initiated-logout-no-id-token-hint, without a client either: nowhere to go", async () => {
    const { browser } = await stage.signedIn();
    const visit = await leave(browser, { post_logout_redirect_uri: BYE });
    expect(visit.status).toBe(400);
    expect(visit.location).toBeUndefined();
  });
  it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri, by POST", async () => {
    const { browser, id_token } = await stage.signedIn();
    const visit = await browser.open("/identity/logout", { form: { id_token_hint: id_token, state: "s" } });
    expect(visit.status).toBe(200);
    expect(visit.location).toBeUndefined();
    await expectSignedOut(browser);
  });
  it("an ID token of another session or another client signs nobody out unasked", async () => {
    const { browser } = await stage.signedIn();
    const other = await stage.signedIn();
    const asked = await leave(browser, { id_token_hint: other.id_token, post_logout_redirect_uri: BYE });
    expect(asked.status).toBe(303);
    await expectSignedIn(browser);
    const stranger = await registerClient(stage.instance, { post_logout_redirect_uris: [BYE] });
    const mixed = await leave(browser, { id_token_hint: other.id_token, client_id: stranger.client_id });
    expect(mixed.status).toBe(400);
    await expectSignedIn(browser);
  });
  it("who refuses stays signed in, and stays here", async () => {
    const { browser } = await stage.signedIn();
    const asked = await leave(browser, { client_id: stage.client.client_id, post_logout_redirect_uri: BYE });
    const page = await browser.open(asked.location ?? "");
    const stayed = await browser.submit(page, ({ action }) => action.includes("/sign-out"), {
      decision: "stay",
    });
    const last = await browser.open(stayed.location ?? "");
    expect(last.location).toBe(`${stage.issuer}/account`);
    await expectSignedIn(browser);
  });
});
