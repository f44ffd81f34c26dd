/** A table of wrong filters with what they are told, and the limits on all filters. */
import { describe, expect, it } from "vitest";
import { fields, guid } from "../../../tests/support/filter-fields.ts";
import { processorMs } from "../../../tests/support/processor-time.ts";
import {
  compileFilter,
  FilterError,
  FilterFieldError,
  FilterSyntaxError,
  filterLimits,
  parseFilter,
} from "./index.ts";

const s = FilterSyntaxError;
const f = FilterFieldError;
const bad: readonly (readonly [
  filter: string,
  kind: typeof s | typeof f,
  message: RegExp,
  position: number,
])[] = [
  // broken text
  ["", s, /empty/, 0],
  ["   ", s, /empty/, 0],
  ["name eq", s, /filter ends/, 7],
  ["eq 'apple'", s, /found 'eq'/, 0],
  ["name eq 'apple", s, /no closing quote/, 8],
  ["name eq 'apple''", s, /no closing quote/, 8],
  ["name eq apple'", s, /no closing quote/, 13],
  ["name eq 'it's'", s, /no closing quote/, 13],
  ["name eq 'it's", s, /space is missing/, 12],
  ["name = 'apple'", s, /Unexpected character '='/, 5],
  ["name == 'apple'", s, /Unexpected character '='/, 5],
  ['name eq "apple"', s, /Unexpected character '"'/, 8],
  ["name eq 'apple' && count eq 1", s, /Unexpected character '&'/, 16],
  ["name eq 'apple';", s, /Unexpected character ';'/, 15],
  ["name eq 'apple' name", s, /end of the filter/, 16],
  ["name 'apple'", s, /end of the filter/, 5],
  ["name eq 'apple' and", s, /filter ends/, 19],
  ["and name eq 'apple'", s, /found 'and'/, 0],
  ["name eq 'apple' and and count eq 1", s, /found 'and'/, 20],
  ["name eq 'apple' or or", s, /found 'or'/, 19],
  ["name eq 'apple' xor count eq 1", s, /end of the filter/, 16],
  ["not", s, /filter ends/, 3],
  ["name not eq 'apple'", s, /end of the filter/, 5],
  ["name eq eq 'apple'", s, /found 'eq'/, 8],
  ["name is 'apple'", s, /end of the filter/, 5],
  ["name like 'a%'", s, /end of the filter/, 5],
  ["count add 1 eq 2", s, /'add'.*not supported/, 6],
  ["count mod 2 eq 0", s, /'mod'.*not supported/, 6],
  ["name in ('a','b')", s, /'in'.*not supported/, 5],
  ["1 lt count lt 5", s, /chained/, 11],
  ["name eq 'a' eq true", s, /chained/, 12],
  // parentheses
  ["(name eq 'apple'", s, /Expected '\)'/, 16],
  ["name eq 'apple')", s, /end of the filter/, 15],
  ["()", s, /found '\)'/, 1],
  [")", s, /found '\)'/, 0],
  ["((name eq 'apple')", s, /Expected '\)'/, 18],
  ["(name eq 'apple' and )", s, /found '\)'/, 21],
  ["not ()", s, /found '\)'/, 5],
  // paths
  ["properties/ eq 1", s, /name of a field/, 12],
  ["properties//loggerId eq 'a'", s, /name of a field/, 11],
  ["/name eq 'a'", s, /found '\/'/, 0],
  ["properties/'x' eq 1", s, /name of a field/, 11],
  ["a/b/c/d/e/f/g/h/i eq 1", s, /at most 8 segments/, 0],
  ["$name eq 'a'", s, /Unexpected character '\$'/, 0],
  ["na-me eq 'a'", s, /Unexpected character '-'/, 2],
  ["naïve eq 'a'", s, /Unexpected character 'ï'/, 2],
  // literals
  ["count eq 1.", s, /not a number/, 9],
  ["count eq .5", s, /found '\.'/, 9],
  ["count eq 1x", s, /not a number/, 9],
  ["count eq 1.2.3", s, /not a number/, 9],
  ["count eq --1", s, /Unexpected character '-'/, 9],
  ["count eq +1", s, /Unexpected character '\+'/, 9],
  ["count eq 1e", s, /not a number/, 9],
  ["count eq 1e9999", s, /too large/, 9],
  ["count eq 0x10", s, /not a number/, 9],
  ["created eq 2016-13-01T00:00:00Z", s, /not a valid date-time/, 11],
  ["created eq 2016-02-30T00:00:00Z", s, /not a valid date-time/, 11],
  ["created eq 2015-02-29", s, /not a valid date-time/, 11],
  ["created eq 2016-01-01T24:00:00Z", s, /not a valid date-time/, 11],
  ["created eq 2016-01-01T00:60:00Z", s, /not a valid date-time/, 11],
  ["created eq 2016-01-01T00:00:00+15:00", s, /not a valid date-time/, 11],
  ["created eq 2016-1-1", s, /not a number/, 11],
  ["created eq datetime'yesterday'", s, /not a valid date-time/, 11],
  ["created eq datetime''", s, /not a valid date-time/, 11],
  ["created eq datetime'2016-01-01T00:00:00", s, /no closing quote/, 19],
  [`key eq guid'${guid}'and true`, s, /space is missing before position 49/, 49],
  ["key eq guid'123'", s, /not a valid guid/, 7],
  [`key eq ${guid}0`, s, /not a number/, 7],
  ["name eq binary'00ff'", s, /cannot stand before a string/, 8],
  ["name eq'apple'", s, /cannot stand before a string/, 5],
  // functions
  ["foo(name,'a')", s, /Unknown function 'foo'/, 0],
  ["tolower(name) eq 'a'", s, /Unknown function 'tolower'/, 0],
  ["contains('a',name)", s, /a field as the first argument of contains/, 9],
  ["substringof(name,'a')", s, /a quoted string as the first argument of substringof/, 12],
  ["contains(name)", s, /Expected ','/, 13],
  ["contains(name,'a'", s, /Expected '\)'/, 17],
  ["contains(name,'a','b')", s, /Expected '\)'/, 17],
  ["contains()", s, /a field as the first argument/, 9],
  ["contains(name,1)", s, /a quoted string as the second argument/, 14],
  ["contains(name,count)", s, /a quoted string as the second argument/, 14],
  ["contains(null,'a')", s, /a field as the first argument/, 9],
  ["contains(not,'a')", s, /a field as the first argument/, 9],
  ["substringof('a','b')", s, /a field as the second argument/, 16],
  ["startswith name,'a'", s, /end of the filter/, 11],
  // fields
  ["nome eq 'a'", f, /Unknown field 'nome'.*name, state/, 0],
  ["name eq other", f, /Unknown field 'other'/, 8],
  ["contains(nome,'a')", f, /Unknown field 'nome'/, 9],
  ["properties eq 'a'", f, /Unknown field 'properties'/, 0],
  ["properties/nothing eq 'a'", f, /Unknown field 'properties\/nothing'/, 0],
  ["name/length eq 1", f, /Unknown field 'name\/length'/, 0],
  ["constructor eq 'a'", f, /Unknown field 'constructor'/, 0],
  ["__proto__ eq 'a'", f, /Unknown field '__proto__'/, 0],
  ["name eq 'a' or nome eq 'b'", f, /Unknown field 'nome'/, 15],
  ["not nome", f, /Unknown field 'nome'/, 4],
  // operators and functions that a field does not offer
  ["state gt 'a'", f, /operator 'gt' cannot be used on field 'state'.*eq, ne/, 0],
  ["'a' lt state", f, /operator 'lt' cannot be used on field 'state'/, 7],
  ["locked", f, /operator 'eq' cannot be used on field 'locked'/, 0],
  ["contains(state,'a')", f, /function 'contains' cannot be used on field 'state'.*none/, 0],
  ["endswith(properties/loggerId,'a')", f, /function 'endswith'.*contains, startswith/, 0],
  ["substringof('a',properties/loggerId)", f, /function 'substringof'/, 0],
  // types
  ["name eq 1", f, /Field 'name' \(string\) cannot be compared with a number/, 8],
  ["count eq '1'", f, /Field 'count' \(number\) cannot be compared with a string/, 9],
  ["enabled eq 'true'", f, /cannot be compared with a string/, 11],
  ["enabled eq 1", f, /cannot be compared with a number/, 11],
  ["created gt 5", f, /cannot be compared with a number/, 11],
  ["created gt 'soon'", f, /'soon' at position 11 is not a date-time/, 11],
  ["name eq 2016-01-01T00:00:00Z", f, /cannot be compared with a dateTime/, 8],
  ["name eq true", f, /cannot be compared with a boolean/, 8],
  ["name eq count", f, /cannot be compared with field 'count'/, 8],
  [`count eq ${guid}`, f, /cannot be compared with a guid/, 9],
  ["1 eq 'a'", f, /A number cannot be compared with a string/, 5],
  ["enabled gt true", f, /has no order/, 0],
  ["true lt false", f, /has no order/, 0],
  ["name gt null", f, /null can be compared with eq and ne only/, 0],
  ["null le count", f, /null can be compared with eq and ne only/, 0],
  ["startswith(name,'a') eq 1", f, /cannot be compared with a number/, 24],
  ["startswith(name,'a') gt true", f, /has no order/, 0],
  ["contains(count,'1')", f, /needs a string, but field 'count' is a number/, 0],
  ["startswith(created,'2016')", f, /needs a string/, 0],
  ["name", f, /no condition by itself/, 0],
  ["count and enabled", f, /no condition by itself/, 0],
  ["enabled and 'a'", f, /no condition by itself/, 12],
  ["null", f, /no condition by itself/, 0],
  ["5", f, /no condition by itself/, 0],
  ["not name eq 'apple'", f, /no condition by itself.*not \(field eq 'value'\)/, 4],
  ["not count", f, /no condition by itself/, 4],
];

