/** Shapes made of a shape: what changes to it may say, and what is shown of it. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, it } from "vitest";
import { defineErrors } from "../operation/errors.ts";
import { secret } from "../operation/secrets.ts";
import {
  byKind,
  changesOf,
  given,
  otherwise,
  reportedAs,
  ruled,
  Shape,
  shownOf,
  texts,
  words,
} from "./index.ts";
import { secretPathsOf } from "./secrets.ts";

const errors = defineErrors({ invalidParcel: ["InvalidParcel", 400] });
const size = Type.Integer({ minimum: 1, maximum: 9 });
const key = given(secret(Type.String({ maxLength: 20 })));
const parcel = reportedAs(
  errors.invalidParcel,
  ruled(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 5, description: "What it is called.", examples: ["tea"] }),
      speed: words(["Slow", "Fast"]),
      days: Type.Integer({ default: 3 }),
      labels: given(texts({ membersMax: 2 })),
      sizes: Type.Array(size),
      way: byKind("by", [
        Type.Object({ by: words(["Ship"]), port: Type.Object({ name: Type.String(), depth: size }) }),
        Type.Object({ by: words(["Train"]), port: Type.Object({ name: Type.String() }), key }),
      ]),
    }),
    { name: "noFastShips", says: "must be slow", at: "speed", check: () => false },
  ),
);
const example = { by: "Train", port: { name: "Ulm" } };
const exemplified = Type.Object({ way: { ...parcel.properties.way, examples: [{ ...example, key: "k" }] } });
const changes = new Shape(changesOf(parcel));
const refused = (value: unknown) => changes.read(value).problems.map(({ path, says }) => `${path} ${says}`);

describe("changes", () => {
  it.each([
    ["nothing", {}, {}],
    ["nothing filled in, and no rule between members asked", { speed: "FAST" }, { speed: "Fast" }],
    ["null, which takes away", { name: null, days: null, way: null }, { name: null, days: null, way: null }],
    ["null for one of many", { labels: { a: null, b: 2 } }, { labels: { a: null, b: "2" } }],
    [
      "members without the kind they are of",
      { way: { port: { depth: 2 }, key: "k" } },
      { way: { port: { depth: 2 }, key: "k" } },
    ],
    ["another kind", { way: { by: "train" } }, { way: { by: "Train" } }],
    ["lists as a whole", { sizes: [1] }, { sizes: [1] }],
  ])("say %s", (_, value, seen) => {
    expect(changes.read(value)).toEqual({ value: seen, problems: [] });
  });
  it.each([
    [{ name: "" }, ['name must be a text of 1 to 5 characters, not ""']],
    [{ sizes: [0] }, ["sizes[0] must be a whole number from 1 to 9, not 0"]],
    [{ way: { by: "Foot" } }, ['way.by must be one of Ship, Train, not "Foot"']],
    [{ way: { port: { depth: 10 } } }, ["way.port.depth must be a whole number from 1 to 9, not 10"]],
    [{ way: 4 }, ["way must be an object, not 4"]],
    [{ labels: { a: null, b: "", c: "" } }, ["labels may have at most 2 members"]],
    [{ labels: { a: [] } }, ["labels must be an object of texts"]],
  ])("are refused: %j", (value, said) => {
    expect(refused(value)).toEqual(said);
    expect(changes.read(value).problems[0]?.error).toBe(errors.invalidParcel);
  });
  it("keep descriptions and secrets", () => {
    expect(changes.schema.properties.name).toMatchObject({
      description: "What it is called.",
      examples: ["tea"],
    });
    expect(secretPathsOf(changes.schema)).toEqual([["way", "key"]]);
    expect(refused({ way: { key: "much longer than it may be" } })).toEqual([
      "way.key must be a text of at most 20 characters",
    ]);
  });
});

describe("what is shown", () => {
  const shown = shownOf(parcel);
  const whole = {
    name: "tea",
    speed: "Slow",
    days: 3,
    sizes: [],
    way: { by: "Train", port: { name: "Ulm" } },
  };
  it("has no secrets and nothing undeclared", () => {
    expect(Value.Check(shown, whole)).toBe(true);
    expect(secretPathsOf(shown)).toEqual([]);
    for (const way of [
      { ...whole.way, key: "k" },
      { ...whole.way, more: 1 },
    ])
      expect(Value.Check(shown, { ...whole, way })).toBe(false);
  });
  it("has examples without secrets", () => {
    expect(shownOf(exemplified).properties.way.examples).toEqual([example]);
  });
  it("has what is filled in", () => {
    const { days: _days, ...rest } = whole;
    expect(Value.Check(shown, rest)).toBe(false);
  });
});

it("says nothing of what has a default when something else is wrong", () => {
  const shape = new Shape(Type.Object({ n: Type.Integer({ default: 4 }), m: Type.Integer() }));
  expect(shape.read({}).problems.map(({ path }) => path)).toEqual(["m"]);
  expect(shape.read({ n: null }).problems.map(({ path }) => path)).toEqual(["n", "m"]);
  const lenient = new Shape(Type.Object({ n: otherwise(Type.Integer(), 4), m: Type.Integer() }));
  expect(lenient.read({ n: null }).problems.map(({ path }) => path)).toEqual(["m"]);
  expect(lenient.read({ n: null, m: 1 }).value).toEqual({ n: 4, m: 1 });
});
