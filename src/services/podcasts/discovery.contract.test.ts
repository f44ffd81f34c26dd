/** What is found without searching for it, over HTTP on both databases: completions, trends, neighbours, scores, best lists; and an index that follows. */
import { beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import type { Podcast } from "../../../tests/support/podcast-shape.ts";
import { Directory, feedOf as feedOfItems } from "../../../tests/support/podcasts.ts";
import { feedOf, PODCASTS } from "../../../tests/support/podcasts-corpus.ts";

type Named = { readonly id: string; readonly title: string };
const titles = (rows: readonly Named[]): string[] => rows.map(({ title }) => title);

onBothDatabases(
  "discovery",
  (instance) => {
    const directory = new Directory(instance);
    const ids = new Map<string, string>();
    const idOf = (title: string): string => ids.get(title) ?? "";
    const handOver = (podcast: Podcast, number: number) =>
      directory.handOver(`feed-${number}.xml`, feedOf(podcast, number, instance().clock.nowMs()));
    /** As another key of the same account would ask. */
    const keyed = async (): Promise<(path: string) => Promise<any>> => {
      const made = await instance().bearer("POST", "/_medley/credentials", { body: { kind: "apiKey" } });
      const key = made.body.credential.apiKey ?? made.body.credential.key;
      return async (path) => {
        const answer = await instance().send("GET", `/podcasts/api/v2${path}`, {
          headers: { "x-vendor-api-key": key },
        });
        expect(answer.status, answer.text).toBe(200);
        return answer.body;
      };
    };
    beforeAll(async () => {
      for (const [number, podcast] of PODCASTS.entries())
        ids.set(podcast.title, (await handOver(podcast, number)).podcast.id);
      await instance().clock.advance("10s");
    });

    it("completes what is typed: words, titles from any word on, genres and podcasts", async () => {
      const typed = await directory.read("/typeahead?q=star%20w&show_podcasts=1&show_genres=1");
      expect(typed.terms).toContain("star wars minute by minute");
      expect(typed.genres).toEqual([{ id: 160, name: "Star Wars", parent_id: 68 }]);
      expect(typed.podcasts[0]).toMatchObject({
        id: idOf("Star Wars Minute by Minute"),
        title_highlighted:
          '<span class="vendor-search-highlight">Star</span> <span class="vendor-search-highlight">Wars</span> Minute by Minute',
      });
      const plain = await directory.read("/typeahead?q=ROM");
      expect(plain.terms).toEqual(expect.arrayContaining(["rome again", "roman", "rome"]));
      expect([plain.genres, plain.podcasts]).toEqual([undefined, undefined]);
      expect((await directory.read("/typeahead?q=fict&show_genres=1")).genres.length).toBeGreaterThan(0);
      const shown = async (safe: number) =>
        (await directory.read(`/typeahead?q=night%20sh&show_podcasts=1&safe_mode=${safe}`)).podcasts;
      expect([(await shown(0)).length, (await shown(1)).length]).toEqual([1, 0]);
      expect((await directory.read("/typeahead?q=東京&show_podcasts=1")).podcasts).toHaveLength(1);
      for (const query of ["", "q=", "q=%21"])
        expect([query, (await directory.send("GET", `/typeahead?${query}`)).status]).toEqual([query, 400]);
    });

    it("tells what is searched for, fading, and no single key makes a trend", async () => {
      const [noisy, first, second] = [await keyed(), await keyed(), await keyed()];
      for (let turn = 0; turn < 8; turn += 1) await noisy("/search?q=umbrella");
      await first("/search?q=Roman Roads");
      await first("/search?q=hadrian");
      await second("/search?q=roman roads");
      await second("/search?q=nothing-like-this-xq");
      const trending = () => directory.read("/trending_searches");
      await eventually(async () => {
        const { terms } = await trending();
        return terms.includes("umbrella") && terms.length >= 3;
      });
      expect((await trending()).terms.slice(0, 1)).toEqual(["Roman Roads"]);
      expect((await trending()).terms).not.toContain("nothing-like-this-xq");
      expect((await directory.read("/related_searches?q=hadrian")).terms).toEqual(["Roman Roads"]);
      expect((await directory.read("/related_searches?q=roman+army")).terms).toEqual(["Roman Roads"]);
      expect((await directory.send("GET", "/related_searches?q=%21")).status).toBe(400);
      await instance().clock.advance("7d");
      await first("/search?q=gazpacho");
      await second("/search?q=saturn");
      await eventually(async () => (await trending()).terms.includes("saturn"));
      expect((await trending()).terms.slice(0, 2).sort()).toEqual(["gazpacho", "saturn"]);
      expect((await directory.read("/trending_searches", { as: "second" })).terms).toEqual([]);
    });

    it("recommends neighbours by words, genre and language, never the thing itself", async () => {
      const near = async (title: string, query = ""): Promise<Named[]> =>
        (await directory.read(`/podcasts/${idOf(title)}/recommendations${query}`)).recommendations;
      for (const { title } of PODCASTS) expect(titles(await near(title))).not.toContain(title);
      expect(titles(await near("Rome Again")).slice(0, 3)).toContain("History of Small Things");
      expect(titles(await near("Geschichten aus Wien"))[0]).toBe("Nachrichten aus der Werkstatt");
      const all = await Promise.all(PODCASTS.map(({ title }) => near(title, "?safe_mode=1")));
      expect(all.flatMap(titles)).not.toContain("Night Shift Stories");
      const { results } = await directory.read("/search?q=%22moby dick%22");
      const episodes = (await directory.read(`/episodes/${results[0].id}/recommendations`)).recommendations;
      expect(titles(episodes)[0]).toBe("The whale that sang alone");
      expect(titles(episodes)).not.toContain("Moby Dick and the whale");
      for (const kind of ["podcasts", "episodes"])
        expect((await directory.send("GET", `/${kind}/nothing/recommendations`)).status).toBe(404);
    });

    it("recommends what stands beside it in playlists", async () => {
      const made = await directory.send("POST", "/playlists", { body: { name: "Two of mine" } });
      expect(made.status, made.text).toBeLessThan(300);
      for (const title of ["Heartbeat", "Loud and Brass"]) {
        const added = await directory.send("POST", `/playlists/${made.body.id}/items`, {
          body: { type: "podcast", id: idOf(title) },
        });
        expect(added.status, added.text).toBeLessThan(300);
      }
      const near = await directory.read(`/podcasts/${idOf("Heartbeat")}/recommendations`);
      expect(titles(near.recommendations).slice(0, 3)).toContain("Loud and Brass");
    });

    it("scores what is asked for, ranks all, and tells from where it was asked", async () => {
      const title = "Deep Water";
      const before = await directory.read(`/podcasts/${idOf(title)}`);
      const others = await Promise.all(Array.from({ length: 12 }, () => keyed()));
      for (const ask of others) await ask(`/podcasts/${idOf(title)}`);
      await directory.read(`/podcasts/${idOf(title)}`, { headers: { "accept-language": "de-DE,de;q=0.9" } });
      await instance().clock.advance("2h");
      for (const region of ["de-DE", "de-AT", "fr"])
        await directory.read(`/podcasts/${idOf(title)}`, { headers: { "accept-language": region } });
      await instance().clock.advance("2h");
      const audience = () => directory.read(`/podcasts/${idOf(title)}/audience`);
      const told = await eventually(async () => {
        const { by_regions: regions } = await audience();
        return regions.some(({ region }: { region: string }) => region === "de") && regions;
      });
      expect(told[0].region).toBe(before.country);
      for (const { ratio } of told) expect(ratio).toMatch(/^\d{1,3}\.\d%$/);
      await instance().clock.advance("20m");
      const after = await directory.read(`/podcasts/${idOf(title)}`);
      expect(after.listen_score).toBeGreaterThan(before.listen_score);
      const best = await directory.read("/best_podcasts?sort=listen_score&region=");
      expect(best.podcasts[0].title).toBe(title);
      expect(best.podcasts[0].listen_score_global_rank).toMatch(/^\d+(\.\d+)?%$/);
      const scores = best.podcasts.map(({ listen_score: score }: { listen_score: number }) => score);
      expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
      expect((await directory.send("GET", "/podcasts/nothing/audience")).status).toBe(404);
    });

    it("lists the best by genre, place, language and every order", async () => {
      const best = (query: string) => directory.read(`/best_podcasts?${query}`);
      const all = await best("region=&sort=recent_added_first");
      expect([all.id, all.name, all.total, all.page_number, all.has_next]).toEqual([
        67,
        "Podcasts",
        PODCASTS.length,
        1,
        true,
      ]);
      const rest = await best("region=&page=2");
      expect([rest.has_next, rest.has_previous, rest.previous_page_number]).toEqual([false, true, 1]);
      expect(new Set([...all.podcasts, ...rest.podcasts].map(({ id }: Named) => id)).size).toBe(
        PODCASTS.length,
      );
      const [recent, oldest] = [
        await best("region=&sort=recent_published_first"),
        await best("region=&sort=oldest_published_first"),
      ];
      const dates = ({ podcasts }: { podcasts: { latest_pub_date_ms: number }[] }) =>
        podcasts.map((one) => one.latest_pub_date_ms);
      expect(dates(recent)).toEqual(dates(recent).toSorted((a, b) => b - a));
      expect(dates(oldest)).toEqual(dates(oldest).toSorted((a, b) => a - b));
      expect((await best("region=&sort=oldest_added_first")).podcasts[0].title).toBe(PODCASTS[0]?.title);
      expect(titles((await best("region=&language=German")).podcasts).sort()).toEqual([
        "Geschichten aus Wien",
        "Nachrichten aus der Werkstatt",
      ]);
      expect(titles((await best("genre_id=125&region=")).podcasts)).toContain("Rome Again");
      expect(titles((await best("region=&publisher_region=ie")).podcasts)).toEqual(["Night Shift Stories"]);
      expect((await best("region=&publisher_region=ie&safe_mode=1")).total).toBe(0);
      expect((await best("region=us")).total).toBeLessThan(PODCASTS.length);
      for (const query of [
        "genre_id=999999",
        "genre_id=x",
        "region=xx",
        "publisher_region=xx",
        "language=Xish",
      ])
        expect([query, (await directory.send("GET", `/best_podcasts?${query}`)).status]).toEqual([
          query,
          404,
        ]);
      expect((await directory.send("GET", "/best_podcasts?sort=best")).status).toBe(400);
    });

    it("follows a podcast that changes its name, and forgets one that is deleted", async () => {
      const [podcast] = PODCASTS;
      if (!podcast) throw new Error("no podcast");
      await handOver({ ...podcast, title: "The Hourly Comet", language: "en-us" }, 0);
      await eventually(async () => {
        await instance().clock.advance("10s");
        const { results } = await directory.read("/search?q=%22hourly comet%22 saturn");
        return results.length === 1;
      });
      expect((await directory.read("/search?q=%22daily orbit%22 saturn")).total).toBe(0);
      const gone = await directory.send("DELETE", `/podcasts/${idOf(podcast.title)}?reason=moved`);
      expect(gone.status, gone.text).toBe(200);
      for (const type of ["episode", "podcast"])
        expect((await directory.read(`/search?q=%22hourly comet%22&type=${type}`)).total).toBe(0);
      expect((await directory.read("/typeahead?q=hourly&show_podcasts=1")).podcasts).toEqual([]);
    });

    it("spells by the titles and descriptions of today, of episodes and podcasts", async () => {
      const spelt = async (typed: string): Promise<string> =>
        (await directory.read(`/spellcheck?q=${typed}`)).tokens[0]?.suggestion ?? "";
      const handOverCalled = (name: string, episode: string, about = "") =>
        directory.handOver("renamed.xml", feedOfItems(name, [{ guid: "one", title: episode, about }]));
      const learns = (...wanted: [typed: string, suggestion: string][]) =>
        eventually(async () => {
          await instance().clock.advance("10s");
          const got = await Promise.all(wanted.map(async ([typed]) => [typed, await spelt(typed)]));
          return JSON.stringify(got) === JSON.stringify(wanted);
        });
      await handOverCalled("Marsupialia", "Quokkas at dusk", "They eat <b>eucalyptus</b>.");
      await learns(["quokass", "quokkas"], ["marsuppialia", "marsupialia"], ["eucaliptus", "eucalyptus"]);
      await handOverCalled("Monotremata", "Echidnas at dusk", "They eat termites.");
      await learns(["echidnass", "echidnas"], ["monotremmata", "monotremata"], ["termittes", "termites"]);
      const gone = ["quokass", "marsuppialia", "eucaliptus"];
      expect(await Promise.all(gone.map(spelt))).toEqual(["", "", ""]);
    });

    it("finds curated lists by their words and those of their podcasts", async () => {
      const made = await directory.send("POST", "/curated_podcasts", {
        body: {
          title: "Shows for rainy evenings",
          description: "Two quiet ones.",
          source_url: "https://lists.example.org/rain",
          podcast_ids: [idOf("Heartbeat"), idOf("Compile Time")],
        },
      });
      expect(made.status, made.text).toBeLessThan(300);
      for (const text of ["rainy evening", "compile"]) {
        const { results, total } = await directory.read(`/search?type=curated&q=${text}`);
        expect([total, results[0]?.title_original, results[0]?.total]).toEqual([
          1,
          "Shows for rainy evenings",
          2,
        ]);
      }
      expect((await directory.read("/search?type=curated&q=rainy")).results[0].title_highlighted).toContain(
        '<span class="vendor-search-highlight">rainy</span>',
      );
    });

    it("searches state that was saved and loaded, and nothing after it was cleared", async () => {
      const filter = `service=podcasts&account=${accounts.first.id}`;
      const saved = await instance().bearer("GET", `/_medley/state?${filter}`);
      expect(saved.status).toBe(200);
      const asked = "/search?q=chess&page_size=50";
      const before = await directory.read(asked);
      await instance().bearer("POST", "/_medley/state/reset", { body: { service: "podcasts" } });
      expect((await directory.read(asked)).total).toBe(0);
      const loaded = await instance().bearer("PUT", "/_medley/state", {
        body: saved.bytes,
        headers: { "content-type": "application/x-ndjson" },
      });
      expect(loaded.status, loaded.text).toBeLessThan(300);
      const after = await directory.read(asked);
      expect([after.total, after.results]).toEqual([before.total, before.results]);
      expect(before.total).toBeGreaterThan(0);
    });
  },
  { services: ["podcasts"] },
);
