/** A model trained on few utterances does not depend on their order. */
import { expect, it } from "vitest";
import { predict } from "../recognition/predict.ts";
import { emptyContent, intentsNamed, learnedEntity } from "./generated-content.ts";
import { loadModel } from "./model.ts";
import { train } from "./train.ts";

it("learns the same from utterances in any order", async () => {
  const texts = ["play a song", "play the radio", "louder please", "stop it", "stop the music", "be quiet"];
  const utterances = texts.map((text, id) => ({
    id,
    text,
    intent: id < 3 ? "Play" : "Stop",
    labels: ["song", "radio", "music"].flatMap((entity) => {
      const start = text.indexOf(entity);
      const label = { start, end: start + entity.length, entity: "What", role: undefined, children: [] };
      return start < 0 ? [] : [label];
    }),
  }));
  const intents = intentsNamed(["Play", "Stop", "None"]);
  const orders = [utterances, [...utterances].reverse(), [...utterances.slice(3), ...utterances.slice(0, 3)]];
  const scores = [];
  for (const order of orders) {
    const model = loadModel(
      await train(emptyContent({ intents, entities: [learnedEntity("What")], utterances: order })),
    );
    scores.push(["play the music", "quiet please", "something else"].map((text) => predict(model, text)));
  }
  expect(scores[1]).toEqual(scores[0]);
  expect(scores[2]).toEqual(scores[0]);
});
