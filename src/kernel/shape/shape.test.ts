/** The words in which input is declared: what is understood, how handlers see it, and what is said of the rest. */
import { Type } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import { defineErrors } from "../operation/errors.ts";
import { secret } from "../operation/secrets.ts";
import { gotInstead } from "./expectation.ts";
import {
  byKind,
  given,
  membersInAnyCase,
  oneOrMore,
  refusalOf,
  reportedAs,
  ruled,
  Shape,
  says,
  texts,
  words,
} from "./index.ts";

const colour = words(["Red", "Green"]);
const circle = Type.Object({ type: words(["Circle"]), radius: Type.Integer({ minimum: 1, maximum: 9 }) });
const line = Type.Object({ type: words(["Line", "Ray"]), length: Type.Number(), colour: given(colour) });
const figure = byKind("type", [circle, line]);

const read = (schema: Parameters<typeof refuse>[0], value: unknown) => new Shape(schema).read(value).value;
function refuse(schema: ConstructorParameters<typeof Shape>[0], value: unknown): string[] {
  return new Shape(schema).read(value).problems.map(({ path, says: text }) => `${path} ${text}`.trim());
}

describe("what handlers see", () => {
  it.each([
    ["words in the declared spelling", Type.Object({ colour }), { colour: "gREEN" }, { colour: "Green" }],
    ["nothing where null was said", Type.Object({ a: given(colour) }), { a: null }, {}],
    ["an empty text where it counts", Type.Object({ a: given(Type.String()) }), { a: "" }, { a: "" }],
    [
      "nothing where an empty text was said and counts for nothing",
      Type.Object({ a: given(Type.String(), { empty: true }) }),
      { a: "" },
      {},
    ],
    ["a list of one", Type.Object({ a: oneOrMore(colour, { itemsMax: 2 }) }), { a: "red" }, { a: ["Red"] }],
    ["a list", Type.Object({ a: oneOrMore(colour, { itemsMax: 2 }) }), { a: ["RED"] }, { a: ["Red"] }],
    ["texts", texts({ membersMax: 3 }), { a: 1, b: true, c: null }, { a: "1", b: "true" }],
    [
      "the branch that was meant, inside lists",
      Type.Array(figure),
      [{ type: "ray", length: 2, colour: "red" }],
      [{ type: "Ray", length: 2, colour: "Red" }],
    ],
    ["defaults", Type.Object({ n: Type.Integer({ default: 4 }) }), {}, { n: 4 }],
  ])("%s", (_, schema, value, seen) => {
    expect(read(schema, value)).toEqual(seen);
  });

  it("leaves what was given as it was", () => {
    const value = Object.freeze({ figures: Object.freeze([Object.freeze({ type: "CIRCLE", radius: 1 })]) });
    expect(read(Type.Object({ figures: Type.Array(figure) }), value)).toEqual({
      figures: [{ type: "Circle", radius: 1 }],
    });
    expect(value.figures[0]).toEqual({ type: "CIRCLE", radius: 1 });
  });
});

it("members in any case become the declared ones, at every depth; the declared one counts where both are given", () => {
  const person = Type.Object({ firstName: Type.Optional(Type.String()), colour: given(colour) });
  const list = membersInAnyCase(
    Type.Object({ owner: Type.Union([person, Type.Null()]), others: Type.Array(person) }),
  );
  expect(
    read(list, {
      Owner: { FIRSTNAME: "Ann", COLOUR: "red" },
      others: [{ firstName: "Bob" }, { firstname: "x", firstName: "Eve" }],
    }),
  ).toEqual({
    owner: { firstName: "Ann", colour: "Red" },
    others: [{ firstName: "Bob" }, { firstname: "x", firstName: "Eve" }],
  });
  const unchanged = { owner: null, others: [] };
  expect(new Shape(list).settle(unchanged)).toBe(unchanged);
});

describe("what is said of wrong input", () => {
  const person = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
    kind: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
    born: Type.Optional(Type.String({ format: "date" })),
    is: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 3 }))),
    notes: Type.Optional(Type.Array(Type.String(), { maxItems: 1 })),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  });
  it.each([
    [person, {}, ["name is required and must be a text of 1 to 5 characters"]],
    [person, { name: null }, ["name is required and must be a text of 1 to 5 characters"]],
    [person, { name: "" }, ['name must be a text of 1 to 5 characters, not ""']],
    [person, { name: 5 }, ["name must be a text of 1 to 5 characters, not 5"]],
    [person, { name: "a", age: 151 }, ["age must be a whole number from 0 to 150, not 151"]],
    [person, { name: "a", age: "9" }, ['age must be a whole number from 0 to 150, not "9"']],
    [person, { name: "a", kind: "c" }, ['kind must be one of a, b, not "c"']],
    [person, { name: "a", born: "soon" }, ['born must be a date such as 2030-01-31, not "soon"']],
    [person, { name: "a", is: {} }, ["is must be true or false, not an object"]],
    [
      person,
      { name: "a", tags: { x: "long" } },
      ['tags.x must be a text of at most 3 characters, not "long"'],
    ],
    [person, { name: "a", notes: ["x", "y"] }, ["notes may have at most 1 item"]],
    [person, { name: "a", notes: [1] }, ["notes[0] must be a text, not 1"]],
    [person, { name: "a", either: "x" }, ['either must be a whole number or null, not "x"']],
    [person, [], ["must be an object, not a list of 0"]],
    [
      person,
      { name: "x".repeat(99), age: -1 },
      [
        "name must be a text of 1 to 5 characters, not a text of 99 characters",
        "age must be a whole number from 0 to 150, not -1",
      ],
    ],
    [Type.Object({}, { additionalProperties: false }), { x: 1 }, ["x is not known here"]],
    [figure, { type: "Square" }, ['type must be one of Circle, Line, Ray, not "Square"']],
    [figure, {}, ["type is required and must be one of Circle, Line, Ray"]],
    [figure, { type: "circle" }, ["radius is required and must be a whole number from 1 to 9"]],
    [figure, { type: "line", length: 1, colour: 5 }, ["colour must be one of Red, Green, not 5"]],
    [figure, "Circle", ['must be an object, not "Circle"']],
    [
      Type.Object({ a: oneOrMore(colour, { itemsMax: 1 }) }),
      { a: 3 },
      ["a must be one of Red, Green, not 3"],
    ],
    [texts({ membersMax: 1 }), { a: "", b: "" }, ["may have at most 1 members"]],
    [texts({ membersMax: 1 }), { a: [] }, ["must be an object of texts"]],
  ])("%#", (schema, value, said) => {
    expect(refuse(schema, value)).toEqual(said);
  });

  it("never tells a secret", () => {
    const shape = Type.Object({ password: secret(Type.String({ minLength: 8 })) });
    expect(refuse(shape, { password: "short" })).toEqual([
      "password must be a text of at least 8 characters",
    ]);
  });

  it("uses the declaration's own words and its own error", () => {
    const errors = defineErrors({ odd: ["OddNumber", 422] });
    const shape = new Shape(
      Type.Object({ n: says(Type.Integer({ multipleOf: 2 }), "must be even", errors.odd) }),
    );
    const { problems } = shape.read({ n: 3 });
    const refusal = refusalOf(problems, { whole: "The body" });
    expect(refusal).toMatchObject({
      message: "n must be even.",
      kind: { code: "OddNumber", status: 422 },
      extras: { target: "n", details: [{ message: "n must be even.", target: "n" }] },
    });
  });
});

