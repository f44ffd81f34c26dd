/** Twenty words of the demo podcasts' descriptions, each misspelt in a way people do. */
import { expect, it } from "vitest";
import { DEMO_SHOWS } from "../../seed/shows.ts";
import { spellingWordsOf } from "./phrases.ts";
import { correctionsOf } from "./spelling.ts";

const MISSPELT: Readonly<Record<string, string>> = {
  mosqitoes: "mosquitoes",
  wildflours: "wildflowers",
  hedghogs: "hedgehogs",
  balconys: "balconies",
  measurments: "measurements",
  catalouge: "catalogue",
  anuity: "annuity",
  dirctor: "director",
  tablits: "tablets",
  postcads: "postcards",
  memmory: "memory",
  formatts: "formats",
  secconds: "seconds",
  interveiw: "interview",
  misteries: "mysteries",
  fisics: "physics",
  gardners: "gardeners",
  honnest: "honest",
  sponserd: "sponsored",
  fahrkahrte: "fahrkarte",
};

it("puts at least 18 of 20 misspelt words of descriptions right", () => {
  const counts = new Map<string, number>();
  for (const { title, publisher, about, episodes } of DEMO_SHOWS)
    for (const texts of [[title, publisher, about], ...episodes])
      for (const word of spellingWordsOf(...texts)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = [...counts].map(([word, count]) => ({ word, count }));
  const wrong = Object.entries(MISSPELT).filter(([typed, meant]) => correctionsOf(typed, known)[0] !== meant);
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(2);
});
