/** The editor of curated lists in a real Chromium: a list is made, put in order, changed and removed. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { Directory, feedOf, items } from "../support/podcasts.ts";

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["podcasts"] });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("makes, orders, changes and removes a list", async () => {
  const directory = new Directory(() => instance);
  for (const name of ["Garden <b>one</b>", "Garden two"])
    await directory.handOver(`${name}.xml`, feedOf(name.replaceAll("<", "&lt;"), items(1)));
  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${instance.url}/console/docs/podcasts`);
  await page.getByRole("link", { name: "Curated lists", exact: true }).click();
  await page.getByLabel("API key").fill(accounts.first.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my lists" }).click();
  await page.getByText("0 lists.").waitFor();
  await page.getByLabel("Find podcasts to add").fill("garden");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText("2 podcasts found.").waitFor();
  for (const add of await page.getByRole("button", { name: /^Add / }).all()) await add.click();
  await page.getByRole("button", { name: "Take out Garden two" }).waitFor();
  await page.getByLabel("Title").fill("For rainy days");
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByText("The list is saved.").waitFor();
  const titles = async () => {
    const { curated_lists } = await directory.read("/curated_podcasts");
    const { podcasts } = await directory.read(`/curated_podcasts/${curated_lists[0].id}`);
    return podcasts.map(({ title }: { title: string }) => title);
  };
  const before = await titles();
  expect(before).toHaveLength(2);
  await page.getByRole("button", { name: `Move ${before[1]} up` }).click();
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByText("The list is saved.").waitFor();
  await expect.poll(titles).toEqual(before.toReversed());
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.getByRole("button", { name: "Remove the list" }).click();
  await page.getByText("The list is removed.").waitFor();
  expect((await directory.read("/curated_podcasts")).total).toBe(0);
  expect(complaints).toEqual([]);
}, 300_000);
