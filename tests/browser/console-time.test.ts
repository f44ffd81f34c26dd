/** While time is moved, the console tells how far it has come, where it goes, and stops where it is told to. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, settled, walkTo } from "../support/console.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { firingStage, schedulerServices } from "../support/scheduler.ts";

let instance: Instance;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  instance = await startInstance({ services: schedulerServices });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});
const stage = firingStage(() => instance);

it("shows a bar with position and target in the page and in the header, and stops the journey", async () => {
  const { page } = await openConsole(browser, instance, "/console", { token: "first-token-0001" });
  await stage.put("hourly", {
    startTime: stage.at(stage.soon()),
    recurrence: { frequency: "hour", interval: 1 },
    action: stage.request(),
  });
  // The tenth call is not answered until the page was looked at.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  stage.receiver.reply = () => ({
    status: 200,
    ...(stage.receiver.received.length >= 10 && { until: held }),
  });
  await walkTo(page, "/console/time");
  await page.getByLabel("By how much").fill("100h");
  await page.getByRole("button", { name: "Advance" }).click();
  await stage.receiver.waitFor(10);
  const bar = page.getByRole("progressbar", { name: "Of the way" });
  await page.locator('progress[value="9"]').waitFor();
  expect(await bar.getAttribute("max")).toBe("100");
  expect(await bar.locator("..").textContent()).toMatch(
    /^9 % of the way to \d{4}-\d\d-\d\d [\d:]+: \d+ runs so far/,
  );
  const clock = page.locator("a.clock");
  await page.locator("a.clock.moving").waitFor();
  expect(await clock.textContent()).toContain("9 %");
  expect(await clock.textContent()).not.toContain("frozen");
  await page.getByRole("button", { name: "Stop here" }).click();
  release();
  await page.getByRole("heading", { name: "Jobs that ran until it was stopped" }).waitFor();
  expect(await bar.count()).toBe(0);
  expect(stage.receiver.received.length).toBe(10);
});

it("counts from the server's time, also in what was drawn before that was known", async () => {
  const moved = await instance.bearer("POST", "/_medley/clock/advance", { body: { by: "36h" } });
  expect(moved.status, moved.text).toBe(200);
  const { page } = await openConsole(browser, instance, "/console/time", { token: "first-token-0001" });
  await page.getByText("ahead of the machine").waitFor();
  expect(await page.getByText("ahead of the machine").textContent()).not.toContain("11 h");
  await stage.put("afterwards", { action: stage.request() });
  await page.goto(`${instance.url}/console/resources`);
  const moment = page.locator("main time").first();
  await moment.waitFor();
  await page.locator("a.clock time").waitFor();
  await settled(page);
  expect(await moment.textContent()).toMatch(/^(?:now|.+ ago)$/);
});
