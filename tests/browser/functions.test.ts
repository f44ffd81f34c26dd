/** The page for trying functions, in a real Chromium: one is called, and its processes and lines are shown. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { Functions } from "../support/functions.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const SOURCE = `exports.greet = (request, response) => {
  console.warn("greeted " + request.body.name);
  response.json({ greeting: "Hello <b>" + request.body.name + "</b>", path: request.path });
};`;

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"] });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("calls a function, and shows what it answers, takes and writes", async () => {
  const functions = new Functions(() => instance);
  await functions.create("greet", { source: SOURCE });
  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/functions`);
  await page.getByRole("link", { name: "Try a function" }).click();
  await page.getByLabel("Bearer token").fill(functions.token);
  await page.getByRole("button", { name: "Show functions" }).click();
  await page.getByText("One function.").waitFor();
  await page.getByLabel("Method").selectOption("POST");
  await page.getByLabel("Path and query").fill("/door");
  await page.getByLabel("Body", { exact: true }).fill('{"name":"Ann"}');
  await page.getByRole("button", { name: "Call it" }).click();
  await page.getByText(/^200, [\d.]+ ms, application\/json/).waitFor();
  expect(JSON.parse((await page.locator("#answer-text").textContent()) ?? "")).toEqual({
    greeting: "Hello <b>Ann</b>",
    path: "/door",
  });
  await page.getByRole("cell", { name: "greeted Ann" }).waitFor();
  const figure = (name: string) => page.locator("#figure-list div", { hasText: name }).locator("dd");
  expect(await figure("Processes").textContent()).toBe("1");
  expect(await figure("Requests").textContent()).toBe("1");
  expect(Number(await figure("Median ms").textContent())).toBeGreaterThan(0);
  await expectAccessible(page);
  await expectNoSideScroll(page);
  expect(complaints).toEqual([]);
}, 300_000);
