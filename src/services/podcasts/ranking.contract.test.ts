/** Searches judged by what a person would want first, on both databases. */
import { beforeAll, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { feedOf, PODCASTS } from "../../../tests/support/podcasts-corpus.ts";
import { MISSPELT } from "../../../tests/support/podcasts-misspelt.ts";
import service from "./index.ts";

/** What is asked, and the titles that must come first, in that order. */
const EPISODES: readonly (readonly [asked: string, ...first: string[]])[] = [
  ["q=black holes", "Black holes for breakfast"],
  ["q=saturn rings", "The rings of Saturn"],
  ["q=mars landing", "Landing on Mars"],
  ["q=comet", "Comets and their tails"],
  ["q=vera lindqvist", "An interview with Vera Lindqvist"],
  ["q=sourdough", "Sourdough for beginners"],
  ["q=pasta", "Pasta from scratch"],
  ["q=soups", "Soup season"],
  ["q=omelettes", "The perfect omelette"],
  ["q=baking bread", "Baking bread with grandmother"],
  ["q=buttons", "The button"],
  ["q=pencil history", "The history of the pencil"],
  ["q=roman nails", "Nails of the Roman army"],
  ["q=nero", "Nero and the fire"],
  ["q=hadrian", "Hadrian's wall"],
  ["q=hadrians wall", "Hadrian's wall"],
  ["q=the fall of rome", "The fall of Rome"],
  ["q=rome", "The fall of Rome"],
  ["q=lighthouse", "The lighthouse keeper"],
  ["q=mountain railway murder", "Murder on the mountain railway"],
  ["q=umbrella", "Cold case: the red umbrella"],
  ["q=hiring engineers", "Hiring your first engineer"],
  ["q=price", "Pricing is a conversation"],
  ["q=c%2B%2B", "Why C++ will not die"],
  ["q=c%23", "C# at twenty"],
  ["q=rust", "Rust without fear"],
  ["q=compilers", "Writing a compiler in a weekend"],
  ["q=tomatoes", "Tomatoes on a balcony"],
  ["q=roses", "Pruning roses in February"],
  ["q=bees", "A garden for bees"],
  ["q=whales", "The whale that sang alone", "Moby Dick and the whale"],
  ["q=%22moby dick%22", "Moby Dick and the whale"],
  ["q=whale -moby", "The whale that sang alone"],
  ["q=squid", "Giant squid"],
  ["q=gambit", "The queen's gambit"],
  ["q=chess", "A life in chess"],
  ["q=irina volkova", "A life in chess"],
  ["q=night trains", "Night trains of Europe"],
  ["q=iceland", "Cycling around Iceland"],
  ["q=marathon", "Your first marathon"],
  ["q=running", "Running in the rain"],
  ["q=knee", "Knees"],
  ["q=jazz", "How to listen to jazz"],
  ["q=index funds", "Index funds"],
  ["q=freelance taxes", "Taxes for freelancers"],
  ["q=star wars", "Star Wars"],
  ["q=%22star wars%22&only_in=title", "Star Wars"],
  ["q=stars soldiers&only_in=description", "Wars on film"],
  ["q=spider-man", "Spider-Man and biology"],
  ["q=vaccin*", "Vaccines explained"],
  ["q=anaes*", "The history of anaesthesia"],
  ["q=haus holz&language=German", "Häuser aus Holz"],
  ["q=hauser", "Häuser aus Holz"],
  ["q=strassenbahn", "Die Straßenbahn"],
  ["q=energie renouvelable", "Les énergies renouvelables"],
  ["q=foret", "La forêt"],
  ["q=tortillas", "La tortilla perfecta"],
  ["q=programa", "Primeiros programas"],
  ["q=piazze", "La piazza"],
  ["q=svamp", "Svampar i oktober"],
  ["q=черная дыра", "Чёрные дыры"],
  ["q=городов", "Города будущего"],
  ["q=東京タワー", "東京タワーの夜"],
  ["q=桜", "桜の季節"],
  ["q=京都", "京都の静かな庭"],
  ["q=茶馆", "老茶馆"],
  ["q=长城", "长城上的风"],
  ["q=한강", "한강의 노래"],
  ["q=sleep&sort_by_date=1", "Sleep and the brain", "Night trains of Europe"],
];
const PODCASTS_WANTED: readonly (readonly [asked: string, ...first: string[]])[] = [
  ["q=star wars", "Star Wars Minute by Minute"],
  ["q=rome", "Rome Again"],
  ["q=roman emperors", "Rome Again"],
  ["q=history", "History of Small Things"],
  ["q=wandering post", "Slow Travel", "Mind the Gap Year"],
  ["q=marathon", "The Marathon Bookshelf"],
  ["q=run", "Run, Easy"],
  ["q=gardens", "Green Thumbs"],
  ["q=programming", "Compile Time"],
  ["q=cafe", "Café com Código"],
  ["q=wien", "Geschichten aus Wien"],
  ["q=nachricht", "Nachrichten aus der Werkstatt"],
  ["q=東京", "東京の朝"],
];

onBothDatabases(
  "ranking",
  (instance) => {
    const ask = async (path: string) => {
      const { status, body, text } = await instance().apiKey(
        "X-Vendor-Api-Key",
        "GET",
        `/podcasts/api/v2${path}`,
      );
      expect(status, text).toBe(200);
      return body;
    };
    beforeAll(async () => {
      const nowMs = instance().clock.nowMs();
      for (const [number, podcast] of PODCASTS.entries()) {
        const { status, text } = await instance().apiKey(
          "X-Vendor-Api-Key",
          "POST",
          `/podcasts/api/v2/feeds?name=feed-${number}.xml`,
          {
            body: feedOf(podcast, number, nowMs),
            headers: { "content-type": "application/rss+xml" },
          },
        );
        expect(status, text).toBe(200);
      }
    });
    const titlesOf = ({ results }: { results: { title_original: string }[] }, count: number): string[] =>
      results.slice(0, count).map((one) => one.title_original);

    it(`puts first what a person would: ${EPISODES.length + PODCASTS_WANTED.length} judged searches`, async () => {
      const got: unknown[] = [];
      const wanted: unknown[] = [];
      for (const [type, judged] of [
        ["episode", EPISODES],
        ["podcast", PODCASTS_WANTED],
      ] as const)
        for (const [asked, ...first] of judged) {
          wanted.push([asked, first]);
          got.push([asked, titlesOf(await ask(`/search?type=${type}&${asked}`), first.length)]);
        }
      expect(got).toEqual(wanted);
    });

    it(`corrects ${MISSPELT.length} misspelt titles by the words of titles and names`, async () => {
      // Words are learnt by a job.
      await instance().clock.advance("10s");
      const got: unknown[] = [];
      for (const [typed] of MISSPELT) {
        const { corrected_text_html: html } = await ask(`/spellcheck?q=${encodeURIComponent(typed)}`);
        got.push([typed, html.replaceAll(/<\/?[bi]>/g, "").replaceAll("&#39;", "'")]);
      }
      expect(got).toEqual(MISSPELT);
      expect((await ask("/spellcheck?q=blak%20<hols>")).tokens).toEqual([
        { offset: 0, token: "blak", suggestion: "black" },
        { offset: 6, token: "hols", suggestion: "holes" },
      ]);
      expect((await ask("/spellcheck?q=blak%20<hols>")).corrected_text_html).toBe(
        "<b><i>black</i></b> &lt;<b><i>holes</i></b>&gt;",
      );
      expect(await ask("/spellcheck?q=black%20holes%20xqzzyv%2042")).toEqual({
        tokens: [],
        corrected_text_html: "black holes xqzzyv 42",
      });
    });
  },
  { services: [], extraServices: [service] },
);
