/** The listening page in a real Chromium: chapters and transcript follow the audio and lead into it, on a phone and a desk, light and dark. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { Directory, FeedServer, feedOf } from "../support/podcasts.ts";

const VIEWS = [
  { viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
] as const;
const SECONDS = 60;
const RATE = 8_000;

/** A minute of silence. */
function silence(): Buffer {
  const bytes = Buffer.alloc(44 + RATE * SECONDS, 128);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(RATE * SECONDS, 40);
  return bytes;
}
const cue = (at: number) =>
  `00:00:${String(at * 2).padStart(2, "0")}.000 --> 00:00:${String(at * 2 + 2).padStart(2, "0")}.000\n<v ${at % 2 === 0 ? "Ann" : "Ben"}>Sentence number ${at}.`;
const transcript = `WEBVTT\n\n${Array.from({ length: 25 }, (_, at) => cue(at)).join("\n\n")}`;

let instance: Instance;
let browser: Browser;
let feeds: FeedServer;
let episodeUrl: string;
beforeAll(async () => {
  instance = await startInstance({ services: ["podcasts"] });
  feeds = await FeedServer.start();
  browser = await launchBrowser();
  const directory = new Directory(() => instance);
  const sound = silence();
  const audio = feeds.answer("/a.wav", (request, response) => {
    const [, from = "0"] = /bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    const part = sound.subarray(Number(from));
    response
      .writeHead(206, {
        "content-type": "audio/wav",
        "accept-ranges": "bytes",
        "content-length": part.length,
        "content-range": `bytes ${from}-${sound.length - 1}/${sound.length}`,
      })
      .end(part);
  });
  const vtt = feeds.serve("/t.vtt", transcript, { "content-type": "text/vtt" });
  const more = `<podcast:transcript url="${vtt}" type="text/vtt"/><psc:chapters><psc:chapter start="0" title="Hello"/><psc:chapter start="20" title="The story"/></psc:chapters>`;
  const about =
    "&lt;p&gt;Notes with &lt;a href='https://example.org/'&gt;a link&lt;/a&gt;&lt;/p&gt;&lt;script&gt;window.wasHacked = true&lt;/script&gt;";
  const document = feedOf("Listening &lt;b&gt;Show&lt;/b&gt;", [
    { guid: "a", title: "First words", about, more },
  ]).replace("https://audio.example.org/a.mp3", audio);
  const { podcast } = await directory.handOver("show.xml", document);
  const [episode] = (await directory.read(`/podcasts/${podcast.id}`)).episodes;
  await eventually(
    async () => (await directory.read(`/episodes/${episode.id}?show_transcript=1`)).transcript !== null,
  );
  episodeUrl = episode.vendor_url;
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await feeds?.stop();
  await instance?.stop();
});

const currentIn = (page: Page, section: string) =>
  page.locator(`#${section} button[aria-current=true]`).textContent();

it.each(VIEWS)("plays, and what is said and told follows: $viewport.width, $colorScheme", async (view) => {
  const { page, context } = await visit(browser, view);
  const complaints: string[] = [];
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(`${message.text()} ${message.location().url}`),
  );
  await page.goto(episodeUrl);
  await page.getByRole("heading", { name: "First words" }).waitFor();
  await page.waitForFunction("document.querySelector('audio').duration > 0");
  expect(await page.evaluate("document.querySelector('audio').duration")).toBe(SECONDS);

  await page
    .locator("#transcript")
    .getByRole("button", { name: /Sentence number 12/ })
    .click();
  await page.waitForFunction("document.querySelector('audio').currentTime >= 24");
  expect(await currentIn(page, "transcript")).toContain("Sentence number 12");
  expect(await currentIn(page, "chapters")).toContain("The story");

  await page.evaluate("document.querySelector('audio').pause()");
  await page.evaluate("document.querySelector('audio').currentTime = 47");
  await eventually(async () => (await currentIn(page, "transcript"))?.includes("Sentence number 23"));
  await page.waitForFunction("document.querySelector('#transcript .moments').scrollTop > 0");
  await page.locator("#chapters").getByRole("button", { name: /Hello/ }).click();
  await eventually(async () => (await currentIn(page, "chapters"))?.includes("Hello"));

  expect(await page.evaluate("window.wasHacked")).toBeUndefined();
  expect(await page.getByRole("link", { name: "a link" }).getAttribute("href")).toBe("https://example.org/");
  expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBe(0);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Listening Show" }).click();
  await page.getByRole("heading", { name: "Listening Show" }).waitFor();
  await page.getByRole("link", { name: /First words/ }).waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
});

it("shows nothing of what is not there", async () => {
  const { page, context } = await visit(browser, VIEWS[0]);
  const answer = await page.goto(
    `${instance.url}/podcasts/api/v2/listen/${accounts.second.id}/episodes/${episodeUrl.split("/").at(-1)}`,
  );
  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await expectAccessible(page);
  await context.close();
});
