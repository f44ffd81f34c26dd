/** What fits into a statement for other programs. */
import { expect, it } from "vitest";
import { statementMt940 } from "./mt940.ts";

it("six lines of 65 characters say what an entry is for", () => {
  const informationOf = (length: number): string[] => {
    const text = statementMt940({
      number: 1,
      holder: "Ann",
      iban: "NL91ABNA0417164300",
      currency: "EUR",
      fromMs: 0,
      untilMs: 86_400_000,
      openingMinor: 0,
      closingMinor: 1,
      lines: [
        {
          id: 1,
          atMs: 1000,
          minor: 1,
          balanceAfter: 1,
          iban: "",
          name: "",
          description: "d".repeat(length),
          reference: "",
        },
      ],
    });
    return (/:86:([^:]*)/.exec(text)?.[1] ?? "").trim().split("\r\n");
  };
  const before = "/IBAN//NAME//REMI/".length;
  expect(informationOf(6 * 65 - before).map((line) => line.length)).toEqual(Array(6).fill(65));
  expect(informationOf(6 * 65 - before + 1)).toEqual(informationOf(6 * 65 - before));
});
