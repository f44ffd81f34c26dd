/** The page for moderators, in a real Chromium: contributions are approved, rejected, flagged and passed over by keys. */
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { openConsole } from "../support/console.ts";
import { type Newsroom, openNewsroom } from "../support/contributions.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
let browser: Browser;
let room: Newsroom;
beforeAll(async () => {
  instance = await startInstance({ services: ["identity", "contributions"] });
  browser = await launchBrowser();
  room = await openNewsroom(instance);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("shows one contribution after the other, and takes decisions by keys", async () => {
  const { body: assignment } = await room.ann.send("POST", "/assignments", { name: "The flood" });
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const sent = await instance.send("POST", "/contributions/1/media", {
    body: bytes,
    headers: { authorization: `Bearer ${room.tokens.bob}` },
  });
  const ids: string[] = [];
  for (const headline of ["First", "Second", "Third <b>bold</b>", "Fourth"]) {
    const made = await room.bob.send("POST", "/contributions", {
      assignment: { id: assignment.id },
      headline,
      ...(headline === "Fourth" && { mediaUsages: [{ media: { id: sent.body.id } }] }),
    });
    expect(made.status, made.text).toBe(200);
    ids.unshift(made.body.id);
  }
  await eventually(async () => {
    const { body } = await room.ann.send("GET", `/contributions/${ids[0]}`);
    return body.mediaUsages[0].artifacts.length > 2;
  });
  const { page } = await visit(browser, { viewport: { width: 390, height: 844 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${instance.url}/console/docs/contributions`);
  await page.getByRole("link", { name: "Moderation", exact: true }).click();
  await page.getByLabel("Bearer token").fill("wrong");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByText("This token is not valid.").waitFor();
  complaints.length = 0;
  await page.getByLabel("Bearer token").fill(room.tokens.ann);
  await page.getByRole("button", { name: "Begin" }).click();
  const shows = (headline: string) => page.getByRole("heading", { name: headline, exact: true }).waitFor();
  await shows("Fourth");
  await page.getByText("4 are left.").waitFor();
  await eventually(() => page.evaluate("document.querySelector('#media img').naturalWidth > 0"));
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.getByLabel("Notes").fill("arn");
  await page.getByRole("heading", { name: "Fourth" }).focus();
  await page.keyboard.press("a");
  await shows("Third <b>bold</b>");
  await page.keyboard.press("r");
  await shows("Second");
  await page.keyboard.press("n");
  await shows("First");
  await page.getByRole("button", { name: "Flag" }).click();
  await page.getByText("Nothing is left.").waitFor();
  const states = await Promise.all(
    ids.map(async (id) => (await room.ann.send("GET", `/contributions/${id}`)).body.moderationState.id),
  );
  expect(states).toEqual(["approved", "rejected", "pending", "flagged"]);
  const { body: first } = await room.ann.send("GET", `/contributions/${ids[0]}`);
  expect(first.moderationHistory).toMatchObject([{ notes: "arn", user: room.ann.userId }]);
  expect(complaints).toEqual([]);
}, 300_000);

it("needs no token of whoever is signed in at the console, and tells what was flagged and why", async () => {
  const { body: assignment } = await room.ann.send("POST", "/assignments", {
    name: "Harbour",
    moderation: "after",
    flagsHide: 1,
  });
  const sendOne = async (headline: string) =>
    (await room.bob.send("POST", "/contributions", { assignment: { id: assignment.id }, headline })).body.id;
  const [kept, hidden] = [await sendOne("Kept"), await sendOne("Hidden")];
  await room.cleo.send("POST", `/contributions/${hidden}/flag`, {
    type: "privacy",
    notes: "A child's face.",
  });
  const { page } = await openConsole(browser, instance, "/console/services/contributions", {
    token: accounts.first.tokens[0],
  });
  await page.getByRole("link", { name: "Moderation" }).first().click();
  const tool = page.frameLocator("iframe.tool");
  await tool.getByText(/are left|is left|Nothing is left/).waitFor();
  expect(await tool.getByLabel("Bearer token").isVisible()).toBe(false);
  await tool.getByLabel("Which ones").selectOption("flagged");
  await tool.getByLabel("Assignment").selectOption("Harbour");
  await tool.getByRole("button", { name: "Begin" }).click();
  await tool.getByRole("heading", { name: "Hidden", exact: true }).waitFor();
  await tool.getByText("1 · privacy (A child's face.)").waitFor();
  await page.keyboard.press("a");
  await tool.getByText("Nothing is left.").waitFor();
  const { body: seen } = await room.stranger.send("GET", `/contributions?assignment=${assignment.id}`);
  expect(seen.map(({ id }: { id: string }) => id)).toEqual([hidden, kept]);
}, 300_000);
