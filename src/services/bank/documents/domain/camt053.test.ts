/** Directions in a statement: who pays, who is paid. */
import { expect, it } from "vitest";
import { statementCamt053 } from "./camt053.ts";

it("names the other party and the kind of payment by the direction", () => {
  const line = { atMs: 1000, balanceAfter: 0, iban: "", description: "", reference: "" };
  const document = statementCamt053(
    {
      number: 1,
      holder: "Ann",
      iban: "NL91ABNA0417164300",
      currency: "EUR",
      fromMs: 0,
      untilMs: 86_400_000,
      openingMinor: 0,
      closingMinor: -500,
      lines: [
        { ...line, id: 1, minor: -1500, name: "Paid" },
        { ...line, id: 2, minor: 1000, name: "Payer" },
        { ...line, id: 3, minor: 0, name: "Nobody" },
      ],
    },
    0,
  );
  const entries = document.split("<Ntry>").slice(1);
  const partsOf = (entry = "") => [/ICDT|RCDT/.exec(entry)?.[0], /<(Cdtr|Dbtr)>/.exec(entry)?.[1]];
  expect(entries.map(partsOf)).toEqual([
    ["ICDT", "Cdtr"],
    ["RCDT", "Dbtr"],
    ["RCDT", "Dbtr"],
  ]);
});
