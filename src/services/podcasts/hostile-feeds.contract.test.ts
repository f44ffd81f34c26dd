/** Servers that move, stall, lie about their length, pack, and say that nothing has changed: each is borne. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory, FeedServer, feedOf } from "../../../tests/support/podcasts.ts";

const ONE = [{ guid: "a", title: "First" }];
const TWO = [{ guid: "b", title: "Second", date: "Tue, 03 Nov 2026 10:00:00 GMT" }, ...ONE];

onBothDatabases("feeds of other servers", (instance) => {
  const directory = new Directory(instance);
  let feeds: FeedServer;
  beforeAll(async () => {
    feeds = await FeedServer.start();
  });
  afterAll(() => feeds.stop());
  const listed = async (rss: string): Promise<string> => {
    const { status, reason, podcast } = await directory.decide(rss);
    expect([rss, status, reason]).toEqual([rss, "found", expect.any(String)]);
    return podcast.id;
  };
  const totalOf = async (id: string): Promise<number> =>
    (await directory.read(`/podcasts/${id}`)).total_episodes;

  it("asks conditionally, and believes that nothing has changed", async () => {
    const id = await listed(
      feeds.serve("/tagged.xml", feedOf("Tagged", ONE), {
        etag: '"v1"',
        "last-modified": "Mon, 02 Nov 2026 10:00:00 GMT",
      }),
    );
    expect((await directory.refresh(id)).status).toBe("unchanged");
    const asked = feeds.asked.filter(({ path }) => path === "/tagged.xml").at(-1);
    expect([asked?.headers["if-none-match"], asked?.headers["if-modified-since"]]).toEqual([
      '"v1"',
      "Mon, 02 Nov 2026 10:00:00 GMT",
    ]);
    feeds.serve("/tagged.xml", feedOf("Tagged", TWO), { etag: '"v2"' });
    expect([(await directory.refresh(id)).status, await totalOf(id)]).toEqual(["refreshed", 2]);
  });

  it("follows redirects, and moves with those that are for good", async () => {
    feeds.serve("/home.xml", feedOf("Moved", ONE));
    feeds.redirect("/for-good.xml", 301, "/home.xml");
    const id = await listed(feeds.url("/for-good.xml"));
    expect((await directory.read(`/podcasts/${id}`)).rss).toBe(feeds.url("/home.xml"));
    expect((await directory.decide(feeds.url("/for-good.xml"))).podcast.id).toBe(id);

    feeds.redirect("/for-now.xml", 302, "/other.xml");
    feeds.serve("/other.xml", feedOf("Passing", ONE));
    const passing = await listed(feeds.url("/for-now.xml"));
    expect((await directory.read(`/podcasts/${passing}`)).rss).toBe(feeds.url("/for-now.xml"));

    feeds.redirect("/home.xml", 308, "/new-home.xml");
    feeds.serve("/new-home.xml", feedOf("Moved again", TWO));
    expect((await directory.refresh(id)).status).toBe("refreshed");
    expect(await directory.read(`/podcasts/${id}`)).toMatchObject({
      rss: feeds.url("/new-home.xml"),
      title: "Moved again",
      total_episodes: 2,
    });

    feeds.serve("/says.xml", feedOf("Says", ONE));
    const says = await listed(feeds.url("/says.xml"));
    feeds.serve(
      "/says.xml",
      feedOf("Says", TWO, `<itunes:new-feed-url>${feeds.url("/said.xml")}</itunes:new-feed-url>`),
    );
    await directory.refresh(says);
    expect((await directory.read(`/podcasts/${says}`)).rss).toBe(feeds.url("/said.xml"));

    feeds.redirect("/round.xml", 301, "/round.xml");
    expect(await directory.decide(feeds.url("/round.xml"))).toMatchObject({
      status: "rejected",
      reason: "The address redirects more than 6 times.",
    });
    feeds.redirect("/inside.xml", 302, "http://169.254.169.254/latest/");
    expect((await directory.decide(feeds.url("/inside.xml"))).status).toBe("rejected");
  });

  it("passes on addresses of pictures that are of the web, and fetches none of them", async () => {
    let asked = 0;
    const slow = feeds.answer("/slow.png", () => {
      asked += 1;
    });
    const wrong = feeds.serve("/wrong.png", "<script>document.title='run'</script>", {
      "content-type": "text/html",
    });
    const pictures: readonly (readonly [address: string, passedOn: boolean])[] = [
      [slow, true],
      [wrong, true],
      ["http://169.254.169.254/latest/meta-data/", true],
      ["javascript:alert(1)", false],
      ["data:image/svg+xml,%3Csvg onload='alert(1)'/%3E", false],
      ["file:///etc/passwd", false],
      [`https://pictures.example.org/${"a".repeat(2_000)}.png`, false],
      ['https://pictures.example.org/"><script>x</script>.png', true],
    ];
    const withPicture = (address: string): string =>
      `<itunes:image href="${address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"/>`;
    const id = await listed(
      feeds.serve(
        "/pictures.xml",
        feedOf(
          "Pictures",
          pictures.map(([address], at) => ({ guid: `p${at}`, title: `P ${at}`, more: withPicture(address) })),
          withPicture(slow),
        ),
      ),
    );
    const { image, episodes } = await directory.read(`/podcasts/${id}`);
    expect(image).toBe(slow);
    for (const [at, [address, isPassedOn]] of pictures.entries()) {
      const episode = episodes.find(({ title }: { title: string }) => title === `P ${at}`);
      expect([address, episode.image]).toEqual([address, isPassedOn ? new URL(address).href : slow]);
      const page = await (await fetch(episode.vendor_url)).text();
      expect(page).not.toMatch(/<script>(?:x|document)/);
    }
    const paths = feeds.asked.map(({ path }) => path);
    expect([asked, paths.includes("/wrong.png")]).toEqual([0, false]);
  });

  it("unpacks what is packed, and not what would never end", async () => {
    expect(await totalOf(await listed(feeds.servePacked("/packed.xml", feedOf("Packed", TWO))))).toBe(2);
    const asked = feeds.asked.find(({ path }) => path === "/packed.xml");
    expect(asked?.headers["accept-encoding"]).toBe("gzip, br, deflate");
    expect(await totalOf(await listed(feeds.serve("/silent.xml", gzipSync(feedOf("Silent", ONE)))))).toBe(1);
    expect(
      await totalOf(
        await listed(feeds.serve("/claims.xml", feedOf("Claims", ONE), { "content-encoding": "gzip" })),
      ),
    ).toBe(1);
    const nothing = Buffer.alloc(80 * 1024 * 1024);
    const bombs = {
      gzip: gzipSync(nothing),
      br: brotliCompressSync(nothing, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      deflate: deflateSync(nothing),
      DEFLATE: deflateRawSync(nothing),
    };
    for (const [encoding, bomb] of Object.entries(bombs)) {
      const url = feeds.serve(`/bomb-${encoding}.xml`, bomb, { "content-encoding": encoding });
      expect([encoding, await directory.decide(url)]).toMatchObject([
        encoding,
        { status: "rejected", reason: expect.stringContaining("longer than") },
      ]);
    }
  });

  it("keeps what it has when a server breaks off, lies or fails, and waits longer each time", async () => {
    const id = await listed(feeds.serve("/liar.xml", feedOf("Liar", TWO)));
    const healthy = await directory.read(`/podcasts/${id}/feed`);
    feeds.answer("/liar.xml", (_request, response) => {
      response.writeHead(200, { "content-length": "100000" });
      response.write(feedOf("Liar", ONE).slice(0, 300), () => response.destroy());
    });
    expect((await directory.refresh(id)).status).toBe("failed");
    feeds.answer("/liar.xml", (_request, response) => response.writeHead(503).end());
    expect(await directory.refresh(id)).toMatchObject({
      status: "failed",
      reason: "The server answers with status 503.",
    });
    feeds.serve("/liar.xml", "<html>Sorry</html>");
    expect((await directory.refresh(id)).status).toBe("failed");
    const broken = await directory.read(`/podcasts/${id}/feed`);
    expect([broken.status, broken.failures, await totalOf(id)]).toEqual(["broken", 3, 2]);
    expect(broken.last_refreshed_at_ms).toBe(healthy.last_refreshed_at_ms);
    const waitOf = (feed: { next_check_at_ms: number; last_checked_at_ms: number }) =>
      feed.next_check_at_ms - feed.last_checked_at_ms;
    const weekMs = 7 * 86_400_000;
    expect(waitOf(broken)).toBeGreaterThan(Math.min(waitOf(healthy) * 4, weekMs - 1));
    feeds.answer("/liar.xml", (_request, response) => response.writeHead(410).end());
    await directory.refresh(id);
    expect((await directory.read(`/podcasts/${id}/feed`)).status).toBe("gone");
    feeds.serve("/liar.xml", feedOf("Liar", TWO));
    await directory.refresh(id);
    expect(await directory.read(`/podcasts/${id}/feed`)).toMatchObject({
      status: "active",
      failures: 0,
      last_problem: "",
    });
  });

  it("keeps a submission in review while a server is away, and refreshes by itself when the time has come", async () => {
    let isUp = false;
    const url = feeds.answer("/later.xml", (_request, response) => {
      if (isUp) response.writeHead(200).end(feedOf("Later", ONE));
      else response.writeHead(503).end();
    });
    await directory.submit(url);
    await eventually(async () => {
      const { body } = await directory.submit(url);
      return body.reason === "The server answers with status 503.";
    });
    expect((await directory.submit(url)).body.status).toBe("in review");
    isUp = true;
    await instance().clock.advance("2m");
    const { status, podcast } = await directory.decide(url);
    expect(status).toBe("found");
    feeds.serve("/later.xml", feedOf("Later", TWO));
    await instance().clock.advance("7d");
    expect(await totalOf(podcast.id)).toBe(2);
  });
});
