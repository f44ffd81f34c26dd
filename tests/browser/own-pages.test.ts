/** Services' own pages, for somebody who is signed in at the console: none asks for a token or a key. */
import type { Browser, FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { type ConsoleVisit, openConsole, problemsOn, shiftsOn, watchShifts } from "../support/console.ts";
import { eventually } from "../support/eventually.ts";
import { portraitInGroup } from "../support/face-pictures.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const services = [
  "bank",
  "functions",
  "podcasts",
  "language",
  "face",
  "api-diagnostics",
  "contributions",
  "unpack",
];
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit;
beforeAll(async () => {
  instance = await startInstance();
  const seeded = await instance.bearer("POST", "/_medley/seed", { body: { services } });
  expect(seeded.status, seeded.text).toBe(200);
  browser = await launchBrowser();
  visit = await openConsole(browser, instance, "/console", { token: accounts.first.tokens[0] });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

/** By the link on the service's page of the console, which shows the tool in its own frame. */
async function openPage(service: string, link: string): Promise<FrameLocator> {
  const { page } = visit;
  await page.goto(`${instance.url}/console/services/${service}`);
  await page.getByRole("link", { name: link }).first().click();
  await page.getByRole("heading", { name: link, level: 1 }).waitFor();
  const tool = page.frameLocator("iframe.tool");
  await tool.locator("#credential-field").waitFor({ state: "hidden" });
  return tool;
}

it("the till shows the cards and takes one", async () => {
  const page = await openPage("bank", "Card till");
  await page.getByRole("button", { name: "Authorise" }).click();
  await page.getByText(/^Number \d+: (Authorised|Refused)\./).waitFor();
}, 300_000);

it("functions are called", async () => {
  const page = await openPage("functions", "Try a function");
  await page.getByText(/^\d+ functions\.$/).waitFor();
  const greeter = page.locator("#function option", { hasText: "greeter" });
  await page.getByLabel("Function").selectOption((await greeter.first().getAttribute("value")) as string);
  await eventually(async () => {
    await page.getByRole("button", { name: "Call it" }).click();
    await page.getByText(/^\d{3}, [\d.]+ ms|It has no address yet/).waitFor();
    return /^200, /.test((await page.locator("#answer-line").textContent()) ?? "");
  });
  expect(await page.locator("#answer-text").textContent()).toBe("Good day, World!");
}, 300_000);

it("the gateway's calls are shown as they come", async () => {
  const page = await openPage("api-diagnostics", "Gateway traffic");
  await page.getByText("One instance.").waitFor();
  const called = await fetch(`${instance.url}/gateway/shop-apis/status`);
  await called.body?.cancel();
  await page.locator("#rows tr").first().waitFor();
}, 300_000);

it("pictures are looked at", async () => {
  const page = await openPage("face", "Faces in pictures");
  await page.getByText("Groups are listed.").waitFor();
  const buffer = await portraitInGroup("middle");
  await page.locator("#pictures").setInputFiles([{ name: "one.jpg", mimeType: "image/jpeg", buffer }]);
  await page.getByText("one.jpg: one face").waitFor({ timeout: 120_000 });
}, 300_000);

it("lists of podcasts are made", async () => {
  const page = await openPage("podcasts", "Curated lists");
  await page.getByText(/^(One list|\d+ lists)\.$/).waitFor();
  await page.getByLabel("Title").fill("Long walks");
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByText("The list is saved.").waitFor();
}, 300_000);

it("an application is tried", async () => {
  const page = await openPage("language", "Language workbench");
  await page.getByText(/utterances of \d+ intents were looked at|has not been trained/).waitFor();
}, 300_000);

it("a service that shows nothing of its own leads to what it can do, and offers no demo data", async () => {
  const { page } = visit;
  await page.goto(`${instance.url}/console/services/resource-manager`);
  await page.getByRole("heading", { name: "This service has no tables" }).waitFor();
  expect(await page.getByRole("button", { name: "Load the demo data" }).count()).toBe(0);
  await page.getByRole("link", { name: "Try its operations" }).click();
  await page.getByRole("heading", { name: "Try it", level: 1 }).waitFor();
}, 300_000);

const TOOLS = [
  ["bank/till", "Bank", "Card till"],
  ["functions/try", "Cloud functions", "Try a function"],
  ["podcasts/editor", "Podcasts", "Curated lists"],
  ["language/workbench", "Language understanding", "Language workbench"],
  ["face/viewer", "Face recognition", "Faces in pictures"],
  ["api-diagnostics/gateway-traffic", "API diagnostics", "Gateway traffic"],
  ["contributions/moderation", "Contributions", "Moderation"],
  ["unpack/viewer", "Unpack analysis", "Executables"],
] as const;
const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 768, height: 900 }, colorScheme: "dark" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;
it.each(LOOKS)(
  "all tools are in the console's frame, accessible, and stand still: $viewport.width, $colorScheme",
  async (look) => {
    const token = accounts.first.tokens[0];
    const { context, page, complaints } = await openConsole(browser, instance, "/console", {
      ...look,
      token,
    });
    await watchShifts(page);
    for (const [path, service, title] of TOOLS) {
      await page.goto(`${instance.url}/console/services/${path}`);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await page.frameLocator("iframe.tool").locator("[role=status]").first().waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      expect(await page.locator(".side a[aria-current]").textContent()).toBe(service);
      expect(await page.frameLocator("iframe.tool").locator(".bar").isVisible()).toBe(false);
      expect(await problemsOn(page), path).toEqual([]);
      for (const frame of page.frames()) expect(await shiftsOn(frame), path).toEqual([]);
      const tool = page.frames().find((frame) => frame.parentFrame() !== null);
      expect(await tool?.evaluate("document.documentElement.scrollWidth - window.innerWidth"), path).toBe(0);
    }
    expect(complaints).toEqual([]);
    await context.close();
  },
  300_000,
);

it("a tool follows the look of the console, opens its search, and is found by it", async () => {
  const tool = await openPage("unpack", "Executables");
  const { page } = visit;
  for (const look of ["light", "dark", "system"]) {
    await page.getByRole("button", { name: /^Look: / }).click();
    await tool.locator(look === "system" ? "html:not([data-look])" : `html[data-look=${look}]`).waitFor();
  }
  await tool.locator("#file").press("Control+k");
  await page.getByRole("combobox").fill("card till");
  await page.getByRole("option", { name: /Card till/ }).click();
  await page.getByRole("heading", { name: "Card till", level: 1 }).waitFor();
}, 300_000);

it("a session that has ended is told of, and a key is asked for again", async () => {
  const page = await openPage("podcasts", "Curated lists");
  await page.getByText(/^(One list|\d+ lists)\.$/).waitFor();
  expect(await page.getByRole("button", { name: "Show my lists" }).isVisible()).toBe(false);
  await visit.context.clearCookies();
  await page.getByLabel("Find podcasts to add").fill("soil");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("The session at the console has ended.").waitFor();
  await page.getByLabel("API key").fill(accounts.first.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my lists" }).click();
  await page.getByText(/^(One list|\d+ lists)\.$/).waitFor();
  const unexpected = visit.complaints.filter((text) => !/status of (401|403)/.test(text));
  expect(unexpected).toEqual([]);
}, 300_000);
