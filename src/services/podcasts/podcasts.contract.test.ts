/** The directory over HTTP, on both databases: what comes in, what is read, lists and plans. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory, FeedServer, feedOf, items } from "../../../tests/support/podcasts.ts";

const ACCOUNT = accounts.first.id;
onBothDatabases("podcasts", (instance) => {
  const directory = new Directory(instance);
  let feeds: FeedServer;
  beforeAll(async () => {
    feeds = await FeedServer.start();
  });
  afterAll(() => feeds.stop());

  it("lists what was submitted, once its feed was read", async () => {
    const url = feeds.serve("/garden.xml", feedOf("Garden Hour", items(12)));
    const first = await directory.submit(url, { email: "ann@example.org" });
    expect([first.status, first.body.status, first.body.podcast.title]).toEqual([200, "in review", ""]);
    const { status, reason, podcast } = await directory.decide(url);
    expect([status, reason, podcast.title]).toEqual([
      "found",
      "The podcast is listed already.",
      "Garden Hour",
    ]);
    expect(podcast.id).toBe(first.body.podcast.id);
    const full = await directory.read(`/podcasts/${podcast.id}`);
    expect(full).toMatchObject({
      title: "Garden Hour",
      publisher: "Ann Example",
      email: "ann@example.org",
      language: "English",
      country: "us",
      rss: url,
      is_claimed: true,
      total_episodes: 12,
      audio_length_sec: 600,
      update_frequency_hours: 24,
      genre_ids: [67, 127],
      latest_pub_date_ms: Date.UTC(2026, 0, 12, 10),
      earliest_pub_date_ms: Date.UTC(2026, 0, 1, 10),
    });
    expect(full.episodes).toHaveLength(10);
    expect(full.latest_episode_id).toBe(full.episodes[0].id);
    expect(full.next_episode_pub_date).toBe(Date.UTC(2026, 0, 2, 10));
    const rest = await directory.read(
      `/podcasts/${podcast.id}?next_episode_pub_date=${full.next_episode_pub_date}`,
    );
    expect(rest.episodes.map(({ title }: { title: string }) => title)).toEqual(["Episode 1", "Episode 0"]);
    expect(rest.next_episode_pub_date).toBeNull();
    const oldest = await directory.read(`/podcasts/${podcast.id}?sort=oldest_first`);
    expect(oldest.episodes[0].title).toBe("Episode 0");
    const { submissions } = await directory.read("/submissions");
    expect(submissions).toContainEqual(
      expect.objectContaining({ rss: url, status: "found", reason: "The feed was read and is listed." }),
    );
  });

  it("rejects with a reason, and removes for good", async () => {
    const refusals = {
      [feeds.serve("/page.html", "<!doctype html><html><body>Hi</body></html>", {
        "content-type": "text/html",
      })]: "The address leads to a web page, not to a feed.",
      [feeds.serve("/blocked.xml", feedOf("Blocked", items(1), "<itunes:block>Yes</itunes:block>"))]:
        "The feed asks not to be listed.",
      [feeds.serve("/none.xml", feedOf("None", []))]: "There are no episodes in the feed.",
      [feeds.url("/missing.xml")]: "The server answers with status 404.",
      [feeds.answer("/gone.xml", (_, response) => response.writeHead(410).end())]:
        "The server says that the feed is gone.",
      "http://169.254.169.254/feed.xml": expect.stringMatching(/./),
    };
    for (const [url, reason] of Object.entries(refusals)) {
      const decided = await directory.decide(url);
      expect([url, decided.status, decided.reason]).toEqual([url, "rejected", reason]);
    }
    for (const rss of ["", "garden", "ftp://example.org/feed"])
      expect([rss, (await directory.submit(rss)).status]).toEqual([rss, 400]);

    const url = feeds.serve("/short.xml", feedOf("Short", items(2)));
    const { podcast } = await directory.decide(url);
    const { episodes } = await directory.read(`/podcasts/${podcast.id}`);
    const testing = await directory.send("DELETE", `/podcasts/${podcast.id}?reason=testing`);
    expect([testing.status, testing.body.status]).toEqual([200, "in review"]);
    expect((await directory.send("GET", `/podcasts/${podcast.id}`)).status).toBe(200);
    const deleted = await directory.send("DELETE", `/podcasts/${podcast.id}?reason=they%20asked`);
    expect([deleted.status, deleted.body.status]).toEqual([200, "deleted"]);
    expect((await directory.send("DELETE", `/podcasts/${podcast.id}`)).status).toBe(404);
    for (const below of [`/podcasts/${podcast.id}`, `/episodes/${episodes[0].id}`]) {
      const gone = await directory.send("GET", below);
      expect([gone.status, gone.body.error.code]).toEqual([404, "NotFound"]);
    }
    const again = await directory.decide(url);
    expect([again.status, again.reason]).toEqual(["rejected", "The podcast was removed: they asked."]);
    expect(
      (
        await directory.handOver(
          "x.xml",
          feedOf(
            "Short",
            items(2),
            `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="${url}"/>`,
          ),
        )
      ).status,
    ).toBe("rejected");
  });

  it("keeps ids when a feed edits and reorders, withdraws and forgets its oldest", async () => {
    const path = "/moving.xml";
    const url = feeds.serve(path, feedOf("Moving", items(5)));
    const { podcast } = await directory.decide(url);
    const before = await directory.read(`/podcasts/${podcast.id}`);
    const idOf = (title: string) =>
      before.episodes.find((episode: { title: string }) => episode.title === title).id;
    const [, e1, , e3, e4] = items(5);
    feeds.serve(
      path,
      feedOf("Moving On", [
        { ...e1!, guid: "e1" },
        { ...e4!, title: "Episode 4, corrected" },
        { ...e3!, guid: "e3" },
        { guid: "e9", title: "Brand new", date: new Date(Date.UTC(2026, 0, 9)).toUTCString() },
      ]),
    );
    expect((await directory.refresh(podcast.id)).status).toBe("refreshed");
    const after = await directory.read(`/podcasts/${podcast.id}`);
    expect([after.title, after.total_episodes]).toEqual(["Moving On", 5]);
    expect(after.episodes.map(({ title }: { title: string }) => title)).toEqual([
      "Brand new",
      "Episode 4, corrected",
      "Episode 3",
      "Episode 1",
      "Episode 0",
    ]);
    expect(after.episodes[1].id).toBe(idOf("Episode 4"));
    // The feed dropped it from its middle: withdrawn, but found by its id.
    const withdrawn = await directory.read(`/episodes/${idOf("Episode 2")}`);
    expect([withdrawn.title, withdrawn.maybe_audio_invalid]).toEqual(["Episode 2", true]);
    expect((await directory.refresh(podcast.id)).status).toBe("unchanged");
    const state = await directory.read(`/podcasts/${podcast.id}/feed`);
    expect([state.status, state.failures, state.kind]).toEqual(["active", 0, "remote"]);
    expect(state.next_check_at_ms).toBeGreaterThan(state.last_checked_at_ms);
  });

  it("continues after a date without losing other episodes of that date", async () => {
    const dated = items(18).map((one, at) =>
      at < 6 ? { ...one, date: "Thu, 01 Jan 2026 09:00:00 GMT" } : one,
    );
    const { podcast } = await directory.decide(feeds.serve("/dates.xml", feedOf("Same dates", dated)));
    const titles: string[] = [];
    let next: Record<string, string> = {};
    for (let page = 0; page < 3 && next; page += 1) {
      const { body } = await directory.send("POST", "/podcasts", {
        body: new URLSearchParams({ ids: podcast.id, show_latest_episodes: "1", ...next }),
      });
      titles.push(...body.latest_episodes.map(({ title }: { title: string }) => title));
      if (body.next_episode_pub_date === null) break;
      next = { next_episode_pub_date: String(body.next_episode_pub_date) };
    }
    expect(titles.toSorted()).toEqual(dated.map(({ title }) => title).toSorted());
  });
  it("looks things up in bulk, by feed, by store and by domain", async () => {
    const more =
      "<itunes:summary>At https://podcasts.apple.com/us/podcast/bulk/id659155419 and https://open.spotify.com/show/3DgfoleqaW61T2amZQKINx</itunes:summary>";
    const one = await directory.decide(feeds.serve("/bulk1.xml", feedOf("Bulk One", items(20), more)));
    const two = await directory.decide(feeds.serve("/bulk2.xml", feedOf("Bulk Two", items(3))));
    const post = (below: string, fields: Record<string, string>) =>
      directory.send("POST", below, { body: new URLSearchParams(fields) });
    const titlesOf = (body: { podcasts: { title: string }[] }) => body.podcasts.map(({ title }) => title);
    const ids = `${two.podcast.id},${one.podcast.id},unknown`;
    expect(titlesOf((await post("/podcasts", { ids })).body)).toEqual(["Bulk Two", "Bulk One"]);
    expect(titlesOf((await post("/podcasts", { rsses: feeds.url("/bulk1.xml") })).body)).toEqual([
      "Bulk One",
    ]);
    expect(titlesOf((await post("/podcasts", { storeone_ids: "659155419" })).body)).toEqual(["Bulk One"]);
    expect(titlesOf((await post("/podcasts", { storetwo_ids: "3DgfoleqaW61T2amZQKINx" })).body)).toEqual([
      "Bulk One",
    ]);
    const latest = await post("/podcasts", { ids, show_latest_episodes: "1" });
    expect(latest.body.latest_episodes).toHaveLength(15);
    expect(latest.body.latest_episodes[0]).toMatchObject({
      title: "Episode 19",
      podcast: { title: "Bulk One" },
    });
    expect((await post("/podcasts", {})).status).toBe(400);
    const many = Array.from({ length: 11 }, (_, at) => `id${at}`).join(",");
    for (const below of ["/podcasts", "/episodes"])
      expect((await post(below, { ids: many })).status).toBe(400);
    const episodeIds = latest.body.latest_episodes.slice(0, 3).map(({ id }: { id: string }) => id);
    const episodes = await post("/episodes", { ids: [...episodeIds, "unknown"].join(",") });
    expect(episodes.body.episodes.map(({ id }: { id: string }) => id)).toEqual(episodeIds);
    const form = new FormData();
    form.append("ids", episodeIds[0]);
    expect((await directory.send("POST", "/episodes", { body: form })).body.episodes).toHaveLength(1);
    const domain = await directory.read("/podcasts/domains/www.example.org");
    expect(titlesOf(domain)).toEqual(expect.arrayContaining(["Bulk One", "Bulk Two"]));
    expect([domain.page_number, domain.has_previous]).toEqual([1, false]);
    expect((await directory.send("GET", "/podcasts/domains/nowhere.example")).status).toBe(404);
    const picked = new Map<string, Set<string>>();
    await eventually(async () => {
      const { id, podcast } = await directory.read("/just_listen");
      picked.set(podcast.id, (picked.get(podcast.id) ?? new Set()).add(id));
      return picked.size > 1 && [...picked.values()].some((ids) => ids.size > 1);
    }, "several episodes of several podcasts, picked at random");
  });

  it("takes feeds as files, without a network", async () => {
    const made = await directory.handOver("shows/attic.xml", feedOf("Attic", items(2)));
    expect([made.status, made.reason, made.podcast.title]).toEqual([
      "found",
      "2 episodes added, 0 edited, 0 withdrawn.",
      "Attic",
    ]);
    const again = await directory.handOver("shows/attic.xml", feedOf("Attic", items(3)));
    expect([again.podcast.id, again.reason]).toEqual([
      made.podcast.id,
      "1 episodes added, 0 edited, 0 withdrawn.",
    ]);
    expect((await directory.refresh(made.podcast.id)).status).toBe("local");
    const bad = await directory.handOver("notes.xml", "not a feed at all");
    expect([bad.status, bad.reason]).toEqual([
      "rejected",
      "The document is not a feed of any kind that is known.",
    ]);
  });

  it("tells genres, regions and languages, and answers in the maker's words", async () => {
    const { genres } = await directory.read("/genres");
    expect(genres).toContainEqual({ id: 67, name: "Podcasts", parent_id: null });
    expect(
      (await directory.read("/genres?top_level_only=1")).genres.every(
        (one: { parent_id: number }) => one.parent_id === 67,
      ),
    ).toBe(true);
    expect((await directory.read("/regions")).regions).toMatchObject({ us: "United States", de: "Germany" });
    expect((await directory.read("/languages")).languages).toContain("English");
    const named = feedOf("vendor_id", [{ guid: "v", title: "storeone_id" }]);
    const { podcast: word } = await directory.handOver("words.xml", named);
    const inTheirs = (path: string) =>
      instance()
        .apiKey("X-ListenAPI-Key", "GET", `/podcasts/api/v2${path}`)
        .then(({ body }) => body);
    const { title, episodes } = await inTheirs(`/podcasts/${word.id}`);
    expect([title, episodes[0].title]).toEqual(["vendor_id", "storeone_id"]);
    const found = await inTheirs("/search?q=vendor_id&type=podcast");
    expect(found.results[0].title_original).toBe("vendor_id");
    const { podcast } = await directory.handOver("dialect.xml", feedOf("Dialect", items(1)));
    const theirs = await instance().apiKey(
      "X-ListenAPI-Key",
      "GET",
      `/podcasts/api/v2/podcasts/${podcast.id}`,
    );
    expect([
      theirs.status,
      theirs.body.listennotes_url !== undefined,
      theirs.body.itunes_id,
      theirs.body.vendor_url,
    ]).toEqual([200, true, 0, undefined]);
    expect(Number(theirs.headers.get("x-listenapi-usage"))).toBeGreaterThan(0);
    expect(theirs.headers.get("x-listenapi-nextbillingdate")).toMatch(/^\d{4}-\d\d-01T/);
    expect((await directory.send("GET", "/genres", { as: null })).status).toBe(401);
  });

  it("counts against a plan, refuses what is beyond it, and begins anew with the month", async () => {
    const second = { as: "second" } as const;
    const plan = (monthly_max: number, per_second_max: number) =>
      directory.send("PUT", `/plans/${accounts.second.id}/*`, { body: { monthly_max, per_second_max } });
    expect((await plan(3, 1000)).status).toBe(200);
    const { usage = [] } = (await directory.send("GET", "/plans", second)).body;
    expect(usage).toEqual([]);
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await directory.send("GET", "/genres", second)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const over = await directory.send("GET", "/genres", second);
    expect([
      over.status,
      over.body.error.code,
      over.headers.get("x-vendor-api-usage"),
      over.headers.get("x-vendor-api-freequota"),
    ]).toEqual([429, "QuotaExceeded", "3", "3"]);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
    await instance().clock.advance("32d");
    expect((await directory.send("GET", "/genres", second)).headers.get("x-vendor-api-usage")).toBe("1");
    const mine = await directory.send("PUT", `/plans/${accounts.first.id}/*`, {
      body: { monthly_max: 1, per_second_max: 1 },
      as: "second",
    });
    expect(mine.status).toBe(403);
    expect((await plan(1_000_000, 1)).status).toBe(200);
    const quick = await Promise.all(
      Array.from({ length: 10 }, () => directory.send("GET", "/genres", second)),
    );
    expect(quick.some(({ status }) => status === 429)).toBe(true);
    const told = await directory.send("GET", "/plans", second);
    expect(told.body.plans).toEqual([{ key_name: "*", monthly_max: 1_000_000, per_second_max: 1 }]);
    await plan(1_000_000, 1_000);
  });

  it("gives OPML, and any search as a feed", async () => {
    const { podcast } = await directory.handOver(
      "zebra.xml",
      feedOf("Zebra Crossing & Co", [{ guid: "z1", title: "Stripes" }]),
    );
    const opml = await directory.send("GET", "/podcasts.opml");
    expect([opml.status, opml.headers.get("content-type")]).toEqual([200, expect.stringContaining("opml")]);
    expect(opml.text).toContain('text="Zebra Crossing &amp; Co"');
    const headers = { "x-listenapi-key": accounts.first.apiKeys[0] as string };
    const makers = await instance().send("GET", "/podcasts/api/v2/podcasts.opml", { headers });
    const undated = (text: string) => text.replace(/<dateCreated>[^<]+/, "");
    expect([makers.status, undated(makers.text)]).toEqual([200, undated(opml.text)]);
    const cover = await instance().send("GET", podcast.image);
    expect([cover.status, cover.headers.get("content-type"), cover.text.includes(">ZC</text>")]).toEqual([
      200,
      expect.stringContaining("image/svg+xml"),
      true,
    ]);
    expect((await instance().send("GET", podcast.image.replace(podcast.id, "none"))).status).toBe(404);
    const rss = await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/search.rss?q=stripes`);
    expect([rss.status, rss.text]).toEqual([
      200,
      expect.stringContaining("<title>Stripes (Zebra Crossing &amp; Co)</title>"),
    ]);
    expect(rss.text).toContain("https://audio.example.org/z1.mp3");
    const { results } = await directory.read("/search?q=stripes");
    expect(results[0]).toMatchObject({ title_original: "Stripes", podcast: { id: podcast.id } });
  });
  it("searches a few times a second for callers without a key, all of them together", async () => {
    const feed = `/podcasts/api/v2/listen/${ACCOUNT}/search.rss?q=stripes`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => instance().send("GET", feed)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect([refused[0]?.body.error.code, refused[0]?.headers.get("retry-after")]).toEqual([
      "QuotaExceeded",
      "1",
    ]);
    expect((await directory.send("GET", "/search?q=stripes")).status).toBe(200);
  });
});
