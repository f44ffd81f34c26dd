/** Entities beyond the trained ones: roles, composites, hierarchies, lists and required features. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Entity, Label, Utterance } from "../domain/content.ts";
import { emptyContent, intentsNamed, learnedEntity } from "../learning/generated-content.ts";
import { type LoadedModel, loadModel } from "../learning/model.ts";
import { train } from "../learning/train.ts";
import { predict } from "./predict.ts";
import type { FoundEntity } from "./prediction.ts";

/** `to <city rome>`: the words with the labels in them. */
function said(marked: string, intent = "Travel"): Utterance {
  let text = "";
  const labels: Label[] = [];
  for (const part of marked.split(/(<[^>]*>)/)) {
    const [, entity, role, words] = /^<([\w:]+)(?:@(\w+))? ([^>]*)>$/.exec(part) ?? [];
    if (entity !== undefined && words !== undefined)
      labels.push({ start: text.length, end: text.length + words.length, entity, role, children: [] });
    text += words ?? part;
  }
  return { id: 0, text, intent, labels };
}
const shown = (text: string, found: readonly FoundEntity[]): unknown[] =>
  found.map(({ entity, role, start, end, children }) => [
    role === undefined ? entity : `${entity}@${role}`,
    text.slice(start, end),
    ...shown(text, children),
  ]);
const named = (name: string) => ({ id: name, name, roles: [] });
const PLACES = ["rome", "oslo", "lima", "cairo", "quito", "paris"];

const listed: Entity = {
  ...named("Place"),
  kind: "list",
  subLists: PLACES.map((place, id) => ({
    id,
    canonicalForm: place.toUpperCase(),
    synonyms: [place, `old ${place}`],
  })),
};

describe("roles", () => {
  let model: LoadedModel;
  beforeAll(async () => {
    const utterances = PLACES.flatMap((place, at) => {
      const other = PLACES[(at + 1) % PLACES.length];
      return [
        said(`from <Place@origin ${place}> to <Place@target ${other}>`),
        said(`to <Place@target ${other}> from <Place@origin ${place}>`),
      ];
    });
    const content = emptyContent({
      intents: intentsNamed(["Travel", "None"]),
      entities: [listed],
      utterances,
    });
    model = loadModel(await train(content));
  });

  it("of a list entity are learned from labels", () => {
    const text = "go to Old Rome from oslo";
    const { entities } = predict(model, text);
    expect(shown(text, entities)).toEqual([
      ["Place@target", "Old Rome"],
      ["Place@origin", "oslo"],
    ]);
    expect(entities[0]?.resolution).toEqual({ values: ["ROME"] });
  });
});

describe("composites and hierarchies", () => {
  let model: LoadedModel;
  beforeAll(async () => {
    const utterances = PLACES.flatMap((place) =>
      ["two", "three", "nine"].map((count): Utterance => {
        const plain = said(`please send <Count ${count}> parcels to <Location::Target ${place}> today`);
        const end = plain.text.indexOf(" today");
        return {
          ...plain,
          labels: [...plain.labels, { start: 12, end, entity: "Order", role: undefined, children: [] }],
        };
      }),
    );
    const content = emptyContent({
      intents: intentsNamed(["Travel", "None"]),
      entities: [
        learnedEntity("Count"),
        { ...named("Location"), kind: "hierarchical", children: [{ id: "t", name: "Target" }] },
        {
          ...named("Order"),
          kind: "composite",
          children: [
            { id: "c", name: "Count" },
            { id: "l", name: "Location::Target" },
          ],
        },
      ],
      utterances,
    });
    model = loadModel(await train(content));
  });

  it("are found, and hold what lies within", () => {
    const text = "please send nine parcels to rome today";
    const { entities } = predict(model, text);
    expect(shown(text, entities)).toEqual([
      ["Order", "nine parcels to rome", ["Count", "nine"], ["Location::Target", "rome"]],
    ]);
  });
});

