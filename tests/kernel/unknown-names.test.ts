/** Names that nobody declared: told of, or refused where the maker refuses them. */
import { Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { membersInAnyCase } from "../../src/kernel/shape/index.ts";
import { unknownFinderOf } from "../../src/kernel/shape/unknown.ts";
import { type Instance, startInstance } from "../support/medley.ts";

describe("members of a shape", () => {
  const Shape = Type.Object({
    name: Type.String(),
    list: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }))),
    either: Type.Optional(
      Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() }), Type.Null()]),
    ),
    free: Type.Optional(Type.Record(Type.String(), Type.String())),
    any: Type.Optional(Type.Unknown()),
    open: Type.Optional(Type.Object({}, { additionalProperties: true })),
  });
  const unknownIn = (value: unknown, schema = Shape as Parameters<typeof unknownFinderOf>[0][number]) => {
    const found: string[] = [];
    const finder = unknownFinderOf([schema]);
    finder?.find(value, "", found);
    expect(finder?.isClean(value) ?? true).toBe(found.length === 0);
    return found;
  };
  it.each([
    [{ name: "a" }, []],
    [{ nmae: "a" }, ["nmae"]],
    [{ name: "a", list: [{ id: 1 }, { di: 2 }] }, ["list[1].di"]],
    [{ either: { a: 1, b: 2, c: 3 } }, ["either.c"]],
    [{ either: null, free: { x: "y" }, any: { z: 1 }, open: { q: 1 } }, []],
    ["text", []],
    [
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${at}`, 1])),
      Array.from({ length: 10 }, (_, at) => `x${at}`),
    ],
  ])("of %j: %j", (value, found) => expect(unknownIn(value)).toEqual(found));
  it("takes what takes anything", () => {
    expect(unknownFinderOf([Type.Unknown()])).toBeUndefined();
    expect(unknownFinderOf([Type.String()])).toBeUndefined();
    expect(unknownIn({ NAME: 1 }, membersInAnyCase(Type.Object({ NAME: Type.Integer() })))).toEqual([]);
  });
});

describe("requests with mistyped names", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["robotics", "functions", "contributions"] });
  });
  afterAll(() => instance.stop());

  it("are answered with a warning, which the request's detail shows", async () => {
    const { headers } = await instance.bearer("POST", "/_medley/seed?sevrice=x", { body: { acount: "1" } });
    expect(headers.get("warning")).toBe('299 medley "sevrice, acount are not known here and were ignored"');
    const { body } = await instance.bearer("GET", "/_medley/requests?limit=1");
    const detail = await instance.bearer("GET", `/_medley/requests/${body.requests[0].id}`);
    expect(detail.body.answer.headers.warning).toContain("sevrice, acount");
    const known = await instance.bearer("GET", "/_medley/jobs?limit=1&x-id=ListJobs");
    expect(known.headers.get("warning")).toBeNull();
  });
  it("hold no words that could end the header", async () => {
    const odd = encodeURIComponent('a"b\\c\r\né');
    const { headers, status } = await instance.bearer("GET", `/_medley/jobs?${odd}=1`);
    expect([status, headers.get("warning")]).toEqual([
      200,
      expect.stringMatching(/^299 medley "a\?b\?c\?+ is not known here and was ignored"$/),
    ]);
  });
  it("are refused where the maker refuses them", async () => {
    const path = "/functions/v2/projects/p/locations/l/functions?functionId=f";
    const refused = await instance.bearer("POST", path, { body: { nmae: "f" } });
    expect([refused.status, refused.body.error.message]).toEqual([400, 'There is no field "nmae" here.']);
    const state = await instance.bearer("POST", path, { body: { state: "ACTIVE" } });
    expect(state.body.error?.message ?? "").not.toContain("There is no field");
  });
});
