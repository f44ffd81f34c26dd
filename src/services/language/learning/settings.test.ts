/** The settings of a version take effect in training and in prediction. */
import { describe, expect, it } from "vitest";
import type { Entity, VersionContent, VersionSettings } from "../domain/content.ts";
import { predict } from "../recognition/predict.ts";
import { readUtterance } from "../recognition/reading.ts";
import { emptyContent, generateIntents, intentsNamed, learnedEntity } from "./generated-content.ts";
import { loadModel } from "./model.ts";
import { train } from "./train.ts";

const plain = emptyContent({}).settings;
const LESSONS: readonly (readonly [intent: string, text: string])[] = [
  ["Cancel", "cancel my booking"],
  ["Cancel", "cancel the reservation, please"],
  ["Cancel", "i am cancelling the café table"],
  ["Cancel", "please cancel our crème brûlée"],
  ["Ask", "where is my flight?"],
  ["Ask", "where are the flights now"],
  ["Ask", "where does it fly to"],
  ["Ask", "where will we land, then?"],
];
const list: Entity = {
  id: "Thing",
  name: "Thing",
  roles: [],
  kind: "list",
  subLists: [{ id: 1, canonicalForm: "Fare", synonyms: ["plane ticket", "jalapeño", "e-ticket"] }],
};
const taught = async (settings: Partial<VersionSettings>, more: Partial<VersionContent> = {}) =>
  loadModel(
    await train(
      emptyContent({
        settings: { ...plain, ...settings },
        intents: intentsNamed(["Ask", "Cancel", "None"]),
        entities: [list],
        utterances: LESSONS.map(([intent, text], id) => ({ id, text, intent, labels: [] })),
        ...more,
      }),
    ),
  );
const foundIn = (model: Awaited<ReturnType<typeof taught>>, text: string): string[] =>
  predict(model, text).entities.map(({ start, end }) => text.slice(start, end));

/** A setting, two utterances that are equal only with it, and the list item that it then finds. */
describe.each([
  {
    setting: "normalizeWordForm",
    one: "cancel booking",
    other: "cancelled bookings",
    listed: "two plane tickets",
    found: "plane tickets",
  },
  {
    setting: "normalizeDiacritics",
    one: "cancel the cafe",
    other: "Cancel the café",
    listed: "a jalapeno",
    found: "jalapeno",
  },
  {
    setting: "normalizePunctuation",
    one: "where is it",
    other: "where... is it?!",
    listed: "an e ticket",
    found: "e ticket",
  },
] as const)("$setting", ({ setting, one, other, listed, found }) => {
  it("makes one of what is otherwise told apart", async () => {
    const without = await taught({});
    expect(predict(without, one).intents).not.toEqual(predict(without, other).intents);
    expect(foundIn(without, listed)).toEqual([]);
    const model = await taught({ [setting]: true });
    expect(predict(model, one).intents).toEqual(predict(model, other).intents);
    expect(foundIn(model, listed)).toEqual([found]);
  });

  it("counts for patterns as well", async () => {
    const patterns = [{ id: "1", intent: "None", text: other }];
    const topOf = async (settings: Partial<VersionSettings>) =>
      predict(await taught(settings, { patterns }), one).intents[0]?.name;
    expect(await topOf({ [setting]: true })).toBe("None");
    expect(await topOf({})).not.toBe("None");
  });
});

it("tells the places of entities in the utterance as it was written", async () => {
  const text = (place: string) => `fly, me - to "${place}"!`;
  const utterances = ["Rome", "Oslo", "Lima", "Cairo"].map((place, id) => ({
    id,
    text: text(place),
    intent: "Ask",
    labels: [{ start: 14, end: 14 + place.length, entity: "Place", role: undefined, children: [] }],
  }));
  const model = await taught(
    { normalizePunctuation: true, normalizeWordForm: true, normalizeDiacritics: true },
    { entities: [learnedEntity("Place")], utterances },
  );
  expect(foundIn(model, text("Quito"))).toEqual(["Quito"]);
  expect(foundIn(model, "fly me to Quito")).toEqual(["Quito"]);
});

it("draws what an intent is not from few of the others where not all data is used, and the same few every time", async () => {
  const { content, test } = generateIntents({ intentCount: 4, utterancesEach: 8, silentShare: 0 });
  const sampled = { ...content, settings: { ...plain, useAllTrainingData: false } };
  const bytes = await train(sampled);
  expect(Buffer.compare(bytes, await train(sampled))).toBe(0);
  const models = [loadModel(bytes), loadModel(await train(content))];
  const [few, all] = models.map((model) => ({
    right: test.filter(({ text, intent }) => predict(model, text).intents[0]?.name === intent).length,
    scores: test.map(({ text }) => predict(model, text).intents[0]?.score),
  }));
  expect(few?.scores).not.toEqual(all?.scores);
  expect(few?.right).toBeGreaterThan(0.5 * test.length);
});

it.each([
  ["de-de", "Buchungen", "Buchung"],
  ["es-es", "vuelos", "vuelo"],
  ["fr-fr", "réservations", "réservation"],
  ["it-it", "prenotazioni", "prenotazione"],
  ["pt-br", "reservas", "reserva"],
  ["nl-nl", "vluchten", "vlucht"],
  ["tr-tr", "uçuşlar", "uçuş"],
  ["ar-ar", "الرحلة", "رحلة"],
  ["hi-in", "किताबों", "किताबें"],
  ["ta-in", "புத்தகங்கள்", "புத்தகம்"],
])("knows word forms of %s", (culture, one, other) => {
  const rootIn = (text: string) =>
    readUtterance(text, { culture, withoutDiacritics: false, withoutPunctuation: false, rootsOnly: true })
      .words;
  expect(rootIn(one)).toEqual(rootIn(other));
});

it.each([
  ["hi-in", "की कीमत"],
  ["ko-kr", "항공편"],
  ["ja-jp", "ガード"],
])("leaves the marks that make letters of %s", (culture, text) => {
  const rules = { culture, withoutDiacritics: true, withoutPunctuation: false, rootsOnly: false };
  expect(readUtterance(text, rules).words).toEqual(
    readUtterance(text, { ...rules, withoutDiacritics: false }).words,
  );
});
