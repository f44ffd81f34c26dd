/** Training learns what the data supports, does not overfit, and is deterministic. */
import { describe, expect, it } from "vitest";
import type { Utterance, VersionContent } from "../domain/content.ts";
import { predict } from "../recognition/predict.ts";
import { evaluate } from "./evaluate.ts";
import {
  emptyContent,
  generateIntents,
  generateJourneys,
  intentsNamed,
  learnedEntity,
} from "./generated-content.ts";
import { loadModel } from "./model.ts";
import { ModelFormatError } from "./sections.ts";
import { train } from "./train.ts";

const trained = async (content: VersionContent) => loadModel(await train(content));
const accuracyOf = async (content: VersionContent, test: readonly Pick<Utterance, "text" | "intent">[]) => {
  const model = await trained(content);
  const right = test.filter(({ text, intent }) => predict(model, text).intents[0]?.name === intent);
  return right.length / test.length;
};

describe("intents", () => {
  it("are learned nearly as well as they can be", async () => {
    const { content, test, best } = generateIntents({
      intentCount: 8,
      utterancesEach: 25,
      silentShare: 0.15,
    });
    const accuracy = await accuracyOf(content, test);
    expect(accuracy).toBeGreaterThan(best - 0.12);
    expect(accuracy).toBeLessThanOrEqual(best + 0.06);
  });

  it("are not learned where there is nothing to learn", async () => {
    const { content, test } = generateIntents({ intentCount: 5, utterancesEach: 15, silentShare: 1 });
    expect(await accuracyOf(content, test)).toBeLessThan(0.4);
  });

  it("give way to None where an utterance is of another world", async () => {
    const { content } = generateIntents({ intentCount: 5, utterancesEach: 20, silentShare: 0 });
    const model = await trained(content);
    expect(predict(model, "wxyz qqq jjj").intents[0]).toMatchObject({ name: "None" });
    expect(predict(model, "").intents[0]).toMatchObject({ name: "None" });
  });

  it("have scores that mean what they say", async () => {
    const { content, test } = generateIntents({
      intentCount: 6,
      utterancesEach: 25,
      silentShare: 0.3,
      seed: 5,
    });
    const model = await trained(content);
    const tops = test.map(({ text, intent }) => ({ intent, top: predict(model, text).intents[0] }));
    const said = tops.reduce((sum, { top }) => sum + (top?.score ?? 0), 0) / tops.length;
    const right = tops.filter(({ intent, top }) => top?.name === intent).length / tops.length;
    expect(Math.abs(said - right)).toBeLessThan(0.15);
  });

  it("are outranked by a pattern that matches", async () => {
    const { content } = generateIntents({ intentCount: 3, utterancesEach: 12, silentShare: 0 });
    const model = await trained({
      ...content,
      patterns: [{ id: "p", intent: "Intent2", text: "[please] open the (door | gate)" }],
    });
    const [top, second] = predict(model, "Open the gate!").intents;
    expect(top).toMatchObject({ name: "Intent2" });
    expect(top?.score).toBeGreaterThan(0.95);
    expect(second?.score).toBeLessThan(0.1);
  });
});

describe("entities", () => {
  it("are found by the words around them, also where their own were never seen", async () => {
    const { content, test } = generateJourneys(100);
    const model = await trained(content);
    const { entityFScore } = evaluate(
      test.map((labelled) => ({ labelled, predicted: predict(model, labelled.text) })),
    );
    expect(entityFScore).toBeGreaterThan(0.9);
  });

  it("hold children, down to those of children", async () => {
    const label = (text: string, words: string, entity: string, children: Utterance["labels"] = []) => ({
      start: text.indexOf(words),
      end: text.indexOf(words) + words.length,
      entity,
      role: undefined,
      children,
    });
    const orders = [
      "two large red shirts",
      "three small blue shirts",
      "five tiny green hats",
      "nine huge black hats",
    ];
    const utterances = orders.flatMap((order, id) => {
      const [count = "", size = "", colour = "", thing = ""] = order.split(" ");
      const text = `please send me ${order} now`;
      const look = `${size} ${colour}`;
      const lookLabel = label(text, look, "look", [label(text, size, "size"), label(text, colour, "colour")]);
      const children = [label(text, count, "count"), lookLabel, label(text, thing, "thing")];
      return Array.from({ length: 6 }, () => ({
        id,
        text,
        intent: "Order",
        labels: [label(text, order, "order", children)],
      }));
    });
    const child = (name: string, children: readonly ReturnType<typeof bare>[] = []) => ({
      ...bare(name),
      children,
    });
    const bare = (name: string) => ({ id: name, name, instanceOf: undefined, features: [], children: [] });
    const model = await trained(
      emptyContent({
        intents: intentsNamed(["Order", "None"]),
        entities: [
          learnedEntity("order", {
            children: [child("count"), child("look", [bare("size"), bare("colour")]), child("thing")],
          }),
        ],
        utterances,
      }),
    );
    const text = "please send me two small green hats now";
    const [order] = predict(model, text).entities;
    const shown = (found: typeof order): unknown =>
      found && [found.entity, text.slice(found.start, found.end), ...found.children.map(shown)];
    expect(shown(order)).toEqual([
      "order",
      "two small green hats",
      ["count", "two"],
      ["look", "small green", ["size", "small"], ["colour", "green"]],
      ["thing", "hats"],
    ]);
  });
});

describe("a model", () => {
  it("is the same for the same content, byte by byte", async () => {
    const { content } = generateJourneys(20);
    expect(Buffer.compare(await train(content), await train(content))).toBe(0);
  });

  it("is refused where its bytes are damaged or of another making", async () => {
    const bytes = await train(generateJourneys(10).content);
    expect(() => loadModel(bytes.subarray(0, bytes.length - 100))).toThrow(ModelFormatError);
    expect(() => loadModel(Uint8Array.of(1, 2, 3))).toThrow(ModelFormatError);
  });

  it("says None of an application that was never taught", async () => {
    const model = await trained(emptyContent({ intents: intentsNamed(["None"]) }));
    expect(predict(model, "anything").intents).toEqual([{ name: "None", score: 1 }]);
  });
});
