/** The maker's own client library, unmodified: every call it has, against the directory, and the same calls in neutral words. */
// @ts-expect-error: the package has no types.
import podcastApi from "podcast-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";
import { Directory, FeedServer, feedOf } from "../support/podcasts.ts";

type Answer = { readonly status?: number; readonly data: any; readonly headers: Record<string, string> };
type Call = (params?: Record<string, unknown>) => Promise<Answer>;
type MakersClient = Readonly<Record<string, Call>> & {
  readonly httpClient: { readonly defaults: { baseURL: string; headers: Record<string, string> } };
};
const { Client } = podcastApi as { Client(options: { apiKey: string }): MakersClient };
const apiKey = accounts.first.apiKeys[0]!;
const PATH = "/podcasts/api/v2";

const episodes = (prefix: string) =>
  Array.from({ length: 14 }, (_, at) => ({
    guid: `${prefix}${at}`,
    title: at === 0 ? `${prefix} and the wandering albatross` : `${prefix} part ${at}`,
    date: new Date(Date.UTC(2026, 9, 14 - at)).toUTCString(),
    about: "A talk about seabirds, ships and long voyages.",
  }));

onBothDatabases("podcast-api", (instance) => {
  const directory = new Directory(instance);
  let client: MakersClient;
  let feeds: FeedServer;
  beforeAll(async () => {
    feeds = await FeedServer.start();
    // A new one each time: the package keeps its client in the module.
    client = Client({ apiKey });
    client.httpClient.defaults.baseURL = `${instance().url}${PATH}`;
  });
  afterAll(() => feeds.stop());

  it("runs every call it has", async () => {
    const rss = feeds.serve(
      "/sea.xml",
      feedOf(
        "Sea Stories",
        episodes("Storm"),
        '<podcast:funding url="https://open.spotify.com/show/abc123">x</podcast:funding><itunes:summary>Seabirds. https://podcasts.apple.com/podcast/id777</itunes:summary>',
      ),
    );
    const other = feeds.serve("/birds.xml", feedOf("Bird Stories", episodes("Gull")));
    const call = async (name: string, params?: Record<string, unknown>): Promise<any> => {
      const { data, headers, status } = await client[name]!(params);
      expect(status).toBe(200);
      expect(Number(headers["x-listenapi-usage"])).toBeGreaterThan(0);
      expect(headers["x-listenapi-freequota"]).toMatch(/^\d+$/);
      return data;
    };
    expect((await call("submitPodcast", { rss })).status).toBe("in review");
    await call("submitPodcast", { rss: other });
    const submitted = await eventually(async () => {
      const both = [await call("submitPodcast", { rss }), await call("submitPodcast", { rss: other })];
      return both.every(({ status }) => status === "found") && both;
    });
    const [{ id }, { id: birds }] = submitted.map(({ podcast }) => podcast) as [
      { id: string },
      { id: string },
    ];

    const found = await call("search", { q: "albatross", type: "episode", sort_by_date: 1 });
    expect([found.total, found.count, found.next_offset]).toEqual([2, 2, 2]);
    const [hit] = found.results;
    expect(hit.title_highlighted).toContain("<span");
    expect(hit.listennotes_url).toContain("/listen/");
    expect(hit.podcast).toHaveProperty("listennotes_url");
    const episodeId = found.results.find((one: any) => one.podcast.id === id).id;
    expect((await call("search", { q: "stories", type: "podcast" })).total).toBe(2);
    for (const [type, value] of [
      ["listennotes_id", id],
      ["itunes_id", "777"],
      ["spotify_id", "abc123"],
      ["rss", rss],
    ])
      expect(
        (await call("searchEpisodeTitles", { q: "storm", podcast_id: value, podcast_id_type: type })).total,
      ).toBe(14);
    expect(
      (await call("typeahead", { q: "sea", show_podcasts: 1, show_genres: 1 })).podcasts[0].title_original,
    ).toBe("Sea Stories");
    expect(await call("spellcheck", { q: "albatros" })).toHaveProperty("corrected_text_html");
    expect(await call("fetchRelatedSearches", { q: "albatross" })).toHaveProperty("terms");
    expect(await call("fetchTrendingSearches")).toHaveProperty("terms");
    expect(
      (await call("fetchBestPodcasts", { genre_id: 127, region: "us" })).podcasts.length,
    ).toBeGreaterThan(0);

    const podcast = await call("fetchPodcastById", { id, sort: "recent_first" });
    expect(podcast).toMatchObject({ title: "Sea Stories", itunes_id: 777, total_episodes: 14 });
    expect(podcast).not.toHaveProperty("vendor_url");
    const rest = await call("fetchPodcastById", { id, next_episode_pub_date: podcast.next_episode_pub_date });
    expect(rest.episodes).toHaveLength(4);
    expect((await call("fetchEpisodeById", { id: episodeId })).podcast.id).toBe(id);
    expect((await call("fetchEpisodeById", { id: episodeId, show_transcript: 1 })).transcript).toBeNull();
    expect((await call("batchFetchPodcasts", { ids: `${id},${birds}` })).podcasts).toHaveLength(2);
    expect(
      (await call("batchFetchPodcasts", { itunes_ids: "777", show_latest_episodes: 1 })).latest_episodes,
    ).toHaveLength(14);
    expect((await call("batchFetchPodcasts", { spotify_ids: "abc123" })).podcasts[0].id).toBe(id);
    expect((await call("batchFetchEpisodes", { ids: episodeId })).episodes[0].id).toBe(episodeId);
    const list = (
      await directory.send("POST", "/curated_podcasts", { body: { title: "At sea", podcast_ids: [id] } })
    ).body;
    expect((await call("fetchCuratedPodcastsLists", { page: 1 })).total).toBe(1);
    expect((await call("fetchCuratedPodcastsListById", { id: list.id })).podcasts[0].itunes_id).toBe(777);
    expect((await call("search", { q: "sea", type: "curated" })).results[0].title_original).toBe("At sea");
    expect((await call("fetchPodcastGenres", { top_level_only: 1 })).genres).toHaveLength(22 - 1);
    expect((await call("fetchPodcastRegions")).regions.us).toBe("United States");
    expect((await call("fetchPodcastLanguages")).languages).toContain("English");
    expect((await call("justListen")).audio).toContain("audio.example.org");
    expect(await call("fetchRecommendationsForPodcast", { id })).toHaveProperty("recommendations");
    expect(await call("fetchRecommendationsForEpisode", { id: episodeId })).toHaveProperty("recommendations");
    const playlist = (await directory.send("POST", "/playlists", { body: { name: "Deck" } })).body.id;
    await directory.send("POST", `/playlists/${playlist}/items`, {
      body: { type: "episode", id: episodeId },
    });
    expect((await call("fetchPlaylistById", { id: playlist, type: "episode_list" })).items[0].data.id).toBe(
      episodeId,
    );
    expect((await call("fetchMyPlaylists", { page: 1 })).playlists[0].listennotes_url).toContain(playlist);
    expect(await call("fetchAudienceForPodcast", { id })).toHaveProperty("by_regions");
    expect(
      (await call("fetchPodcastsByDomain", { domain_name: "shows.example.org", page: 1 })).podcasts,
    ).toHaveLength(2);
    expect((await directory.refresh(id)).status).toBe("unchanged");
    expect((await call("deletePodcast", { id, reason: "testing" })).status).toBe("in review");
    expect((await call("deletePodcast", { id: birds, reason: "the podcaster asked" })).status).toBe(
      "deleted",
    );
    await expect(call("fetchPodcastById", { id: birds })).rejects.toMatchObject({
      response: { status: 404 },
    });
  });

  it("says in the client's words what is wrong", async () => {
    await expect(client.search!({})).rejects.toMatchObject({ response: { status: 400 } });
    const before = client.httpClient.defaults.headers["X-ListenAPI-Key"];
    client.httpClient.defaults.headers["X-ListenAPI-Key"] = "wrong";
    await expect(client.fetchPodcastGenres!()).rejects.toMatchObject({ response: { status: 401 } });
    client.httpClient.defaults.headers["X-ListenAPI-Key"] = before!;
  });

  it("understands the same calls in neutral words", async () => {
    const { results } = await directory.read("/search?q=albatross&type=episode");
    const [{ podcast }] = results;
    expect(podcast.vendor_url).toContain("/listen/");
    expect(await directory.read(`/podcasts/${podcast.id}`)).toMatchObject({ storeone_id: 777 });
    const titles = await directory.read(
      "/search_episode_titles?q=storm&podcast_id=777&podcast_id_type=storeone_id",
    );
    expect(titles.total).toBe(14);
    const { body } = await directory.send("POST", "/podcasts", {
      body: new URLSearchParams({ storetwo_ids: "abc123" }),
    });
    expect(body.podcasts[0].id).toBe(podcast.id);
  });
});
