/** Documentation of a service: operations by resource, a search among them, and calls of the usual library. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, overflowOf, problemsOn } from "../support/console.ts";
import { type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  instance = await startInstance({ services: ["bank", "backup", "resource-groups"] });
  browser = await launchBrowser();
  ({ page } = await openConsole(browser, instance, "/console", { token: "first-token-0001" }));
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

const entries = () => page.getByRole("navigation", { name: "Groups of operations" }).getByRole("link");

it("groups the operations of a service by resource, with counts that add up", async () => {
  await page.goto(`${instance.url}/console/docs/bank`);
  await entries().first().waitFor();
  const told = await entries().allTextContents();
  expect(told.length).toBeGreaterThan(20);
  expect(told).toContainEqual(expect.stringMatching(/^Payment \d+$/));
  const count = told.reduce((sum, entry) => sum + Number(entry.split(" ").at(-1)), 0);
  expect(await page.locator("details.operation").count()).toBe(count);
  expect(Math.max(...told.map((entry) => Number(entry.split(" ").at(-1))))).toBeLessThanOrEqual(60);
});

it("finds operations by words, and says how many", async () => {
  await page.getByLabel("Find an operation").fill("card limit");
  const shown = page.locator("details.operation:visible");
  expect(await shown.count()).toBeGreaterThan(0);
  expect(await shown.count()).toBeLessThan(60);
  expect(await page.getByRole("status").first().textContent()).toBe(`${await shown.count()} found`);
  await page.getByLabel("Find an operation").fill("");
  expect(await page.locator("details.operation:visible").count()).toBeGreaterThan(400);
});

it("marks the group that is being read", async () => {
  await page.locator('.docs-nav a[href="#group-payment"]').click();
  await page.locator('.docs-nav a[href="#group-payment"][aria-current="location"]').waitFor();
});

it("shows an operation as curl and as a call of the usual library, and code as code", async () => {
  await page.goto(`${instance.url}/console/docs/resource-groups#resource-groups.CreateGroup`);
  const call = page.locator("details[open] .library-call");
  await call.waitFor();
  expect(await call.textContent()).toMatch(/new CreateGroupCommand\(\{\s+"Name"/);
  expect(await page.locator("details[open] pre").first().textContent()).toMatch(
    /^curl -X POST .+ \\\n {2}--aws-sigv4/,
  );
  expect(await page.locator("#content").textContent()).not.toContain("`");
});

it("breaks no rule of accessibility and fits on a phone", async () => {
  expect(await problemsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
});
