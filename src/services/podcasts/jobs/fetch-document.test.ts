/** Time and size of what is fetched are bounded; addresses in it are relative to what the server calls it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOutbound } from "#kernel/outbound";
import { FeedServer } from "../../../../tests/support/podcasts.ts";
import { fetchDocument } from "./fetch-document.ts";

const outbound = createOutbound({ listensOnLoopbackOnly: true, allowedNetworks: [], userAgent: "test" });
let feeds: FeedServer;
beforeAll(async () => {
  feeds = await FeedServer.start();
});
afterAll(() => feeds.stop());

it("gives up on a server that stalls, for now", async () => {
  const url = feeds.answer("/stalls.xml", (_request, response) => {
    response.writeHead(200);
    response.write("<rss>");
  });
  expect(await fetchDocument(outbound, { url, timeoutMs: 200 })).toEqual({
    kind: "failed",
    problem: expect.stringContaining("did not answer completely within 200 ms"),
    passes: true,
    isGone: false,
  });
});

it("refuses what is too long, declared or not, for good", async () => {
  const long = Buffer.alloc(5_000, "a");
  const declared = feeds.serve("/declared.xml", long);
  const endless = feeds.answer("/endless.xml", (_request, response) => {
    const more = () => void (response.write(long) ? setImmediate(more) : response.once("drain", more));
    more();
  });
  for (const url of [declared, endless])
    expect(await fetchDocument(outbound, { url, bytesMax: 2_000 })).toEqual({
      kind: "failed",
      problem: "The answer is longer than 2000 bytes.",
      passes: false,
      isGone: false,
    });
});

it("takes documents of 64 MB where nothing else is said", async () => {
  const problemOf = async (bytes: number) => {
    const url = feeds.answer("/large.xml", (_request, response) => {
      response.writeHead(200, { "content-length": String(bytes) }).write("<rss>");
    });
    return fetchDocument(outbound, { url, timeoutMs: 200 });
  };
  expect(await problemOf(67_108_864)).toMatchObject({ problem: expect.stringContaining("did not answer") });
  expect(await problemOf(67_108_865)).toMatchObject({ problem: "The answer is longer than 67108864 bytes." });
});

it.each([
  ["https://other.example/shows/a.xml", () => "https://other.example/shows/a.xml"],
  ["/shows/a.xml", (url: string) => new URL("/shows/a.xml", url).href],
  ["javascript:alert(1)", (url: string) => url],
])("reads what the server calls the document: %s", async (location, baseOf) => {
  const url = feeds.answer("/located.xml", (_request, response) => {
    response.writeHead(200, { "content-location": location }).end("<rss/>");
  });
  expect(await fetchDocument(outbound, { url })).toMatchObject({ kind: "document", base: baseOf(url) });
});
