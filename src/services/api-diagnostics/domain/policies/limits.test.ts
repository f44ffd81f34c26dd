/** Policy documents and expressions: the last size that is read, and the first that is not. */
import { expect, it } from "vitest";
import { compileExpression } from "./expression.ts";
import { compilePolicy, Fields, type PolicyRun } from "./index.ts";
import { parseMarkup } from "./markup.ts";
import { endOfExpression } from "./tokens.ts";

const nested = (opening: string, depth: number, closing: string, inner = "") =>
  `${opening.repeat(depth)}${inner}${closing.repeat(depth)}`;
const LETTERS = { work: { lettersLeft: 1_000_000 } } as PolicyRun;

it("200 policies of a document", () => {
  const document = (count: number) =>
    `<policies><inbound>${"<set-variable name='a' value='b' />".repeat(count)}</inbound></policies>`;
  expect(compilePolicy(document(200), "api").sections.inbound).toHaveLength(200);
  expect(() => compilePolicy(document(201), "api")).toThrow("200 policies at the most");
});
it("50 elements within each other", () => {
  expect(parseMarkup(nested("<a>", 50, "</a>")).name).toBe("a");
  expect(() => parseMarkup(nested("<a>", 51, "</a>"))).toThrow("nested too deeply");
});
it("30 levels of an expression", () => {
  expect(compileExpression(nested("(", 29, ")", "7"))(LETTERS)).toBe(7);
  expect(() => compileExpression(nested("(", 30, ")", "7"))).toThrow("nested too deeply");
});
it("8192 characters of an expression, and of a text within it", () => {
  const expression = (length: number) => `@(${"1".repeat(length - 3)})`;
  expect(endOfExpression(expression(8192), 0)).toBe(8192);
  expect(endOfExpression(expression(8193), 0)).toBeUndefined();
  const text = (length: number) => `"${"a".repeat(length - 2)}"`;
  expect(compileExpression(text(8192))(LETTERS)).toBe("a".repeat(8190));
  expect(() => compileExpression(text(8193))).toThrow("does not end");
});
it("100,000 characters of a text that is made", () => {
  const made = (source: string) => {
    const text = compileExpression(source)({
      work: { lettersLeft: 1_000_000 },
      notes: [],
      variables: new Map([["a", "a".repeat(99_999)]]),
    } as unknown as PolicyRun);
    return String(text).length;
  };
  const long = '((string)context.Variables["a"])';
  const lengthsOf = (added: string) => [
    made(`${long} + "${added}"`),
    made(`(${long} + "x").Replace("x", "${added}")`),
  ];
  expect([lengthsOf("b"), lengthsOf("bb")]).toEqual([
    [100_000, 100_000],
    [100_000, 100_000],
  ]);
});
it("8192 characters of a header that is set", () => {
  const length = (count: number) => {
    const { sections } = compilePolicy(
      `<policies><inbound><set-header name="a" exists-action="override"><value>${"v".repeat(count)}</value></set-header></inbound></policies>`,
      "api",
    );
    const headers = new Fields([]);
    const [step] = sections.inbound;
    if (step !== "base") step?.run({ ...LETTERS, request: { headers } } as never, {} as never, () => {});
    return headers.find("a")?.length;
  };
  expect([8191, 8192, 8193].map(length)).toEqual([8191, 8192, 8192]);
});
it("1000 names, values and signs of an expression, which all run", () => {
  for (const [source, value] of [
    [`${"1 + ".repeat(499)}1`, 500],
    [`${"!".repeat(998)}true`, true],
    [`${"true && ".repeat(499)}true`, true],
    [`${"1 ?? ".repeat(499)}2`, 1],
    [`${"false ? 1 : ".repeat(249)}2`, 2],
  ] as const)
    expect(compileExpression(source)(LETTERS)).toBe(value);
  expect(compileExpression(`-${"1 + ".repeat(499)}1`)(LETTERS)).toBe(498);
  expect(() => compileExpression(`- -${"1 + ".repeat(499)}1`)).toThrow("1000 names, values and signs");
});
