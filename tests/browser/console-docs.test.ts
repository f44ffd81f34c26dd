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

it("shows an operation as curl, in JavaScript and in Python, and code as code", async () => {
  await page.goto(`${instance.url}/console/docs/resource-groups#resource-groups.CreateGroup`);
  const calls = page.locator("details[open] .library-call");
  await calls.nth(1).waitFor();
  expect(await calls.first().textContent()).toMatch(/new CreateGroupCommand\(\{\s+"Name"/);
  expect(await calls.nth(1).textContent()).toMatch(
    /boto3\.client\("resource-groups".*\n.*create_group\(\*\*\{/,
  );
  expect(await page.locator("details[open] pre.curl").textContent()).toMatch(
    /^curl -X POST .+ \\\n {2}--aws-sigv4/,
  );
  expect(await page.locator("#content").textContent()).not.toContain("`");
});

it("tells the answer of a run, every error with when it happens, and what comes before and after", async () => {
  const inside = page.locator("details[open] .operation-whole");
  expect(await inside.locator("pre.got").textContent()).toMatch(/^200 application\/json\n\{/);
  expect(await inside.locator(".errors dd").count()).toBeGreaterThanOrEqual(
    await inside.locator(".errors dt").count(),
  );
  await page.goto(`${instance.url}/console/docs/backup/backup.DescribeBackupVault`);
  const around = page.locator(".around");
  await around.getByRole("link", { name: "PUT" }).first().click();
  await page.getByRole("heading", { level: 1, name: "PUT /backup-vaults/{backupVaultName}" }).waitFor();
});

it("has a page for each operation, and none for what does not exist", async () => {
  expect((await page.goto(`${instance.url}/console/docs/backup/backup.Nothing`))?.status()).toBe(404);
  await page.goto(`${instance.url}/console/docs/bank/bank.CreatePayment`);
  await page.locator(".docs-whole .library-call").waitFor();
  expect(await problemsOn(page)).toEqual([]);
  await page.goto(`${instance.url}/console/docs/resource-groups#resource-groups.CreateGroup`);
  await page.locator("details[open] .library-call").first().waitFor();
});

it("breaks no rule of accessibility and fits on a phone", async () => {
  expect(await problemsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
});
