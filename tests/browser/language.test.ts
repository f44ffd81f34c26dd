/** The workbench in a real Chromium: an application is tried, its entities are marked, and what it confuses is shown. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const BASE = "/language/luis/authoring/v3.0-preview";

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["language", "language-predictions"] });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("shows intents, what is taken for what, what to review, and marks entities in what is tried", async () => {
  const seeded = await instance.bearer("POST", "/_medley/seed", { body: { services: ["language"] } });
  expect(seeded.status, seeded.text).toBeLessThan(300);
  const ask = (path: string) => instance.apiKey("Vendor-Subscription-Key", "GET", `${BASE}${path}`);
  const [{ id }] = (await ask("/apps/")).body;
  await eventually(async () => (await ask(`/apps/${id}/versions/0.1/`)).body.trainingStatus === "Trained");

  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/language`);
  await page.getByRole("link", { name: "Language workbench" }).click();
  await page.getByLabel("API key").fill("no such key");
  await page.getByRole("button", { name: "Show my applications" }).click();
  await page.getByText("This key is not valid.").waitFor();
  await page.getByLabel("API key").fill(accounts.first.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my applications" }).click();
  await page.getByText("24 utterances of 4 intents were looked at.").waitFor({ timeout: 60_000 });
  expect(await page.locator("#intent-rows tr").count()).toBe(4);
  expect(await page.locator("#matrix-rows td.right").count()).toBe(4);
  await page.getByLabel("What somebody says").fill("book a flight to Lisbon tomorrow");
  await page.getByRole("button", { name: "Understand" }).click();
  await page.getByText("Understood.").waitFor({ timeout: 60_000 });
  expect(await page.locator("#said mark").allTextContents()).toEqual([
    "LisbonCity (destination)",
    "tomorrowdatetimeV2.date",
  ]);
  expect(await page.locator("#scores th").first().textContent()).toBe("BookFlight");
  await page.getByRole("heading", { name: "Intents that are confused" }).waitFor();

  const tell = async (method: string, path: string, body?: object) => {
    const told = await instance.apiKey("Vendor-Subscription-Key", method, `${BASE}/apps/${id}${path}`, {
      body,
    });
    expect(told.status, told.text).toBeLessThan(300);
  };
  const wrong = { text: "book a flight to Lisbon", intent: "None", entities: [] };
  await tell("PUT", "/testset", { LabeledTestSetUtterances: [wrong] });
  const example = { text: "book me a flight to Rome", intentName: "BookFlight", entityLabels: [] };
  await tell("POST", "/versions/0.1/example", example);
  await tell("POST", "/versions/0.1/train");
  await eventually(async () => (await ask(`/apps/${id}/testset/runs`)).body[0]?.status === "succeeded");
  await page.getByRole("button", { name: "Show my applications" }).click();
  await page.getByText("None taken for BookFlight: book a flight to Lisbon").waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  await expectNoSideScroll(page);
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
}, 120_000);
