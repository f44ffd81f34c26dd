/** The identity service behind a proxy that ends TLS, in a real Chromium that keeps no cookies of other sites in frames. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { addAuthenticator } from "../support/browser.ts";
import { exchange } from "../support/identity-browser.ts";
import { ann, IdentityStage } from "../support/identity-stage.ts";
import { TlsProxy } from "../support/tls-proxy.ts";

vi.setConfig({ testTimeout: 90_000 });

let proxy: TlsProxy;
let stage: IdentityStage;
beforeAll(async () => {
  proxy = await TlsProxy.open();
  stage = await IdentityStage.open(proxy.url);
  proxy.target = stage.instance.url;
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await proxy?.close();
});
const visit = () => stage.visit({ ignoreHTTPSErrors: true });

it("signs in, with cookies that only a secure connection carries", async () => {
  const { context, page } = await visit();
  const answer = await stage.signInAndAllow(page);
  expect(answer.get("code")).toBeTruthy();
  expect(answer.get("iss")).toBe(stage.base);
  const cookies = await context.cookies(stage.base);
  expect(cookies.map(({ name }) => name).sort()).toEqual([
    "__Host-identity_agent",
    "__Host-identity_form",
    "__Host-identity_session",
    "identity_browser_state",
  ]);
  for (const { secure, sameSite } of cookies) expect([secure, sameSite]).toEqual([true, "None"]);
  await page.goto(`${stage.base}/account/security`);
  expect(await page.getByText("127.0.0.1").count()).toBe(1);
  await context.close();
});

it("adds a passkey for the public host name, and signs in with it", async () => {
  const opened = await visit();
  const { context, page } = opened;
  const person = await stage.signUp(page);
  await addAuthenticator(opened);
  await page.goto(`${stage.base}/account/security`);
  const card = page.getByRole("region", { name: "Passkeys" });
  await card.getByLabel("Current password").fill(person.password);
  await card.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey is added.").waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: /Person/ }).waitFor();
  await context.close();
});

it("oidcc-session-management-rp-initiated-logout: the modal signs in inside another site's page, which learns of the sign-out", async () => {
  const { context, page } = await visit();
  const to = encodeURIComponent(stage.authorizeUrl({ display: "modal", prompt: "consent" }));
  await page.goto(`${stage.application.url}/embed?to=${to}`);
  const frame = page.frameLocator("#frame");
  await stage.signIn(frame, ann);
  await frame.getByRole("button", { name: "Allow", exact: true }).click();
  await frame.locator("#answer").waitFor();
  const answer = new URL(page.frames()[1]?.url() ?? "about:blank").searchParams;
  const state = answer.get("session_state") ?? "";
  const redirect_uri = `${stage.application.url}/answer`;
  const { body } = await exchange(stage.instance, stage.client, answer.get("code") ?? "", { redirect_uri });
  const watch = new URLSearchParams({
    to: `${stage.base}/${stage.client.client_id}/iframe`,
    message: `${stage.client.client_id} ${state}`,
  });
  await page.goto(`${stage.application.url}/watch?${watch}`);
  await page.frameLocator("#frame").locator("script").waitFor({ state: "attached" });
  const status = async () => {
    await page.evaluate("document.getElementById('status').textContent = 'unknown'; window.ask()");
    await page.waitForFunction("document.getElementById('status').textContent !== 'unknown'");
    return page.locator("#status").textContent();
  };
  expect(await status()).toBe("unchanged");
  const other = await context.newPage();
  const leave = new URLSearchParams({ id_token_hint: body.id_token, post_logout_redirect_uri: redirect_uri });
  await other.goto(
    `${stage.application.url}/embed?to=${encodeURIComponent(`${stage.base}/logout?${leave}`)}`,
  );
  await other.frameLocator("#frame").locator("#answer").waitFor();
  expect(await status()).toBe("changed");
  await context.close();
});

it("nothing on any page was refused by the browser", () => {
  expect(stage.complaints).toEqual([]);
});
