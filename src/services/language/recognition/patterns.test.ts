/** Patterns: their syntax, and that matching agrees with exhaustive search. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Matchable, matchPattern } from "./pattern-matching.ts";
import { checkPattern, entitiesOfPattern, type PatternNode, parsePattern } from "./patterns.ts";

const parse = (text: string): PatternNode =>
  parsePattern(text, {
    culture: "en-us",
    withoutDiacritics: false,
    withoutPunctuation: false,
    rootsOnly: false,
  });
const given = (
  text: string,
  found: Readonly<Record<string, readonly (readonly [number, number])[]>> = {},
): Matchable => {
  const words = text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  return {
    words,
    endsOf: (entity, start) => (found[entity] ?? []).filter(([from]) => from === start).map(([, to]) => to),
    isAny: (entity) => entity === "Any",
  };
};

describe("a pattern's syntax", () => {
  it("may mark the beginning and the end of the utterance", () => {
    expect(checkPattern("^(go|walk) home^")).toBeUndefined();
    expect(matchPattern(parse("^go home"), given("go home"))).toBeDefined();
  });
  it.each([
    "book a flight to {City}",
    "[please] (book | reserve) {City:destination} [today]",
    "[(a | b) [c]] d",
    "{Location::From} and {@City:to}",
  ])("takes %s", (text) => expect(checkPattern(text)).toBeUndefined());

  it.each([
    ["", "empty"],
    ["[a]", "asks for nothing"],
    ["a [b", "not closed"],
    ["a b]", "closes nothing"],
    ["a | b", "outside"],
    ["{}", "no name"],
    ["{City:}", "no name"],
    ["a {City", "not closed"],
    ["a }", "closes nothing"],
    ["((((((((((a))))))))))", "nested more than"],
  ])("refuses %s", (text, reason) => expect(checkPattern(text)).toContain(reason));

  it("tells entities and roles", () => {
    expect(entitiesOfPattern(parse("{A:x} [{B}] ({Parent::Child} | c)"))).toEqual([
      { entity: "A", role: "x" },
      { entity: "B", role: undefined },
      { entity: "Parent::Child", role: undefined },
    ]);
  });
});

describe("matching", () => {
  it("takes entities with their roles, and what lies between for a Pattern.Any", () => {
    const pattern = parse("move {Any} from {City:origin} [to {City:target}]");
    const text = "move the big box from oslo to rome !";
    expect(
      matchPattern(
        pattern,
        given(text, {
          City: [
            [5, 6],
            [7, 8],
          ],
        }),
      ),
    ).toEqual([
      { entity: "Any", role: undefined, start: 1, end: 4 },
      { entity: "City", role: "origin", start: 5, end: 6 },
      { entity: "City", role: "target", start: 7, end: 8 },
    ]);
    expect(matchPattern(pattern, given("move the big box from oslo to rome"))).toBeUndefined();
  });

  /** Every word sequence that the pattern matches. */
  function spelledOut(node: PatternNode): string[][] {
    if (node.kind === "word") return [[node.word]];
    if (node.kind === "choice") return node.options.flatMap(spelledOut);
    if (node.kind === "entity") return [["x"], ["x", "y"]];
    return node.parts.reduce<string[][]>(
      (soFar, part) => soFar.flatMap((head) => spelledOut(part).map((tail) => [...head, ...tail])),
      [[]],
    );
  }
  const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom("a", "b", "{E}"),
      fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" ")),
      fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((options) => `(${options.join(" | ")})`),
      tie("pattern").map((inside) => `[${inside}]`),
    ),
  }));
  const utterances = fc.array(fc.constantFrom("a", "b", "x", "y"), { maxLength: 5 });

  it("agrees with trying every way", () => {
    fc.assert(
      fc.property(patterns, utterances, (text, words) => {
        fc.pre(checkPattern(text) === undefined);
        const pattern = parse(text);
        const ends = (start: number): number[] => {
          if (words[start] !== "x") return [];
          return words[start + 1] === "y" ? [start + 1, start + 2] : [start + 1];
        };
        const matched =
          matchPattern(pattern, { words, endsOf: (_, start) => ends(start), isAny: () => false }) !==
          undefined;
        expect(matched).toBe(spelledOut(pattern).some((spelled) => spelled.join(" ") === words.join(" ")));
      }),
    );
  });

  it("lets a Pattern.Any stand for any words, as trying every way does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "{Any}"), { minLength: 1, maxLength: 5 }),
        utterances,
        (parts, words) => {
          const expression = new RegExp(
            `^${parts.map((part) => (part === "{Any}" ? "(?:[abxy] )+" : `${part} `)).join("")}$`,
          );
          const matched = matchPattern(parse(parts.join(" ")), {
            words,
            endsOf: () => [],
            isAny: () => true,
          });
          expect(matched !== undefined).toBe(expression.test(words.map((word) => `${word} `).join("")));
        },
      ),
    );
  });

  it("takes no more time for patterns of very many ways", () => {
    const choices = "(a | a | a | [a] a) ".repeat(60);
    expect(matchPattern(parse(`${choices} b`), given("a ".repeat(100)))).toBeUndefined();
    expect(matchPattern(parse("{Any} ".repeat(40)), given("a ".repeat(100)))).toHaveLength(40);
  });
});

it("brackets are nested eight deep at the most", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}a${"]".repeat(depth)} b`;
  expect(checkPattern(nested(8))).toBeUndefined();
  expect(checkPattern(nested(9))).toContain("more than 8 deep");
});
