/** The page of a gateway's traffic, in a real Chromium: calls appear as they come, with what was kept of each and why. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { Backend } from "../support/backend.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { pause } from "../support/eventually.ts";
import { newGateway } from "../support/gateway.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const backend = new Backend();
let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["api-diagnostics"] });
  browser = await launchBrowser();
  await backend.start();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
  await backend.stop();
});

it("shows calls as they come, with what was kept of each and why", async () => {
  const { api, call, put } = newGateway(() => instance, backend);
  await api();
  await put("loggers/main", { loggerType: "azureMonitor" });
  await put("diagnostics/monitor", {
    loggerId: "/loggers/main",
    sampling: { samplingType: "fixed", percentage: 0 },
    alwaysLog: "allErrors",
    frontend: { request: { headers: ["x-note"] } },
  });
  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/api-diagnostics`);
  await page.getByRole("link", { name: "Gateway traffic", exact: true }).click();
  await page.getByLabel("Bearer token").fill("first-token-0001");
  await page.getByLabel("Subscription").fill("gateways");
  await page.getByRole("button", { name: "Show instances" }).click();
  await page.getByText("One instance.").waitFor();
  // An answer that takes longer than the page rests between its questions: each call is shown once all the same.
  await page.route(/\/traffic\?/, async (route) => {
    await pause(2500);
    await route.continue();
  });
  await call("GET", "/orders/7?note=<b>bold</b>");
  await call("GET", "/elsewhere", { headers: { "x-note": "<img src=x onerror=alert(1)>" } });
  await page
    .getByRole("row", { name: /orders\/7/ })
    .getByText(/^not logged by monitor/)
    .waitFor();
  const failed = page.getByRole("row", { name: /elsewhere/ });
  await failed.getByText(/^logged by monitor of the instance/).waitFor();
  await failed.getByText("what was kept").click();
  await failed.getByText("<img src=x onerror=alert(1)>").waitFor();
  await call("GET", "/orders/8");
  await page.getByRole("row", { name: /orders\/8/ }).waitFor();
  expect(await page.locator("#rows tr").count()).toBe(3);
  await page.unrouteAll({ behavior: "wait" });
  await expectAccessible(page);
  await expectNoSideScroll(page);
  expect(complaints).toEqual([]);
}, 300_000);
