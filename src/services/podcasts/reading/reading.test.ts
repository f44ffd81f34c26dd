/** Long feeds are read in threads: the main thread goes on, and the result is the same. */
import { expect, it } from "vitest";
import { item, rss } from "../../../../tests/support/feed-documents.ts";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { openFeed } from "../domain/feeds/read-feed.ts";
import { hashOf, readAttachment, readFeed } from "./index.ts";

const TURNS_MIN = 20;
const ACCOUNT = "123456789012";
const address = "https://shows.example.org/feeds/main.xml";

async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  let turns = 0;
  for (; !isDone; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}

it.each([
  ["many empty elements", rss("<a/>".repeat(300_000))],
  ["many links", rss("<link>nowhere</link>".repeat(50_000))],
  ["many parts of a description", rss(`<description>${"<b>x</b>".repeat(100_000)}</description>`)],
])("%s do not hold up the main thread", async (_name, document) => {
  const reading = readFeed(ACCOUNT, Buffer.from(document), { address });
  expect(await turnsDuring(reading)).toBeGreaterThan(TURNS_MIN);
  expect((await reading).feed.title).toBe("Show");
});

it("a long feed is read as a short one is", async () => {
  const [one] = /<item>.*<\/item>/s.exec(item("<title>Part</title>")) ?? [""];
  const bytes = Buffer.from(rss(one.repeat(250)));
  const [here, there] = [openFeed(bytes, { address }), await readFeed(ACCOUNT, bytes, { address })];
  expect([there.feed, there.itemCount, there.batchCount]).toEqual([here.feed, 250, 3]);
  for (const index of [0, 1, 2]) expect(there.batch(index)).toEqual(here.batch(index));
  expect(there.batch(2)).toHaveLength(50);
});

it("says what is wrong with a long document", async () => {
  await expect(readFeed(ACCOUNT, Buffer.from("<html>".padEnd(100_000, "x")))).rejects.toThrow(FeedProblem);
});

const transcript = { kind: "transcript", contentType: "text/vtt", address } as const;
const chapters = { kind: "chapters", contentType: "application/json", address } as const;
it.each([
  [
    "a transcript of many blocks",
    { ...transcript, bytes: Buffer.from(`WEBVTT\n\n${"1\n\n".repeat(150_000)}`) },
  ],
  ["chapters that only begin", { ...chapters, bytes: Buffer.from("[".repeat(2_000_000)) }],
])("%s do not hold up the main thread", async (_name, document) => {
  const reading = readAttachment(ACCOUNT, document).catch((error) => error.message);
  expect(await turnsDuring(reading)).toBeGreaterThan(TURNS_MIN);
  expect(await reading).toBe("The file is of no kind that is known.");
});
it("a long transcript is read as a short one is", async () => {
  const part = "00:00.000 --> 00:01.000\nWords\n\n";
  const [short, long] = await Promise.all(
    [1, 2000].map((times) =>
      readAttachment(ACCOUNT, { ...transcript, bytes: Buffer.from(`WEBVTT\n\n${part.repeat(times)}`) }),
    ),
  );
  expect([short?.text, long?.text]).toEqual(["Words", "Words ".repeat(2000).trim()]);
  const [cue] = JSON.parse(short?.json ?? "");
  expect(JSON.parse(long?.json ?? "")).toEqual(Array(2000).fill(cue));
});

it("hashes in parts as in one", async () => {
  expect(await hashOf(Buffer.from(""))).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  const bytes = Buffer.alloc(3_000_001, "x");
  const { createHash } = await import("node:crypto");
  expect(await hashOf(bytes)).toBe(createHash("sha256").update(bytes).digest("base64url"));
});
