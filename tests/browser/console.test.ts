/** The console in a real Chromium: live requests, live state, documentation, and rules for accessible pages. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, visit } from "../support/browser.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance();
  await instance.bearer("POST", "/_medley/seed", { body: {} });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

async function problemsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then((result) => result.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")))`,
  )) as string[];
}

it("leads from the root to live requests", async () => {
  const { context, page } = await visit(browser);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(instance.url);
  expect(new URL(page.url()).pathname).toBe("/console");
  const token = page.getByLabel("Bearer token");
  await token.fill("nonsense");
  await page.getByRole("button", { name: "Show live" }).click();
  await page.getByText("This token is not valid.").waitFor();
  await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables?of=second", { as: "second" });
  await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables?of=first");
  await token.fill("second-token-0002");
  await page.getByRole("button", { name: "Show live" }).click();
  await page.getByText("Live.", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "of=second" }).waitFor();
  expect(await page.getByText("of=first").count()).toBe(0);
  await page.reload();
  await token.fill("first-token-0001");
  await page.getByRole("button", { name: "Show live" }).click();
  await page.getByText("Live.", { exact: true }).waitFor();
  await instance.send("GET", "/braille/no-such-thing?seen=live");
  await page.getByRole("cell", { name: "/braille/no-such-thing?seen=live" }).waitFor();
  expect(complaints.filter((text) => !/40[13]/.test(text))).toEqual([]);
  await context.close();
});

const overflowOf = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth") as Promise<number>;

it.each([390, 1280])(
  "shows the status of a request with a long address, and all of it when its row is opened: %i pixels wide",
  async (width) => {
    const { context, page } = await visit(browser, { viewport: { width, height: 800 } });
    await page.goto(`${instance.url}/console`);
    await page.getByLabel("Bearer token").fill("first-token-0001");
    await page.getByRole("button", { name: "Show live" }).click();
    await page.getByText("Live.", { exact: true }).waitFor();
    const address = `/braille/no-such-thing?seen=${width}&${"long".repeat(200)}`;
    await instance.send("GET", address, { headers: { "x-note": "seen in the row" } });
    const row = page.getByRole("row", { name: `seen=${width}` });
    const status = await row.getByRole("cell", { name: "404", exact: true }).boundingBox();
    expect((status?.x ?? width) + (status?.width ?? width)).toBeLessThanOrEqual(width);
    await row.getByRole("button").click();
    await page.getByText("x-note: seen in the row").waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await problemsOn(page)).toEqual([]);
    await row.getByRole("button").click();
    await page.getByText("x-note: seen in the row").waitFor({ state: "detached" });
    await context.close();
  },
);

it("leaves its own requests out, but not those of others to the same interface", async () => {
  const { context, page } = await visit(browser);
  for (let visits = 0; visits < 3; visits += 1) await page.goto(`${instance.url}/console/docs`);
  await instance.bearer("GET", "/_medley/requests?limit=1");
  await page.goto(`${instance.url}/console`);
  await page.getByLabel("Bearer token").fill("first-token-0001");
  await page.getByRole("button", { name: "Show live" }).click();
  await page.getByRole("cell", { name: "/_medley/requests?limit=1", exact: true }).waitFor();
  await page.getByText("Live.", { exact: true }).waitFor();
  const shown = await page.locator("#request-rows .address").allTextContents();
  expect(shown.filter((text) => /^\/(?:console|$)|limit=200|stream/.test(text))).toEqual([]);
  await context.close();
});

it("shows what a service holds within the width of a phone", async () => {
  const { context, page } = await visit(browser, { viewport: { width: 390, height: 800 } });
  for (const service of ["identity", "scheduler", "resource-groups"]) {
    await page.goto(`${instance.url}/console/docs/${service}`);
    await page.getByLabel("Bearer token").fill("first-token-0001");
    await page.getByRole("button", { name: "Show" }).click();
    await page.locator("#views tbody tr").first().waitFor();
    const [panel] = await page.locator("#views .panel").all();
    expect(await panel?.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
    expect([service, await overflowOf(page)]).toEqual([service, 0]);
    expect(await problemsOn(page)).toEqual([]);
  }
  await context.close();
});

it("tells a browser by a page that there is none", async () => {
  const { context, page } = await visit(browser);
  await page.goto(`${instance.url}/console/nowhere`);
  await page.getByRole("heading", { name: "Nothing to see here" }).waitFor();
  await page.getByRole("link", { name: "To the console" }).click();
  expect(new URL(page.url()).pathname).toBe("/console");
  await context.close();
});

it("shows documentation with an example of every operation, and what a service holds", async () => {
  const { context, page } = await visit(browser);
  await page.goto(`${instance.url}/console/docs`);
  await page.getByRole("main").getByRole("link", { name: "Voice messages" }).click();
  await page.locator("details.operation summary").first().click();
  await page.getByText("curl", { exact: false }).first().waitFor();
  await page.getByLabel("Bearer token").fill("first-token-0001");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("heading", { name: "Calls" }).waitFor();
  expect(await page.locator("#views tbody tr").count()).toBe(3);
  await context.close();
});

it.each([
  ["light", 390],
  ["dark", 1280],
] as const)(
  "breaks no rule for accessible pages: %s, %i pixels wide",
  async (colorScheme, width) => {
    const { context, page } = await visit(browser, { colorScheme, viewport: { width, height: 800 } });
    const broken: Record<string, string[]> = {};
    for (const path of ["/console", "/console/docs", "/console/docs/braille", "/console/docs/medley"]) {
      await page.goto(`${instance.url}${path}`);
      for (const summary of await page.locator("details summary").all()) await summary.click();
      const overflow = await overflowOf(page);
      const problems = [
        ...(await problemsOn(page)),
        ...(overflow > 0 ? [`scrolls sideways by ${overflow}`] : []),
      ];
      if (problems.length > 0) broken[path] = problems;
    }
    expect(broken).toEqual({});
    await context.close();
  },
  300_000,
);
