/** Pages of the identity service beside sign-in: displays, a person's own account, the owner's dashboard. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { visit } from "../support/browser.ts";
import { exchange, userinfo } from "../support/identity-browser.ts";
import { ann, IdentityStage } from "../support/identity-stage.ts";
import { RelyingParty } from "../support/relying-party.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });

let stage: IdentityStage;
beforeAll(async () => {
  stage = await IdentityStage.open();
}, 300_000);
afterAll(() => stage?.close());

describe("displays", () => {
  it("popup: a window of the application's own, filled to its edges", async () => {
    const { context, page } = await stage.visit();
    const to = stage.authorizeUrl({ display: "popup", prompt: "consent" });
    await page.goto(`${stage.application.url}/popup?to=${encodeURIComponent(to)}`);
    const [popup] = await Promise.all([context.waitForEvent("page"), page.locator("#open").click()]);
    await popup.locator("body.display-popup").waitFor();
    expect(await popup.getByRole("banner").count()).toBe(0);
    await stage.signIn(popup);
    const bar = await popup.locator(".settle").boundingBox();
    const height = await popup.evaluate("window.innerHeight");
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeCloseTo(height as number, 0);
    await popup.getByRole("button", { name: "Allow", exact: true }).click();
    expect((await stage.answerOf(popup)).get("code")).toBeTruthy();
    await context.close();
  });

  it("modal: a dialog with a button to close it", async () => {
    const { context, page } = await stage.visit();
    await page.goto(stage.authorizeUrl({ display: "modal", prompt: "consent" }));
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await stage.signIn(dialog);
    await page.getByRole("dialog", { name: "Continue?" }).waitFor();
    for (const refusal of ["Cancel and go back", "Don’t allow"]) {
      await page.goto(stage.authorizeUrl({ display: "modal", prompt: "consent" }));
      await page.getByRole("button", { name: refusal }).click();
      expect((await stage.answerOf(page)).get("error")).toBe("access_denied");
    }
    await context.close();
  });

  it("modal in a frame: over the application's own page, and asking for the password again later", async () => {
    const { context, page } = await stage.visit();
    const to = encodeURIComponent(stage.authorizeUrl({ display: "modal", prompt: "consent" }));
    await page.goto(`${stage.application.url}/embed?to=${to}`);
    const frame = page.frameLocator("#frame");
    await stage.signIn(frame);
    await frame.getByRole("dialog", { name: "Continue?" }).waitFor();
    expect(await frame.getByLabel("Your password").count()).toBe(0);
    await stage.instance.clock.advance("6m");
    await page.goto(`${stage.application.url}/embed?to=${to}`);
    await frame.getByLabel("Your password").fill(ann.password);
    await frame.getByRole("button", { name: "Allow", exact: true }).click();
    await frame.locator("#answer").waitFor();
    await context.close();
  });

  it.each([
    ["page", "the application itself"],
    ["modal", "a stranger"],
  ])("%s is not shown in a frame of %s", async (display, who) => {
    const { context, page } = await visit(stage.browser);
    const stranger = who === "a stranger" ? await new RelyingParty().open() : stage.application;
    const to = encodeURIComponent(stage.authorizeUrl({ display }));
    const refused = new Promise<string>((resolve) => {
      page.on("console", (message) => {
        if (message.text().includes("frame-ancestors")) resolve(message.text());
      });
    });
    await page.goto(`${stranger.url}/embed?to=${to}`);
    expect(await refused).toContain("frame-ancestors");
    expect(await page.frameLocator("#frame").getByLabel("Password").count()).toBe(0);
    await context.close();
    if (stranger !== stage.application) await stranger.close();
  });
});

describe("one's own account", () => {
  it("removes an application, which then has to ask again", async () => {
    const { context, page } = await stage.visit();
    const person = await stage.signUp(page);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await stage.answerOf(page);
    await page.goto(`${stage.base}/account/applications`);
    expect(await page.getByText("Your e-mail address").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Remove Garden planner" }).click();
    await page.getByText("No application is connected.").waitFor();
    await page.goto(stage.authorizeUrl());
    await page.getByText(person.email).first().waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await context.close();
  });

  it("edits phone number, address and location, which the application then learns, once it was allowed to", async () => {
    const { context, page } = await stage.visit();
    await stage.signUp(page);
    await page.goto(`${stage.base}/account`);
    const fill = async (group: string, values: Record<string, string>) => {
      await page.locator("summary", { hasText: group }).click();
      for (const [label, value] of Object.entries(values))
        await page.getByLabel(label, { exact: true }).fill(value);
    };
    await fill("Contact", { "Phone number": "+41 44 123 45 67" });
    await fill("Address and location", {
      "Street and number": "Seestrasse 1",
      "Postal code": "8002",
      Town: "Zürich",
      Country: "Switzerland",
      Latitude: "47.3667",
      Longitude: "8.5333",
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.goto(stage.authorizeUrl({ scope: "openid phone address vendor:location" }));
    const asked = await page.locator(".scopes").textContent();
    for (const shown of ["+41441234567", "Seestrasse 1, 8002, Zürich, Switzerland", "47.3667, 8.5333"])
      expect(asked).toContain(shown);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    const redirect_uri = `${stage.application.url}/answer`;
    const code = (await stage.answerOf(page)).get("code") ?? "";
    const { body } = await exchange(stage.instance, stage.client, code, { redirect_uri });
    const address = {
      street_address: "Seestrasse 1",
      postal_code: "8002",
      locality: "Zürich",
      country: "Switzerland",
    };
    expect((await userinfo(stage.instance, body.access_token)).body).toEqual({
      sub: expect.any(String),
      phone_number: "+41441234567",
      phone_number_verified: false,
      address: { ...address, formatted: "Seestrasse 1\n8002 Zürich\nSwitzerland" },
      "vendor:location": { latitude: 47.3667, longitude: 8.5333, address },
    });
    await context.close();
  });

  it("signs out another browser", async () => {
    const [first, second] = [await stage.visit(), await stage.visit()];
    const person = await stage.signUp(first.page);
    await second.page.goto(`${stage.base}/sign-in`);
    await stage.signIn(second.page, person);
    await first.page.goto(`${stage.base}/account/security`);
    const card = first.page.getByRole("region", { name: "Where you are signed in" });
    expect(await card.getByRole("listitem").count()).toBe(2);
    await card.getByRole("button", { name: /^Sign out Chrome/ }).click();
    await first.page.getByText("Signed out there.").waitFor();
    await second.page.goto(`${stage.base}/account`);
    await second.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await first.context.close();
    await second.context.close();
  });

  it("session iframe: tells the application when the person has left", async () => {
    const { context, page } = await stage.visit();
    const state = (await stage.signInAndAllow(page)).get("session_state") ?? "";
    const watch = new URLSearchParams({
      to: `${stage.base}/${stage.client.client_id}/iframe`,
      message: `${stage.client.client_id} ${state}`,
    });
    const loaded = page.waitForResponse(/\/iframe$/);
    await page.goto(`${stage.application.url}/watch?${watch}`);
    await loaded;
    await page.frameLocator("#frame").locator("body").waitFor({ state: "attached" });
    const status = async () => {
      await page.evaluate("window.ask()");
      await page.waitForFunction("document.getElementById('status').textContent !== 'unknown'");
      const text = await page.locator("#status").textContent();
      await page.evaluate("document.getElementById('status').textContent = 'unknown'");
      return text;
    };
    expect(await status()).toBe("unchanged");
    const other = await context.newPage();
    await other.goto(`${stage.base}/account`);
    expect(await status()).toBe("unchanged");
    await other.getByRole("button", { name: "Sign out", exact: true }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await status()).toBe("changed");
    await context.close();
  });
});

describe("the owner's dashboard", () => {
  it("registers, changes, rotates and deletes a client", async () => {
    const { context, page } = await stage.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${stage.base}/dashboard`);
    await page.getByLabel("Access token").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("User name").fill("first");
    await page.getByLabel("Password").fill("first-password");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("link", { name: "New application" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Bird watch");
    await page.getByLabel("Home page").fill("https://birds.example.org");
    await page.getByRole("textbox", { name: "Redirect addresses" }).fill("http://elsewhere.example/answer");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("alert").filter({ hasText: "use https" }).waitFor();
    await page.getByRole("textbox", { name: "Redirect addresses" }).fill(`${stage.application.url}/answer`);
    await page.getByRole("button", { name: "Register" }).click();
    const secret = await page.locator("#client-secret").textContent();
    const clientId = (await page.locator("#client-id").textContent()) ?? "";
    await page.getByRole("button", { name: "Copy Client secret" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    await page.locator("summary", { hasText: "Python: Authlib" }).click();
    await page.getByRole("button", { name: "Copy Python: Authlib" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`client_id="${clientId}"`);

    await page.goto(`${stage.base}/dashboard`);
    await page.getByRole("link", { name: /Bird watch/ }).click();
    expect(await page.locator("#client-secret").count()).toBe(0);
    await page.getByLabel("Name", { exact: true }).fill("Bird & bee watch");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Bird & bee watch" }).waitFor();

    await page.locator("summary", { hasText: "New client secret" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    const next = await page.locator("#client-secret").textContent();
    expect(next).not.toBe(secret);

    const { context: theirs, page: theirPage } = await stage.visit();
    await theirPage.goto(stage.authorizeUrl({ prompt: "consent" }, clientId));
    await stage.signIn(theirPage);
    await theirPage.getByRole("heading", { name: "Continue to Bird & bee watch?" }).waitFor();
    await theirs.close();

    await page.locator("summary", { hasText: "Delete" }).click();
    await page.getByRole("button", { name: "Delete Bird & bee watch" }).click();
    await page.getByText("The application is deleted.").waitFor();
    expect((await stage.instance.bearer("GET", `/identity/client/${clientId}`)).status).toBe(404);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the dashboard" }).waitFor();
    await context.close();
  });
});

it("nothing on any page was refused by the browser", () => {
  expect(stage.complaints).toEqual([]);
});
