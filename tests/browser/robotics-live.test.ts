/** The live page of an event in a real Chromium, during the event: on a phone and on the screen of a hall, light and dark. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { Robotics } from "../support/robotics.ts";
import { RoboticsEvent } from "../support/robotics-event.ts";

const VIEWS = [
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { viewport: { width: 1920, height: 1080 }, colorScheme: "dark" },
  { viewport: { width: 820, height: 1180 }, colorScheme: "light" },
] as const;

let instance: Instance;
let browser: Browser;
let event: RoboticsEvent;
beforeAll(async () => {
  instance = await startInstance();
  event = new RoboticsEvent(new Robotics(() => instance));
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

const overflowOf = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth") as Promise<number>;
const textOf = (page: Page, name: string) => page.locator(`#${name}`).textContent();

it("follows an event from its announcement to its champion without being loaded again", async () => {
  await event.enter();
  const visits = await Promise.all(VIEWS.map((view) => visit(browser, view)));
  const complaints: string[] = [];
  for (const { page } of visits) {
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(`${instance.url}${event.livePath}`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("Nothing has been announced yet.").waitFor();
    await page.evaluate("window.wasHereBefore = true");
  }
  const everywhere = async (look: (page: Page) => Promise<unknown>) => {
    for (const { page } of visits) await look(page);
  };

  await event.generate("Qualification", { matchesPerTeam: 4, startTime: "2025-03-01T09:00:00", effort: 0.2 });
  await everywhere((page) => page.locator("#schedule").getByText("09:00").waitFor());
  const [first, ...others] = await event.schedule("Qualification");
  await event.enterResult("Qualification", first!.matchNumber, 250, 121);
  await everywhere((page) => page.locator("#latest").getByText("250").waitFor());
  await everywhere(async (page) => {
    const winner = String(first!.teams[0]!.teamNumber);
    expect(await textOf(page, "rankings")).toContain(winner);
    expect(await page.locator("#rankings tbody tr").first().locator("td.rank").textContent()).toBe("1");
    expect(await textOf(page, "next")).toContain("Qualification 2");
    expect(await overflowOf(page)).toBe(0);
    await expectAccessible(page);
  });

  const { page: phone } = visits[0]!;
  await phone.locator("#schedule summary").click();
  for (const match of others) await event.play("Qualification", match);
  await everywhere((page) => page.locator("#latest").getByText("Qualification 16").waitFor());
  expect(await phone.locator("#schedule").count()).toBe(0);

  await event.chooseAlliances();
  await everywhere((page) => page.locator("#alliances").getByText("Alliance 8").waitFor());
  for (let played = await event.playNext(); played > 0; ) played = await event.playNext();
  await everywhere((page) => page.locator("#alliances").getByText("champions").waitFor());
  await everywhere(async (page) => {
    expect(await page.locator("#playoffs svg .box").count()).toBe(14);
    expect(await page.locator("#playoffs svg .won").count()).toBeGreaterThan(28);
    expect(await overflowOf(page)).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate("window.wasHereBefore")).toBe(true);
  });
  expect(complaints).toEqual([]);
  for (const { context } of visits) await context.close();
});

it("keeps what a reader has opened, and can be read without a script", async () => {
  const opened = new RoboticsEvent(new Robotics(() => instance), { code: "OPENED" });
  await opened.enter();
  await opened.generate("Qualification", { matchesPerTeam: 6, effort: 0.2 });
  const { context, page } = await visit(browser);
  await page.goto(`${instance.url}${opened.livePath}`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator("#schedule summary").click();
  await page.getByRole("cell", { name: "Qualification 24" }).waitFor();
  await opened.enterResult("Qualification", 1, 80, 70);
  await page.locator("#latest").waitFor();
  expect(await page.getByRole("cell", { name: "Qualification 24" }).isVisible()).toBe(true);
  await context.close();

  const plain = await visit(browser, { javaScriptEnabled: false });
  await plain.page.goto(`${instance.url}${opened.livePath}`);
  await plain.page.locator("#latest").getByText("80").waitFor();
  await plain.context.close();
});
