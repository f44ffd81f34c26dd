/** Every expression of the product meets texts made to be slow: twice the text, twice the processor time. */
import { expect, it } from "vitest";
import { listExpressions } from "../../tools/expressions.mjs";
import { growthRatio, LINEAR_RATIO_MAX } from "../support/growth.ts";
import { processorMs } from "../support/processor-time.ts";

type Expression = { readonly source: string; readonly flags: string };

const LENGTH = 5000;
/** A square of this length takes ten times as long. What takes less is not looked at any closer. */
const QUICK_MS = 1.5;
/** Whatever an expression names is what it goes on reading; these are what most of them read. */
const PIECES = [
  ..."a1A0 .-_/:=,;@\"'<>&%?#+*~$!\\\t\n\r[](){}|\u00e9\u2803",
  "ab",
  "1.",
  "a ",
  " a",
  '""',
  "\r\n",
  "a.",
  "%20",
  "::",
];
/** What no expression expects at the end. */
const ENDS = ["", "\u0000", "!", "\n\u0000"];

const unescaped = (source: string): string =>
  source.replace(/\\([/.\-[\](){}*+?^$|\\])/g, "$1").replace(/\\[nrt]/g, " ");
/** The words that an expression spells out. */
const wordsOf = ({ source }: Expression): string[] => [
  ...new Set(unescaped(source).match(/[A-Za-z0-9:/"'<>=@.,_ %-]{2,40}/g) ?? []),
];
function* textsFor(expression: Expression): Generator<(size: number) => string> {
  const words = wordsOf(expression);
  const starts = ["", ...words.slice(0, 3)];
  for (const piece of [...PIECES, ...words, ...words.map((word) => `${word} `)])
    for (const start of starts)
      for (const end of ENDS) yield (length) => start + piece.repeat(Math.ceil(length / piece.length)) + end;
}
function run({ source, flags }: Expression): (text: string) => void {
  const expression = new RegExp(source, flags);
  return flags.includes("g")
    ? (text) => void text.replace(expression, "")
    : (text) => void expression.test(text);
}

const { expressions, late } = (await listExpressions()) as { expressions: Expression[]; late: string[] };

it("are all known before anybody sends a text", () => {
  expect(late).toEqual([]);
  expect(expressions.length).toBeGreaterThan(300);
});

it.each(expressions.map((expression) => [`/${expression.source}/${expression.flags}`, expression] as const))(
  "%s",
  (_name, expression) => {
    const match = run(expression);
    for (const textOf of textsFor(expression)) {
      const text = textOf(LENGTH);
      if (processorMs(() => match(text)) < QUICK_MS) continue;
      expect(growthRatio((size) => match(textOf(size)), LENGTH / 2)).toBeLessThan(LINEAR_RATIO_MAX);
    }
  },
);
