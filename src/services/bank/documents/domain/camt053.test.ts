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

it("names have 140 characters, references 35 and numbers of accounts 34", () => {
  const lengthsOf = (longer: number) => {
    const text = (length: number) => "x".repeat(length + longer);
    const amounts = { minor: 1, balanceAfter: 1 };
    const lines = [
      {
        id: 1,
        atMs: 1000,
        ...amounts,
        name: text(140),
        iban: text(34),
        description: text(140),
        reference: text(35),
      },
    ];
    const sums = { openingMinor: 0, closingMinor: 1, fromMs: 0, untilMs: 86_400_000 };
    const holder = text(140);
    const given = { number: 1, holder, iban: "NL91ABNA0417164300", currency: "EUR", ...sums, lines };
    return [...statementCamt053(given, 0).matchAll(/<(Nm|Ustrd|EndToEndId|Id)>(x+)</g)].map(
      ([, name, { length } = ""]) => `${name} ${length}`,
    );
  };
  const most = ["Nm 140", "EndToEndId 35", "Nm 140", "Id 34", "Ustrd 140"];
  expect(lengthsOf(0)).toEqual(most);
  expect(lengthsOf(1)).toEqual(most);
});
