/** Names, references between models, covered tokens and confusions. */
import { describe, expect, it } from "vitest";
import { tokensOf } from "./labels.ts";
import { checkName } from "./limits.ts";
import { afterRenaming, type Model } from "./models.ts";
import { confusionsOf } from "./test-sets.ts";

it("takes names without spaces around them, and none that is missing", () => {
  expect(checkName("intent", " Book flight ")).toBe("Book flight");
  for (const missing of ["", "  ", null, undefined])
    expect(() => checkName("intent", missing)).toThrow("The name of the intent must be given.");
  expect(() => checkName("intent", "a:b")).toThrow("characters : and $");
});

describe("the children of a composite entity", () => {
  const model = {
    kind: "composite",
    children: [
      { id: "1", name: "City" },
      { id: "2", name: "Date" },
    ],
  } as unknown as Model;
  const childrenAfter = (of: "model" | "phraseList", to: string | undefined) =>
    (
      afterRenaming(model, { of, from: "city", to }) as { children?: readonly { name: string }[] }
    ).children?.map(({ name }) => name);
  it("follow a rename and a deletion of their model", () => {
    expect(childrenAfter("model", "Town")).toEqual(["Town", "Date"]);
    expect(childrenAfter("model", undefined)).toEqual(["Date"]);
    expect(childrenAfter("phraseList", undefined)).toEqual(["City", "Date"]);
  });
});

describe("tokens of a part of the text", () => {
  const tokens = [
    { start: 0, end: 3 },
    { start: 4, end: 6 },
    { start: 7, end: 12 },
  ] as unknown as Parameters<typeof tokensOf>[1];
  it.each([
    [0, 3, 0, 0],
    [0, 6, 0, 1],
    [0, 7, 0, 1],
    [1, 8, 0, 2],
    [4, 12, 1, 2],
    [3, 20, 1, 2],
    [7, 12, 2, 2],
  ])("%d to %d are %d to %d", (start, end, startTokenIndex, endTokenIndex) =>
    expect(tokensOf({ start, end }, tokens)).toEqual({ startTokenIndex, endTokenIndex }),
  );
});

it("counts confusions, the most frequent first", () => {
  const tested = (text: string, labelledIntent: string, foundIntent: string) => ({
    text,
    labelledIntent,
    foundIntent,
  });
  const right = tested("right", "A", "A");
  const results = [tested("a", "A", "B"), right, tested("b", "B", "A"), tested("c", "B", "A")];
  expect(confusionsOf(results)).toEqual([
    { labelled: "B", predicted: "A", utterances: ["b", "c"] },
    { labelled: "A", predicted: "B", utterances: ["a"] },
  ]);
});

it("twenty utterances of a confusion are shown", () => {
  const shown = (count: number) => {
    const wrong = Array.from({ length: count }, (_, at) => ({
      text: `text ${at}`,
      labelledIntent: "A",
      foundIntent: "B",
    }));
    return confusionsOf(wrong)[0]?.utterances.length;
  };
  expect([shown(20), shown(21)]).toEqual([20, 20]);
});
