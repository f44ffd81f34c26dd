/** Words, stems and queries. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STEMMED_LANGUAGES } from "#kernel/stems";
import { fts5Expression, type Search, tsqueryExpression } from "./expressions.ts";
import { lengthFacets, lengthRangeFacets, minutesOf } from "./facets.ts";
import { escapeHtml, excerpt, highlight, highlightTyped, plainTextOf } from "./highlight.ts";
import { nextOrder, ORDER_MAX, orderOf, orderRange } from "./order.ts";
import { phraseOf, phrasesOf } from "./phrases.ts";
import { parseQuery } from "./query.ts";
import { keepsBeginnings, stemmedWordsOf, stemOf } from "./stems.ts";
import { fold, spellingsOf, wordsOf } from "./words.ts";

const texts = (text: string): string[] => wordsOf(text).map((word) => word.text);
const ENGLISH = ["English"];

describe("words", () => {
  it.each([
    ["The Joe Rogan Experience", ["the", "joe", "rogan", "experience"]],
    ["Rogan's don't", ["rogan", "dont"]],
    ["Café Zürich – naïve Ångström", ["cafe", "zurich", "naive", "angstrom"]],
    ["Straße, Łódź, Ærø, Œuvre", ["strasse", "lodz", "aero", "oeuvre"]],
    ["Ёлка и йогурт", ["елка", "и", "йогурт"]],
    ["C++ and C# in 2024", ["cplusplus", "and", "csharp", "in", "2024"]],
    ["東京都", ["東京", "京都", "都"]],
    ["日本語podcast", ["日本", "本語", "語", "podcast"]],
    ["서울 이야기", ["서울", "울", "이야", "야기", "기"]],
    ["ﬁne Ⅷ ＡＢＣ", ["fine", "viii", "abc"]],
    ["…!?", []],
  ])("of %j", (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it("are spelt the same with and without their places", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.stringMatching(/^[A-Za-z0-9 .,'#+_-]{0,60}$/),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(spellingsOf(one)).toEqual(texts(one));
      }),
    );
    expect(spellingsOf("a".repeat(50))).toEqual(texts("a".repeat(50)));
  });

  it("know where they stand, and fold whatever they are given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        for (const { start, end, text: word } of wordsOf(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(word).not.toMatch(/[\s"'*:(){}-]/);
          expect(fold(word)).toBe(word);
        }
      }),
    );
  });

  it("are found in a transcript of one run of letters without spaces", () => {
    expect(wordsOf("漢".repeat(200_000))).toHaveLength(200_000);
  });

  it("are kept as stems of their language, which are told apart", () => {
    expect(stemmedWordsOf("Running podcasts about cities", "English", 10)).toEqual([
      "run",
      "podcast",
      "about",
      "citi",
    ]);
    expect(stemOf("nachrichten", "German")).toBe("nachricht_ger");
    expect(stemOf("news", "Swedish")).not.toBe(stemOf("new", "English"));
    expect(stemOf("новости", "Russian")).toBe(stemOf("новостей", "Russian"));
    expect(stemOf("word", "Klingon")).toBe("word");
    expect(stemOf("2024", "English")).toBe("2024");
    expect(stemmedWordsOf("a b c d", "English", 2)).toEqual(["a", "b"]);
  });
  it("keep how they begin, but for a few languages", () => {
    const keeping = [...STEMMED_LANGUAGES].filter(keepsBeginnings);
    expect(keeping).toHaveLength(STEMMED_LANGUAGES.size - 4);
    const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюяաբգդեիլն");
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 12 }), (word) => {
        for (const language of keeping) expect(stemOf(word, language)[0]).toBe(word[0]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("queries", () => {
  const wantedOf = (text: string) => parseQuery(text, ENGLISH).wanted;
  it("looks for both numbers of a word whose stem does not tell, in English alone", () => {
    const formsOf = (word: string, languages = ENGLISH) => parseQuery(word, languages).wanted[0]?.words[0];
    expect([formsOf("child"), formsOf("children")].map((forms) => forms?.length)).toEqual([2, 2]);
    expect(formsOf("child")).toContain(stemOf("children", "English"));
    expect(formsOf("women")).toContain(stemOf("woman", "English"));
    expect(formsOf("child", ["German"])).toHaveLength(1);
  });
  it("read words, phrases, what to leave out and beginnings", () => {
    expect(parseQuery('"star wars" -trek galax* running', ENGLISH)).toEqual({
      wanted: [
        { words: [["star"], ["war"]], isPrefix: false },
        { words: [["galax"]], isPrefix: true },
        { words: [["run"]], isPrefix: false },
      ],
      unwanted: [{ words: [["trek"]], isPrefix: false }],
    });
    expect(parseQuery('-"jar jar"', ENGLISH).unwanted).toEqual([
      { words: [["jar"], ["jar"]], isPrefix: false },
    ]);
    expect(wantedOf("spider-man")).toEqual([{ words: [["spider"], ["man"]], isPrefix: false }]);
    expect(wantedOf("“dark matter”")).toEqual([{ words: [["dark"], ["matter"]], isPrefix: false }]);
  });
  it("look for fillers only where there is nothing else", () => {
    expect(wantedOf("the history of rome")).toHaveLength(2);
    expect(wantedOf("the who")).toHaveLength(2);
    expect(wantedOf('"the who" tour')[0]?.words).toHaveLength(2);
  });
  it("read scripts without spaces by twos, and a single letter as a beginning", () => {
    expect(wantedOf("東京都")).toEqual([{ words: [["東京"], ["京都"]], isPrefix: false }]);
    expect(wantedOf("京")).toEqual([{ words: [["京"]], isPrefix: true }]);
  });
  it("have a spelling for each language that may be meant", () => {
    expect(parseQuery("nachrichten", ["English", "German"]).wanted[0]?.words).toEqual([
      ["nachrichten", "nachricht_ger"],
    ]);
  });
  it("take any text, and never more than some clauses", () => {
    expect(parseQuery("word ".repeat(500), ENGLISH).wanted.length).toBeLessThanOrEqual(24);
    for (const text of ["", '"', '""', "-", "*", "- - -", '-"', "\u0000", "'; drop table"])
      expect(() => parseQuery(text, ENGLISH)).not.toThrow();
  });
});

describe("expressions", () => {
  const search = (text: string, more: Partial<Search> = {}): Search => ({
    kind: "e",
    query: parseQuery(text, ENGLISH),
    fields: [],
    facets: [],
    withoutFacets: [],
    ...more,
  });
  it("are said to FTS5 with the owner before each word", () => {
    expect(
      fts5Expression(
        "7",
        search('"star wars" -trek galax*', {
          fields: ["title"],
          facets: [["_g1", "_g2"]],
          withoutFacets: ["_x"],
        }),
      ),
    ).toBe(
      '({title} : "7estar 7ewar" AND {title} : "7egalax"* AND ("7e_g1" OR "7e_g2")) NOT ({title} : "7etrek" OR "7e_x")',
    );
    expect(fts5Expression("7", search("-trek"))).toBe('("7e_") NOT ("7etrek")');
  });
  it("are said to PostgreSQL with the owner beside them", () => {
    expect(
      tsqueryExpression(
        "7",
        search('"star wars" -trek galax*', { fields: ["title", "audio"], withoutFacets: ["_x"] }),
      ),
    ).toBe("'_e7' & (('star':AD <-> 'war':AD)) & (('galax':*AD)) & !(('trek':AD)) & !'_x'");
  });
});

describe("lengths", () => {
  it("are found by blocks that cover the range and nothing else", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1100 }),
        fc.integer({ min: 0, max: 1100 }),
        fc.integer({ min: 0, max: 80_000 }),
        (min, max, seconds) => {
          const wanted = new Set(lengthRangeFacets(min, max));
          const isFound = lengthFacets(seconds).some((facet) => wanted.has(facet));
          const minutes = minutesOf(seconds);
          expect(isFound).toBe(minutes >= min && minutes <= max);
          expect(wanted.size).toBeLessThanOrEqual(40);
        },
      ),
    );
  });
});

describe("places in the index", () => {
  it("put the newest first and fit a range of dates", () => {
    const date = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
    fc.assert(
      fc.property(date, date, fc.string(), fc.string(), (one, other, name, otherName) => {
        if (one !== other) expect(orderOf(one, name) < orderOf(other, otherName)).toBe(one > other);
        const { first, last } = orderRange(other, undefined);
        expect(orderOf(one, name) >= first && orderOf(one, name) <= last).toBe(one >= other);
        const until = orderRange(undefined, other);
        expect(orderOf(one, name) >= until.first && orderOf(one, name) <= until.last).toBe(one <= other);
        expect(Number.isSafeInteger(orderOf(one, name))).toBe(true);
        expect(Math.abs(orderOf(one, name) - nextOrder(orderOf(one, name)))).toBeLessThan(2 ** 21);
      }),
    );
    expect(orderOf(0, "a")).toBeLessThanOrEqual(ORDER_MAX);
  });
});

describe("highlights", () => {
  const query = parseQuery('wars "jedi knight"', ENGLISH);
  it("mark what was found, in any form, and hold nothing else", () => {
    expect(highlight("Star War & <b>Jedi Knights</b>", "English", query)).toBe(
      'Star <span class="vendor-search-highlight">War</span> &amp; &lt;b&gt;<span class="vendor-search-highlight">Jedi Knights</span>&lt;/b&gt;',
    );
    expect(highlight("東京都庁", "Japanese", parseQuery("京都", ENGLISH))).toBe(
      '東<span class="vendor-search-highlight">京都</span>庁',
    );
    expect(highlightTyped("The Joe Rogan Experience", ["joe", "rog"])).toBe(
      'The <span class="vendor-search-highlight">Joe</span> <span class="vendor-search-highlight">Rogan</span> Experience',
    );
  });
  it("cut a long text around the first place", () => {
    const long = `${"lorem ipsum ".repeat(60)}the wars began ${"dolor sit ".repeat(60)}`;
    const cut = excerpt(long, "English", query);
    expect(cut).toMatch(/^… .*<span class="vendor-search-highlight">wars<\/span> began .* …$/);
    expect(cut.length).toBeLessThan(420);
    expect(excerpt("short", "English", query)).toBe("short");
  });
  it("never let markup through", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 20 }), (text, asked) => {
        const marked = highlight(text, "English", parseQuery(asked, ENGLISH));
        const bare = marked
          .replaceAll('<span class="vendor-search-highlight">', "")
          .replaceAll("</span>", "");
        expect(bare).toBe(escapeHtml(text));
      }),
    );
  });
  it("read HTML as text", () => {
    expect(plainTextOf("<p>Tom &amp; Jerry&#8217;s <a href='x'>home</a></p><p>two&nbsp;lines</p>")).toBe(
      "Tom & Jerry’s home two lines",
    );
    expect(plainTextOf("a &#0; &#xD800; &#x110000; b &unknown;")).toBe("a b &unknown;");
  });
});

describe("phrases", () => {
  it("begin at every word of a title", () => {
    expect(phrasesOf("The Joe Rogan Experience")).toEqual([
      "the joe rogan experience",
      "joe rogan experience",
      "rogan experience",
      "experience",
    ]);
    expect(phrasesOf("Café – L’été")).toEqual(["cafe lete", "lete"]);
    expect(phrasesOf("東京の話")).toEqual(["東京の話", "京の話", "の話", "話"]);
    expect(phrasesOf("!!!")).toEqual([]);
    expect(phraseOf("  Star   WARS! ")).toBe("star wars");
    expect(phraseOf("word ".repeat(100))).toHaveLength(80);
  });
});