describe("features", () => {
  const phrases = {
    id: 1,
    name: "Colours",
    phrases: ["red", "green", "blue", "teal", "ochre"],
    isExchangeable: true,
    isActive: true,
    enabledForAllModels: true,
  };
  const utterances = ["red", "green"].flatMap((colour) => [
    said(`the car is <Colour ${colour}>`),
    said(`i like <Colour ${colour}> best`),
    said(`paint it <Colour ${colour}>`),
    said("the car is fast"),
    said("i like trains best"),
    said("paint it quickly"),
  ]);

  it("let words of a phrase list be found that no lesson has", async () => {
    const entities = [learnedEntity("Colour")];
    const content = emptyContent({
      intents: intentsNamed(["Travel", "None"]),
      entities,
      utterances,
      phraseLists: [phrases],
    });
    const model = loadModel(await train(content));
    for (const text of ["the car is ochre", "i like teal best"])
      expect(shown(text, predict(model, text).entities)).toEqual([
        ["Colour", text.split(" ")[text.startsWith("i") ? 2 : 3]],
      ]);
    expect(predict(model, "the car is fast").entities).toEqual([]);
  });

  it("that are required and missing keep an entity or an intent from being found", async () => {
    const required = [{ phraseList: "Colours", isRequired: true }];
    const model = loadModel(
      await train(
        emptyContent({
          intents: [
            { id: "t", name: "Travel", features: required },
            { id: "n", name: "None", features: [] },
          ],
          entities: [learnedEntity("Colour", { features: required })],
          utterances,
          phraseLists: [{ ...phrases, phrases: ["blue"] }],
        }),
      ),
    );
    const { intents, entities } = predict(model, "paint it red");
    expect(entities).toEqual([]);
    expect(intents.find(({ name }) => name === "Travel")?.score).toBe(0);
  });
});

describe("what the caller gives", () => {
  let model: LoadedModel;
  beforeAll(async () => {
    const utterances = PLACES.map((place) => said(`go to <City ${place}> now`));
    const content = emptyContent({
      intents: intentsNamed(["Travel", "None"]),
      entities: [learnedEntity("City")],
      utterances,
    });
    model = loadModel(await train(content));
  });
  const text = "go to rome now";
  const given = { entity: "City", start: 3, end: 10, resolution: "X", score: 0.4 };

  it("replaces what it overlaps, or gives way to it", () => {
    const preferred = predict(model, text, { externalEntities: [given] }).entities;
    expect(preferred).toMatchObject([{ source: "external", start: 3, score: 0.4 }]);
    const kept = predict(model, text, { externalEntities: [given], preferExternalEntities: false }).entities;
    expect(kept).toMatchObject([{ source: "model", start: 6 }]);
  });
});

describe("a Pattern.Any", () => {
  const anyOf = (name: string, ...items: string[]): Entity => ({
    ...named(name),
    kind: "pattern-any",
    explicitList: items.map((text, id) => ({ id, text })),
  });
  const foundWith = async (...items: string[]) => {
    const model = loadModel(
      await train(
        emptyContent({
          intents: intentsNamed(["Mail", "None"]),
          entities: [anyOf("Subject", ...items), anyOf("Person")],
          patterns: [{ id: "1", intent: "Mail", text: "mail {Subject} from {Person}" }],
        }),
      ),
    );
    const text = "mail The Man from La Mancha from Ann";
    const { intents, entities } = predict(model, text);
    expect(intents[0]?.name).toBe("Mail");
    return shown(text, entities);
  };

  it("takes the fewest words that fit", async () => {
    expect(await foundWith()).toEqual([
      ["Subject", "The Man"],
      ["Person", "La Mancha from Ann"],
    ]);
  });

  it("takes words of its explicit list together", async () => {
    expect(await foundWith("the man from la mancha")).toEqual([
      ["Subject", "The Man from La Mancha"],
      ["Person", "Ann"],
    ]);
  });
});
