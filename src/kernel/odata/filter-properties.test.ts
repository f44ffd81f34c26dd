/** Properties that hold for any filter: it reads back, it never crashes, it obeys logic. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  COMPARISON_OPERATORS,
  type ComparisonOperator,
  compileFilter,
  FILTER_FUNCTIONS,
  FilterError,
  type FilterFields,
  type FilterNode,
  filterLimits,
  parseFilter,
} from "./index.ts";

const fields: FilterFields = {
  name: { type: "string" },
  title: { type: "string", ignoreCase: true },
  count: { type: "number" },
  enabled: { type: "boolean" },
  created: { type: "dateTime" },
  "properties/loggerId": { type: "string" },
};

const records = [
  { name: "apple", title: "Red", count: 1, enabled: true, created: "2016-01-01T00:00:00Z" },
  {
    name: "banana",
    title: "yellow",
    count: 20,
    enabled: false,
    created: 1_500_000_000_000,
    properties: { loggerId: "x" },
  },
  { name: "cherry", created: new Date(0), properties: { loggerId: null } },
];
const all = records.map(({ name }) => name);

const condition = fc.constantFrom(
  "name eq 'apple'",
  "name gt 'b' and enabled ne true",
  "not enabled",
  "title eq 'RED' or count lt 5",
  "contains(name,'an')",
  "startswith(title,'Y') eq false",
  "count ge 20",
  "created lt 2016-06-01T00:00:00Z",
  "properties.loggerId eq null",
  "substringof('x',properties/loggerId)",
  "true",
  "(count gt 0) eq enabled",
);

function namesMatching(filter: string): string[] {
  const predicate = compileFilter(parseFilter(filter), fields);
  return records.filter((record) => predicate(record)).map(({ name }) => name);
}

/** Writes a tree as text, so that reading it back can be compared with what was written. */
function written(node: FilterNode): string {
  switch (node.kind) {
    case "literal":
      if (node.type === "string") return `'${node.value.replaceAll("'", "''")}'`;
      if (node.type === "dateTime") return new Date(node.value).toISOString();
      return String(node.value);
    case "property":
      return node.path.join("/");
    case "function": {
      const text = `'${node.text.replaceAll("'", "''")}'`;
      const property = written(node.property);
      return node.name === "substringof"
        ? `substringof(${text},${property})`
        : `${node.name}(${property},${text})`;
    }
    case "not":
      return `not ${enclosed(node.operand)}`;
    case "comparison":
      return `${enclosed(node.left)} ${node.operator} ${enclosed(node.right)}`;
    default:
      return node.operands.map(enclosed).join(` ${node.kind} `);
  }
}

function enclosed(node: FilterNode): string {
  const simple = node.kind === "literal" || node.kind === "property" || node.kind === "function";
  return simple ? written(node) : `(${written(node)})`;
}

function withoutPositions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "position" ? undefined : inner)));
}

const position = 0;
const property = fc
  .array(fc.stringMatching(/^p[a-z0-9_]{0,5}$/), { minLength: 1, maxLength: 3 })
  .map((path): FilterNode => ({ kind: "property", path, position }));
const literal: fc.Arbitrary<FilterNode> = fc.oneof(
  fc
    .string({ maxLength: 10 })
    .map((value) => ({ kind: "literal", type: "string", value, position }) as const),
  fc.uuid().map((value) => ({ kind: "literal", type: "guid", value, position }) as const),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ kind: "literal", type: "number", value: value === 0 ? 0 : value, position }) as const),
  fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((value) => ({ kind: "literal", type: "dateTime", value: value.getTime(), position }) as const),
  fc.boolean().map((value) => ({ kind: "literal", type: "boolean", value, position }) as const),
  fc.constant({ kind: "literal", type: "null", value: null, position } as const),
);
const call = fc
  .tuple(fc.constantFrom(...FILTER_FUNCTIONS), property, fc.string({ maxLength: 10 }))
  .map(([name, field, text]) => ({ kind: "function", name, property: field, text, position }) as FilterNode);

const { tree } = fc.letrec<{ tree: FilterNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(property, literal, call),
    tie("tree").map((operand): FilterNode => ({ kind: "not", operand, position })),
    fc
      .tuple(fc.constantFrom<ComparisonOperator>(...COMPARISON_OPERATORS), tie("tree"), tie("tree"))
      .map(
        ([operator, left, right]): FilterNode => ({ kind: "comparison", operator, left, right, position }),
      ),
    fc
      .tuple(
        fc.constantFrom<"and" | "or">("and", "or"),
        fc.array(tie("tree"), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, operands]): FilterNode => ({ kind, operands, position })),
  ),
}));

describe("any filter", () => {
  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(tree, (node) => {
        const text = written(node);
        fc.pre(text.length <= filterLimits.lengthMax);
        expect(withoutPositions(parseFilter(text))).toEqual(withoutPositions(node));
      }),
      { numRuns: 1_000 },
    );
  });

  const pieces = fc.constantFrom(
    ..."( ) , / . ' name count enabled created properties/loggerId eq ne gt and or not true null 1 -2.5 'x'".split(
      " ",
    ),
    "contains(",
    "substringof('x',",
    "2016-01-01T00:00:00Z",
    "datetime'2016-01-01'",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    " ",
    "é",
    "\u0000",
  );

  it.each([
    ["text", fc.string({ maxLength: 200, unit: "binary" })],
    ["words", fc.array(pieces, { maxLength: 30 }).map((words) => words.join(" "))],
    ["pieces without spaces", fc.array(pieces, { maxLength: 30 }).map((words) => words.join(""))],
  ])("made of %s is either understood or refused with a place inside it", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const predicate = compileFilter(parseFilter(text), fields);
          for (const record of records) expect(typeof predicate(record)).toBe("boolean");
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(0);
          expect(error.position).toBeLessThanOrEqual(text.length);
          expect(error.message).not.toBe("");
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("obeys the laws of logic", () => {
    fc.assert(
      fc.property(condition, condition, (first, second) => {
        const negated = namesMatching(`not ((${first}) and (${second}))`);
        expect(namesMatching(`not (${first}) or not (${second})`)).toEqual(negated);
        const both = new Set(namesMatching(`(${first}) and (${second})`));
        expect(new Set(negated)).toEqual(new Set(all.filter((name) => !both.has(name))));
      }),
    );
  });

  it("never throws on odd records", () => {
    fc.assert(
      fc.property(
        condition,
        fc.dictionary(fc.constantFrom(...Object.keys(fields), "properties"), fc.anything()),
        (filter, record) => {
          expect(typeof compileFilter(parseFilter(filter), fields)(record)).toBe("boolean");
        },
      ),
    );
  });
});
