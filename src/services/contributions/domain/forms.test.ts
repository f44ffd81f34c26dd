/** Fields of every type: accepted and refused values, required or not. */
import { expect, it } from "vitest";
import {
  FIELD_TYPES,
  type Field,
  type FieldType,
  problemsOfFields,
  problemsOfResponse,
  publicAnswersOf,
} from "./forms.ts";

const VALUES: Readonly<
  Record<FieldType, { readonly right: readonly string[]; readonly wrong: readonly string[] }>
> = {
  text: { right: ["x", " ", "<b>"], wrong: [] },
  textarea: { right: ["one\ntwo"], wrong: [] },
  email: { right: ["ann@example.org"], wrong: ["ann", "ann@", "@example.org", "a b@example.org"] },
  telephone: { right: ["+44 20 7946 0000", "(01) 588-58"], wrong: ["call me", "12", "+"] },
  number: { right: ["0", "-1.5", "1e3"], wrong: ["1,5", "many", " ", "Infinity", "NaN"] },
  date: { right: ["2028-02-29"], wrong: ["2027-02-29", "2030-13-01", "1.5.2030", "2030-5-1"] },
  url: {
    right: ["https://example.org/a?b#c", "http://example.org"],
    wrong: ["example.org", "javascript:alert(1)", "ftp://a", "shttp://a", "httpsx://a"],
  },
  checkbox: { right: ["true", "false"], wrong: ["yes", "on", "TRUE"] },
  select: { right: ["Morning"], wrong: ["Noon", "morning", "constructor"] },
  radio: { right: ["Evening"], wrong: ["Noon", "Morning,Evening"] },
};
const fieldOf = (type: FieldType, required = false): Field => ({
  name: "one",
  type,
  required,
  ...(["select", "radio"].includes(type) && { options: ["Morning", "Evening"] }),
});
const messagesOf = (field: Field, value: string | undefined) =>
  problemsOfResponse([field], value === undefined ? {} : { one: value }).map(({ message }) => message);

it.each(FIELD_TYPES)("%s takes what fits it alone, and must be there where it is required", (type) => {
  const { right, wrong } = VALUES[type];
  for (const value of right) expect([value, messagesOf(fieldOf(type), value)]).toEqual([value, []]);
  for (const value of wrong)
    expect([value, messagesOf(fieldOf(type), value)]).toEqual([value, [expect.any(String)]]);
  for (const value of ["", undefined]) {
    expect(messagesOf(fieldOf(type), value)).toEqual([]);
    expect(messagesOf(fieldOf(type, true), value)).toEqual(["This field is required."]);
  }
});
it("a box that must be ticked must be true, and nothing is taken that no field asks for", () => {
  expect(messagesOf(fieldOf("checkbox", true), "false")).toEqual(["This field is required."]);
  expect(messagesOf(fieldOf("checkbox", true), "true")).toEqual([]);
  expect(problemsOfResponse([fieldOf("text")], { other: "x" })).toEqual([
    { target: "other", message: "The form has no such field." },
  ]);
});
it("a field may be called like something that every object has", () => {
  const field: Field = { name: "constructor", type: "text", required: true, public: true };
  expect(problemsOfResponse([field], {})).toEqual([
    { target: "constructor", message: "This field is required." },
  ]);
  expect(publicAnswersOf([field], {})).toEqual([]);
  expect(publicAnswersOf([field], { constructor: "x" })).toMatchObject([{ value: "x" }]);
});
it("fields have plain names, each its own, and options where one chooses", () => {
  for (const name of ["phone", "a.b-c_d", "0"])
    expect(problemsOfFields([{ name, type: "text" }])).toEqual([]);
  for (const name of ["a b", "__proto__", "ä", ""])
    expect(problemsOfFields([{ name, type: "text" }])).toHaveLength(1);
  expect(problemsOfFields([fieldOf("text"), fieldOf("date")])).toHaveLength(1);
  for (const type of ["select", "radio"] as const)
    expect(problemsOfFields([{ name: "one", type, options: [] }])).toHaveLength(1);
});
