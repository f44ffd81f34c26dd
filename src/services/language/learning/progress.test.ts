/** A training tells how far it is. */
import { expect, it } from "vitest";
import { emptyContent, generateIntents, generateJourneys } from "./generated-content.ts";
import { train } from "./train.ts";
import { createTrainer } from "./trainer.ts";

async function percentsOf(content: Parameters<typeof train>[0]): Promise<number[]> {
  const percents: number[] = [];
  await train(content, (percent) => percents.push(percent));
  return percents;
}

it("rises in many steps, with intents alone up to their part", async () => {
  const { content } = generateIntents({ intentCount: 3, utterancesEach: 5, silentShare: 0 });
  const percents = await percentsOf(content);
  expect(percents).toEqual([...percents].sort((left, right) => left - right));
  expect([new Set(percents).size > 20, percents.at(-1)]).toEqual([true, 60]);
});
it("ends at 100 where entities are learned", async () => {
  const percents = await percentsOf(generateJourneys(12).content);
  expect(percents.at(-1)).toBe(100);
});
it("is known while a thread works, and no longer", async () => {
  const trainer = createTrainer();
  try {
    const training = trainer.train(emptyContent({}), "one");
    expect([trainer.findPercent("one"), trainer.findPercent("other")]).toEqual([0, undefined]);
    await training;
    expect(trainer.findPercent("one")).toBeUndefined();
  } finally {
    await trainer.close();
  }
});
