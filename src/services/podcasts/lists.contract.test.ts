/** Curated lists and playlists over HTTP, on both databases. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory, FeedServer, feedOf, items } from "../../../tests/support/podcasts.ts";

const ACCOUNT = accounts.first.id;

onBothDatabases("lists of podcasts", (instance) => {
  const directory = new Directory(instance);
  let feeds: FeedServer;
  beforeAll(async () => {
    feeds = await FeedServer.start();
  });
  afterAll(() => feeds.stop());

  it("takes no playlist and no curated list beyond the ten thousandth", async () => {
    const filter = { service: "podcasts", account: accounts.second.id };
    const make = (below: string, body: object) => directory.send("POST", below, { body, as: "second" });
    const wanted = [
      ["/playlists", { name: "One of many" }],
      ["/curated_podcasts", { title: "One of many", description: "", source_url: "", podcast_ids: [] }],
    ] as const;
    for (const [below, body] of wanted) expect((await make(below, body)).status).toBe(200);
    const { text } = await instance().bearer(
      "GET",
      `/_medley/state?service=${filter.service}&account=${filter.account}`,
    );
    const [head = "", ...rows] = text.trimEnd().split("\n");
    const many = rows
      .filter((row) => /^{"table":"podcasts_(?:playlist|curated)"/.test(row))
      .flatMap((row) => {
        const { id } = JSON.parse(row).row;
        return Array.from({ length: 9_998 }, (_, i) => row.replace(`"${id}"`, `"m${i}"`));
      });
    // Its checksum would not fit what is added.
    const unchecked = JSON.stringify({ ...JSON.parse(head), check: undefined });
    const body = Buffer.from([unchecked, ...rows, ...many].join("\n"));
    const headers = { "content-type": "application/octet-stream" };
    expect((await instance().bearer("PUT", "/_medley/state", { body, headers })).status).toBe(200);
    for (const [below, one] of wanted) {
      expect((await make(below, one)).status).toBe(200);
      const { status, body: refusal } = await make(below, one);
      expect([status, refusal.error.code]).toEqual([409, "TooManyLists"]);
    }
    await instance().bearer("POST", "/_medley/state/reset", { body: filter });
  });
  it("keeps curated lists and playlists", async () => {
    const { podcast } = await directory.decide(feeds.serve("/lists.xml", feedOf("Listed", items(25))));
    const { episodes } = await directory.read(`/podcasts/${podcast.id}`);
    const body = {
      title: "Best of all",
      description: "Few.",
      source_url: "https://www.press.example/x",
      podcast_ids: [podcast.id],
    };
    const made = await directory.send("POST", "/curated_podcasts", { body });
    expect(made.status, made.text).toBe(200);
    const { id } = made.body;
    const list = await directory.read(`/curated_podcasts/${id}`);
    expect(list).toMatchObject({ title: "Best of all", source_domain: "press.example", total: 1 });
    expect(list.podcasts[0].title).toBe("Listed");
    const all = await directory.read("/curated_podcasts");
    expect(all).toMatchObject({ total: 1, page_number: 1, has_next: false });
    expect(all.curated_lists[0].podcasts[0].id).toBe(podcast.id);
    const changed = await directory.send("PUT", `/curated_podcasts/${id}`, {
      body: { ...body, title: "Better" },
    });
    expect(changed.body.title).toBe("Better");
    const wrong = await directory.send("POST", "/curated_podcasts", {
      body: { ...body, podcast_ids: ["none"] },
    });
    expect(wrong.status).toBe(400);
    expect((await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/curated/${id}`)).text).toContain(
      "Listed",
    );

    const playlist = (await directory.send("POST", "/playlists", { body: { name: "Walks" } })).body.id;
    expect(playlist).toHaveLength(11);
    for (const episode of episodes)
      expect(
        (
          await directory.send("POST", `/playlists/${playlist}/items`, {
            body: { type: "episode", id: episode.id },
          })
        ).status,
      ).toBe(200);
    const custom = {
      type: "custom_audio",
      title: "Memo",
      audio: "https://example.org/m.mp3",
      audio_length_sec: 30,
    };
    expect((await directory.send("POST", `/playlists/${playlist}/items`, { body: custom })).status).toBe(200);
    await directory.send("POST", `/playlists/${playlist}/items`, {
      body: { type: "podcast", id: podcast.id },
    });
    const shown = await directory.read(`/playlists/${playlist}`);
    expect(shown).toMatchObject({
      name: "Walks",
      total: 11,
      total_audio_length_sec: 6030,
      type: "episode_list",
    });
    expect(shown.items[0].data).toMatchObject({ title: "Memo", audio_length_sec: 30 });
    expect(shown.items[1].data.podcast.id).toBe(podcast.id);
    const podcasts = await directory.read(`/playlists/${playlist}?type=podcast_list`);
    expect([podcasts.total, podcasts.items[0].data.title]).toEqual([1, "Listed"]);
    for (const sort of ["oldest_added_first", "recent_published_first", "oldest_published_first"])
      expect((await directory.read(`/playlists/${playlist}?sort=${sort}`)).items).toHaveLength(11);
    const past = await directory.read(`/playlists/${playlist}?last_timestamp_ms=${shown.last_timestamp_ms}`);
    expect(past.items).toEqual([]);
    await directory.send("PATCH", `/playlists/${playlist}`, {
      body: { visibility: "private", name: "Own walks" },
    });
    expect((await directory.read("/playlists?sort=name_a_to_z")).playlists[0]).toMatchObject({
      name: "Own walks",
      visibility: "private",
      episode_count: 11,
      podcast_count: 1,
    });
    expect(
      (await instance().send("GET", `/podcasts/api/v2/listen/${ACCOUNT}/playlists/${playlist}`)).status,
    ).toBe(404);
    expect((await directory.send("DELETE", `/playlists/${playlist}/items/1`)).status).toBe(200);
    expect((await directory.send("DELETE", `/playlists/${playlist}/items/1`)).status).toBe(404);
    await directory.send("DELETE", `/podcasts/${podcast.id}`);
    const left = await directory.read(`/playlists/${playlist}`);
    expect(left.items.at(-1).data).toMatchObject({
      status: "deleted",
      title: expect.stringContaining("Episode"),
    });
    for (const below of [`/playlists/${playlist}`, `/curated_podcasts/${id}`]) {
      expect((await directory.send("DELETE", below)).status).toBe(200);
      expect((await directory.send("GET", below)).status).toBe(404);
    }
  });
});
