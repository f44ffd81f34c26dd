/** The demo data in the console: podcasts are heard, charts, map and timelines are drawn, and long work can be stopped. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import {
  type ConsoleVisit,
  openConsole,
  problemsOn,
  settled,
  shiftsOn,
  walkTo,
  watchShifts,
} from "../support/console.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const SERVICES = ["podcasts", "contributions", "resource-groups", "backup", "bank"];
const VIEWS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 768, height: 900 }, colorScheme: "dark" },
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
] as const;
const token = accounts.first.tokens[0] as string;
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit;
let page: Page;
beforeAll(async () => {
  instance = await startInstance({ services: SERVICES });
  const seeded = await instance.bearer("POST", "/_medley/seed", { body: {} });
  expect(seeded.status, seeded.text).toBe(200);
  browser = await launchBrowser();
  visit = await openConsole(browser, instance, "/console", { token });
  page = visit.page;
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("a demo episode is heard, from any of its chapters", async () => {
  await walkTo(page, "/console/services/podcasts");
  await page
    .getByRole("row", { name: /Slow Soil/ })
    .getByRole("link", { name: /^Open/ })
    .click();
  await page.getByRole("heading", { name: "Slow Soil", level: 1 }).waitFor();
  await page.getByRole("link", { name: /Compost in a cold spring/ }).click();
  const sound = (what: string) => page.evaluate(`document.querySelector("audio").${what}`);
  await eventually(async () => Number(await sound("duration")) > 0);
  expect(await sound("duration")).toBe(42 * 60);
  await page.getByRole("button", { name: /Goodbye/ }).click();
  await eventually(async () => Number(await sound("currentTime")) > 1890);
  expect(await sound("error")).toBe(null);
  await page.goto(`${instance.url}/console`);
}, 300_000);

it.each(VIEWS)(
  "charts, map and timelines are drawn, accessible, and nothing moves: $viewport.width, $colorScheme",
  async (view) => {
    const {
      context,
      page: own,
      complaints,
    } = await openConsole(browser, instance, "/console", { ...view, token });
    await watchShifts(own);
    const look = async (path: string, shown: string) => {
      await own.goto(instance.url + path);
      await own.locator("main").getByText(shown).first().waitFor();
      await settled(own);
      expect(await shiftsOn(own), path).toEqual([]);
      expect(await problemsOn(own), path).toEqual([]);
    };
    await look("/console/services/contributions", "Contributions by state");
    expect(await own.locator(".drawing svg .land").count()).toBeGreaterThan(0);
    await look("/console/services/backup", "Backups by the time they began");
    await look("/console/jobs", "On a timeline");
    await own.getByText("On a timeline").click();
    expect(await own.locator("details .lanes .event").count()).toBeGreaterThan(0);
    // The recovery points end a month after all other jobs.
    const ends = own.locator("details .lane", { hasText: "backup.point-lifecycle" });
    expect(await ends.locator(".beyond").textContent()).toMatch(/^later: \d{4}-\d\d-\d\d, \d+ more$/);
    expect(await ends.locator(".event").count()).toBe(0);
    expect(await problemsOn(own)).toEqual([]);
    await look("/console/services/podcasts", "Slow Soil");
    await own
      .getByRole("row", { name: /Slow Soil/ })
      .getByRole("button")
      .first()
      .click();
    const dialog = own.getByRole("dialog");
    await dialog.getByText("Episodes by week, the last 26 weeks").waitFor();
    expect(await dialog.locator("rect").count()).toBe(26);
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^United Kingdom[\d.]+ %$/)]),
    );
    expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(await problemsOn(own)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  },
  300_000,
);

it.each(VIEWS)(
  "a balance over time has axes, and its values are read by pointer and by keyboard: $viewport.width",
  async (view) => {
    const { context, page: own } = await openConsole(browser, instance, "/console", { ...view, token });
    await own.goto(`${instance.url}/console/services/bank`);
    const card = own.locator("figure", { hasText: "Nora Visser, Everyday" });
    const plot = card.getByRole("slider");
    await plot.waitFor();
    expect(await card.locator(".scale span").allTextContents()).toEqual([
      "0 EUR",
      "5,000 EUR",
      "10,000 EUR",
      "15,000 EUR",
    ]);
    const times = await card.locator(".times span").allTextContents();
    expect(times.length).toBeGreaterThan(2);
    for (const time of times) expect(time).toMatch(/^[A-Z][a-z]{2} 20\d\d$/);
    const [outer, inner] = [await card.boundingBox(), await card.locator(".plot").boundingBox()];
    // Only the padding of the card remains.
    expect((outer?.width ?? 0) - (inner?.width ?? 0)).toBeLessThan(40);
    await plot.focus();
    await own.keyboard.press("Home");
    expect(await card.locator(".chart-values").textContent()).toContain("500.00 EUR");
    expect(await plot.getAttribute("aria-valuetext")).toMatch(/^2\d{3}-.*: 500\.00 EUR$/);
    await own.keyboard.press("ArrowRight");
    expect(await plot.getAttribute("aria-valuenow")).toBe("1");
    await plot.hover();
    expect(Number(await plot.getAttribute("aria-valuenow"))).toBeGreaterThan(1);
    expect(await problemsOn(own)).toEqual([]);
    await own.goto(`${instance.url}/console/metrics`);
    const memory = own.locator("figure", { hasText: "Memory" });
    await memory.getByRole("slider").focus();
    expect((await memory.locator(".scale span").allTextContents()).at(-1)).toMatch(/^[\d.]+ [MG]B$/);
    expect(await memory.locator("time").textContent()).toMatch(/^\d\d:\d\d$/);
    await context.close();
  },
  300_000,
);

it("several forms of one name are told apart by their paths", async () => {
  await walkTo(page, "/console/try?service=bank");
  const named = page.locator(".operations a", { hasText: "Opens an account" });
  await named.first().waitFor();
  const texts = await named.locator("small").allTextContents();
  expect(texts).toContain("/bank/v1/user/{userID}/monetary-account-savings");
  expect(new Set(texts).size).toBe(await named.count());
  expect(await page.locator(".operations a", { hasText: "Lists all cards" }).locator("small").count()).toBe(
    0,
  );
}, 300_000);

it("an import tells how much is sent, and is stopped without a change", async () => {
  await walkTo(page, "/console/state");
  const exported = await instance.bearer("GET", "/_medley/state?service=resource-groups");
  await page.route("**/_medley/state", () => undefined);
  await page.locator("input[type=file]").setInputFiles({
    name: "state.ndjson",
    mimeType: "text/plain",
    buffer: Buffer.from(exported.text),
  });
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("row", { name: /unchanged/ })
    .first()
    .waitFor();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await dialog.getByText(/^0 B of [\d.]+ KB sent$/).waitFor();
  expect(await problemsOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Stop" }).click();
  await dialog.getByText("It was stopped. Nothing was changed.").waitFor();
  expect(await dialog.getByRole("progressbar").count()).toBe(0);
  await page.unrouteAll();
}, 300_000);
