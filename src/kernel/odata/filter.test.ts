/** A table of filters and the records they find, and the trees that stores translate. */
import { describe, expect, it } from "vitest";
import { fields, guid } from "../../../tests/support/filter-fields.ts";
import { compileFilter, findEqualities, parseFilter } from "./index.ts";

const letterGuid = "af8fad5b-d9cb-469f-a165-70867728950e";

const records: readonly Record<string, unknown>[] = [
  {
    name: "apple",
    state: "Enabled",
    title: "Red Fruit",
    count: 1,
    enabled: true,
    created: "2016-01-01T00:00:00Z",
    key: guid.toUpperCase(),
    properties: { loggerId: "log-a", sampling: { percentage: 12.5 }, verbose: true, alias: "One" },
  },
  {
    name: "banana",
    state: "Disabled",
    title: "yellow fruit",
    count: 20,
    enabled: false,
    created: Date.parse("2017-06-15T12:30:00Z"),
    key: letterGuid,
    properties: { loggerId: "log-b", sampling: { percentage: 50 }, verbose: false, alias: "TWO" },
  },
  {
    name: "it's",
    state: "Enabled",
    title: "quote",
    count: -3,
    enabled: true,
    created: new Date("2018-02-28T23:59:59.999Z"),
    key: "plain",
    properties: { loggerId: "other", sampling: null, verbose: true },
  },
  { name: "empty", count: "20", created: "soon", enabled: "true", properties: "none" },
];

const a = "apple";
const b = "banana";
const q = "it's";
const e = "empty";
const all = [a, b, q, e];
const none: string[] = [];

const good: readonly (readonly [filter: string, names: readonly string[]])[] = [
  // comparisons of strings
  ["name eq 'apple'", [a]],
  ["name ne 'apple'", [b, q, e]],
  ["name gt 'banana'", [q, e]],
  ["name ge 'banana'", [b, q, e]],
  ["name lt 'banana'", [a]],
  ["name le 'banana'", [a, b]],
  ["'apple' eq name", [a]],
  ["'banana' gt name", [a]],
  ["'banana' le name", [b, q, e]],
  ["name eq 'Apple'", none],
  ["name eq ''", none],
  ["name ne ''", all],
  ["name eq 'it''s'", [q]],
  ["name eq ''''", none],
  ["name eq 'a and b or (c)'", none],
  ["name eq name", all],
  ["name ne name", none],
  ["title eq 'red fruit'", [a]],
  ["title eq 'RED FRUIT'", [a]],
  ["title ne 'QUOTE'", [a, b, e]],
  ["alias eq 'one'", [a]],
  ["alias eq 'two' or alias eq 'One'", [a, b]],
  ["title eq name", none],
  // spacing and case of keywords
  ["  name   eq\t'apple'  ", [a]],
  ["name\neq\r\n'apple'", [a]],
  ["NAME EQ 'apple'", [a]],
  ["name Eq 'apple' AND count eq 1", [a]],
  ["name eq 'apple' OR name eq 'banana'", [a, b]],
  ["NOT (name eq 'apple')", [b, q, e]],
  ["enabled eq TRUE", [a, q]],
  ["state eq NULL", [e]],
  ["StartsWith(name,'ban')", [b]],
  ["Properties/LoggerId eq 'log-a'", [a]],
  // numbers
  ["count eq 1", [a]],
  ["count eq 20", [b]],
  ["count eq -3", [q]],
  ["count gt -3", [a, b]],
  ["count ge -3", [a, b, q]],
  ["count lt 1", [q]],
  ["count le 1", [a, q]],
  ["count ne 1", [b, q, e]],
  ["1 lt count", [b]],
  ["count eq 1.0", [a]],
  ["count eq 1L", [a]],
  ["count eq 20.0M", [b]],
  ["count eq 2e1", [b]],
  ["count eq 2E+1", [b]],
  ["count eq 200e-1d", [b]],
  ["count eq 01", [a]],
  ["count gt 9007199254740993", none],
  ["properties/sampling/percentage eq 12.5", [a]],
  ["properties/sampling/percentage gt 12.5", [b]],
  ["properties.sampling.percentage le 50", [a, b]],
  ["properties.sampling/percentage lt 12.5f", none],
  ["count eq properties/sampling/percentage", [e]],
  ["1 eq 1", all],
  ["1 gt 2", none],
  // booleans
  ["enabled eq true", [a, q]],
  ["enabled eq false", [b]],
  ["enabled ne true", [b, e]],
  ["true eq enabled", [a, q]],
  ["enabled", [a, q]],
  ["not enabled", [b, e]],
  ["not not enabled", [a, q]],
  ["not enabled eq true", [b, e]],
  ["not enabled eq false", [a, q]],
  ["not true", none],
  ["true", all],
  ["false", none],
  ["(true)", all],
  ["true and enabled", [a, q]],
  ["properties.verbose", [a, q]],
  ["properties/verbose eq false", [b]],
  ["enabled eq properties/verbose", [a, b, q, e]],
  ["(count gt 0) eq enabled", [a, b, q, e].filter((name) => name === a)],
  ["(count gt 0) eq true", [a, b]],
  ["(name eq 'apple') ne (count eq 1)", none],
  ["locked ne true", all],
  // null
  ["state eq null", [e]],
  ["state ne null", [a, b, q]],
  ["null eq state", [e]],
  ["null ne null", none],
  ["properties/loggerId eq null", [e]],
  ["properties/sampling/percentage eq null", [q, e]],
  ["enabled eq null", [e]],
  ["created eq null", [e]],
  ["count eq null", [e]],
  // date-times
  ["created eq 2016-01-01T00:00:00Z", [a]],
  ["created ge 2017-06-15T12:30:00Z", [b, q]],
  ["created gt 2017-06-15T12:30:00Z", [q]],
  ["created lt 2017-06-15T12:30:00Z", [a]],
  ["created le 2017-06-15T12:30Z", [a, b]],
  ["created ne 2016-01-01T00:00:00Z", [b, q, e]],
  ["created eq datetime'2016-01-01T00:00:00'", [a]],
  ["created eq datetime'2016-01-01T00:00:00Z'", [a]],
  ["created eq DateTimeOffset'2016-01-01T02:00:00+02:00'", [a]],
  ["created eq 2016-01-01T02:00:00+02:00", [a]],
  ["created eq 2015-12-31T19:00:00-05:00", [a]],
  ["created eq 2016-01-01", [a]],
  ["created eq 2016-01-01t00:00:00z", [a]],
  ["created eq 2018-02-28T23:59:59.999Z", [q]],
  ["created eq 2018-02-28T23:59:59.9999999Z", [q]],
  ["created gt '2017-01-01T00:00:00Z'", [b, q]],
  ["'2017-01-01' gt created", [a]],
  ["created ge 2016-02-29T00:00:00Z", [b, q]],
  ["2016-01-01T00:00:00Z lt 2017-01-01T00:00:00Z", all],
  // guids
  [`key eq ${guid}`, [a]],
  [`key eq ${guid.toUpperCase()}`, [a]],
  [`key eq guid'${guid}'`, [a]],
  [`${guid} eq key`, [a]],
  [`key eq ${letterGuid}`, [b]],
  [`key ne ${guid}`, [b, q, e]],
  [`key eq '${guid}'`, none],
  [`key eq '${guid.toUpperCase()}'`, [a]],
  [`(key eq ${letterGuid})`, [b]],
  // functions
  ["contains(name,'an')", [b]],
  ["contains( name , 'p' )", [a, e]],
  ["contains(name,'')", all],
  ["contains(name,'''')", [q]],
  ["startswith(name,'app')", [a]],
  ["endswith(name,'na')", [b]],
  ["substringof('pp',name)", [a]],
  ["substringof('pp',name) eq true", [a]],
  ["startswith(name,'app') eq true", [a]],
  ["startswith(name,'app') eq false", [b, q, e]],
  ["true eq startswith(name,'app')", [a]],
  ["endswith(name,'e') ne true", [b, q, e]],
  ["not startswith(name,'app')", [b, q, e]],
  ["not contains(name,'a') and count lt 0", [q]],
  ["contains(title,'FRUIT')", [a, b]],
  ["startswith(title,'YELLOW')", [b]],
  ["endswith(alias,'E')", [a]],
  ["contains(properties/loggerId,'log')", [a, b]],
  ["startswith(properties.loggerId,'log-b')", [b]],
  ["contains(name,'.*')", none],
  ["contains(name,'%')", none],
  ["not contains(properties/loggerId,'log')", [q, e]],
  // precedence and parentheses
  ["name eq 'apple' or name eq 'banana' and count eq 1", [a]],
  ["(name eq 'apple' or name eq 'banana') and count eq 20", [b]],
  ["name eq 'apple' and count eq 1 or name eq 'banana'", [a, b]],
  ["name eq 'apple' and (count eq 1 or name eq 'banana')", [a]],
  ["not (name eq 'apple') and enabled", [q]],
  ["not (name eq 'apple' and enabled)", [b, q, e]],
  ["not (name eq 'apple') or name eq 'apple'", all],
  ["not(name eq 'apple')", [b, q, e]],
  ["(name eq 'apple')and(count eq 1)", [a]],
  ["((((name eq 'apple'))))", [a]],
  ["name eq ('apple')", [a]],
  ["(name) eq 'apple'", [a]],
  ["name eq 'apple' or name eq 'banana' or name eq 'empty'", [a, b, e]],
  ["count gt 0 and count lt 50 and enabled eq false", [b]],
  ["state eq 'Enabled' and not (count lt 0)", [a]],
];

