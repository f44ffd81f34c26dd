/** Parameters of a described interface. */
import { expect, it } from "vitest";
import { readOpenApi } from "./read.ts";

it("reads parameters, and whether they are required", () => {
  const query = (name: string, more: object) => ({ name, in: "query", schema: { type: "string" }, ...more });
  const api = readOpenApi(
    {
      openapi: "3.0.1",
      info: { title: "Shop", version: "1" },
      paths: {
        "/orders": {
          get: {
            operationId: "list",
            parameters: [
              query("a", { required: true }),
              query("b", { required: false }),
              query("c", { required: "yes", schema: { type: "integer", default: 5, enum: [5, 6] } }),
            ],
            responses: { 200: { description: "fine" } },
          },
        },
      },
    },
    "schemas",
  );
  expect(JSON.parse(JSON.stringify(api.operations))).toMatchObject([
    {
      request: {
        queryParameters: [
          { name: "a", type: "string", required: true },
          { name: "b", type: "string" },
          { name: "c", type: "integer", defaultValue: "5", values: ["5", "6"] },
        ],
      },
    },
  ]);
  expect(JSON.stringify(api.operations).match(/"required"/g)).toHaveLength(1);
});

const documentOf = (paths: object, components: object = {}) => ({
  openapi: "3.0.1",
  info: { title: "Shop", version: "1" },
  paths,
  components,
});
const many = (count: number, one: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => one(index)));
const read = (document: object) => readOpenApi(document, "imported");

it("reads 200 operations, and not one more", () => {
  const paths = (count: number) => many(count, (index) => [`/${index}`, { get: { operationId: "same" } }]);
  expect(read(documentOf(paths(200))).operations.length).toBe(200);
  expect(() => read(documentOf(paths(201)))).toThrow("200 operations at the most");
});
it("an operation's own name is its id up to 75 characters, and behind them its number", () => {
  const idOf = (length: number) =>
    read(
      documentOf(many(2, (at) => [`/${at}`, { get: { operationId: "a".repeat(length) } }])),
    ).operations.map(({ id }) => id.replace(/^a+/, (letters) => `${letters.length}`));
  expect([idOf(75), idOf(76)]).toEqual([
    ["75", "75-2"],
    ["75", "75-2"],
  ]);
});
it("follows references of 1000 characters, 20 in a row, and no more", () => {
  const named = (length: number) => "a".repeat(length - "#/components/pathItems/".length);
  const long = (length: number) =>
    documentOf(
      { "/a": { $ref: `#/components/pathItems/${named(length)}` } },
      { pathItems: { [named(length)]: { get: {} } } },
    );
  expect(read(long(1000)).operations.length).toBe(1);
  expect(() => read(long(1001))).toThrow("1000 characters at the most");
  const chain = (length: number) =>
    documentOf(
      { "/a": { $ref: "#/components/pathItems/p1" } },
      {
        pathItems: many(length, (index) => [
          `p${index + 1}`,
          index + 1 < length ? { $ref: `#/components/pathItems/p${index + 2}` } : { get: {} },
        ]),
      },
    );
  expect(read(chain(19)).operations.length).toBe(1);
  expect(() => read(chain(20))).toThrow("without end");
});
it("refuses short documents that stand for very much", () => {
  const shared = { parameters: { p: { name: "p", in: "query", description: "d".repeat(10_000) } } };
  const get = { parameters: [{ $ref: "#/components/parameters/p" }] };
  const content = { content: { "text/a": { examples: { large: "e".repeat(30_000) } } } };
  const responses = { responses: { 200: { $ref: "#/components/responses/r" } } };
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(
    read(
      documentOf(
        many(150, (index) => [`/${index}`, { get }]),
        shared,
      ),
    ).operations.length,
  ).toBe(150);
  for (const [document, told] of [
    [
      documentOf({ "/a": { parameters: Array(30_000).fill(get.parameters[0]), get, put: get } }, shared),
      "4194304",
    ],
    [
      documentOf(
        many(180, (index) => [`/${index}`, { get: responses }]),
        { responses: { r: content } },
      ),
      "4194304",
    ],
    [
      documentOf({ "/a": { get: { responses: { 200: { content: { a: { schema: deep } } } } } } }),
      "too deeply",
    ],
  ] as const)
    expect(() => read(document)).toThrow(told);
});
it("names schemas without long searches", () => {
  const content = many(15_000, (index) => [`text/${index}`, { schema: { type: "object" } }]);
  const document = documentOf({ "/a": { get: { operationId: "g", responses: { 200: { content } } } } });
  const { schemas } = read(document);
  expect(Object.keys(schemas).length).toBe(15_000);
  expect(Object.keys(schemas).at(-1)).toBe("g-200-15000");
});
