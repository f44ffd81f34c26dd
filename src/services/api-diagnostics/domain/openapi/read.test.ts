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