function namesMatching(filter: string): unknown[] {
  const predicate = compileFilter(parseFilter(filter), fields);
  return records.filter((record) => predicate(record)).map((record) => record.name);
}

describe("filters that are right", () => {
  it.each(good)("%s", (filter, names) => {
    expect(namesMatching(filter)).toEqual(names);
  });
});

describe("translation by a store", () => {
  it.each([
    ["state eq 'Enabled'", [{ field: "state", value: "Enabled" }]],
    ["'Enabled' eq state", [{ field: "state", value: "Enabled" }]],
    [
      "(state eq 'Enabled') and properties.verbose eq true",
      [
        { field: "state", value: "Enabled" },
        { field: "properties/verbose", value: true },
      ],
    ],
    ["state ne 'Enabled'", undefined],
    ["state eq 'Enabled' or state eq 'Disabled'", undefined],
    ["not (state eq 'Enabled')", undefined],
    ["state eq name", undefined],
    ["1 eq 1", undefined],
    ["enabled", undefined],
  ])("%s", (filter, equalities) => {
    expect(findEqualities(parseFilter(filter))).toEqual(equalities);
  });

  it("gives a plain tree with positions", () => {
    expect(parseFilter("a eq 1 or substringof('x',b/c)")).toEqual({
      kind: "or",
      position: 0,
      operands: [
        {
          kind: "comparison",
          operator: "eq",
          position: 0,
          left: { kind: "property", path: ["a"], position: 0 },
          right: { kind: "literal", type: "number", value: 1, position: 5 },
        },
        {
          kind: "function",
          name: "substringof",
          position: 10,
          text: "x",
          property: { kind: "property", path: ["b", "c"], position: 26 },
        },
      ],
    });
  });
});
