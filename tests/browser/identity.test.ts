/** The identity service's pages in a real Chromium, as people use them. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addAuthenticator } from "../support/browser.ts";
import { ann, IdentityStage } from "../support/identity-stage.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });

let stage: IdentityStage;
beforeAll(async () => {
  stage = await IdentityStage.open();
}, 300_000);
afterAll(() => stage?.close());

describe("signing in", () => {
  it("up: a new person gets an account, agrees, arrives, and confirms the address by mail", async () => {
    const { context, page } = await stage.visit();
    const { email } = await stage.signUp(page);
    await page.getByRole("heading", { name: "Continue to Garden planner?" }).waitFor();
    expect(await page.locator(".scopes").textContent()).toContain(email);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    const answer = await stage.answerOf(page);
    expect(answer.get("code")).toBeTruthy();
    expect(answer.get("state")).toBe("a state");
    await page.goto(await stage.linkInMail(email, "/verify"));
    await page.getByRole("button", { name: "Confirm it" }).click();
    await page.getByRole("link", { name: "Go to your account" }).click();
    expect(await page.getByText("confirmed", { exact: true }).isVisible()).toBe(true);
    await context.close();
  });

  it("in: with the keyboard alone, and the next time without any question", async () => {
    const { context, page } = await stage.visit();
    await page.goto(stage.authorizeUrl({ prompt: "consent" }));
    await stage.typeInto(page, "username", ann.username);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await stage.typeInto(page, "password", ann.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Continue to Garden planner?" }).waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).focus();
    await page.keyboard.press("Enter");
    expect((await stage.answerOf(page)).get("code")).toBeTruthy();
    await page.goto(stage.authorizeUrl());
    expect((await stage.answerOf(page)).get("code")).toBeTruthy();
    await context.close();
  });

  it("works without any script", async () => {
    const { context, page } = await stage.visit({ javaScriptEnabled: false });
    expect((await stage.signInAndAllow(page)).get("code")).toBeTruthy();
    await page.goto(`${stage.base}/account`);
    await page.getByLabel("Nickname", { exact: true }).waitFor({ state: "attached" });
    await page.locator("summary", { hasText: "About you" }).click();
    await page.getByLabel("Nickname").fill("Annie");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByRole("status").textContent()).toBe("Saved.");
    await context.close();
  });

  it("denied: the application is told, at consent and at sign-in", async () => {
    const { context, page } = await stage.visit();
    await page.goto(stage.authorizeUrl({ prompt: "consent" }));
    await stage.signIn(page);
    await page.getByRole("button", { name: "Don’t allow" }).click();
    expect((await stage.answerOf(page)).get("error")).toBe("access_denied");
    await page.goto(stage.authorizeUrl({ prompt: "login" }));
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await stage.answerOf(page)).get("error")).toBe("access_denied");
    await context.close();
  });

  it("not you: somebody else can sign in at the consent page", async () => {
    const { context, page } = await stage.visit();
    await page.goto(stage.authorizeUrl({ prompt: "consent" }));
    await stage.signIn(page);
    await page.getByRole("button", { name: "Not you?" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.close();
  });
});

describe("passkeys", () => {
  it("are added with the password, used to sign in, and removed", async () => {
    const opened = await stage.visit();
    const { context, page } = opened;
    const person = await stage.signUp(page);
    await addAuthenticator(opened);
    await page.goto(`${stage.base}/account/security`);
    const card = page.getByRole("region", { name: "Passkeys" });
    await card.getByLabel("Name of the new passkey").fill("My laptop");
    await card.getByLabel("Current password").fill("wrong password");
    await card.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The password is not right.").waitFor();
    await card.getByLabel("Name of the new passkey").fill("My laptop");
    await card.getByLabel("Current password").fill(person.password);
    await card.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey is added.").waitFor();
    expect(await card.locator("strong").textContent()).toBe("My laptop");

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.goto(stage.authorizeUrl({ prompt: "login" }));
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    expect((await stage.answerOf(page)).get("code")).toBeTruthy();

    await page.goto(`${stage.base}/account/security`);
    expect(await card.getByText("last used").count()).toBe(1);
    await card.getByRole("button", { name: "Remove My laptop" }).click();
    await page.getByText("The passkey is removed.").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This passkey is not known here.").waitFor();
    await context.close();
  });

  it("are not offered at a bare network address", async () => {
    const { context, page } = await stage.visit();
    await page.goto(`${stage.instance.url}/identity/sign-in`);
    expect(await page.getByRole("button", { name: "Use a passkey" }).isVisible()).toBe(false);
    await context.close();
  });
});

describe("passwords", () => {
  it("forgotten: a mail leads to a new one, once", async () => {
    const { context, page } = await stage.visit();
    const person = await stage.signUp(page);
    await context.clearCookies();
    await page.goto(stage.authorizeUrl());
    await page.getByRole("link", { name: "Forgot it?" }).click();
    await page.getByLabel("User name or e-mail").fill(person.email);
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
    const link = await stage.linkInMail(person.email, "/reset");
    await page.goto(link);
    await page.getByLabel("New password").fill("a different quiet river");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await stage.signIn(page, { username: person.username, password: "a different quiet river" });
    await page.getByRole("heading", { name: /Person/ }).waitFor();
    await page.goto(link);
    await page.getByText("unknown, used, or too old").waitFor();
    await context.close();
  });

  it("guessed: the door closes after five, opens after a quarter of an hour", async () => {
    const { context, page } = await stage.visit();
    const person = await stage.signUp(page);
    await context.clearCookies();
    await page.goto(stage.authorizeUrl());
    for (let i = 0; i < 5; i += 1) await stage.signIn(page, { ...person, password: `guess number ${i}` });
    await stage.signIn(page, person);
    await page.getByRole("alert").filter({ hasText: "Too many attempts" }).waitFor();
    await stage.instance.clock.advance("16m");
    await stage.signIn(page, person);
    await page.getByRole("heading", { name: "Continue to Garden planner?" }).waitFor();
    await context.close();
  });
});

it("nothing on any page was refused by the browser", () => {
  expect(stage.complaints).toEqual([]);
});
