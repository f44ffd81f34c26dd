/** Users' regular expressions: their matches, and that none can block the process. */
import { expect, it } from "vitest";
import type { Entity } from "../domain/content.ts";
import { definitionOf } from "../learning/definition.ts";
import { emptyContent } from "../learning/generated-content.ts";
import { findersOf } from "./findings.ts";
import { checkRegex, compileRegex } from "./regexes.ts";

it("finds every match, whatever the case", () => {
  expect(compileRegex("kb[0-9]{3,}").find("see KB123 and kb4567")).toEqual([
    { start: 4, end: 9 },
    { start: 14, end: 20 },
  ]);
  expect(compileRegex("x*").find("ab")).toEqual([]);
});

it.each(["(", "a{2,1}", "", "x".repeat(501), "(a)\\1"])("refuses %s", (expression) => {
  expect(checkRegex(expression)).toMatch(/expression/);
});

it("takes expressions of 500 characters, and tells a hundred matches", () => {
  expect(checkRegex("x".repeat(500))).toBeUndefined();
  const matches = (count: number) => compileRegex("a").find("a ".repeat(count)).length;
  expect([99, 100, 101].map(matches)).toEqual([99, 100, 100]);
});

it("ends soon for expressions that would keep a backtracking engine busy for ever", () => {
  for (const expression of ["(a+)+$", "(a|aa)+$", "(.*)*x", "([a-z]+)*!"])
    expect(compileRegex(expression).find(`${"a".repeat(499)}?`).length).toBeLessThanOrEqual(500);
});

it("leaves expressions that take long to threads of their own", () => {
  const expressions = { short: "tk-[0-9]+", long: "((a?){100}){10}x" };
  const entities = Object.entries(expressions).map(
    ([name, pattern]): Entity => ({ id: name, name, roles: [], kind: "regex", pattern }),
  );
  const { regexes, longRegexes } = findersOf(definitionOf(emptyContent({ entities })));
  expect(regexes.map(({ entity }) => entity)).toEqual(["short"]);
  expect(longRegexes).toEqual([{ entity: "long", expression: expressions.long }]);
});
