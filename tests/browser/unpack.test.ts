/** The page for executables in a real Chromium: one is dropped, its report is read, its calls are searched and rules are tried. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { makeFailingExecutable, makePackedExecutable } from "../support/executables.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: "application/x-msdownload", buffer });

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["unpack"] });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("shows what a dropped executable unpacks to, what it calls and says, and which rules match", async () => {
  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/unpack`);
  await page.getByRole("link", { name: "Executables" }).first().click();
  await page.locator("#file").setInputFiles(fileOf("keeper.exe", makePackedExecutable()));
  await page.getByText("Done.", { exact: true }).waitFor({ timeout: 120_000 });

  await page.getByRole("heading", { name: "keeper.exe was packed, and is unpacked" }).waitFor();
  expect(await page.locator(".track").count()).toBe(4);
  expect(await page.locator("#layers li").count()).toBe(3);
  await page.getByLabel("Search calls").fill("messagebox");
  expect(await page.locator("#calls tr").count()).toBe(1);
  await page.getByLabel("Search texts").fill("tomatoes");
  await page.getByText("The tomatoes want water before the sun is high.").first().waitFor();
  expect(await page.locator("#texts tr").count()).toBe(1);

  await page.getByRole("button", { name: "Apply rules" }).click();
  await page.getByText("sample_keeper matches").waitFor({ timeout: 120_000 });
  await page.getByRole("textbox", { name: "YARA rules" }).fill("rule wrong { condition: nobody }");
  await page.getByRole("button", { name: "Apply rules" }).click();
  await page.getByText("Text 0 does not compile: unknown identifier `nobody`.").waitFor({ timeout: 120_000 });

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the unpacked file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("keeper.unpacked.exe");
  expect(readFileSync((await download.path()) as string).includes("tomatoes")).toBe(true);

  await expectAccessible(page);
  await expectNoSideScroll(page);

  await page.locator("#file").setInputFiles(fileOf("broken.exe", Buffer.from("no executable at all")));
  await page.getByText("The file is not an executable that can be loaded").waitFor();
  await page.locator("#file").setInputFiles(fileOf("failing.exe", makeFailingExecutable()));
  await page.getByRole("heading", { name: "failing.exe could not be unpacked" }).waitFor({ timeout: 60_000 });
  await page.getByText("The file could not be unpacked: emulation stopped after").waitFor();
  await page.getByRole("button", { name: "Clean up on the server" }).click();
  await page.getByText("Nothing is kept on the server any more.").waitFor();
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
}, 300_000);
