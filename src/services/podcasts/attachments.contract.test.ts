/** Transcripts and chapters over HTTP, on both databases: fetched, shown, searched, and refused. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory, FeedServer, feedOf, items } from "../../../tests/support/podcasts.ts";

type Item = ReturnType<typeof items>[number];
const ACCOUNT = accounts.first.id;

onBothDatabases("what episodes bring with them", (instance) => {
  const directory = new Directory(instance);
  let feeds: FeedServer;
  beforeAll(async () => {
    feeds = await FeedServer.start();
  });
  afterAll(() => feeds.stop());

  it("fetches transcripts and chapters, and shows them", async () => {
    const vtt =
      "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Welcome back.\n\n00:02.000 --> 00:05.000\n<v Ben>Thank you.\n";
    const transcript = feeds.serve("/t.vtt", vtt, { "content-type": "text/vtt" });
    const chapters = feeds.serve(
      "/c.json",
      JSON.stringify({
        version: "1.2.0",
        chapters: [
          { startTime: 0, title: "Intro" },
          { startTime: 60.5, title: "Middle" },
        ],
      }),
    );
    const [item] = items(1);
    const more = `<podcast:transcript url="${transcript}" type="text/vtt"/><podcast:chapters url="${chapters}" type="application/json+chapters"/>`;
    const { podcast } = await directory.decide(
      feeds.serve("/spoken.xml", feedOf("Spoken", [{ ...item!, more }])),
    );
    const [episode] = (await directory.read(`/podcasts/${podcast.id}`)).episodes;
    const text = await eventually(async () => {
      const { transcript: said } = await directory.read(`/episodes/${episode.id}?show_transcript=1`);
      return said ?? undefined;
    });
    expect(text).toBe("Ann: Welcome back.\nBen: Thank you.");
    const found = async (query: string) =>
      (await directory.read(`/search?${query}`)).results.map((one: { id: string }) => one.id);
    expect(await found("q=thank&only_in=audio")).toEqual([episode.id]);
    expect(await found('q="welcome+back"')).toEqual([episode.id]);
    expect(await found("q=thank&only_in=title,description")).toEqual([]);
    expect(await directory.read(`/episodes/${episode.id}`)).not.toHaveProperty("transcript");
    const page = await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/episodes/${episode.id}`);
    expect(page.status).toBe(200);
    for (const part of ["Welcome back.", "Middle", 'data-start="60.5"', "<audio"])
      expect(page.text).toContain(part);
    const own = await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/podcasts/${podcast.id}`);
    expect([own.status, own.text.includes("Episode 0")]).toEqual([200, true]);
    expect((await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/episodes/nothing`)).status).toBe(
      404,
    );
  });

  it("fetches for the latest episodes first, in however many goes", async () => {
    const [oldest, ...others] = items(12).map((item, index) => {
      const url = feeds.serve(`/order/${index}`, `Said in ${index}.`, { "content-type": "text/plain" });
      return { ...item, more: `<podcast:transcript url="${url}" type="text/plain"/>` };
    });
    const mixed = [...others.slice(4), oldest!, ...others.slice(0, 4)];
    await directory.decide(feeds.serve("/order.xml", feedOf("In order", mixed)));
    await eventually(() => feeds.countOf("/order/0") > 0, "the oldest one's transcript");
    const asked = feeds.asked.map(({ path }) => path).filter((path) => path.startsWith("/order/"));
    expect(asked).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((index) => `/order/${index}`));
  });

  it("takes transcripts of 8 MB", async () => {
    const cue = "WEBVTT\n\n00:00.000 --> 00:02.000\nSaid.\n\n";
    const more = (bytes: number) => {
      const url = feeds.serve(`/vtt-${bytes}`, cue.padEnd(bytes, "\n"), { "content-type": "text/vtt" });
      return `<podcast:transcript url="${url}" type="text/vtt"/>`;
    };
    const [earlier, later] = items(2) as [Item, Item];
    const document = feedOf("Long", [
      { ...earlier, more: more(8_388_608) },
      { ...later, more: more(8_388_609) },
    ]);
    const { podcast } = await directory.decide(feeds.serve("/long.xml", document));
    const { episodes } = await directory.read(`/podcasts/${podcast.id}`);
    const [ofLater, ofEarlier] = episodes.map(
      ({ id }: { id: string }) =>
        async () =>
          (await directory.read(`/episodes/${id}?show_transcript=1`)).transcript ?? undefined,
    );
    // The latest is fetched first.
    expect(await eventually(ofEarlier, "the transcript of the earlier one")).toBe("Said.");
    expect([feeds.countOf("/vtt-8388609"), await ofLater()]).toEqual([1, undefined]);
  });

  it("takes neither transcripts nor chapters from places that must not be reached, nor more than they may have", async () => {
    const [one, two, three, four] = items(4) as [Item, Item, Item, Item];
    const within = (transcript: string, chapters: string) =>
      `<podcast:transcript url="${transcript}" type="text/plain"/><podcast:chapters url="${chapters}" type="application/json+chapters"/>`;
    const metadata = "http://169.254.169.254/latest/meta-data/";
    const aside = feeds.redirect("/aside", 302, metadata);
    const endless = feeds.answer("/endless", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        while (!response.destroyed)
          if (!response.write("x".repeat(65_536))) return response.once("drain", more);
        return undefined;
      };
      more();
    });
    const packed = feeds.serve("/bomb", gzipSync(Buffer.alloc(9_000_000, "y")), {
      "content-type": "text/plain",
      "content-encoding": "gzip",
    });
    const document = feedOf("Traps", [
      { ...one, more: within(metadata, "http://[::ffff:169.254.169.254]/") },
      { ...two, more: within(aside, aside) },
      { ...three, more: within(endless, endless) },
      { ...four, more: within(packed, "file:///etc/passwd") },
    ]);
    const { podcast } = await directory.decide(feeds.serve("/traps.xml", document));
    const { episodes } = await directory.read(`/podcasts/${podcast.id}`);
    // The first to be fetched is the latest; when the oldest is done, so are all.
    await eventually(async () => {
      const { text } = await instance().bearer("GET", `/_medley/state?service=podcasts&account=${ACCOUNT}`);
      const fetched = text
        .split("\n")
        .filter((row) => row.includes('"podcasts_transcript"') && row.includes(podcast.id));
      return (
        fetched.length === episodes.length &&
        fetched.every((row) => !JSON.parse(row).row.problem.startsWith(" ")) &&
        fetched.every((row) => JSON.parse(row).row.problem !== "")
      );
    }, "a problem noted for each");
    for (const { id } of episodes)
      expect((await directory.read(`/episodes/${id}?show_transcript=1`)).transcript ?? null).toBeNull();
    expect(feeds.countOf("/aside")).toBeLessThanOrEqual(2);
  });
});