describe("rules", () => {
  const span = ruled(
    Type.Object({ from: Type.Integer(), to: Type.Integer(), step: Type.Optional(Type.Integer()) }),
    {
      name: "toAfterFrom",
      says: "must lie after from",
      of: ["from", "to"],
      at: "to",
      check: ({ from, to }) => to > from,
    },
  );
  it("are asked once the shape fits", () => {
    expect(read(span, { from: 1, to: 2 })).toEqual({ from: 1, to: 2 });
    expect(refuse(Type.Object({ spans: Type.Array(span) }), { spans: [{ from: 1, to: 1 }] })).toEqual([
      "spans[0].to must lie after from",
    ]);
  });
  it("are asked although members that they are not about are wrong, and not when their own are", () => {
    expect(refuse(span, { from: 2, to: 1, step: "x" })).toEqual([
      'step must be a whole number, not "x"',
      "to must lie after from",
    ]);
    expect(refuse(span, { from: "2", to: 1 })).toEqual(['from must be a whole number, not "2"']);
    expect(refuse(span, null)).toEqual(["must be an object, not null"]);
  });
  it("may say more than their declaration, and see the declared spelling", () => {
    const shape = ruled(Type.Object({ colour }), {
      name: "noGreen",
      says: "must not be green",
      at: "colour",
      check: ({ colour: seen }) => seen !== "Green" || `must not be ${seen}`,
    });
    expect(refuse(shape, { colour: "green" })).toEqual(["colour must not be Green"]);
  });
  it("may be reported as an error of their own", () => {
    const errors = defineErrors({ noGreen: ["NoGreen", 409], odd: ["OddNumber", 422] });
    const shape = reportedAs(
      errors.odd,
      ruled(Type.Object({ colour }), {
        name: "noGreen",
        says: "must not be green",
        at: "colour",
        error: errors.noGreen,
        check: ({ colour: seen }) => seen !== "Green",
      }),
    );
    const { problems = [] } = new Shape(shape).read({ colour: "green" });
    expect(refusalOf(problems, { whole: "The body" })).toMatchObject({ kind: { code: "NoGreen" } });
  });
});

it("shows texts of at most sixty characters that do not fit", () => {
  expect(gotInstead("a".repeat(60))).toBe(`, not "${"a".repeat(60)}"`);
  expect(gotInstead("a".repeat(61))).toBe(", not a text of 61 characters");
});

it("takes e-mail addresses of at most 320 characters", () => {
  const schema = Type.Object({ email: Type.String({ format: "email" }) });
  const addressOf = (...labels: number[]) =>
    `${"a".repeat(64)}@${labels.map((length) => "d".repeat(length)).join(".")}`;
  const [longest, tooLong] = [addressOf(63, 63, 63, 63), addressOf(63, 63, 63, 62, 1)];
  expect([longest.length, tooLong.length]).toEqual([320, 321]);
  for (const email of ["ann@example.org", longest]) expect(refuse(schema, { email })).toEqual([]);
  for (const email of ["ann", tooLong]) expect(refuse(schema, { email })).toHaveLength(1);
});

it("reports an error for what is inside its shape, not for what stands before it", () => {
  const errors = defineErrors({ odd: ["OddNumber", 422] });
  const shape = Type.Object({
    first: colour,
    second: reportedAs(errors.odd, Type.Object({ a: Type.String() })),
  });
  const { problems } = new Shape(shape).read({ first: "Blue", second: { a: 1 } });
  expect(problems.map(({ path, error }) => [path, error])).toEqual([
    ["first", undefined],
    ["second.a", errors.odd],
  ]);
});

it("a refusal names ten problems", () => {
  const named = (count: number) => {
    const members = Array.from({ length: count }, (_one, at) => [`m${at}`, Type.String()]);
    const { problems } = new Shape(Type.Object(Object.fromEntries(members))).read({});
    return refusalOf(problems, { whole: "The body" }).message.match(/m\d+ /g)?.length;
  };
  expect([named(10), named(11)]).toEqual([10, 10]);
});
