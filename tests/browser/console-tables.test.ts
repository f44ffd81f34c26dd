/** Tables: names first, one line a row, short identifiers, states in colour and in words, columns to choose. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, overflowOf, problemsOn, walkTo } from "../support/console.ts";
import { Functions, PLACE } from "../support/functions.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const ROW_HEIGHT_MAX = 44;
let instance: Instance;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  instance = await startInstance({
    services: [
      ...["backup", "resource-groups", "configuration-stores", "events", "robotics", "identity"],
      "functions",
    ],
  });
  for (const service of ["resource-groups", "events", "backup", "robotics"])
    await instance.bearer("POST", "/_medley/seed", { body: { services: [service] } });
  browser = await launchBrowser();
  ({ page } = await openConsole(browser, instance, "/console", { token: "first-token-0001" }));
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

const table = (title: string) => page.getByRole("region", { name: title, exact: true }).getByRole("table");
const heads = (title: string) => table(title).getByRole("columnheader").allTextContents();
const cell = (title: string, row: number, column: string) =>
  table(title).locator(`tbody tr:nth-child(${row}) td[data-label="${column}"]`);

it("show names first and one line a row, and scroll inside instead of growing beyond the page", async () => {
  await walkTo(page, "/console/services/backup");
  await table("Vaults").waitFor();
  expect((await heads("Vaults"))[0]).toBe("Name");
  const heights = await page
    .locator(".rows tbody tr")
    .evaluateAll((rows) => rows.map((row) => (row as { offsetHeight: number }).offsetHeight));
  expect(heights.length).toBeGreaterThan(5);
  expect(Math.max(...heights)).toBeLessThanOrEqual(ROW_HEIGHT_MAX);
  expect(await overflowOf(page)).toBe(0);
});

it("shorten identifiers in the middle, keep them whole for search and selection, and show them whole on demand", async () => {
  const arn = cell("Vaults", 1, "Resource").locator(".identifier");
  const whole = await arn.textContent();
  expect(whole).toMatch(/^arn:[^\s]+:backup-vault:/);
  expect(await arn.getAttribute("title")).toBe(whole);
  const widthOf = () => arn.evaluate((one) => (one as { offsetWidth: number }).offsetWidth);
  const short = await widthOf();
  await page.getByLabel("Columns of Vaults").click();
  await page.getByLabel("Whole identifiers").first().check();
  expect(await widthOf()).toBeGreaterThan(short);
  await page.getByLabel("Whole identifiers").first().uncheck();
  await page.keyboard.press("Escape");
  await cell("Vaults", 1, "Resource").hover();
  expect(await cell("Vaults", 1, "Resource").getByRole("button", { name: "Copy Resource" }).isVisible()).toBe(
    true,
  );
});

it("tell states in colour and in a word, sizes in fitting units, and times from now with the moment on hover", async () => {
  const state = cell("Recovery points", 1, "Status").locator(".badge");
  expect([await state.textContent(), await state.getAttribute("title")]).toEqual(["Completed", "COMPLETED"]);
  expect(await cell("Recovery points", 1, "Kind").textContent()).toMatch(/^[A-Z][a-z]+ [a-z]+$/);
  expect(await state.getAttribute("class")).toContain("good");
  expect(await cell("Recovery points", 1, "Size").textContent()).toMatch(/^\d+(\.\d)? (B|KB)$/);
  const made = cell("Recovery points", 1, "Made").locator("time");
  expect(await made.textContent()).toMatch(/now|ago$/);
  expect(await made.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
});

it("hide the columns that the reader does not want, also after a reload", async () => {
  await page.getByLabel("Columns of Vaults").click();
  await page.getByLabel("Region", { exact: true }).first().uncheck();
  expect(await heads("Vaults")).not.toContain("Region");
  await page.reload();
  await table("Vaults").waitFor();
  expect(await heads("Vaults")).not.toContain("Region");
  expect(await heads("Backup plans")).toContain("Region");
});

it("are walked through by arrow keys", async () => {
  const rows = table("Recovery points").locator("tbody tr");
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  expect(await rows.nth(1).evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press("ArrowUp");
  expect(await rows.first().evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
});

it("break no rule of accessibility, and become cards on a phone", async () => {
  expect(await problemsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await table("Vaults").locator("thead").isVisible()).toBe(false);
  expect(await overflowOf(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it("lead to every page that a service has, and say what to do where nothing is", async () => {
  await walkTo(page, "/console/services/robotics");
  const link = cell("Events", 1, "Live page").getByRole("link");
  const address = String(await link.getAttribute("href"));
  expect(address).toMatch(/^\/robotics\/live\/111111111111\/\d{4}\//);
  expect((await instance.send("GET", address)).status).toBe(200);
  await walkTo(page, "/console/services/identity");
  expect(await page.getByRole("link", { name: "Dashboard" }).getAttribute("href")).toBe(
    "/identity/dashboard",
  );
  expect(await page.getByRole("link", { name: "Try it" }).last().getAttribute("href")).toBe(
    "/console/try?service=identity",
  );
  await walkTo(page, "/console/services/backup");
  const empty = page.locator("section", { has: page.getByRole("heading", { name: "Legal holds" }) });
  const operation = empty.getByRole("link", { name: "Creates a legal hold on recovery points" });
  expect(await operation.getAttribute("href")).toBe("/console/try?operation=backup.CreateLegalHold");
  const { body } = await instance.bearer("GET", "/_medley/views/backup?view=Legal%20holds");
  expect(body.views[0].madeBy.curl).toMatch(/^curl -X POST "http:.*\/backup\/legal-holds\/"/);
  await walkTo(page, "/console/services/configuration-stores");
  expect(await page.getByText("npx medley seed configuration-stores").first().isVisible()).toBe(true);
});

it("hide housekeeping among jobs unless asked, and follow the zone that the reader chose", async () => {
  const { body: all } = await instance.bearer("GET", "/_medley/jobs?limit=1000");
  const { body: work } = await instance.bearer("GET", "/_medley/jobs?limit=1000&housekeeping=false");
  const names = (jobs: readonly { readonly job: string }[]) => new Set(jobs.map(({ job }) => job));
  expect(names(all.jobs)).toContain("medley.prune");
  expect(names(work.jobs)).not.toContain("medley.prune");
  const { body: due } = await instance.bearer("GET", "/_medley/due?limit=1000");
  expect(names(due.due)).not.toContain("medley.prune");
  await walkTo(page, "/console/jobs");
  await page.getByRole("region", { name: "Jobs" }).waitFor();
  expect(await page.getByText("medley.prune").count()).toBe(0);
  await page.getByLabel("With housekeeping").check();
  await page.locator("table").getByText("medley.prune").first().waitFor();
  await walkTo(page, "/console/time");
  await page.getByRole("radio", { name: "Local" }).check({ force: true });
  expect(await page.getByText("Your time zone").isVisible()).toBe(true);
});

it("are the same on the pages of jobs, messages, resources and metrics: badges, times, columns, order, keys, cards", async () => {
  for (const [path, title, menu] of [
    ["jobs", "Jobs", "Jobs"],
    ["outbox", "Outgoing messages", "Outbox"],
    ["resources", "Resources", "Resources"],
    ["metrics", "By service", "By service"],
  ] as const) {
    await walkTo(page, `/console/${path}`);
    await table(title).waitFor();
    const [first = "", second = ""] = await heads(title);
    await table(title).getByRole("button", { name: first, exact: true }).click();
    expect(await table(title).locator("th[aria-sort=ascending]").textContent()).toBe(first);
    const rows = table(title).locator(path === "metrics" ? "tbody tr" : ".row-button");
    if ((await rows.count()) > 1) {
      await rows.first().focus();
      await page.keyboard.press("ArrowDown");
      expect(await rows.nth(1).evaluate((row) => row === row.ownerDocument.activeElement), path).toBe(true);
    }
    await page.getByLabel(`Columns of ${menu}`).click();
    await page.getByLabel(second, { exact: true }).first().uncheck();
    expect(await heads(title), path).not.toContain(second);
    await page.getByLabel(second, { exact: true }).first().check();
    await page.keyboard.press("Escape");
    expect(await problemsOn(page), path).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await table(title).locator("thead").isVisible(), path).toBe(false);
    expect(await overflowOf(page), path).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await walkTo(page, "/console/jobs");
  const state = cell("Jobs", 1, "State").locator(".badge");
  expect(await state.textContent()).toMatch(/^(Done|Waiting)$/);
  expect(await cell("Jobs", 1, "Due").locator("time").getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d /);
});

it("may be read from a standby that is not behind the last change of the page, or its loading", async () => {
  const asked = async (open: () => Promise<unknown>): Promise<string | undefined> => {
    const request = page.waitForRequest((one) => one.url().includes("/_medley/views/"));
    await Promise.all([open(), request]);
    await table("Vaults").waitFor();
    return (await request).headers()["cache-control"];
  };
  expect(await asked(() => walkTo(page, "/console/services/backup"))).toMatch(/^max-stale=\d+$/);
  expect(await asked(() => page.reload())).toMatch(/^max-stale=\d+$/);
});

it("are cards on phones and tablets, which cut off neither long words nor identifiers and their buttons", async () => {
  await instance.bearer("POST", "/_medley/seed", { body: { services: ["configuration-stores"] } });
  const cut = () =>
    page.locator(".rows td > *").evaluateAll((parts) =>
      parts.flatMap((part) => {
        const [own, card] = [part, part.closest(".rows")].map((one) => one?.getBoundingClientRect());
        return (own?.width ?? 0) > 0 && (own?.right ?? 0) > (card?.right ?? 0) ? [part.textContent] : [];
      }),
    );
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [service, title] of [
      ["configuration-stores", "Key-values"],
      ["backup", "Vaults"],
    ] as const) {
      await walkTo(page, `/console/services/${service}`);
      await table(title).waitFor();
      expect([width, service, await cut()]).toEqual([width, service, []]);
      await page.getByLabel(`Columns of ${title}`).click();
      await page.getByLabel("Whole identifiers").first().check();
      expect([width, service, await cut()]).toEqual([width, service, []]);
      await page.getByLabel("Whole identifiers").first().uncheck();
      await page.keyboard.press("Escape");
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

it("show names that people chose whole where there is room, with the places before them shortened", async () => {
  const functions = new Functions(() => instance);
  const id = "counts-the-orders-of-the-whole-day-and-tells-the-kitchen-at-bar";
  const body = await functions.bodyOf(id, { source: "exports.a = () => {};", entryPoint: "a" });
  expect((await functions.send("POST", `${PLACE}/functions?functionId=${id}`, { body })).status).toBe(200);
  const isWhole = (name: Locator) =>
    name.evaluate((one) => {
      const { scrollWidth, clientWidth } = one as unknown as { scrollWidth: number; clientWidth: number };
      return scrollWidth <= clientWidth;
    });
  await page.setViewportSize({ width: 1440, height: 900 });
  await walkTo(page, "/console/services/functions");
  const shown = cell("Functions", 1, "Name");
  await shown.waitFor();
  const parts = shown.locator(".chosen-name > span");
  expect(await parts.allTextContents()).toEqual([`${PLACE}/functions/`, id]);
  expect([await isWhole(parts.first()), await isWhole(parts.last())]).toEqual([false, true]);
  expect(await shown.locator(".identifier").count()).toBe(0);
  const box = await shown.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(1440);
  await shown.hover();
  expect(await shown.getByRole("button", { name: "Copy Name" }).isVisible()).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  const inside = await parts.last().evaluate((one) => {
    const { right } = (
      one as unknown as { getBoundingClientRect(): { right: number } }
    ).getBoundingClientRect();
    return right;
  });
  expect([inside <= 390, await overflowOf(page)]).toEqual([true, 0]);
  await page.setViewportSize({ width: 1280, height: 800 });
});
