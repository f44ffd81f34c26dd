/** Queries: what they mean, what is refused, and how their names are respelt. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSelected } from "#kernel/catalog";
import { ServiceError } from "#kernel/operation";
import { makersQueryText, neutralQueryText, parseQuery, selectionOf } from "./query.ts";

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);
const typeNames = ["Vendor::A::One", "Vendor::A::Two", "Vendor::B::One"];
const keys = ["stage", "team", "owner"];
const values = ["", "a", "b", "ü"];
const resources = fc.array(
  fc.record({
    arn: fc.uuid().map((id) => `arn:vendor:x:::${id}`),
    type: pick(typeNames),
    region: pick(["here", "there", "global"]),
    tags: fc.dictionary(pick(keys), pick(values), { noNullPrototype: true }),
  }),
  { minLength: 50, maxLength: 50 },
);
const tagQueries = fc.record(
  {
    ResourceTypeFilters: fc.array(pick([...typeNames, ...typeNames, "Vendor::AllSupported"]), {
      maxLength: 3,
    }),
    TagFilters: fc.array(
      fc.record(
        { Key: pick(keys), Values: fc.array(pick(values), { maxLength: 3 }) },
        { requiredKeys: ["Key"] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

/** Read from the query as it is written, one plain rule after another. */
function belongs(
  query: { ResourceTypeFilters?: string[]; TagFilters?: { Key: string; Values?: string[] }[] },
  resource: { type: string; region: string; tags: Record<string, string> },
): boolean {
  if (resource.region === "there") return false;
  const types = query.ResourceTypeFilters ?? [];
  if (types.length > 0 && !types.includes("Vendor::AllSupported") && !types.includes(resource.type))
    return false;
  for (const { Key, Values = [] } of query.TagFilters ?? []) {
    if (!(Key in resource.tags)) return false;
    if (Values.length > 0 && !Values.includes(resource.tags[Key] as string)) return false;
  }
  return true;
}

describe("queries", () => {
  it("mean what a naive reader takes them to mean, over thousands of resources", () => {
    fc.assert(
      fc.property(tagQueries, resources, (query, all) => {
        const parsed = parseQuery({ kind: "TAG_FILTERS_1_0", text: JSON.stringify(query) });
        const selection = selectionOf(parsed, "here");
        for (const resource of all) expect(isSelected(selection, resource)).toBe(belongs(query, resource));
      }),
      { numRuns: 200 },
    );
  });
  it("are read or refused, whatever they are, and never break", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      tagQueries.map((query) => JSON.stringify(query)),
    );
    fc.assert(
      fc.property(texts, pick(["TAG_FILTERS_1_0", "STACK_1_0"] as const), (text, kind) => {
        try {
          parseQuery({ kind, text });
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect((error as ServiceError).kind.status).toBe(400);
        }
      }),
      { numRuns: 2000 },
    );
  });
  it.each([
    ['{"TagFilters":[{"Key":"\\u0000"}]}', "no name or tag can hold"],
    ['{"TagFilters":{"Key":"a"}}', "must be a list"],
    ['{"TagFilters":["a"]}', "must be a JSON object"],
    ['{"TagFilters":[{"Key":1}]}', "must be text"],
    ['{"TagFilters":[{"Key":"a","Values":[null]}]}', "must be text"],
    [`{"TagFilters":[{"Key":"a","Values":[${Array(21).fill('"x"').join()}]}]}`, "20 items"],
    [`{"TagFilters":[${Array(51).fill('{"Key":"a"}').join()}]}`, "50 items"],
    ['{"__proto__":1}', '"__proto__"'],
    ["null", "JSON object"],
  ])("are refused with a reason: %s", (text, reason) => {
    expect(() => parseQuery({ kind: "TAG_FILTERS_1_0", text })).toThrow(reason);
  });
  it("are respelt in their names alone, and back to the letter", () => {
    const makers =
      '{ "TagFilters":[{"Key":"AWS::x","Values":["\\"ResourceTypeFilters\\":[\\"AWS::S3::Bucket\\"]","arn:aws:x"]}],\n' +
      '"ResourceTypeFilters" : ["AWS::S3::Bucket", "AWS::AllSupported"], "StackIdentifier":"arn:aws:cloudformation:x"}';
    const neutral = neutralQueryText(makers);
    expect(neutral).toBe(
      makers
        .replace('["AWS::S3::Bucket", "AWS::AllSupported"]', '["Vendor::S3::Bucket", "Vendor::AllSupported"]')
        .replace("arn:aws:cloudformation", "arn:vendor:cloudformation"),
    );
    expect(makersQueryText(neutral)).toBe(makers);
  });
});

it("queries have 4,096 characters in the maker's spelling at the most", () => {
  const ofLength = (length: number) =>
    parseQuery({
      kind: "TAG_FILTERS_1_0",
      text: '{"ResourceTypeFilters":["Vendor::AllSupported"]}'.padEnd(length),
    });
  const longer = "Vendor".length - "AWS".length;
  expect(ofLength(4096 + longer)).toMatchObject({ tags: [] });
  expect(() => ofLength(4097 + longer)).toThrow("longer than 4096 characters");
});
it.each<[string, number, (count: number) => object]>([
  ["types", 100, (count) => ({ ResourceTypeFilters: Array(count).fill("Vendor::A::B") })],
  ["tag filters", 50, (count) => ({ TagFilters: Array(count).fill({ Key: "a" }) })],
  ["values of a tag", 20, (count) => ({ TagFilters: [{ Key: "a", Values: Array(count).fill("b") }] })],
  ["letters of a key", 128, (count) => ({ TagFilters: [{ Key: "a".repeat(count) }] })],
  ["letters of a value", 256, (count) => ({ TagFilters: [{ Key: "a", Values: ["a".repeat(count)] }] })],
  [
    "letters of a type",
    131,
    (count) => ({ ResourceTypeFilters: [`Vendor::A::${"b".repeat(count - "Vendor::A::".length)}`] }),
  ],
])("a query has so many %s: %i", (_title, most, query) => {
  const read = (count: number) =>
    parseQuery({ kind: "TAG_FILTERS_1_0", text: JSON.stringify(query(count)) }).kind;
  expect(read(most)).toBe("TAG_FILTERS_1_0");
  expect(() => read(most + 1)).toThrow(`${most}`);
});
it("the ARN of a query's stack has 1024 letters", () => {
  const start = "arn:vendor:cloudformation:us-east-1:111111111111:stack/";
  const read = (length: number) =>
    parseQuery({ kind: "STACK_1_0", text: JSON.stringify({ StackIdentifier: start.padEnd(length, "a") }) });
  expect(read(1024).stack).toHaveLength(1024);
  expect(() => read(1025)).toThrow("1 to 1024 characters");
});
