/** Front-channel sign-out in a real Chromium: applications end their own sessions inside frames, then the person goes on. */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { claimsIn, exchange, registerClient, type TestClient } from "../support/identity-browser.ts";
import { IdentityStage } from "../support/identity-stage.ts";
import { RelyingParty } from "../support/relying-party.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });

let stage: IdentityStage;
let other: RelyingParty;
let client: TestClient;
beforeAll(async () => {
  stage = await IdentityStage.open();
  other = await new RelyingParty().open();
  client = await registerClient(stage.instance, {
    client_name: "Herb garden",
    redirect_uris: [`${other.url}/answer`],
    frontchannel_logout_uri: `${other.url}/out?from=medley`,
    frontchannel_logout_session_required: true,
  });
}, 300_000);
afterAll(async () => {
  await other?.close();
  await stage?.close();
});

const idTokenFor = async (asker: TestClient, page: Page, application: RelyingParty): Promise<string> => {
  await page.waitForURL(`${application.url}/answer**`);
  const code = new URL(page.url()).searchParams.get("code") ?? "";
  const { body } = await exchange(stage.instance, asker, code, { redirect_uri: `${application.url}/answer` });
  return body.id_token;
};
/** Signed in to both applications; answers the ID token of the first and the session's name at the second. */
async function signInToBoth(page: Page) {
  await stage.signInAndAllow(page);
  const idToken = await idTokenFor(stage.client, page, stage.application);
  const redirect_uri = `${other.url}/answer`;
  await page.goto(stage.authorizeUrl({ redirect_uri, prompt: "consent" }, client.client_id));
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  const { sid } = claimsIn(await idTokenFor(client, page, other));
  return { idToken, sid };
}
const logoutUrl = (idToken: string): string =>
  `${stage.base}/logout?${new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: `${stage.application.url}/answer`,
    state: "bye",
  })}`;
const hasOwnSession = async (context: BrowserContext): Promise<boolean> =>
  (await context.cookies()).some(({ name }) => name === "application_session");

it("another application ends its session in a frame, and the browser arrives by itself", async () => {
  const { context, page } = await stage.visit();
  const { idToken, sid } = await signInToBoth(page);
  await page.goto(`${other.url}/session`);
  expect(await hasOwnSession(context)).toBe(true);
  await page.goto(logoutUrl(idToken));
  await page.waitForURL(`${stage.application.url}/answer?state=bye`);
  await expect.poll(() => hasOwnSession(context)).toBe(false);
  const told = other.visits.filter(({ pathname }) => pathname === "/out");
  expect(told.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { from: "medley", iss: stage.base, sid },
  ]);
  await page.goto(`${stage.base}/account`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(stage.complaints).toEqual([]);
  await context.close();
});

it("without script the frames are shown all the same, and a link leads on", async () => {
  const { context, page } = await stage.visit({ javaScriptEnabled: false });
  const before = other.visits.length;
  const { idToken } = await signInToBoth(page);
  await page.goto(logoutUrl(idToken));
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await expect.poll(() => other.visits.slice(before).some(({ pathname }) => pathname === "/out")).toBe(true);
  await page.getByRole("link", { name: "Continue" }).click();
  await page.waitForURL(`${stage.application.url}/answer?state=bye`);
  await context.close();
});
