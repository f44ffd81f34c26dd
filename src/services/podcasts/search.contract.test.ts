/** Searching over HTTP on both databases: judged searches, spelling, filters held against a naive reading, pages and errors. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory, feedOf as feedOfItems, items } from "../../../tests/support/podcasts.ts";
import { feedOf, PODCASTS } from "../../../tests/support/podcasts-corpus.ts";
import { EPISODES_WANTED, PODCASTS_WANTED } from "../../../tests/support/podcasts-judged.ts";
import { MISSPELT } from "../../../tests/support/podcasts-misspelt.ts";
import { detectorTextOf, hasGuestInterview, hasSponsor } from "./domain/detectors.ts";
import { stemmedWordsOf, stemOf } from "./domain/search/stems.ts";

type Result = {
  readonly id: string;
  readonly title_original: string;
  readonly podcast: { readonly id: string };
};
const DAY_MS = 86_400_000;
const TAG = /<\/?[bi]>/g;

onBothDatabases(
  "searching",
  (instance) => {
    const directory = new Directory(instance);
    const ids: string[] = [];
    let nowMs = 0;
    beforeAll(async () => {
      nowMs = Math.floor(instance().clock.nowMs() / 1000) * 1000;
      for (const [number, podcast] of PODCASTS.entries())
        ids.push((await directory.handOver(`feed-${number}.xml`, feedOf(podcast, number, nowMs))).podcast.id);
      // Words are learnt by a job.
      await instance().clock.advance("10s");
    });
    const titlesOf = ({ results }: { results: Result[] }): string[] =>
      results.map((one) => one.title_original);

    it(`puts first what a person would: ${EPISODES_WANTED.length + PODCASTS_WANTED.length} judged searches`, async () => {
      const got: unknown[] = [];
      const wanted: unknown[] = [];
      for (const [type, judged] of [
        ["episode", EPISODES_WANTED],
        ["podcast", PODCASTS_WANTED],
      ] as const)
        for (const [asked, ...first] of judged) {
          wanted.push([asked, first]);
          const titles = titlesOf(await directory.read(`/search?type=${type}&${asked}`));
          got.push([asked, titles.slice(0, first.length)]);
        }
      expect(got).toEqual(wanted);
    });

    it(`corrects ${MISSPELT.length} misspelt titles by the words of titles and names`, async () => {
      const got: unknown[] = [];
      for (const [typed] of MISSPELT) {
        const { corrected_text_html: html } = await directory.read(
          `/spellcheck?q=${encodeURIComponent(typed)}`,
        );
        got.push([typed, html.replaceAll(TAG, "").replaceAll("&#39;", "'")]);
      }
      expect(got).toEqual(MISSPELT);
      expect(await directory.read("/spellcheck?q=blak%20<hols>")).toEqual({
        tokens: [
          { offset: 0, token: "blak", suggestion: "black" },
          { offset: 6, token: "hols", suggestion: "holes" },
        ],
        corrected_text_html: "<b><i>black</i></b> &lt;<b><i>holes</i></b>&gt;",
      });
      expect(await directory.read("/spellcheck?q=black%20holes%20xqzzyv%2042")).toEqual({
        tokens: [],
        corrected_text_html: "black holes xqzzyv 42",
      });
    });

    /** Every episode with what filters ask for, read naively from the feeds and from what the podcasts say. */
    const readAll = async () =>
      (
        await Promise.all(
          PODCASTS.map(async (podcast, at) => {
            const { language, country, genre_ids, total_episodes, update_frequency_hours } =
              await directory.read(`/podcasts/${ids[at]}`);
            const text = (field: string) => stemmedWordsOf(field, language, 1000);
            return podcast.episodes.map(([title, description, minutes, daysAgo]) => ({
              title,
              podcastId: ids[at] ?? "",
              fields: {
                title: text(title),
                description: text(description),
                author: [...text(podcast.title), ...text(podcast.publisher)],
              },
              language: language as string,
              country: country as string,
              genres: genre_ids as number[],
              episodes: total_episodes as number,
              hours: update_frequency_hours as number,
              minutes,
              pubDateMs: nowMs - daysAgo * DAY_MS,
              isExplicit: podcast.isExplicit ?? false,
              isInterview: hasGuestInterview(detectorTextOf(title, description)),
              isSponsored: hasSponsor(detectorTextOf(title, description)),
            }));
          }),
        )
      ).flat();
    type Read = Awaited<ReturnType<typeof readAll>>[number];

    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
    const asked = fc.record({
      word: fc.constantFrom(
        "the",
        "bread",
        "history",
        "rome",
        "with",
        "night",
        "wall",
        "water",
        "tomatoes",
        "guest",
      ),
      language: maybe(fc.constantFrom("English", "German", "Japanese")),
      region: maybe(fc.constantFrom("us", "gb", "de")),
      genre_ids: maybe(fc.constantFrom("125", "93,107", "122,68", "67")),
      len_min: maybe(fc.integer({ min: 0, max: 60 })),
      len_max: maybe(fc.integer({ min: 10, max: 80 })),
      episode_count_min: maybe(fc.integer({ min: 2, max: 6 })),
      episode_count_max: maybe(fc.integer({ min: 2, max: 6 })),
      update_freq_min: maybe(fc.integer({ min: 24, max: 800 })),
      update_freq_max: maybe(fc.integer({ min: 100, max: 2000 })),
      published_after: maybe(fc.integer({ min: 0, max: 300 })),
      published_before: maybe(fc.integer({ min: 0, max: 300 })),
      only_in: maybe(
        fc.constantFrom("title", "description", "author", "title,author", "title,description,author,audio"),
      ),
      ocid: maybe(fc.integer({ min: 0, max: PODCASTS.length - 1 })),
      ncid: maybe(fc.integer({ min: 0, max: PODCASTS.length - 1 })),
      safe_mode: maybe(fc.constantFrom(0, 1)),
      interviews_only: maybe(fc.constantFrom(0, 1)),
      sponsored_only: maybe(fc.constantFrom(0, 1)),
      unique_podcasts: maybe(fc.constantFrom(0, 1)),
      sort_by_date: maybe(fc.constantFrom(0, 1)),
    });
    type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;
    const instant = (daysAgo: number | undefined) =>
      daysAgo === undefined ? undefined : nowMs - daysAgo * DAY_MS;
    const within = (value: number, min: number | undefined, max: number | undefined) =>
      (min === undefined || value >= min) && (max === undefined || value <= max);
    const isWanted = (one: Read, ask: Asked): boolean => {
      const fields = (ask.only_in ?? "title,description,author").split(",") as (keyof Read["fields"])[];
      const stem = stemOf(ask.word, one.language);
      const genres = (ask.genre_ids ?? "67").split(",").map(Number);
      return (
        fields.some((field) => one.fields[field]?.includes(stem)) &&
        (ask.language === undefined || one.language === ask.language) &&
        (ask.region === undefined || one.country === ask.region) &&
        (genres.includes(67) || genres.some((genre) => one.genres.includes(genre))) &&
        within(one.minutes, ask.len_min, ask.len_max) &&
        within(one.episodes, ask.episode_count_min, ask.episode_count_max) &&
        within(one.hours, ask.update_freq_min, ask.update_freq_max) &&
        within(one.pubDateMs, instant(ask.published_after), instant(ask.published_before)) &&
        (ask.ocid === undefined || one.podcastId === ids[ask.ocid]) &&
        (ask.ncid === undefined || one.podcastId !== ids[ask.ncid]) &&
        (ask.safe_mode !== 1 || !one.isExplicit) &&
        (ask.interviews_only !== 1 || one.isInterview) &&
        (ask.sponsored_only !== 1 || one.isSponsored)
      );
    };
    const addressOf = (ask: Asked): string => {
      const { word, ocid, ncid, published_after, published_before, ...plain } = ask;
      const parameters = {
        ...plain,
        q: word,
        ocid: ocid === undefined ? undefined : ids[ocid],
        ncid: ncid === undefined ? undefined : ids[ncid],
        published_after: instant(published_after),
        published_before: instant(published_before),
        page_size: 50,
      };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) query.set(name, String(value));
      return `/search?${query}`;
    };

    it("finds what a naive reading of every filter finds, and counts it", async () => {
      const all = await readAll();
      await fc.assert(
        fc.asyncProperty(asked, async (ask) => {
          const wanted = all.filter((one) => isWanted(one, ask));
          const { results, total, count, next_offset, fewer_words } = await directory.read(addressOf(ask));
          // Results of fewer words come where nothing has all of them, and say so.
          if (fewer_words) {
            expect(wanted).toEqual([]);
            expect(fewer_words.used).toBeLessThan(fewer_words.of);
            return;
          }
          const podcasts = results.map((one: Result) => one.podcast.id);
          const isUnique = ask.unique_podcasts === 1;
          if (isUnique) expect(new Set(podcasts)).toEqual(new Set(wanted.map((one) => one.podcastId)));
          else expect(titlesOf({ results }).sort()).toEqual(wanted.map(({ title }) => title).sort());
          const expected = isUnique ? new Set(podcasts).size : wanted.length;
          expect([total, count, next_offset]).toEqual([expected, expected, expected]);
          const dates = results.map((one: { pub_date_ms: number }) => one.pub_date_ms);
          if (ask.sort_by_date === 1) expect(dates).toEqual(dates.toSorted((a: number, b: number) => b - a));
        }),
        { numRuns: 120 },
      );
    });

    it.each(["", "&sort_by_date=1", "&unique_podcasts=1", "&type=podcast"])(
      "pages by offset as clients do, each result once: %j",
      async (more) => {
        const whole = await directory.read(`/search?q=-xylophone&page_size=50${more}`);
        const seen: string[] = [];
        for (let offset = 0; ; ) {
          const page = await directory.read(`/search?q=-xylophone&page_size=7&offset=${offset}${more}`);
          expect([page.total, page.next_offset]).toEqual([whole.total, offset + page.count]);
          seen.push(...page.results.map(({ id }: Result) => id));
          offset = page.next_offset;
          if (page.count === 0) break;
        }
        expect(seen.slice(0, 50)).toEqual(whole.results.map(({ id }: Result) => id));
        expect([seen.length, new Set(seen).size]).toEqual([whole.total, whole.total]);
        expect(whole.took).toBeGreaterThanOrEqual(0);
      },
    );

    it("marks what it found and nothing else", async () => {
      const { fewer_words } = await directory.read('/search?q="black hole" kings');
      expect(fewer_words).toEqual({ used: 1, of: 2 });
      const [found] = (await directory.read("/search?q=rings&only_in=title")).results;
      expect(found).toMatchObject({
        title_original: "The rings of Saturn",
        title_highlighted: 'The <span class="vendor-search-highlight">rings</span> of Saturn',
        podcast: { title_original: "The Daily Orbit", publisher_highlighted: "Northern Sky Radio" },
      });
    });

    it("finds what has the most telling words where nothing has all, page by page, and says so", async () => {
      const { results, fewer_words, total } = await directory.read("/search?q=how zzqx rings of saturn");
      expect([results[0].title_original, fewer_words]).toEqual(["The rings of Saturn", { used: 2, of: 3 }]);
      expect(results[0].title_highlighted).toContain('<span class="vendor-search-highlight">rings</span>');
      const next = await directory.read("/search?q=how zzqx rings of saturn&offset=1");
      expect([next.total, next.count, next.fewer_words]).toEqual([total, results.length - 1, fewer_words]);
      expect(await directory.read("/search?q=rings saturn")).not.toHaveProperty("fewer_words");
      expect(await directory.read("/search?q=zzqx zzqy")).toMatchObject({ total: 0, results: [] });
      expect((await directory.read("/search?q=zzqx rings&region=zw")).total).toBe(0);
      expect((await directory.read('/search?q="zzqx rings" saturn')).total).toBe(0);
    });

    it("adds what has fewer of many words where too little has all, behind it, each once", async () => {
      const names = [
        "Zeppelin over a quiet harbour",
        "Zeppelin and the harbour",
        "A zeppelin",
        "The harbour",
      ];
      await directory.handOver(
        "zeppelins.xml",
        feedOfItems(
          "Airships",
          names.map((title, at) => ({ guid: `${at}`, title })),
        ),
      );
      const ask = (more: string) => directory.read(`/search?q=quiet zeppelin harbour${more}`);
      const whole = await ask("");
      expect(whole.fewer_words).toEqual({ used: 2, of: 3, complete: 1 });
      expect([titlesOf(whole)[0], whole.total]).toEqual(["Zeppelin over a quiet harbour", 2]);
      const pages = [await ask("&page_size=1"), await ask("&page_size=1&offset=1")];
      expect(pages.flatMap(titlesOf)).toEqual(titlesOf(whole));
      expect(pages.map((page) => [page.total, page.fewer_words])).toEqual([
        [2, whole.fewer_words],
        [2, whole.fewer_words],
      ]);
      // One of each podcast, and the order by date, stay what was asked for.
      expect(titlesOf(await ask("&unique_podcasts=1"))).toEqual(["Zeppelin over a quiet harbour"]);
      expect(await ask("&sort_by_date=1")).not.toHaveProperty("fewer_words");
      const question = await directory.read("/search?q=do you have a zzqx zeppelin");
      expect([question.fewer_words.used, titlesOf(question)]).toEqual([
        1,
        expect.arrayContaining(names.slice(0, 3)),
      ]);
    });

    it("searches titles within a podcast, by any id", async () => {
      const [id = ""] = ids;
      const { rss } = await directory.read(`/podcasts/${id}`);
      for (const named of [`podcast_id=${id}`, `podcast_id_type=rss&podcast_id=${encodeURIComponent(rss)}`]) {
        const found = await directory.read(`/search_episode_titles?q=the&${named}`);
        expect([titlesOf(found), found.total]).toEqual([["The rings of Saturn"], 1]);
      }
      expect((await directory.read("/search_episode_titles?q=the")).total).toBeGreaterThan(10);
      for (const type of ["vendor_id", "storeone_id", "storetwo_id", "rss"]) {
        const path = `/search_episode_titles?q=the&podcast_id=nothing&podcast_id_type=${type}`;
        expect([type, (await directory.send("GET", path)).status]).toEqual([type, 400]);
      }
    });

    it("refuses what makes no sense, takes any text, and keeps accounts apart", async () => {
      for (const query of [
        "q=",
        "",
        "q=a&type=video",
        "q=a&offset=-1",
        "q=a&offset=10001",
        "q=a&page_size=0",
        "q=a&page_size=51",
        "q=a&sort_by_date=2",
        "q=a&only_in=subtitle",
        "q=a&language=Klingonish",
        "q=a&region=xx",
        "q=a&genre_ids=one",
        "q=a&ocid=..",
        `q=a&genre_ids=${"1,".repeat(60)}`,
        "q=%21%3F",
        `q=${"x".repeat(1001)}`,
      ])
        expect([query, (await directory.send("GET", `/search?${query}`)).status]).toEqual([query, 400]);
      for (const text of [
        '"',
        "'",
        "a OR b",
        "NEAR(a b)",
        "title:x",
        "{x}",
        "a*b",
        "(((",
        '-""',
        "\\",
        "%",
        "_",
        "x' & !y",
      ]) {
        const { status } = await directory.send("GET", `/search?q=${encodeURIComponent(`rome ${text}`)}`);
        expect([text, status]).toEqual([text, 200]);
      }
      const other = await directory.read("/search?q=rome", { as: "second" });
      expect([other.total, other.results]).toEqual([0, []]);
      expect((await directory.send("GET", "/search?q=rome", { as: null })).status).toBe(401);
    });

    it.each(["", "&language=English", "&episode_count_min=700&safe_mode=1"])(
      "ranks those with the word in the title first, of more than it ranks: %j",
      async (more) => {
        const many = items(720).map((item, at) => ({
          ...item,
          title: at % 3 === 0 ? `Pogostick ${at}` : `Walk ${at}`,
          about: "How to ride a pogostick.",
        }));
        await directory.handOver("many.xml", feedOfItems("Legs", many));
        const seen: Result[] = [];
        for (let offset = 0; offset < 720; offset += 48) {
          const page = await directory.read(`/search?q=pogostick&page_size=48&offset=${offset}${more}`);
          expect([page.total, page.count]).toEqual([720, 48]);
          seen.push(...page.results);
        }
        expect(new Set(seen.map(({ id }) => id)).size).toBe(720);
        const firstWalk = seen.findIndex(({ title_original }) => title_original.startsWith("Walk"));
        expect(firstWalk).toBe(240);
      },
    );
  },
  { services: ["podcasts"] },
);