function errorOf(filter: string): FilterError {
  try {
    compileFilter(parseFilter(filter), fields);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`no error for ${filter}`);
}

function accepts(filter: string): boolean {
  compileFilter(parseFilter(filter), fields);
  return true;
}

describe("filters that are wrong", () => {
  it.each(bad)("%s", (filter, kind, message, position) => {
    const error = errorOf(filter);
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
  });

  it("names the reason of a field error", () => {
    const reasons = ["nome eq 1", "state gt 'a'", "contains(state,'a')", "count eq 'a'"].map(
      (filter) => (errorOf(filter) as FilterFieldError).reason,
    );
    expect(reasons).toEqual(["unknownField", "operatorNotAllowed", "functionNotAllowed", "typeMismatch"]);
  });
});

describe("limits", () => {
  it("accepts a filter of the greatest length and refuses a longer one", () => {
    const fitting = `name eq '${"x".repeat(filterLimits.lengthMax - 10)}'`;
    expect(fitting).toHaveLength(filterLimits.lengthMax);
    expect(accepts(fitting)).toBe(true);
    expect(errorOf(`${fitting} `).message).toMatch(/longer than 2000/);
  });

  it("refuses deep nesting, however it is written", () => {
    const depth = filterLimits.depthMax;
    expect(accepts(`${"(".repeat(depth)}enabled${")".repeat(depth)}`)).toBe(true);
    expect(errorOf(`${"(".repeat(depth + 1)}enabled${")".repeat(depth + 1)}`).message).toMatch(
      /nested deeper/,
    );
    expect(errorOf(`${"not ".repeat(depth + 1)}enabled`).message).toMatch(/nested deeper/);
    expect(errorOf("(".repeat(filterLimits.lengthMax)).message).toMatch(/nested deeper/);
  });

  it("refuses too many parts", () => {
    const chain = (count: number) => Array.from({ length: count }, () => "true").join(" and ");
    expect(accepts(chain(filterLimits.nodesMax - 1))).toBe(true);
    expect(errorOf(chain(filterLimits.nodesMax)).message).toMatch(/more than 200 parts/);
  });

  it.each([
    ["quotes", "'".repeat(1_999)],
    ["digits", `count eq ${"9".repeat(1_900)}`],
    ["dashes and digits", "1-".repeat(1_000)],
    ["dots", "a.".repeat(1_000)],
    ["an almost number", `count eq ${"1".repeat(1_000)}e${"1".repeat(900)}x`],
    ["open functions", "contains(".repeat(200)],
  ])("answers %s at once", (_, filter) => {
    // The cheapest of some attempts: what else the process does can only add to it.
    let cheapestMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 50 && cheapestMs >= 100; attempt += 1) {
      const tookMs = processorMs(() => expect(errorOf(filter)).toBeInstanceOf(FilterSyntaxError));
      cheapestMs = Math.min(cheapestMs, tookMs);
    }
    expect(cheapestMs).toBeLessThan(100);
  });
});
