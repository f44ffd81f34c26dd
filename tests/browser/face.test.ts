/** The viewer in a real Chromium: pictures are dropped, faces are marked, and persons are told by name. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { FaceStage } from "../support/face.ts";
import { portraitInGroup } from "../support/face-pictures.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance({ services: ["face"] });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("marks the faces of dropped pictures, matches them, and names the nearest persons", async () => {
  const stage = new FaceStage(() => instance);
  const bytes = { headers: { "content-type": "application/octet-stream" } };
  const [ann, annAgain] = [
    await portraitInGroup("middle"),
    await portraitInGroup("middle", { isAnother: true }),
  ];
  await stage.done("PUT", "/persongroups/office", {
    body: { name: "Office", recognitionModel: "recognition_04" },
  });
  const { personId } = await stage.done("POST", "/persongroups/office/persons", { body: { name: "Ann" } });
  const faces = `/persongroups/office/persons/${personId}/persistedfaces`;
  await stage.done("POST", faces, { ...bytes, body: ann });
  await stage.train("/persongroups/office");

  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/face`);
  await page.getByRole("link", { name: "Faces in pictures" }).click();
  await page.getByLabel("API key").fill(accounts.first.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my groups" }).click();
  await page.getByText("Groups are listed.").waitFor();
  await page.getByLabel("Compare with").selectOption({ label: "Office (person group office)" });
  await page.locator("#pictures").setInputFiles([
    { name: "first.jpg", mimeType: "image/jpeg", buffer: ann },
    { name: "second.png", mimeType: "image/png", buffer: annAgain },
  ]);
  await page.getByText("2 faces.").waitFor({ timeout: 120_000 });
  await page.getByText("second.png: one face").waitFor();
  expect(await page.getByText(/^Ann [01]\.\d\d$/).count()).toBe(2);
  expect(await page.locator("#match-rows").getByText("the same person").count()).toBe(2);
  expect(await page.locator("canvas").count()).toBe(2);

  await page
    .locator("#pictures")
    .setInputFiles([
      { name: "note.png", mimeType: "image/png", buffer: Buffer.from("no picture".repeat(200)) },
    ]);
  await page.getByText(/unsupported|format/i).waitFor({ timeout: 120_000 });
  await expectAccessible(page);
  await expectNoSideScroll(page);
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
}, 300_000);

it("runs nothing that names or files bring along, shows what it can of several, and forgets what another key saw", async () => {
  const stage = new FaceStage(() => instance);
  const hostile = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
  await stage.done("PUT", "/persongroups/hostile", {
    body: { name: hostile, recognitionModel: "recognition_04" },
  });
  const { personId } = await stage.done("POST", "/persongroups/hostile/persons", { body: { name: hostile } });
  const face = await portraitInGroup("left");
  await stage.done("POST", `/persongroups/hostile/persons/${personId}/persistedfaces`, {
    headers: { "content-type": "application/octet-stream" },
    body: face,
  });
  await stage.train("/persongroups/hostile");

  const { page } = await visit(browser, { viewport: { width: 1000, height: 800 } });
  await page.goto(`${instance.url}/face/v1.0/viewer`);
  await page.getByLabel("API key").fill(accounts.first.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my groups" }).click();
  await page.getByText("Groups are listed.").waitFor();
  await page.getByLabel("Compare with").selectOption({ label: `${hostile} (person group hostile)` });
  const huge = Buffer.alloc(7 * 1024 * 1024, "no picture");
  await page.locator("#pictures").setInputFiles([
    { name: "huge.jpg", mimeType: "image/jpeg", buffer: huge },
    { name: `${hostile.replaceAll("/", "")}.jpg`, mimeType: "image/jpeg", buffer: face },
    {
      name: "vector.png",
      mimeType: "image/png",
      buffer: Buffer.from(`<svg onload="x">${" ".repeat(2000)}</svg>`),
    },
  ]);
  await page.getByText("One face.").waitFor({ timeout: 120_000 });
  expect(await page.locator("#state").textContent()).toMatch(
    /huge\.jpg: .*6 MB.* vector\.png: .*unsupported/,
  );
  expect(await page.locator("#shown").textContent()).toContain(`${hostile} 1.00`);
  expect(await page.locator("img, #shown script").count()).toBe(0);
  expect(await page.title()).toBe("Faces in pictures · Medley");

  await page.getByLabel("API key").fill(accounts.second.apiKeys[0] as string);
  await page.getByRole("button", { name: "Show my groups" }).click();
  await page.getByText("This account has no groups.").waitFor();
  expect(await page.locator("canvas").count()).toBe(0);
  expect(await page.getByLabel("Compare with").locator("option").allTextContents()).toEqual(["no group"]);
}, 300_000);
