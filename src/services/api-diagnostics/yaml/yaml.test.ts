/** What the reader of interface descriptions reads as other readers of YAML do, and what it refuses. */
import { expect, it } from "vitest";
import { parseYaml, writeYaml } from "./yaml.ts";

const DOCUMENT = `---
# a comment
openapi: "3.0.1"   # a comment
info:
  title: Orders & more
  version: 1.0.0
  description: |
    First line
      indented

    last # no comment
  terms: >-
    these lines
    are one

    and this another
servers:
- url: https://shop.example.org/v1
- {url: 'https://it''s.example.org', variables: {port: {default: "80\\u0041\\n", enum: [80, 8080,
    9090]}}}
paths:
  /orders/{id}:
    get:
      operationId: readOrder
      tags: [orders, "to read", ]
      summary: a text with colons? no, a:b
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: string, pattern: "^[a-z]{1,3}$" }
        -
          name: limit
          in: query
          example: -1.5e3
      responses:
        '200':
          description: a plain text
            that goes on
          content: {}
        default:
          $ref: "#/components/responses/error"
    x-empty:
    x-list:
      - - 1
        - 2
      - []
      - ~
      - true
      - 0x1F
`;

/** What the common reader of YAML makes of it. */
const VALUE = {
  openapi: "3.0.1",
  info: {
    title: "Orders & more",
    version: "1.0.0",
    description: "First line\n  indented\n\nlast # no comment\n",
    terms: "these lines are one\nand this another",
  },
  servers: [
    { url: "https://shop.example.org/v1" },
    { url: "https://it's.example.org", variables: { port: { default: "80A\n", enum: [80, 8080, 9090] } } },
  ],
  paths: {
    "/orders/{id}": {
      get: {
        operationId: "readOrder",
        tags: ["orders", "to read"],
        summary: "a text with colons? no, a:b",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^[a-z]{1,3}$" } },
          { name: "limit", in: "query", example: -1500 },
        ],
        responses: {
          "200": { description: "a plain text that goes on", content: {} },
          default: { $ref: "#/components/responses/error" },
        },
      },
      "x-empty": null,
      "x-list": [[1, 2], [], null, true, 31],
    },
  },
};

it("reads all styles", () => {
  expect(parseYaml(DOCUMENT)).toEqual(VALUE);
});
it.each([
  "a: [1, 2",
  "a: {b: 1",
  'a: "open',
  "a: !t 1",
  "a: 1\n  b: 2",
  "a: 1\na: 2",
  "a:\n\t- 1",
  "- 1\nb: 2",
  "a: 'x' y",
])("%j is refused", (text) => {
  expect(() => parseYaml(text)).toThrow(/^Line \d+: /);
});
it("takes 256 Ki characters, and not one more", () => {
  const padded = (length: number) => `a: 1\n#${"x".repeat(length - "a: 1\n#".length)}`;
  expect(parseYaml(padded(256 * 1024))).toEqual({ a: 1 });
  expect(() => parseYaml(padded(256 * 1024 + 1))).toThrow("262144 characters at the most");
});
it("aliases are refused", () => {
  expect(() => parseYaml("a: &x [1]\nb: *x")).toThrow(/^The document cannot be read as YAML: /);
});
it("writes what it reads again", () => {
  const hard = {
    ...VALUE,
    x: ["true", "1", "", " a", "a #b", "a: b", "#", "- a", "é\n", null, [[]], {}, [{ a: [1] }]],
  };
  expect(parseYaml(writeYaml(hard))).toEqual(hard);
});
it("takes no long time for hostile texts", () => {
  const before = process.cpuUsage().user;
  for (const text of [
    "[".repeat(20_000),
    "{a: ".repeat(10_000),
    "- ".repeat(10_000),
    `a: ${"b ".repeat(100_000)}`,
    `${" ".repeat(100_000)}#`,
    Array.from({ length: 30_000 }, (_none, at) => `key${at}: 1`).join("\n"),
  ])
    try {
      parseYaml(text);
    } catch {}
  expect(process.cpuUsage().user - before).toBeLessThan(8_000_000);
});
